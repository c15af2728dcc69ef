-- A node is gone, and with it the bots that were connected to it and are not elsewhere by now.
-- KEYS  1 alive (zset)  2 about (hash)  3 bots (hash)  4 about bots (hash)  5 bots of the node (set)  6 version (string)
-- ARGV  1 node  2 '1': only if it has expired
-- Returns the version of this change, or 0 when there was none.
local score = redis.call('ZSCORE', KEYS[1], ARGV[1])
if ARGV[2] == '1' and (not score or tonumber(score) > now_us()) then
  return 0
end
for _, bot in ipairs(redis.call('SMEMBERS', KEYS[5])) do
  if redis.call('HGET', KEYS[3], bot) == ARGV[1] then
    redis.call('HDEL', KEYS[3], bot)
    redis.call('HDEL', KEYS[4], bot)
  end
end
redis.call('DEL', KEYS[5])
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('ZREM', KEYS[1], ARGV[1])
return redis.call('INCR', KEYS[6])
