-- Stages some of a round's jobs; none is handed out before commit_step.lua takes them all.
-- KEYS  1 head (hash)  2 claims (hash)  3 stage (list)
-- ARGV  1 job id  2 fence  3 revision of the entrants  4 how many were staged before this part  5.. jobs
-- Returns how many are staged, -1 when the lease is lost. A part that comes twice is kept once.
local id, fence = ARGV[1], ARGV[2]
if redis.call('HGET', KEYS[2], id) ~= fence then
  return -1
end
local by = id .. ':' .. fence .. ':' .. ARGV[3]
if redis.call('HGET', KEYS[1], 'staged_by') ~= by then
  redis.call('DEL', KEYS[3])
  redis.call('HSET', KEYS[1], 'staged_by', by)
end
if redis.call('LLEN', KEYS[3]) == tonumber(ARGV[4]) then
  for i = 5, #ARGV do
    redis.call('RPUSH', KEYS[3], ARGV[i])
  end
end
return redis.call('LLEN', KEYS[3])
