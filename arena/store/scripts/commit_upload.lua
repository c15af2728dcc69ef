-- An upload that is whole becomes the pack, whose content the caller has checked. One that comes second is dropped.
-- The pack is forgotten as an upload is, unless a version is made of it.
-- KEYS  1 pack (hash)  2 chunks of the pack (list)  3 head of the upload (hash)  4 chunks of the upload (list)
-- ARGV  1 time in ms after which the pack is forgotten  2 when the upload was started (us), or '' for whenever
-- Returns 1 when the pack is there (now or before), 0 when the upload is not whole, or was started anew.
if redis.call('EXISTS', KEYS[1]) == 1 then
  redis.call('DEL', KEYS[3], KEYS[4])
  return 1
end
local head = redis.call('HMGET', KEYS[3], 'size', 'received', 'begun')
if not head[1] or head[1] ~= head[2] or (ARGV[2] ~= '' and ARGV[2] ~= head[3]) then
  return 0
end
redis.call('RENAME', KEYS[4], KEYS[2])
redis.call('HSET', KEYS[1], 'size', head[1], 'created_us', whole(now_us()))
redis.call('PEXPIRE', KEYS[1], ARGV[1])
redis.call('PEXPIRE', KEYS[2], ARGV[1])
redis.call('DEL', KEYS[3])
return 1
