-- Makes a league with its divisions and first entrants, once; or replaces the file and the entrants of an open one.
-- KEYS  1 head (hash)  2 entrants (hash)  3 withdrawn (hash)
--       4.. of each division: head (hash), jobs (stream), stays (hash); then the same of those that are replaced
-- ARGV  1 digest  2 lease in ms  3 fields of the head  4 entrants  5 divisions
--       6 '' to make a league, else the revision of the open one to replace
--       7.. rounds of each division
--       then field and value of each field of the head, then of each entrant: bot, entry, the divisions as '1' and '0'
-- Returns '' when made or replaced, else the digest of the league that is there.
local head = redis.call('HMGET', KEYS[1], 'digest', 'state', 'revision')
if head[1] then
  if head[1] == ARGV[1] or head[2] ~= 'open' or is_shut(KEYS[1]) or head[3] ~= ARGV[6] then
    return head[1]
  end
  for key = 2, #KEYS do
    redis.call('DEL', KEYS[key])
  end
else
  redis.call('HSET', KEYS[1], 'created_us', whole(now_us()), 'state', 'open')
end
local divisions = tonumber(ARGV[5])
redis.call('HSET', KEYS[1], 'digest', ARGV[1], 'divisions_left', divisions)
redis.call('HINCRBY', KEYS[1], 'revision', head[1] and 1 or 0)
for division = 1, divisions do
  local at = 3 * division + 1
  redis.call('HSET', KEYS[at], 'state', 'open', 'rounds', ARGV[6 + division], 'round', 0, 'matches', 0,
    'outstanding', 0, 'played', 0, 'lease_ms', ARGV[2], 'scan_at', 0)
  redis.call('XGROUP', 'CREATE', KEYS[at + 1], GROUP, '0', 'MKSTREAM')
end
local at = 7 + divisions
for _ = 1, tonumber(ARGV[3]) do
  redis.call('HSET', KEYS[1], ARGV[at], ARGV[at + 1])
  at = at + 2
end
for _ = 1, tonumber(ARGV[4]) do
  redis.call('HSET', KEYS[2], ARGV[at], ARGV[at + 1])
  for division = 1, divisions do
    if string.sub(ARGV[at + 2], division, division) == '1' then
      redis.call('HSET', KEYS[3 * division + 3], ARGV[at], '1:')
    end
  end
  at = at + 3
end
return ''
