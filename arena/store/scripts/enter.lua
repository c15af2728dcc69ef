-- A bot enters a league: from round 1 on while it is open; late, from the next round of each division, while it goes on.
-- KEYS  1 head (hash)  2 entrants (hash)  3 withdrawn (hash)  4.. of each division: head (hash), stays (hash)
-- ARGV  1 bot  2 entry  3 entry of one that is late  4.. '1' for each division that the bot enters, else '0'
--       and then of each division: the last round in which a bot may begin, empty: any
--       and last: the revision of the league of which it is known that the bot may enter, empty: any
-- Returns {status, state, division}; status 'entered', 'same', 'changed' (another entry is there), 'withdrawn', 'closed',
-- 'shut' (entries are
-- closed until the start), 'moved' (another revision), 'over' (no round of the division, counted from 1, is left).
local bot = ARGV[1]
local state = redis.call('HGET', KEYS[1], 'state')
if state ~= 'open' and state ~= 'running' and state ~= 'paused' then
  return {'closed', state, 0}
end
local late = state ~= 'open'
local there = redis.call('HGET', KEYS[2], bot)
if there then
  if redis.call('HEXISTS', KEYS[3], bot) == 1 then
    return {'withdrawn', state, 0}
  end
  local same = there == ARGV[2] or (late and there == ARGV[3])
  return {same and 'same' or 'changed', state, 0}
end
if not late and is_shut(KEYS[1]) then
  return {'shut', state, 0}
end
local revision = ARGV[#ARGV]
if revision ~= '' and (redis.call('HGET', KEYS[1], 'revision') or '') ~= revision then
  return {'moved', state, 0}
end
local firsts = {}
for at = 4, #KEYS, 2 do
  local division = at / 2 - 1
  if ARGV[3 + division] == '1' then
    local head = redis.call('HMGET', KEYS[at], 'state', 'round', 'rounds')
    local last = tonumber(ARGV[3 + (#KEYS - 3) / 2 + division]) or math.huge
    if late and (head[1] == 'finished' or tonumber(head[2]) >= tonumber(head[3]) or tonumber(head[2]) >= last) then
      return {'over', state, division}
    end
    firsts[division] = late and head[2] + 1 or 1
  end
end
redis.call('HSET', KEYS[2], bot, ARGV[late and 3 or 2])
for at = 4, #KEYS, 2 do
  local first = firsts[at / 2 - 1]
  if first then
    redis.call('HSET', KEYS[at + 1], bot, first .. ':')
  end
end
redis.call('HDEL', KEYS[3], bot)
redis.call('HINCRBY', KEYS[1], 'revision', 1)
return {'entered', state, 0}
