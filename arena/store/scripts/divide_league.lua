-- A league of key schema 1 becomes a league of one division, once.
-- KEYS  1 head (hash)  2 entrants (hash)  3 stage (list)  4 head of the division (hash)  5 its stays (hash)
--       6 jobs (stream), as they were called  7 jobs, as they are called now  8 backlog (list)  9 backlog, so now
--       10 claims (hash)  11 claims, so now  12.. done (hash) and what else only has another name
-- ARGV  1 variant  2 rounds
if redis.call('HEXISTS', KEYS[1], 'divisions') == 1 then
  return
end
local jobs, backlog, claims = KEYS[7], KEYS[9], KEYS[11]
for at = 6, #KEYS, 2 do
  if redis.call('EXISTS', KEYS[at]) == 1 then
    redis.call('RENAME', KEYS[at], KEYS[at + 1])
  end
end

-- A job was an array of six; now its tag comes first.
local function tagged(body)
  return string.char(0x97) .. string.char(0xa5) .. 'match' .. string.sub(body, 2)
end
local entries = redis.call('XRANGE', jobs, '-', '+')
redis.call('DEL', jobs, claims, KEYS[3])
local state = redis.call('HGET', KEYS[1], 'state')
if state ~= 'finished' then
  redis.call('XGROUP', 'CREATE', jobs, GROUP, '0', 'MKSTREAM')
end
for _, entry in ipairs(entries) do
  local kind, body = entry[2][1], entry[2][2]
  redis.call('XADD', jobs, entry[1], kind, kind == 'match' and tagged(body) or body)
end
local waiting = redis.call('LRANGE', backlog, 0, -1)
redis.call('DEL', backlog)
for _, body in ipairs(waiting) do
  redis.call('RPUSH', backlog, tagged(body))
end

for _, field in ipairs({'round', 'matches', 'outstanding', 'played', 'lease_ms', 'scan_at'}) do
  redis.call('HSET', KEYS[4], field, redis.call('HGET', KEYS[1], field) or 0)
  redis.call('HDEL', KEYS[1], field)
end
redis.call('HSET', KEYS[4], 'state', state, 'rounds', ARGV[2])
redis.call('HDEL', KEYS[1], 'staged_by', 'table')
for _, bot in ipairs(redis.call('HKEYS', KEYS[2])) do
  redis.call('HSET', KEYS[5], bot, '1:')
end
redis.call('HSET', KEYS[1], 'divisions', ARGV[1], 'divisions_left', state == 'finished' and 0 or 1, 'revision', 0)
