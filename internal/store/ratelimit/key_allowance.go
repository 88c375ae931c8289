package ratelimit

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"vigueur/internal/kit/errs"
)

// Allowance limits the requests of an API key per minute (in a sliding window) and per day
// (UTC, by Redis's clock). Each key has its own limits, which the caller passes with each
// call. One script checks and counts, so the limits are exact over any number of processes.
// An Allowance is safe for use by many goroutines.
type Allowance struct {
	Store *Store
	Name  string
}

// The windows of an Allowance.
const (
	MinuteWindow = time.Minute
	DayWindow    = 24 * time.Hour
)

// takeScript counts a request in both windows if both limits allow it. A refused request
// counts in neither window. The count of the day is stored with the date, so that a new day
// begins at 0.
var takeScript = redis.NewScript(`
local id, minute, day = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local today = math.floor(time[1] / 86400)
local left = (today + 1) * 86400000 - now
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - 60000)
local inMinute, inDay = redis.call('ZCARD', KEYS[1]), 0
local kept = redis.call('HMGET', KEYS[2], 'day', 'calls')
if tonumber(kept[1]) == today then inDay = tonumber(kept[2]) end
local taken = 0
if inMinute < minute and inDay < day then
  taken, inMinute, inDay = 1, inMinute + 1, inDay + 1
  redis.call('ZADD', KEYS[1], now, id)
  redis.call('PEXPIRE', KEYS[1], 60000)
  redis.call('HSET', KEYS[2], 'day', today, 'calls', inDay)
  redis.call('PEXPIRE', KEYS[2], left)
end
local reset = 60000
local oldest = redis.call('ZRANGE', KEYS[1], math.max(0, inMinute - minute), math.max(0, inMinute - minute), 'WITHSCORES')
if #oldest > 0 then reset = oldest[2] + 60000 - now end
return {taken, inMinute, reset, inDay, left}
`)

// Take counts a request of key within perMinute and perDay, which must be at least 1. It
// returns the quota that has fewer requests left. The error is *Refused if a limit is
// reached, Unavailable if Redis is down.
func (a *Allowance) Take(ctx context.Context, key string, perMinute, perDay int) (Quota, error) {
	stem := "vigueur:allowance:{" + a.Name + ":" + key + "}:"
	reply, err := takeScript.Run(ctx, a.Store.redis, []string{stem + "minute", stem + "day"}, uuid.NewString(), perMinute, perDay).Int64Slice()
	if err != nil {
		return Quota{}, unavailable(fmt.Errorf("ratelimit: %s: %w", a.Name, err))
	}
	quota := func(limit int, counted, reset int64) Quota {
		return Quota{Limit: limit, Remaining: max(0, limit-int(counted)), Reset: time.Duration(reset) * time.Millisecond}
	}
	nearer, other := quota(perMinute, reply[1], reply[2]), quota(perDay, reply[3], reply[4])
	if other.Remaining < nearer.Remaining || other.Remaining == nearer.Remaining && other.Reset > nearer.Reset {
		nearer = other // if neither quota has requests left, return the one that resets later
	}
	if reply[0] == 0 {
		return nearer, &Refused{Quota: nearer, cause: errs.Newf(errs.TooMany, "Le quota de cette clé est épuisé. Réessayez dans %s.", inFrench(nearer.Reset))}
	}
	return nearer, nil
}
