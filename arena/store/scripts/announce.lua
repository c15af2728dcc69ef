-- Sets when a scope is polled next: at once, as it may have work, or later, as it had none.
-- KEYS  1 work directory, or the open matches of an owner (zset)  2 of a single match: the owners (zset)
-- ARGV  1 scope  2 delay in microseconds  3 score that poll.lua gave it, or ''  4 of a single match: the owner
-- With a score, nothing happens when the scope was announced since that poll, or is no longer there.
-- Returns 1, or 0 when nothing happened.
if ARGV[3] ~= '' then
  local score = redis.call('ZSCORE', KEYS[1], ARGV[1])
  if not score or tonumber(score) ~= tonumber(ARGV[3]) then
    return 0
  end
end
redis.call('ZADD', KEYS[1], whole(now_us() + ARGV[2]), ARGV[1])
if KEYS[2] then
  local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2]
  local due = redis.call('ZSCORE', KEYS[2], ARGV[4])
  if not due or tonumber(first) < tonumber(due) then
    redis.call('ZADD', KEYS[2], whole(tonumber(first)), ARGV[4])
  end
end
return 1
