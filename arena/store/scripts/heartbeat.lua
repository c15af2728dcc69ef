-- A node reports that it is alive.
-- KEYS  1 alive (zset)  2 about (hash)  3 version (string)  4 proof of the cluster key (string)
-- ARGV  1 node  2 what others should know of it  3 how long this holds, in ms  4 proof of its cluster key
-- Returns {version, 1 when the node was not there before, nodes that have expired...}, or {} when the nodes that are
-- there have another cluster key: the first node says which it is.
local now = now_us()
local until_us = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or 0)
local there = redis.call('ZCOUNT', KEYS[1], whole(now), '+inf') - (until_us >= now and 1 or 0)
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
local answer = {tonumber(redis.call('GET', KEYS[3]) or 0), new}
-- A node that is late itself lets the others be until its next heartbeat: perhaps no node could reach the server.
if until_us == 0 or until_us >= now then
  for _, expired in ipairs(redis.call('ZRANGE', KEYS[1], '-inf', whole(now), 'BYSCORE')) do
    answer[#answer + 1] = expired
  end
end
return answer
