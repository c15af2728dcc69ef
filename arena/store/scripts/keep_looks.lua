-- Names that were taken before are kept by their lower case and their look. Where two are alike, the first keeps it.
-- KEYS  1 names by their lower case and their look (hash)
-- ARGV  names
for _, name in ipairs(ARGV) do
  redis.call('HSETNX', KEYS[1], string.lower(name), name)
  redis.call('HSETNX', KEYS[1], look(name), name)
end
