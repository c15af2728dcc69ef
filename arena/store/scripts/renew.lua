-- Renews leases: XCLAIM sets the idle time to 0, JUSTID leaves the delivery count alone.
-- KEYS  1 jobs (stream)  2 claims (hash)
-- ARGV  1 owner  2.. job id and fence, of each lease
-- Returns the places, from 0, of those that are lost.
local lost = {}
for i = 2, #ARGV, 2 do
  local id, fence = ARGV[i], ARGV[i + 1]
  if redis.call('HGET', KEYS[2], id) == fence then
    redis.call('XCLAIM', KEYS[1], GROUP, ARGV[1], 0, id, 'JUSTID')
  else
    lost[#lost + 1] = i / 2 - 1
  end
end
return lost
