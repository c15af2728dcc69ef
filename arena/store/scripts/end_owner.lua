-- An owner ends: its token and those of its bots stop working at once.
-- KEYS  1 owners' records (hash)  2 owners' tokens (hash)  3 owners' hashes (hash)  4 ended owners (hash)
--       5 the owner's bots (zset)  6 bots' tokens (hash)  7 bots' hashes (hash)  8 count of revocations (string)
-- ARGV  1 owner
-- Returns 1, or 0 when the owner is unknown.
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then
  return 0
end
local function revoke(tokens, hashes, name)
  local hash = redis.call('HGET', hashes, name)
  if hash then
    redis.call('HDEL', tokens, hash)
    redis.call('HDEL', hashes, name)
  end
end
revoke(KEYS[2], KEYS[3], ARGV[1])
for _, bot in ipairs(redis.call('ZRANGE', KEYS[5], 0, -1)) do
  revoke(KEYS[6], KEYS[7], bot)
end
redis.call('HSETNX', KEYS[4], ARGV[1], whole(now_us()))
redis.call('INCR', KEYS[8])
return 1
