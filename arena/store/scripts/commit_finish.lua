-- The last round of a division is over; with the last division the league is, and its secret is published.
-- KEYS  1 head (hash)  2 jobs (stream)  3 claims (hash)  4 done (hash)  5 head of the league (hash)
-- ARGV  1 job id  2 fence  3 round that is not played  4 revision of the entrants
-- Returns 'held' (committed now), 'again', 'lost', or 'changed' when the entrants are not those of the revision any more.
local id, fence, round = ARGV[1], ARGV[2], tonumber(ARGV[3])
local status = standing(KEYS[4], KEYS[3], 'step.' .. round, id, fence)
if status ~= 'held' then
  return status
end
local head = redis.call('HMGET', KEYS[1], 'round', 'outstanding')
if tonumber(head[1]) ~= round - 1 or tonumber(head[2]) ~= 0 then
  return 'lost'
elseif redis.call('HGET', KEYS[5], 'revision') ~= ARGV[4] then
  return 'changed'
end
redis.call('HSET', KEYS[4], 'step.' .. round, id .. ':' .. fence)
redis.call('HSET', KEYS[1], 'state', 'finished')
redis.call('DEL', KEYS[2], KEYS[3])
if redis.call('HINCRBY', KEYS[5], 'divisions_left', -1) == 0 then
  redis.call('HSET', KEYS[5], 'state', 'finished', 'finished_us', whole(now_us()), 'published_secret',
    redis.call('HGET', KEYS[5], 'secret'))
end
return status
