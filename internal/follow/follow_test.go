package follow_test

import (
	"testing"
	"time"

	"vigueur/internal/follow"
)

func TestBackoffGrows(t *testing.T) {
	t.Parallel()
	last := time.Duration(0)
	for n := range 10 {
		if d := follow.Backoff(n); d < last || d < 2*time.Second || d > 5*time.Minute {
			t.Errorf("after %d failures %v", n, d)
		} else {
			last = d
		}
	}
}
