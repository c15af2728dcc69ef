-- Registers a bot with its first token.
-- KEYS  1 names (zset)  2 records (hash)  3 tokens (hash)  4 hashes (hash)
-- ARGV  1 bot  2 record  3 SHA-256 of the token in hex
-- Returns 1 when it was made (now or by this very call before), 0 when the name is taken.
if redis.call('HSETNX', KEYS[2], ARGV[1], ARGV[2]) == 0 then
  return redis.call('HGET', KEYS[4], ARGV[1]) == ARGV[3] and 1 or 0
end
redis.call('ZADD', KEYS[1], 0, ARGV[1])
redis.call('HSET', KEYS[3], ARGV[3], ARGV[1])
redis.call('HSET', KEYS[4], ARGV[1], ARGV[3])
return 1
