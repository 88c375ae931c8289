package ratelimit

import "github.com/redis/go-redis/v9"

// What the begin script says of an event.
const (
	refused = 0 // the limit is counted full
	begun   = 1
	busy    = 2 // full with the open events, some of which may be forgotten
)

// preamble reads the clock in milliseconds and drops what has left the window.
// An event that is exactly one window old has left it. reset is when the event
// leaves whose going makes room for one more.
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

// beginScript opens an event when there is a place.
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

// countScript closes an event as one that counts. One that was closed before
// or whose hold has passed is no longer open and is not counted: its place may
// be another's.
var countScript = redis.NewScript(preamble + `
if redis.call('ZREM', KEYS[2], id) == 1 then
  redis.call('ZADD', KEYS[1], now, id)
  redis.call('PEXPIRE', KEYS[1], window)
end
local counted = redis.call('ZCARD', KEYS[1])
return {1, counted, reset(counted)}
`)
