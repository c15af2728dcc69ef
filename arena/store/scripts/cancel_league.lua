-- A league ends before its time: its jobs are dropped, commits under way are lost, the secret is published: at once
-- where it had not started, else when nobody can be playing its matches any more.
-- The jobs that were handed out stay, as nobody can take or commit one any more: they tell which journals there are.
-- KEYS  1 head (hash)  2.. of each division: head (hash), backlog (list), stage (list), claims (hash), parked (stream)
-- ARGV  1 '1': only while it is open  2 for how many microseconds its matches may be played on
-- Returns the state that the league was in, false for no such league.
local head = redis.call('HMGET', KEYS[1], 'state', 'secret')
if head[1] == 'open' or (ARGV[1] ~= '1' and (head[1] == 'running' or head[1] == 'paused')) then
  local over = now_us() + (head[1] == 'open' and 0 or tonumber(ARGV[2]))
  redis.call('HSET', KEYS[1], 'state', 'cancelled', 'finished_us', whole(now_us()), 'published_secret', head[2])
  redis.call('HSET', KEYS[1], 'secret_from_us', whole(over))
  for at = 2, #KEYS, 5 do
    if redis.call('HGET', KEYS[at], 'state') ~= 'finished' then
      redis.call('HSET', KEYS[at], 'state', 'cancelled', 'open_from_us', whole(over))
      redis.call('DEL', KEYS[at + 1], KEYS[at + 2], KEYS[at + 3], KEYS[at + 4])
    end
  end
end
return head[1]
