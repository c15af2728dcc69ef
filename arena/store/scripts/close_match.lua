-- A single match is over, or there is none: it counts no longer.
-- KEYS  1 open matches of the owner (zset)  2.. open matches of each bot (set)
-- ARGV  1 scope
-- Returns 1, or 0 when it did not count before.
for at = 2, #KEYS do
  redis.call('SREM', KEYS[at], ARGV[1])
end
return redis.call('ZREM', KEYS[1], ARGV[1])
