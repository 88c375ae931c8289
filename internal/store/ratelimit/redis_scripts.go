package ratelimit

import "github.com/redis/go-redis/v9"

// The states that beginScript returns.
const (
	refused = 0 // counted events reach the limit
	begun   = 1
	busy    = 2 // counted events and reservations reach the limit, but some reservations may not count in the end
)

// preamble reads the clock in milliseconds and removes the events that are at least one
// window old. Its function reset returns the time until enough events have left the window
// to count another one.
const preamble = `
local id, limit, window, hold = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
local function reset(counted)
  local nth = math.max(0, counted - limit)
  local oldest = redis.call('ZRANGE', KEYS[1], nth, nth, 'WITHSCORES')
  if #oldest == 0 then return window end
  return oldest[2] + window - now
end
`

// beginScript reserves a place for an event, if one is free.
var beginScript = redis.NewScript(preamble + `
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - hold)
local counted = redis.call('ZCARD', KEYS[1])
local state = 1
if counted >= limit then
  state = 0
elseif counted + redis.call('ZCARD', KEYS[2]) >= limit then
  state = 2
else
  redis.call('ZADD', KEYS[2], now, id)
  redis.call('PEXPIRE', KEYS[2], hold)
end
return {state, counted, reset(counted)}
`)

// countScript ends the reservation of an event and counts the event. If the reservation was
// ended before or has expired, the event is not counted, because another event may have its
// place.
var countScript = redis.NewScript(preamble + `
if redis.call('ZREM', KEYS[2], id) == 1 then
  redis.call('ZADD', KEYS[1], now, id)
  redis.call('PEXPIRE', KEYS[1], window)
end
local counted = redis.call('ZCARD', KEYS[1])
return {1, counted, reset(counted)}
`)
