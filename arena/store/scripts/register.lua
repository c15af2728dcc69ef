-- Registers a bot or an owner with its first token.
-- KEYS  1 records (hash)  2 tokens (hash)  3 hashes (hash)  4.. indexes of names (zsets)
-- ARGV  1 name  2 record  3 SHA-256 of the token in hex
-- Returns 1 when it was made (now or by this very call before), 0 when the name is taken.
if redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2]) == 0 then
  return redis.call('HGET', KEYS[3], ARGV[1]) == ARGV[3] and 1 or 0
end
redis.call('HSET', KEYS[2], ARGV[3], ARGV[1])
redis.call('HSET', KEYS[3], ARGV[1], ARGV[3])
for index = 4, #KEYS do
  redis.call('ZADD', KEYS[index], 0, ARGV[1])
end
return 1
