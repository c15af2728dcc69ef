-- An upload of a pack begins, unless the pack is there.
-- One that no version needs yet is kept for as long again.
-- KEYS  1 pack (hash)  2 head of the upload (hash)  3 chunks of the pack (list)
-- ARGV  1 bytes that the pack has  2 time in ms after which the upload is forgotten if nothing more comes
-- Returns 1, or 0 when the pack is there.
if redis.call('EXISTS', KEYS[1]) == 1 then
  if redis.call('PTTL', KEYS[1]) > 0 then
    redis.call('PEXPIRE', KEYS[1], ARGV[2])
    redis.call('PEXPIRE', KEYS[3], ARGV[2])
  end
  return 0
end
redis.call('HSET', KEYS[2], 'size', ARGV[1], 'received', 0)
redis.call('PEXPIRE', KEYS[2], ARGV[2])
return 1
