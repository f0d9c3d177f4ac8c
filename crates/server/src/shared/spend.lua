-- Charges the same cost to every bucket, or to none if one has too little left. One round trip, atomic across nodes.
--
-- KEYS: the buckets. ARGV[1]: the cost; then three arguments per bucket:
--   rate,   microseconds in which one unit refills, units of a full bucket (GCRA: the value is the time when it is full again)
--   window, units in total, milliseconds until it ends (the value is the amount spent)
-- Returns the index of the exceeded bucket, counted from 1, and the microseconds until it allows the cost; or two zeros.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local cost = tonumber(ARGV[1])
local after = {}

for place, key in ipairs(KEYS) do
  local kind, first, second = ARGV[place * 3 - 1], tonumber(ARGV[place * 3]), tonumber(ARGV[place * 3 + 1])
  if kind == 'rate' then
    local full_at = math.max(tonumber(redis.call('GET', key) or now), now) + first * math.min(cost, second)
    local over = full_at - now - first * second
    if over > 0 then
      return { place, over }
    end
    after[place] = full_at
  elseif tonumber(redis.call('GET', key) or 0) + cost > first then
    local left = redis.call('PTTL', key)
    return { place, (left > 0 and left or second) * 1000 }
  end
end

for place, key in ipairs(KEYS) do
  if after[place] then
    local left = math.max(1, math.ceil((after[place] - now) / 1000))
    -- Lua formats large numbers with fourteen digits, which is not enough.
    redis.call('SET', key, string.format('%.0f', after[place]), 'PX', left)
  else
    redis.call('INCRBY', key, ARGV[1])
    if redis.call('PTTL', key) < 0 then
      redis.call('PEXPIRE', key, math.max(1, tonumber(ARGV[place * 3 + 1])))
    end
  end
end
return { 0, 0 }
