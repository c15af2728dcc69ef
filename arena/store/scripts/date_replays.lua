-- Replays that are listed by their number get the time at which their job was queued, in the same order.
-- KEYS  1 done (hash)  2 replay_index (zset)  3.. replay_index of each bot (zset)
-- ARGV
local NUMBERS = 1e12
local times, last = {}, 0
for _, match in ipairs(redis.call('ZRANGE', KEYS[2], '-inf', NUMBERS, 'BYSCORE')) do
  local queued = string.match(redis.call('HGET', KEYS[1], match) or '', '^(%d+)-')
  last = math.max(tonumber(queued or 0) * 1000, last + 1)
  times[match] = whole(last)
end
for at = 2, #KEYS do
  for _, match in ipairs(redis.call('ZRANGE', KEYS[at], '-inf', NUMBERS, 'BYSCORE')) do
    if times[match] then
      redis.call('ZADD', KEYS[at], times[match], match)
    end
  end
end
