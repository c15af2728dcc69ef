-- A node says that it is there.
-- KEYS  1 alive (zset)  2 about (hash)  3 version (string)
-- ARGV  1 node  2 what others should know of it  3 how long this holds, in ms
-- Returns {version, 1 when the node was not there before, nodes whose time is over...}.
local now = now_us()
local new = redis.call('ZADD', KEYS[1], whole(now + ARGV[3] * 1000), ARGV[1])
if redis.call('HGET', KEYS[2], ARGV[1]) ~= ARGV[2] then
  redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
  redis.call('INCR', KEYS[3])
end
local answer = redis.call('ZRANGE', KEYS[1], '-inf', whole(now), 'BYSCORE')
table.insert(answer, 1, new)
table.insert(answer, 1, tonumber(redis.call('GET', KEYS[3]) or 0))
return answer
