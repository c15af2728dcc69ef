-- An upload of a pack begins or goes on, unless the pack is there. One of other bytes begins anew.
-- A pack that no version needs yet is kept for as long again.
-- KEYS  1 pack (hash)  2 head of the upload (hash)  3 chunks of the pack (list)  4 chunks of the upload (list)
-- ARGV  1 bytes that the pack has  2 time in ms after which the upload is forgotten if nothing more comes
--       3 SHA-256 of these bytes, or '' where none is known
-- Returns how many bytes are there, or -1 when the whole pack is.
if redis.call('EXISTS', KEYS[1]) == 1 then
  if redis.call('PTTL', KEYS[1]) > 0 then
    redis.call('PEXPIRE', KEYS[1], ARGV[2])
    redis.call('PEXPIRE', KEYS[3], ARGV[2])
  end
  return -1
end
local head = redis.call('HMGET', KEYS[2], 'size', 'sha256', 'received')
if head[1] ~= ARGV[1] or head[2] ~= ARGV[3] then
  redis.call('DEL', KEYS[2], KEYS[4])
  redis.call('HSET', KEYS[2], 'size', ARGV[1], 'sha256', ARGV[3], 'received', 0,
    'begun', whole(now_us()))
  head[3] = 0
end
redis.call('PEXPIRE', KEYS[2], ARGV[2])
redis.call('PEXPIRE', KEYS[4], ARGV[2])
return tonumber(head[3])
