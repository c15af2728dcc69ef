-- A bot or an owner gets another token; the old one stops working at once.
-- KEYS  1 tokens (hash)  2 hashes (hash)  3 count of revocations (string)  4 ended owners (hash)
-- ARGV  1 name  2 SHA-256 of the new token in hex  3 the owner: the bot's, which may be '', or the name itself
-- Returns 1, or 0 when the owner was ended.
if redis.call('HEXISTS', KEYS[4], ARGV[3]) == 1 then
  return 0
end
local old = redis.call('HGET', KEYS[2], ARGV[1])
if old and old ~= ARGV[2] then
  redis.call('HDEL', KEYS[1], old)
  redis.call('INCR', KEYS[3])
end
redis.call('HSET', KEYS[1], ARGV[2], ARGV[1])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
return 1
