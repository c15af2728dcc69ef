-- A challenge is admitted, within the limits of the challenger's owner and of the bots, or refused.
-- KEYS  1 owners (zset)  2 open matches of the owner (zset)  3 matches that the owner made within the hour (zset)
--       4.. open matches of each bot that is counted (set)
-- ARGV  1 owner  2 scope  3 most open matches of the owner  4 most within an hour  5.. most open matches of each bot
-- Returns {'admitted'}, now or by this very call before; {'open'}; {'hour', us until there is room again}; {'bot', the
-- number of the first bot that has no place left}.
if redis.call('ZSCORE', KEYS[2], ARGV[2]) then
  return {'admitted'}
elseif redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[3]) then
  return {'open'}
end
for at = 4, #KEYS do
  if redis.call('SCARD', KEYS[at]) >= tonumber(ARGV[at + 1]) then
    return {'bot', at - 3}
  end
end
local now, hour = now_us(), 3600 * 1000000
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', whole(now - hour))
local over = redis.call('ZCARD', KEYS[3]) - ARGV[4]
if over >= 0 then
  local frees = redis.call('ZRANGE', KEYS[3], over, over, 'WITHSCORES')[2]
  return {'hour', frees and frees + hour - now or hour}
end
redis.call('ZADD', KEYS[3], whole(now), ARGV[2])
redis.call('PEXPIRE', KEYS[3], 3600 * 1000)
for at = 4, #KEYS do
  redis.call('SADD', KEYS[at], ARGV[2])
end
redis.call('ZADD', KEYS[2], whole(now), ARGV[2])
redis.call('ZADD', KEYS[1], whole(now), ARGV[1])
return {'admitted'}
