-- Deletes a single match that is over, or that was given up.
-- KEYS  1 head (hash)  2 jobs (stream)  3 parked (stream)  4.. everything else of the match
-- Returns 1 (also when there is nothing any more), or 0 when the match is still to be played.
local state = redis.call('HGET', KEYS[1], 'state')
if state == 'running' and redis.call('XLEN', KEYS[3]) == 0 then
  return 0
end
for _, key in ipairs(KEYS) do
  redis.call('DEL', key)
end
return 1
