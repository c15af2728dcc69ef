-- Hands a lease to another owner, as if that one had claimed it.
-- KEYS  1 jobs (stream)  2 claims (hash)
-- ARGV  1 new owner  2 job id  3 fence
-- Returns the new owner's fence, or 0 when the lease is lost.
if redis.call('HGET', KEYS[2], ARGV[2]) ~= ARGV[3] then
  return 0
end
redis.call('XCLAIM', KEYS[1], GROUP, ARGV[1], 0, ARGV[2], 'JUSTID')
redis.call('HSET', KEYS[2], owner_of(ARGV[2]), ARGV[1])
return redis.call('HINCRBY', KEYS[2], ARGV[2], 1)
