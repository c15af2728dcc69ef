-- A bot is connected to a node.
-- KEYS  1 bots (hash)  2 about bots (hash)  3 bots of the node (set)  4 alive (zset)  5 version (string)
-- ARGV  1 bot  2 node  3 about the bot  4 '1': unless it is connected to another node that is there
-- Returns 1, or 0 when it is elsewhere.
local there = redis.call('HGET', KEYS[1], ARGV[1])
if ARGV[4] == '1' and there and there ~= ARGV[2] and redis.call('ZSCORE', KEYS[4], there) then
  return 0
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
redis.call('SADD', KEYS[3], ARGV[1])
redis.call('INCR', KEYS[5])
return 1
