-- Opens every script: what several of them do, done once. Touches only keys that it is handed.
local GROUP = 'nodes'

local function now_us()
  local t = redis.call('TIME')
  return t[1] * 1000000 + t[2]
end

-- Lua's own tostring keeps 14 digits; a time in microseconds has 16.
local function whole(number)
  return string.format('%.0f', number)
end

-- What a name looks like: names with the same look are taken for one another (alice, Alice, a1ice; modern, rnodern).
local function look(name)
  local seen = string.lower(name)
  for _, pair in ipairs({{'[1i]', 'l'}, {'0', 'o'}, {'rn', 'm'}, {'vv', 'w'}}) do
    seen = string.gsub(seen, pair[1], pair[2])
  end
  return '~' .. seen
end

-- The name that looks like this one, if somebody has it; '' where the name is free.
-- `folded` is a hash of names by their lower case and by their look.
local function alike(folded, name)
  return redis.call('HGET', folded, string.lower(name)) or redis.call('HGET', folded, look(name)) or ''
end

-- From now on names that look like this one are taken.
local function take_name(folded, name)
  redis.call('HSET', folded, string.lower(name), name, look(name), name)
end

-- 'held': the caller may commit `work`; 'again': it already has; 'lost': the job is another's, or done by another.
local function commit_status(done, claims, work, id, fence)
  local by = redis.call('HGET', done, work)
  if by then
    return by == id .. ':' .. fence and 'again' or 'lost'
  end
  return redis.call('HGET', claims, id) == fence and 'held' or 'lost'
end

-- The field beside a job's claims that counts its reported failures.
local function failures_of(id)
  return id .. ':failures'
end

-- The field beside a job's claims that names who holds its lease.
local function owner_of(id)
  return id .. ':owner'
end

local function forget_job(jobs, claims, id)
  redis.call('XACK', jobs, GROUP, id)
  redis.call('XDEL', jobs, id)
  redis.call('HDEL', claims, id, failures_of(id), owner_of(id))
end

-- A job is given up. If it was the qualification of a version, the version has failed.
local function park_job(head, jobs, claims, parked, entry, tries, error)
  local id, fields = entry[1], entry[2]
  redis.call('XADD', parked, '*', fields[1], fields[2], 'tries', tries, 'error', error)
  forget_job(jobs, claims, id)
  if fields[1] == 'qualify' then
    redis.call('HSET', head, 'state', 'finished', 'error', error, 'given_up_us', whole(now_us()))
    if redis.call('HGET', head, 'status') == 'qualifying' then
      redis.call('HSET', head, 'status', 'failed')
    end
  end
end

-- Whether nobody may enter or leave an open league any more: its entries were closed, or close at a time that has come.
local function is_shut(head)
  local closed = tonumber(redis.call('HGET', head, 'closed_us') or 0)
  return closed > 0 and now_us() >= closed
end

local function queue_step(jobs, round)
  redis.call('XADD', jobs, '*', 'step', round)
end

