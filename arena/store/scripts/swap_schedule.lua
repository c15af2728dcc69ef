-- A schedule's record gives way to another one, unless it has changed: made, moved on, or removed.
-- KEYS  1 schedules (hash)  2 due (zset)
-- ARGV  1 schedule  2 record that is there, '' for none  3 record to put there, '' for none  4 when it is due (us)
-- Returns 1 (done now or before), 0 when another record is there.
local there = redis.call('HGET', KEYS[1], ARGV[1]) or ''
if there == ARGV[3] then
  return 1
elseif there ~= ARGV[2] then
  return 0
end
if ARGV[3] == '' then
  redis.call('HDEL', KEYS[1], ARGV[1])
  redis.call('ZREM', KEYS[2], ARGV[1])
else
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
  redis.call('ZADD', KEYS[2], ARGV[4], ARGV[1])
end
return 1
