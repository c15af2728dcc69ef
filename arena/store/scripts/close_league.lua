-- Nobody enters or leaves an open league from now on until it starts.
-- KEYS  1 head (hash)
-- Returns the state that the league is in; only one that is open is closed.
local state = redis.call('HGET', KEYS[1], 'state')
if state == 'open' and not is_shut(KEYS[1]) then
  redis.call('HSET', KEYS[1], 'closed_us', whole(now_us()))
  redis.call('HINCRBY', KEYS[1], 'revision', 1)
end
return state
