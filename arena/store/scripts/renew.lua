-- Renews a lease: XCLAIM sets the idle time to 0, JUSTID leaves the delivery count alone.
-- KEYS  1 jobs (stream)  2 claims (hash)
-- ARGV  1 owner  2 job id  3 fence
-- Returns 1, or 0 when the lease is lost.
if redis.call('HGET', KEYS[2], ARGV[2]) ~= ARGV[3] then
  return 0
end
redis.call('XCLAIM', KEYS[1], GROUP, ARGV[1], 0, ARGV[2], 'JUSTID')
return 1
