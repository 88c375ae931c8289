package lease

import (
	"math/rand/v2"
	"time"
)

// Backoff returns the delay after a number of failures (1 or more) in a row: first, doubled
// with each further failure, but no more than limit. Up to a quarter is subtracted at
// random, so that jobs that failed together are not retried together.
func Backoff(failures int, first, limit time.Duration) time.Duration {
	wait := first
	for range failures - 1 {
		if wait >= limit/2 {
			wait = limit
			break
		}
		wait *= 2
	}
	if wait < 4 {
		return wait
	}
	return wait - rand.N(wait/4)
}
