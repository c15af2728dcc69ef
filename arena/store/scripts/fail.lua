-- A job went wrong: it is tried again after a while, or parked with its error when it was tried often enough.
-- KEYS  1 head (hash)  2 jobs (stream)  3 claims (hash)  4 parked (stream)
-- ARGV  1 owner  2 job id  3 fence  4 failures after which a job is parked  5 delay in ms  6 error
-- Returns 'retry', 'parked' or 'lost'.
local id, fence = ARGV[2], ARGV[3]
if redis.call('HGET', KEYS[3], id) ~= fence then
  return 'lost'
end
local head = redis.call('HMGET', KEYS[1], 'lease_ms', 'scan_at')
local failures = redis.call('HINCRBY', KEYS[3], failures_of(id), 1)
if failures >= tonumber(ARGV[4]) then
  park_job(KEYS[1], KEYS[2], KEYS[3], KEYS[4], redis.call('XRANGE', KEYS[2], id, id)[1], failures, ARGV[6])
  return 'parked'
end
-- From here on the fence is nobody's, and this report is not counted twice.
redis.call('HINCRBY', KEYS[3], id, 1)
redis.call('HDEL', KEYS[3], owner_of(id))
-- Old enough that the lease runs out when the delay is over. The server takes a time that is still to come as now.
redis.call('XCLAIM', KEYS[2], GROUP, ARGV[1], 0, id, 'IDLE', head[1] - ARGV[5], 'JUSTID')
local scan_at = now_us() + ARGV[5] * 1000
if scan_at < tonumber(head[2]) then
  redis.call('HSET', KEYS[1], 'scan_at', whole(scan_at))
end
return 'retry'
