-- The runtimes that jobs need, where there are some jobs and nobody works on any.
-- KEYS  1 head (hash)  2 jobs (stream)  3 backlog (list)
-- ARGV  1 what is said where they need none (optional: '')
-- Returns the runtimes with spaces between, '' where somebody works, or no job is there.
local head = redis.call('HMGET', KEYS[1], 'state', 'lease_ms', 'runtimes')
local needed = head[3] and head[3] ~= '' and head[3] or ARGV[1] or ''
if head[1] ~= 'running' or needed == '' or redis.call('XLEN', KEYS[2]) + redis.call('LLEN', KEYS[3]) == 0 then
  return ''
end
local leased = redis.call('XPENDING', KEYS[2], GROUP)[1]
local lapsed = leased > 0 and #redis.call('XPENDING', KEYS[2], GROUP, 'IDLE', head[2], '-', '+', leased) or 0
return lapsed == leased and needed or ''
