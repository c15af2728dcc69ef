-- A bot enters a league that is open.
-- KEYS  1 head (hash)  2 entrants (hash)
-- ARGV  1 bot  2 entry  3 '1' to replace an entry of this bot
-- Returns {status, state}; status 'entered', 'same', 'changed' (another entry is there), 'closed'.
local state = redis.call('HGET', KEYS[1], 'state')
local there = redis.call('HGET', KEYS[2], ARGV[1])
if there == ARGV[2] then
  return {'same', state}
elseif state ~= 'open' then
  return {'closed', state}
elseif there and ARGV[3] ~= '1' then
  return {'changed', state}
end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
return {'entered', state}
