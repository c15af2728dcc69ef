-- A record gives way to another one, unless it has changed: made, moved on, or removed.
-- KEYS  1 records (hash)  2 of records at which a node has to act at a time: those times (zset)
-- ARGV  1 name  2 record that is there, '' for none  3 record to put there, '' for none  4 when it is due (us)
-- Returns 1 (done now or before), 0 when another record is there.
local there = redis.call('HGET', KEYS[1], ARGV[1]) or ''
if there == ARGV[3] then
  return 1
elseif there ~= ARGV[2] then
  return 0
end
if ARGV[3] == '' then
  redis.call('HDEL', KEYS[1], ARGV[1])
  if KEYS[2] then
    redis.call('ZREM', KEYS[2], ARGV[1])
  end
else
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
  if KEYS[2] then
    redis.call('ZADD', KEYS[2], ARGV[4], ARGV[1])
  end
end
return 1
