-- A league that is open starts: the step that pairs round 1 is queued.
-- KEYS  1 head (hash)  2 jobs (stream)
-- Returns the state found: 'open' when it was started now, false for no such league.
local state = redis.call('HGET', KEYS[1], 'state')
if state == 'open' then
  redis.call('HSET', KEYS[1], 'state', 'running')
  queue_step(KEYS[2], 1)
end
return state
