-- A node reports that it is alive.
-- KEYS  1 alive (zset)  2 about (hash)  3 version (string)  4 proof of the cluster key (string)
-- ARGV  1 node  2 what others should know of it  3 how long this holds, in ms  4 proof of its cluster key
-- Returns {version, 1 when the node was not there before, nodes that have expired...}, or {} when the nodes that are
-- there have another cluster key: the first node says which it is.
local now = now_us()
local there = redis.call('ZCOUNT', KEYS[1], whole(now), '+inf')
if (redis.call('ZSCORE', KEYS[1], ARGV[1]) or 0) + 0 >= now then
  there = there - 1
end
local proof = redis.call('GET', KEYS[4])
if proof ~= ARGV[4] then
  if proof and there > 0 then
    return {}
  end
  redis.call('SET', KEYS[4], ARGV[4])
end
local new = redis.call('ZADD', KEYS[1], whole(now + ARGV[3] * 1000), ARGV[1])
if redis.call('HGET', KEYS[2], ARGV[1]) ~= ARGV[2] then
  redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
  redis.call('INCR', KEYS[3])
end
local answer = redis.call('ZRANGE', KEYS[1], '-inf', whole(now), 'BYSCORE')
table.insert(answer, 1, new)
table.insert(answer, 1, tonumber(redis.call('GET', KEYS[3]) or 0))
return answer
