-- Registers a bot or an owner with its first token.
-- KEYS  1 records (hash)  2 tokens (hash)  3 hashes (hash)  4 names in lower case (hash)  5 ended owners (hash)
--       6.. indexes of names (zsets), of all first
-- ARGV  1 name  2 record  3 SHA-256 of the token in hex  4 the owner: the bot's, which may be '', or the name itself
-- Returns '' when it was made (now or by this very call before), 0 when the owner was ended, else the name that is
-- taken: this one, or one that looks like it.
if redis.call('HEXISTS', KEYS[5], ARGV[4]) == 1 then
  return 0
end
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then
  return redis.call('HGET', KEYS[3], ARGV[1]) == ARGV[3] and '' or ARGV[1]
end
local taken = alike(KEYS[4], ARGV[1])
if taken ~= '' then
  return taken
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('HSET', KEYS[2], ARGV[3], ARGV[1])
redis.call('HSET', KEYS[3], ARGV[1], ARGV[3])
take_name(KEYS[4], ARGV[1])
for index = 6, #KEYS do
  redis.call('ZADD', KEYS[index], 0, ARGV[1])
end
return ''
