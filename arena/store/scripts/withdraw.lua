-- A bot leaves a league: its entry is removed while the league is open; later it plays each round to the end that is paired.
-- KEYS  1 head (hash)  2 entrants (hash)  3 withdrawn (hash)  4.. of each division: head (hash), stays (hash)
-- ARGV  1 bot  2 a name of this call that no other has
-- Returns {status, state}; status 'done' (now or by this very call before), 'unknown', 'before' (by another call), 'closed', 'shut' (until the
-- start).
local bot = ARGV[1]
local state = redis.call('HGET', KEYS[1], 'state')
local by = redis.call('HGET', KEYS[3], bot)
if by == ARGV[2] then
  return {'done', state}
elseif by then
  return {'before', state}
elseif redis.call('HEXISTS', KEYS[2], bot) == 0 then
  return {'unknown', state}
elseif state == 'finished' or state == 'cancelled' then
  return {'closed', state}
end
if state == 'open' and is_shut(KEYS[1]) then
  return {'shut', state}
end
if state == 'open' then
  redis.call('HDEL', KEYS[2], bot)
end
for at = 4, #KEYS, 2 do
  local stay = redis.call('HGET', KEYS[at + 1], bot)
  if stay and state == 'open' then
    redis.call('HDEL', KEYS[at + 1], bot)
  elseif stay then
    local head = redis.call('HMGET', KEYS[at], 'state', 'round')
    if head[1] ~= 'finished' then
      redis.call('HSET', KEYS[at + 1], bot, stay .. head[2])
    end
  end
end
redis.call('HSET', KEYS[3], bot, ARGV[2])
redis.call('HINCRBY', KEYS[1], 'revision', 1)
return {'done', state}
