-- A scope had nothing (more) to take: look again later, unless it was touched since it was looked at.
-- KEYS  1 work directory (zset)
-- ARGV  1 scope  2 score that look.lua gave  3 delay in microseconds
local score = redis.call('ZSCORE', KEYS[1], ARGV[1])
if score and tonumber(score) == tonumber(ARGV[2]) then
  redis.call('ZADD', KEYS[1], whole(now_us() + ARGV[3]), ARGV[1])
  return 1
end
return 0
