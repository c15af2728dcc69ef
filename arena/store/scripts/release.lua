-- An owner that leaves releases a job: another may claim it at once, and it counts as not tried.
-- KEYS  1 jobs (stream)  2 claims (hash)
-- ARGV  1 job id  2 fence
-- Returns 1, or 0 when the lease is lost.
local id, fence = ARGV[1], ARGV[2]
if redis.call('HGET', KEYS[2], id) ~= fence then
  return 0
end
local fields = redis.call('XRANGE', KEYS[1], id, id)[1][2]
redis.call('XADD', KEYS[1], '*', fields[1], fields[2])
forget_job(KEYS[1], KEYS[2], id)
return 1
