-- The next chunk of an upload. A chunk that comes twice is kept once.
-- KEYS  1 head of the upload (hash)  2 its chunks (list)
-- ARGV  1 bytes before this chunk  2 chunk  3 time in ms after which the upload is forgotten if nothing more comes
-- Returns how many bytes there are now, or -1 when there is no such upload.
local head = redis.call('HMGET', KEYS[1], 'size', 'received')
if not head[1] then
  return -1
end
local received = tonumber(head[2])
if received == tonumber(ARGV[1]) and received + #ARGV[2] <= tonumber(head[1]) then
  redis.call('RPUSH', KEYS[2], ARGV[2])
  received = redis.call('HINCRBY', KEYS[1], 'received', #ARGV[2])
end
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('PEXPIRE', KEYS[2], ARGV[3])
return received
