// Package tick repeats work at intervals.
package tick

import (
	"context"
	"time"
)

// Every yields at the given interval until ctx ends, first after one interval. Ticks that are due during the body of the
// loop become one.
func Every(ctx context.Context, interval time.Duration) func(yield func() bool) {
	return func(yield func() bool) {
		tick := time.NewTicker(interval)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			if !yield() {
				return
			}
		}
	}
}
