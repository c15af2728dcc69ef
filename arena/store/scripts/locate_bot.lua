-- A bot is connected to a node, or its connection to that node is lost.
-- KEYS  1 bots (hash)  2 about bots (hash)  3 alive (zset)  4 version (string)
-- ARGV  1 bot  2 node  3 about the bot, '' when its connection is lost
--       4 '1': only if the bot is not connected to another node that is alive
-- Returns 1, or 0 when the bot is connected elsewhere.
local at = redis.call('HGET', KEYS[1], ARGV[1])
if ARGV[3] == '' then
  if at ~= ARGV[2] then
    return 0
  end
  redis.call('HDEL', KEYS[1], ARGV[1])
  redis.call('HDEL', KEYS[2], ARGV[1])
else
  if ARGV[4] == '1' and at and at ~= ARGV[2] and redis.call('ZSCORE', KEYS[3], at) then
    return 0
  end
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
  redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
end
redis.call('INCR', KEYS[4])
return 1
