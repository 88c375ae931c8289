package tick_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"vigueur/internal/kit/tick"
)

func TestEvery(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 3500*time.Millisecond)
		defer cancel()
		began, n := time.Now(), 0
		for range tick.Every(ctx, time.Second) {
			if n++; time.Since(began) != time.Duration(n)*time.Second {
				t.Errorf("tick %d after %v", n, time.Since(began))
			}
		}
		if n != 3 {
			t.Errorf("%d ticks", n)
		}
		for range tick.Every(t.Context(), time.Second) {
			return // a loop that is left stops the ticker
		}
	})
}
