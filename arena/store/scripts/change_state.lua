-- A league, and those of its divisions that are in its state, change to another: running to paused, or back.
-- KEYS  1 head (hash)  2.. head of each division (hash)
-- ARGV  1 state before  2 state after
-- Returns the state that the league was in, false for no such league.
local state = redis.call('HGET', KEYS[1], 'state')
if state == ARGV[1] then
  for at = 1, #KEYS do
    if redis.call('HGET', KEYS[at], 'state') == ARGV[1] then
      redis.call('HSET', KEYS[at], 'state', ARGV[2])
    end
  end
end
return state
