-- Ends leases at once: for a server whose earlier users are known to be gone.
-- KEYS  1 head (hash)  2 jobs (stream)  3 claims (hash)
-- Fences are left alone: an owner that is there after all can commit until the job is claimed again.
local head = redis.call('HMGET', KEYS[1], 'state', 'lease_ms')
if head[1] ~= 'running' and head[1] ~= 'paused' then
  return
end
local leased = redis.call('XPENDING', KEYS[2], GROUP)[1]
for _, entry in ipairs(leased > 0 and redis.call('XPENDING', KEYS[2], GROUP, '-', '+', leased) or {}) do
  redis.call('XCLAIM', KEYS[2], GROUP, entry[2], 0, entry[1], 'IDLE', head[2], 'JUSTID')
  redis.call('HDEL', KEYS[3], owner_of(entry[1]))
end
redis.call('HSET', KEYS[1], 'scan_at', 0)
