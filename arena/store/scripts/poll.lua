-- The scopes that are due; each goes to the end of the line, so that no scope starves another.
-- KEYS  1 work directory (zset)
-- ARGV  1 how many
-- Returns {scope, new score, ...}; with that score announce.lua puts the scope off when there was nothing to claim.
local now = now_us()
local due = redis.call('ZRANGE', KEYS[1], '-inf', whole(now), 'BYSCORE', 'LIMIT', 0, ARGV[1])
local answer = {}
for i, scope in ipairs(due) do
  local score = whole(now + i)
  redis.call('ZADD', KEYS[1], score, scope)
  answer[#answer + 1] = scope
  answer[#answer + 1] = score
end
return answer
