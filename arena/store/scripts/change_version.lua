-- A version gets another status; the bot's active version changes with it.
-- KEYS  1 head of the bot's versions (hash)  2 head of the version (hash)
-- ARGV  1 version  2 'activate', 'retire' or 'take_out'
-- Returns {1 when it holds now or 0 when the status does not allow it, status that it had}, {} for no such version.
local status = redis.call('HGET', KEYS[2], 'status')
if not status then
  return {}
end
local change = ARGV[2]
if change ~= 'take_out' and status ~= 'qualified' and status ~= 'retired' then
  return {0, status}
end
if change == 'activate' then
  redis.call('HSET', KEYS[2], 'status', 'qualified')
  redis.call('HSET', KEYS[1], 'active', ARGV[1])
else
  redis.call('HSET', KEYS[2], 'status', change == 'retire' and 'retired' or 'taken_out')
  if redis.call('HGET', KEYS[1], 'active') == ARGV[1] then
    redis.call('HDEL', KEYS[1], 'active')
  end
end
return {1, status}
