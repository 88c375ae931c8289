package lease_test

import (
	"testing"
	"time"

	"vigueur/internal/work/lease"
)

func TestBackoffDoublesUpToItsMost(t *testing.T) {
	t.Parallel()
	const first, most = time.Second, 10 * time.Second
	seen := map[time.Duration]bool{}
	for failures, whole := range []time.Duration{first, first, 2 * first, 4 * first, 8 * first, most, most, most} {
		for range 50 {
			wait := lease.Backoff(failures, first, most)
			if wait > whole || wait <= whole*3/4 {
				t.Errorf("after %d failures: %v, want from three quarters of %v to it", failures, wait, whole)
			}
			seen[wait] = true
		}
	}
	if len(seen) < 300 {
		t.Errorf("%d different waits of 400: what failed together comes back together", len(seen))
	}
	if wait := lease.Backoff(3, 0, 0); wait != 0 {
		t.Errorf("no wait at all became %v", wait)
	}
	if wait := lease.Backoff(1000, first, most); wait > most {
		t.Errorf("after 1000 failures: %v", wait)
	}
}
