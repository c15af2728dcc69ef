-- A league that is open starts: the step that pairs round 1 of each division is queued.
-- KEYS  1 head (hash)  2.. of each division: head (hash), jobs (stream)
-- ARGV  1 revision of the entrants that the entropy is of  2 entropy  3 the beacon's signature that it is of, or ''
-- Returns the state that the league was in ('open': it was started now), false for no such league, or 'changed' when the
-- entrants have changed since the revision.
local head = redis.call('HMGET', KEYS[1], 'state', 'revision')
if head[1] ~= 'open' then
  return head[1]
elseif head[2] ~= ARGV[1] then
  return 'changed'
end
redis.call('HSET', KEYS[1], 'state', 'running', 'started_us', whole(now_us()), 'entropy', ARGV[2], 'beacon',
  ARGV[3])
for at = 2, #KEYS, 2 do
  redis.call('HSET', KEYS[at], 'state', 'running')
  queue_step(KEYS[at + 1], 1)
end
return head[1]
