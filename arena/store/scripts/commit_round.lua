-- A round is paired: its plan is kept and its staged jobs become the backlog, in one move.
-- KEYS  1 head (hash)  2 jobs (stream)  3 claims (hash)  4 done (hash)  5 stage (list)  6 backlog (list)
--       7 rounds (hash)  8 head of the league (hash)
-- ARGV  1 job id  2 fence  3 round  4 jobs staged  5 plan  6 revision of the entrants that are paired
-- Returns 'held' (committed now), 'again', 'lost', 'changed' when the entrants are not those of the revision any more, or
-- 'unstaged' when the staged jobs are not the caller's.
local id, fence, round, total = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local status = standing(KEYS[4], KEYS[3], 'step.' .. round, id, fence)
if status ~= 'held' then
  return status
end
local head = redis.call('HMGET', KEYS[1], 'round', 'outstanding', 'staged_by')
if tonumber(head[1]) ~= round - 1 or tonumber(head[2]) ~= 0 then
  return 'lost'
elseif redis.call('HGET', KEYS[8], 'revision') ~= ARGV[6] then
  return 'changed'
end
if total > 0 then
  if head[3] ~= id .. ':' .. fence .. ':' .. ARGV[6] or redis.call('LLEN', KEYS[5]) ~= total then
    return 'unstaged'
  end
  redis.call('RENAME', KEYS[5], KEYS[6])
else
  queue_step(KEYS[2], round + 1)
end
redis.call('HSET', KEYS[4], 'step.' .. round, id .. ':' .. fence)
redis.call('HSET', KEYS[7], round, ARGV[5])
redis.call('HSET', KEYS[1], 'round', round, 'outstanding', total, 'matches', total)
redis.call('HDEL', KEYS[1], 'staged_by')
forget_job(KEYS[2], KEYS[3], id)
return status
