-- Makes a single match, once.
-- KEYS  1 head (hash)  2 jobs (stream)
-- ARGV  1 digest  2 its job  3.. fields and values of the head
-- Returns '' when made, else the digest of the match that is there.
local digest = redis.call('HGET', KEYS[1], 'digest')
if digest then
  return digest
end
redis.call('HSET', KEYS[1], 'digest', ARGV[1], 'created_us', whole(now_us()), 'scan_at', 0)
for i = 3, #ARGV, 2 do
  redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1])
end
redis.call('XGROUP', 'CREATE', KEYS[2], GROUP, '0', 'MKSTREAM')
redis.call('XADD', KEYS[2], '*', 'match', ARGV[2])
return ''
