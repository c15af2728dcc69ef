-- Makes a league with its divisions and first entrants, once.
-- KEYS  1 head (hash)  2 entrants (hash)  3.. of each division: head (hash), jobs (stream), stays (hash)
-- ARGV  1 digest  2 lease in ms  3 fields of the head  4 entrants  5.. rounds of each division
--       then field and value of each field of the head, then of each entrant: bot, entry, the divisions as '1' and '0'
-- Returns '' when made, else the digest of the league that is there.
local digest = redis.call('HGET', KEYS[1], 'digest')
if digest then
  return digest
end
local divisions = (#KEYS - 2) / 3
redis.call('HSET', KEYS[1], 'digest', ARGV[1], 'created_us', whole(now_us()), 'state', 'open', 'revision', 0,
  'divisions_left', divisions)
for division = 1, divisions do
  local at = 3 * division
  redis.call('HSET', KEYS[at], 'state', 'open', 'rounds', ARGV[4 + division], 'round', 0, 'matches', 0,
    'outstanding', 0, 'played', 0, 'lease_ms', ARGV[2], 'scan_at', 0)
  redis.call('XGROUP', 'CREATE', KEYS[at + 1], GROUP, '0', 'MKSTREAM')
end
local at = 5 + divisions
for _ = 1, tonumber(ARGV[3]) do
  redis.call('HSET', KEYS[1], ARGV[at], ARGV[at + 1])
  at = at + 2
end
for _ = 1, tonumber(ARGV[4]) do
  redis.call('HSET', KEYS[2], ARGV[at], ARGV[at + 1])
  for division = 1, divisions do
    if string.sub(ARGV[at + 2], division, division) == '1' then
      redis.call('HSET', KEYS[3 * division + 2], ARGV[at], '1:')
    end
  end
  at = at + 3
end
return ''
