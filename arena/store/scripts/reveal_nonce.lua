-- The nonce to which an entrant committed is kept, once nobody can enter or leave any more.
-- KEYS  1 head (hash)  2 entrants (hash)
-- ARGV  1 bot  2 its entry as it was read  3 its entry with the nonce
-- Returns {status, state}; status 'done' (now or before), 'open' (entries are not closed yet), 'closed' (it has started or
-- is over), 'changed' (the entry is another by now).
local state = redis.call('HGET', KEYS[1], 'state')
local there = redis.call('HGET', KEYS[2], ARGV[1])
if there == ARGV[3] then
  return {'done', state}
elseif state ~= 'open' then
  return {'closed', state}
elseif not is_shut(KEYS[1]) then
  return {'open', state}
elseif there ~= ARGV[2] then
  return {'changed', state}
end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
redis.call('HINCRBY', KEYS[1], 'revision', 1)
return {'done', state}
