-- A parked job is tried again, as if never tried.
-- KEYS  1 jobs (stream)  2 parked (stream)
-- ARGV  1 parked id
-- Returns 1, or 0 when there is no such parked job.
local entry = redis.call('XRANGE', KEYS[2], ARGV[1], ARGV[1])[1]
if not entry then
  return 0
end
redis.call('XADD', KEYS[1], '*', entry[2][1], entry[2][2])
redis.call('XDEL', KEYS[2], ARGV[1])
return 1
