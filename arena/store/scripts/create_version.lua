-- A version of a bot, once, and the job that finds out whether it qualifies.
-- One whose qualification was given up, which is not its fault, is tried again, but not at once: that costs nodes time.
-- KEYS  1 versions of the bot (zset)  2 head of the version (hash)  3 its jobs (stream)
-- ARGV  1 version  2 record  3 lease in ms  4 versions that a bot may have  5 owner whose limits it counts against, or ''
--       6 its runtime  7 time in ms after which a qualification that was given up is tried again
-- Returns 'created', 'exists', or 'full' when the bot has as many versions as it may have.
if redis.call('EXISTS', KEYS[2]) == 1 then
  local given_up_us = redis.call('HGET', KEYS[2], 'given_up_us')
  if given_up_us and redis.call('HGET', KEYS[2], 'status') == 'failed' and now_us() > given_up_us + ARGV[7] * 1000 then
    redis.call('HSET', KEYS[2], 'status', 'qualifying', 'state', 'running', 'scan_at', 0)
    redis.call('HDEL', KEYS[2], 'error', 'given_up_us')
    redis.call('XADD', KEYS[3], '*', 'qualify', ARGV[1])
  end
  return 'exists'
elseif redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[4]) then
  return 'full'
end
local now = whole(now_us())
local parent = redis.call('ZRANGE', KEYS[1], -1, -1)[1]
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('HSET', KEYS[2], 'record', ARGV[2], 'status', 'qualifying', 'parent', parent or '', 'created_us', now,
  'owner', ARGV[5], 'state', 'running', 'lease_ms', ARGV[3], 'scan_at', 0, 'runtimes', ARGV[6])
redis.call('XGROUP', 'CREATE', KEYS[3], GROUP, '0', 'MKSTREAM')
redis.call('XADD', KEYS[3], '*', 'qualify', ARGV[1])
return 'created'
