-- A version of a bot, once, and the job that finds out whether it qualifies.
-- KEYS  1 versions of the bot (zset)  2 head of the version (hash)  3 its jobs (stream)
-- ARGV  1 version  2 record  3 lease in ms  4 versions that a bot may have  5 owner whose limits it counts against, or ''
--       6 its runtime
-- Returns 'created', 'exists', or 'full' when the bot has as many versions as it may have.
if redis.call('EXISTS', KEYS[2]) == 1 then
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
