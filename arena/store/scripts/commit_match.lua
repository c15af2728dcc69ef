-- A match's result, once; the last one of a round queues the step that pairs the next.
-- KEYS  1 head (hash)  2 jobs (stream)  3 claims (hash)  4 done (hash)  5 results of the round (hash)
--       6 boards (hash)  7 replays (hash)  8 replay_info (hash)  9 journal of the match (list)
--       10.. replay_index, of all and of each bot (zset); score: when it was committed, later than the one before
-- ARGV  1 job id  2 fence  3 match key  4 result  5 board  6 matches on the board  7 replay or ''  8 replay's info
-- Returns {'held' (committed now), 'again' or 'lost', matches of the round still to be committed}.
local id, fence, match = ARGV[1], ARGV[2], ARGV[3]
local status = commit_status(KEYS[4], KEYS[3], match, id, fence)
if status ~= 'held' then
  return {status, tonumber(redis.call('HGET', KEYS[1], 'outstanding') or 0)}
end
redis.call('HSET', KEYS[4], match, id .. ':' .. fence)
redis.call('HSET', KEYS[5], match, ARGV[4])
if redis.call('HSETNX', KEYS[6], ARGV[5], ARGV[6] - 1) == 0 then
  redis.call('HINCRBY', KEYS[6], ARGV[5], -1)
end
redis.call('HINCRBY', KEYS[1], 'played', 1)
if ARGV[7] ~= '' then
  redis.call('HSET', KEYS[7], match, ARGV[7])
  redis.call('HSET', KEYS[8], match, ARGV[8])
  local last = redis.call('ZRANGE', KEYS[10], 0, 0, 'REV', 'WITHSCORES')
  local now = whole(math.max(now_us(), tonumber(last[2] or 0) + 1))
  for i = 10, #KEYS do
    redis.call('ZADD', KEYS[i], now, match)
  end
end
redis.call('DEL', KEYS[9])
forget_job(KEYS[2], KEYS[3], id)
local outstanding = redis.call('HINCRBY', KEYS[1], 'outstanding', -1)
if outstanding == 0 then
  local round = redis.call('HGET', KEYS[1], 'round')
  if round then
    queue_step(KEYS[2], round + 1)
  else
    redis.call('HSET', KEYS[1], 'state', 'finished', 'finished_us', whole(now_us()))
    redis.call('DEL', KEYS[2], KEYS[3])
  end
end
return {status, outstanding}
