-- The scopes that are due; each goes to the end of the line, so that no scope starves another.
-- KEYS  1 work directory (zset)
-- ARGV  1 how many
-- Returns {scope, new score, ...}; with that score announce.lua puts the scope off when there was nothing to claim.
local now, most = now_us(), tonumber(ARGV[1])
local due = redis.call('ZRANGE', KEYS[1], '-inf', whole(now), 'BYSCORE', 'LIMIT', 0, most)
if #due < most then
  -- Nothing is put off for so long: what is due later than that was announced before the clock was set back.
  local latest = whole(now + 120 * 1000000)
  for _, scope in ipairs(redis.call('ZRANGE', KEYS[1], latest, '+inf', 'BYSCORE', 'LIMIT', 0, most - #due)) do
    due[#due + 1] = scope
  end
end
local answer = {}
for i, scope in ipairs(due) do
  local score = whole(now + i)
  redis.call('ZADD', KEYS[1], score, scope)
  answer[#answer + 1] = scope
  answer[#answer + 1] = score
end
return answer
