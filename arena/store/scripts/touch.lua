-- A scope may have work now.
-- KEYS  1 work directory (zset)
-- ARGV  1 scope
redis.call('ZADD', KEYS[1], whole(now_us()), ARGV[1])
return 1
