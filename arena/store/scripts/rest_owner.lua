-- An owner whose due matches were all polled is polled again when the next one of them is due.
-- KEYS  1 owners (zset)  2 open matches of the owner (zset)
-- ARGV  1 owner
-- Returns 1, or 0 when the owner has no open match any more.
local first = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')[2]
if not first then
  redis.call('ZREM', KEYS[1], ARGV[1])
  return 0
end
redis.call('ZADD', KEYS[1], whole(math.max(tonumber(first), now_us())), ARGV[1])
return 1
