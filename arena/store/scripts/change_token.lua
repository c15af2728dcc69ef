-- A bot gets another token, or none; the old one is worth nothing from now on.
-- KEYS  1 records (hash)  2 tokens (hash)  3 hashes (hash)
-- ARGV  1 bot  2 SHA-256 of the new token in hex, or ''
-- Returns 1, or 0 for no such bot.
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then
  return 0
end
local old = redis.call('HGET', KEYS[3], ARGV[1])
if old then
  redis.call('HDEL', KEYS[2], old)
  redis.call('HDEL', KEYS[3], ARGV[1])
end
if ARGV[2] ~= '' then
  redis.call('HSET', KEYS[2], ARGV[2], ARGV[1])
  redis.call('HSET', KEYS[3], ARGV[1], ARGV[2])
end
return 1
