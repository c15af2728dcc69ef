-- Sets when a single match is polled next: at once, as it may have work, or later, as it had none.
-- KEYS  1 owners (zset)  2 open matches of the owner (zset)
-- ARGV  1 owner  2 scope  3 delay in microseconds  4 score that poll.lua gave it, or ''
-- With a score, nothing happens when the match was announced since that poll, or is no longer open.
-- Returns 1, or 0 when nothing happened.
if ARGV[4] ~= '' then
  local score = redis.call('ZSCORE', KEYS[2], ARGV[2])
  if not score or tonumber(score) ~= tonumber(ARGV[4]) then
    return 0
  end
end
redis.call('ZADD', KEYS[2], whole(now_us() + ARGV[3]), ARGV[2])
local first = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')[2]
local due = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not due or tonumber(first) < tonumber(due) then
  redis.call('ZADD', KEYS[1], whole(tonumber(first)), ARGV[1])
end
return 1
