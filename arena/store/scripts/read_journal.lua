-- What was written of a match before, for whoever has its lease: earlier owners write nothing more.
-- KEYS  1 claims (hash)  2 journal (list)
-- ARGV  1 job id  2 fence
-- Returns {'held' or 'lost', entries...}.
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then
  return {'lost'}
end
local answer = redis.call('LRANGE', KEYS[2], 0, -1)
table.insert(answer, 1, 'held')
return answer
