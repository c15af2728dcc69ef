-- Adds entries to the journals of matches, each behind its job's fence.
-- KEYS  1 claims (hash)  2.. journal of each match (list)
-- ARGV  for each: job id, fence, how many entries there are before it, entry
-- Returns the places, from 0, of those whose lease is lost, or whose journal is shorter than the caller knows it (a
-- server that came back with less): a journal has no gaps. An entry that comes twice is kept once.
local lost = {}
for i = 2, #KEYS do
  local at = 4 * (i - 2)
  local before, entry = tonumber(ARGV[at + 3]), ARGV[at + 4]
  local there = redis.call('LLEN', KEYS[i])
  if redis.call('HGET', KEYS[1], ARGV[at + 1]) ~= ARGV[at + 2] or there < before then
    lost[#lost + 1] = i - 2
  elseif there == before then
    redis.call('RPUSH', KEYS[i], entry)
  end
end
return lost
