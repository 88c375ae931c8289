package lease

import (
	"math/rand/v2"
	"time"
)

// Backoff is how long to wait after a number of failures (1 or more) in a row:
// first, doubled with each, at most most. Up to a quarter of it is taken off by
// chance, so that what failed together does not come back together.
func Backoff(failures int, first, most time.Duration) time.Duration {
	wait := first
	for range failures - 1 {
		if wait >= most/2 {
			wait = most
			break
		}
		wait *= 2
	}
	if wait < 4 {
		return wait
	}
	return wait - rand.N(wait/4)
}
