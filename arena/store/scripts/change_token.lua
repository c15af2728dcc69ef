-- A bot or an owner gets another token; the old one stops working at once.
-- KEYS  1 records (hash)  2 tokens (hash)  3 hashes (hash)  4 count of revocations (string)  5 ended owners (hash), if any
-- ARGV  1 name  2 SHA-256 of the new token in hex
-- Returns 1, or 0 when the name is unknown, -1 when the owner was ended.
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then
  return 0
end
if KEYS[5] and redis.call('HEXISTS', KEYS[5], ARGV[1]) == 1 then
  return -1
end
local old = redis.call('HGET', KEYS[3], ARGV[1])
if old and old ~= ARGV[2] then
  redis.call('HDEL', KEYS[2], old)
  redis.call('INCR', KEYS[4])
end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[1])
redis.call('HSET', KEYS[3], ARGV[1], ARGV[2])
return 1
