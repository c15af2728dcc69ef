-- Ends leases at once: for a server whose earlier users are known to be gone.
-- KEYS  1 head (hash)  2 jobs (stream)  3 claims (hash)
-- ARGV  1 the first id to look at  2 how many
-- Returns where to go on, or '' at the end. Fences are left alone: an owner that is there after all can commit until the job
-- is claimed again.
local head = redis.call('HMGET', KEYS[1], 'state', 'lease_ms')
if head[1] ~= 'running' and head[1] ~= 'paused' then
  return ''
end
local lease = head[2]
local pending = redis.call('XPENDING', KEYS[2], GROUP, ARGV[1], '+', ARGV[2])
for _, entry in ipairs(pending) do
  redis.call('XCLAIM', KEYS[2], GROUP, entry[2], 0, entry[1], 'IDLE', lease, 'JUSTID')
  redis.call('HDEL', KEYS[3], owner_of(entry[1]))
end
redis.call('HSET', KEYS[1], 'scan_at', 0)
return #pending == tonumber(ARGV[2]) and '(' .. pending[#pending][1] or ''
