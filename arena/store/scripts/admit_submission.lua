-- A submission of an owner is admitted if its limits allow it: room is reserved for it until it is kept or forgotten.
-- KEYS  1 owners' hashes (hash)  2 bots' records (hash)  3 names of bots (zset)  4 the owner's bots (zset)
--       5 kept versions (hash: bytes, then ' failed' where it did not qualify)  6 reservations (hash)  7 the owner's submissions (zset)
--       8 names of bots in lower case (hash)
-- ARGV  1 owner  2 bot  3 version  4 bytes of the pack  5 SHA-256 of the pack  6 time in ms after which the reservation
--       is forgotten  7 most bots  8 most versions of a bot  9 most bytes  10 most submissions in an hour
--       11 record of the bot if it is to be registered, or ''
-- Returns 'admitted', or why not: 'ended', 'taken' (the name is another's, or like one by all but case), 'bots', 'versions', 'bytes', 'submissions'.
local HOUR_US = 3600 * 1000000
local bot, bytes = ARGV[2], tonumber(ARGV[4])
local this = bot .. ' ' .. ARGV[3]
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then
  return 'ended'
end
local known = redis.call('HEXISTS', KEYS[2], bot) == 1
if known and not redis.call('ZSCORE', KEYS[4], bot) then
  return 'taken'
end
if not known and alike(KEYS[8], bot) ~= '' then
  return 'taken'
end
if redis.call('HEXISTS', KEYS[5], this) == 1 then
  return 'admitted'
end

local now = now_us()
local versions = 1
local function count(name, size, failed)
  bytes = bytes + size
  if not failed and string.match(name, '^%S+') == bot then
    versions = versions + 1
  end
end
local kept = redis.call('HGETALL', KEYS[5])
for i = 1, #kept, 2 do
  local size, failed = string.match(kept[i + 1], '^(%d+)(.*)$')
  count(kept[i], tonumber(size), failed ~= '')
end
-- Bots that are to be registered with a submission under way.
local bots, coming = redis.call('ZCARD', KEYS[4]), {}
if not known then
  bots = bots + 1
  coming[bot] = true
end
local reserved = redis.call('HGETALL', KEYS[6])
for i = 1, #reserved, 2 do
  local name, size, until_us = reserved[i], string.match(reserved[i + 1], '^(%d+) (%d+)$')
  if tonumber(until_us) < now then
    redis.call('HDEL', KEYS[6], name)
  elseif name ~= this and redis.call('HEXISTS', KEYS[5], name) == 0 then
    count(name, tonumber(size))
    local other = string.match(name, '^%S+')
    if not coming[other] and redis.call('HEXISTS', KEYS[2], other) == 0 then
      coming[other] = true
      bots = bots + 1
    end
  end
end
if bots > tonumber(ARGV[7]) and not known then
  return 'bots'
elseif versions > tonumber(ARGV[8]) then
  return 'versions'
elseif bytes > tonumber(ARGV[9]) then
  return 'bytes'
end

-- The same bytes again are the same submission.
local submission = this .. ' ' .. ARGV[5]
redis.call('ZREMRANGEBYSCORE', KEYS[7], '-inf', whole(now - HOUR_US))
if not redis.call('ZSCORE', KEYS[7], submission) then
  if redis.call('ZCARD', KEYS[7]) >= tonumber(ARGV[10]) then
    return 'submissions'
  end
  redis.call('ZADD', KEYS[7], whole(now), submission)
end
redis.call('HSET', KEYS[6], this, ARGV[4] .. ' ' .. whole(now + ARGV[6] * 1000))
if ARGV[11] ~= '' and not known then
  redis.call('HSET', KEYS[2], bot, ARGV[11])
  take_name(KEYS[8], bot)
  redis.call('ZADD', KEYS[3], 0, bot)
  redis.call('ZADD', KEYS[4], 0, bot)
end
return 'admitted'
