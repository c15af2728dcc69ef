-- Sets when a scope is polled next: at once, as it may have work, or later, as it had none.
-- KEYS  1 work directory (zset)
-- ARGV  1 scope  2 delay in microseconds  3 score that poll.lua gave it, or ''
-- With a score, nothing happens when the scope was announced since that poll. Returns 1, or 0 when nothing happened.
if ARGV[3] ~= '' then
  local score = redis.call('ZSCORE', KEYS[1], ARGV[1])
  if not score or tonumber(score) ~= tonumber(ARGV[3]) then
    return 0
  end
end
redis.call('ZADD', KEYS[1], whole(now_us() + ARGV[2]), ARGV[1])
return 1
