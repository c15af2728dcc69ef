-- What came of a version's qualification, once.
-- KEYS  1 head of the version (hash)  2 jobs (stream)  3 claims (hash)  4 done (hash)
-- ARGV  1 job id  2 fence  3 status, 'qualified' or 'failed'  4 report
-- Returns 'held' (committed now), 'again' or 'lost'.
local id, fence = ARGV[1], ARGV[2]
local status = commit_status(KEYS[4], KEYS[3], 'qualify', id, fence)
if status ~= 'held' then
  return status
end
redis.call('HSET', KEYS[4], 'qualify', id .. ':' .. fence)
redis.call('HSET', KEYS[1], 'state', 'finished', 'report', ARGV[4])
-- A version that was taken out in the meantime stays so.
if redis.call('HGET', KEYS[1], 'status') == 'qualifying' then
  redis.call('HSET', KEYS[1], 'status', ARGV[3])
end
redis.call('DEL', KEYS[2], KEYS[3])
return status
