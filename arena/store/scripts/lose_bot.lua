-- A bot's connection to a node is lost.
-- KEYS  1 bots (hash)  2 about bots (hash)  3 bots of the node (set)  4 version (string)
-- ARGV  1 bot  2 node
-- Returns 1, or 0 when the bot is elsewhere by now.
redis.call('SREM', KEYS[3], ARGV[1])
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then
  return 0
end
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('INCR', KEYS[4])
return 1
