-- The last round is over: the final table is kept and the secret published.
-- KEYS  1 head (hash)  2 jobs (stream)  3 claims (hash)  4 done (hash)
-- ARGV  1 job id  2 fence  3 round that is not played  4 final table
-- Returns 'held' (committed now), 'again' or 'lost'.
local id, fence, round = ARGV[1], ARGV[2], tonumber(ARGV[3])
local status = standing(KEYS[4], KEYS[3], 'step.' .. round, id, fence)
if status ~= 'held' then
  return status
end
local head = redis.call('HMGET', KEYS[1], 'round', 'outstanding')
if tonumber(head[1]) ~= round - 1 or tonumber(head[2]) ~= 0 then
  return 'lost'
end
redis.call('HSET', KEYS[4], 'step.' .. round, id .. ':' .. fence)
redis.call('HSET', KEYS[1], 'state', 'finished', 'table', ARGV[4], 'finished_us', whole(now_us()),
  'published_secret', redis.call('HGET', KEYS[1], 'secret'))
redis.call('DEL', KEYS[2], KEYS[3])
return status
