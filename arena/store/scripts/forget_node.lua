-- A node is gone, and with it the bots that are connected to it.
-- KEYS  1 alive (zset)  2 about (hash)  3 bots (hash)  4 about bots (hash)  5 version (string)
-- ARGV  1 node  2 '1': only if it has expired
-- Returns the version of this change, or 0 when there was none.
local score = redis.call('ZSCORE', KEYS[1], ARGV[1])
if ARGV[2] == '1' and (not score or tonumber(score) > now_us()) then
  return 0
end
local bots = redis.call('HGETALL', KEYS[3])
for i = 1, #bots, 2 do
  if bots[i + 1] == ARGV[1] then
    redis.call('HDEL', KEYS[3], bots[i])
    redis.call('HDEL', KEYS[4], bots[i])
  end
end
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('ZREM', KEYS[1], ARGV[1])
return redis.call('INCR', KEYS[5])
