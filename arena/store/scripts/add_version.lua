-- Records a version of a bot, once.
-- KEYS  1 records (hash)  2 versions of the bot (hash)
-- ARGV  1 bot  2 version  3 record
-- Returns 1, 0 when this version is there with other content, -1 for no such bot.
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then
  return -1
end
redis.call('HSETNX', KEYS[2], ARGV[2], ARGV[3])
return redis.call('HGET', KEYS[2], ARGV[2]) == ARGV[3] and 1 or 0
