-- A step of a division: the next round is paired, or the division is finished.
-- A pairing keeps its plan and makes its staged jobs the backlog. A finish is the end of the league as well when no other
-- division is left; its secret is published.
-- KEYS  1 head (hash)  2 jobs (stream)  3 claims (hash)  4 done (hash)  5 stage (list)  6 backlog (list)
--       7 rounds (hash)  8 head of the league (hash)
-- ARGV  1 job id  2 fence  3 round  4 revision of the entrants  5 jobs staged, -1 to finish instead  6 plan
--       7 the runtimes that the round's bots need, with spaces between
-- Returns 'held' (committed now), 'again', 'lost', 'changed' when the revision is another by now, or 'unstaged' when the
-- staged jobs are not the caller's.
local id, fence, round, total = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[5])
local status = commit_status(KEYS[4], KEYS[3], 'step.' .. round, id, fence)
if status ~= 'held' then
  return status
end
local head = redis.call('HMGET', KEYS[1], 'round', 'outstanding', 'staged_by')
if tonumber(head[1]) ~= round - 1 or tonumber(head[2]) ~= 0 then
  return 'lost'
elseif redis.call('HGET', KEYS[8], 'revision') ~= ARGV[4] then
  return 'changed'
elseif total > 0 and (head[3] ~= id .. ':' .. fence .. ':' .. ARGV[4] or redis.call('LLEN', KEYS[5]) ~= total) then
  return 'unstaged'
end
redis.call('HSET', KEYS[4], 'step.' .. round, id .. ':' .. fence)
if total < 0 then
  redis.call('HSET', KEYS[1], 'state', 'finished')
  redis.call('DEL', KEYS[2], KEYS[3], KEYS[5])
  if redis.call('HINCRBY', KEYS[8], 'divisions_left', -1) == 0 then
    redis.call('HSET', KEYS[8], 'state', 'finished', 'finished_us', whole(now_us()), 'published_secret',
      redis.call('HGET', KEYS[8], 'secret'))
  end
  return status
elseif total > 0 then
  redis.call('RENAME', KEYS[5], KEYS[6])
else
  queue_step(KEYS[2], round + 1)
end
redis.call('HSET', KEYS[7], round, ARGV[6])
redis.call('HSET', KEYS[1], 'round', round, 'outstanding', total, 'matches', total, 'runtimes', ARGV[7])
redis.call('HDEL', KEYS[1], 'staged_by')
forget_job(KEYS[2], KEYS[3], id)
return status
