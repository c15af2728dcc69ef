-- An upload of a pack begins, unless the pack is there.
-- KEYS  1 pack (hash)  2 head of the upload (hash)
-- ARGV  1 bytes that the pack has  2 time in ms after which the upload is forgotten if nothing more comes
-- Returns 1, or 0 when the pack is there.
if redis.call('EXISTS', KEYS[1]) == 1 then
  return 0
end
redis.call('HSET', KEYS[2], 'size', ARGV[1], 'received', 0)
redis.call('PEXPIRE', KEYS[2], ARGV[2])
return 1
