-- Leases jobs: first those whose lease ran out, then new ones, then from the backlog.
-- KEYS  1 head (hash)  2 jobs (stream)  3 backlog (list)  4 claims (hash)  5 parked (stream)
-- ARGV  1 owner  2 how many  3 claims after which a job is parked  4 '*', or the runtimes that the owner offers,
--       with a space before and after each
-- Returns {state or false, us until the next look for leases that ran out, lease in ms, {id, fence, kind, body, owner whose
-- lease ran out or ''}...}; the state is 'parked' where a job of one that runs was given up now.
-- {'passed', 0, 0, runtimes} where jobs need runtimes that the owner does not offer: they are left to others.
-- The claim counter is the fence: each claim makes every earlier owner's commit fail.
local head = redis.call('HMGET', KEYS[1], 'state', 'lease_ms', 'scan_at', 'runtimes', 'scan_put_off')
local answer = {head[1], 0, 0}
if head[1] ~= 'running' then
  return answer
end
if ARGV[4] ~= '*' then
  local lacking = {}
  for runtime in string.gmatch(head[4] or '', '%S+') do
    if not string.find(ARGV[4], ' ' .. runtime .. ' ', 1, true) then
      lacking[#lacking + 1] = runtime
    end
  end
  if #lacking > 0 then
    return {'passed', 0, 0, table.concat(lacking, ' ')}
  end
end
local now = now_us()
local limit, lease, scan_at = tonumber(ARGV[2]), tonumber(head[2]), tonumber(head[3])
local taken = 0

local function hand_out(entry)
  local id, fields = entry[1], entry[2]
  local fence = redis.call('HINCRBY', KEYS[4], id, 1)
  local before = redis.call('HGET', KEYS[4], owner_of(id))
  redis.call('HSET', KEYS[4], owner_of(id), ARGV[1])
  answer[#answer + 1] = {id, fence, fields[1], fields[2], before or ''}
  taken = taken + 1
end

local function park(entry, claims)
  park_job(KEYS[1], KEYS[2], KEYS[4], KEYS[5], entry, claims, 'its lease ran out: whoever plays it dies or hangs')
  answer[1] = 'parked'
end

-- Where nobody has looked for half a lease, perhaps nobody could, as the server was away or its clock was set forward:
-- then, once, owners that are still there have time to renew their leases.
if scan_at > 0 and now - scan_at > lease * 500 and not head[5] then
  scan_at = now + lease * 375
  redis.call('HSET', KEYS[1], 'scan_at', whole(scan_at), 'scan_put_off', 1)
end
-- It is never more than a lease ahead, unless the clock was set back.
if now >= scan_at or scan_at > now + lease * 1000 then
  local cursor = '0-0'
  repeat
    local reply = redis.call('XAUTOCLAIM', KEYS[2], GROUP, ARGV[1], lease, cursor, 'COUNT', limit - taken)
    cursor = reply[1]
    for _, entry in ipairs(reply[2]) do
      local claims = tonumber(redis.call('HGET', KEYS[4], entry[1]) or 0)
      if claims >= tonumber(ARGV[3]) then
        park(entry, claims)
      else
        hand_out(entry)
      end
    end
  until cursor == '0-0' or taken >= limit
  if cursor == '0-0' then
    -- An eighth of a lease: a killed owner's jobs are handed out within 1.125 leases of its last renewal.
    scan_at = now + lease * 125
    redis.call('HSET', KEYS[1], 'scan_at', whole(scan_at))
    redis.call('HDEL', KEYS[1], 'scan_put_off')
  end
end

while taken < limit do
  local reply = redis.call('XREADGROUP', 'GROUP', GROUP, ARGV[1], 'COUNT', limit - taken, 'STREAMS', KEYS[2], '>')
  if reply then
    for _, entry in ipairs(reply[1][2]) do
      hand_out(entry)
    end
  else
    local bodies = redis.call('LPOP', KEYS[3], limit - taken)
    if not bodies then
      break
    end
    for _, body in ipairs(bodies) do
      redis.call('XADD', KEYS[2], '*', 'match', body)
    end
  end
end

answer[2] = whole(math.max(scan_at - now, 1000))
answer[3] = lease
return answer
