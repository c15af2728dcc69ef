-- The runtimes that jobs need, where there are some and nobody works on any.
-- KEYS  1 head (hash)  2 jobs (stream)  3 backlog (list)
-- Returns them with spaces between, '' where somebody works, or no job or no runtime is there.
local head = redis.call('HMGET', KEYS[1], 'state', 'lease_ms', 'runtimes')
if head[1] ~= 'running' or not head[3] or redis.call('XLEN', KEYS[2]) + redis.call('LLEN', KEYS[3]) == 0 then
  return ''
end
local leased = redis.call('XPENDING', KEYS[2], GROUP)[1]
local lapsed = leased > 0 and #redis.call('XPENDING', KEYS[2], GROUP, 'IDLE', head[2], '-', '+', leased) or 0
return lapsed == leased and head[3] or ''
