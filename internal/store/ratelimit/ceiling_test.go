package ratelimit

import (
	"testing"
	"time"

	"github.com/google/uuid"
)

func TestACeilingIsReachedAndSlides(t *testing.T) {
	t.Parallel()
	store := open(t)
	c := &Ceiling{Store: store, Name: uuid.NewString(), Limit: 3, Window: time.Minute}
	for i := range 5 {
		reached, err := c.Reached(t.Context(), "k")
		if err != nil || reached != (i >= 3) {
			t.Errorf("after %d events: %v, %v", i, reached, err)
		}
		if err := c.Record(t.Context(), "k"); err != nil {
			t.Fatal(err)
		}
	}
	if reached, err := c.Reached(t.Context(), "other"); reached || err != nil {
		t.Errorf("another key: %v, %v", reached, err)
	}
	if n := store.redis.ZCard(t.Context(), c.key("k")[0]).Val(); n != 3 {
		t.Errorf("%d events are kept, 3 tell all", n)
	}
	for _, e := range store.redis.ZRange(t.Context(), c.key("k")[0], 0, -1).Val() {
		store.redis.ZIncrBy(t.Context(), c.key("k")[0], -float64(time.Hour.Milliseconds()), e)
	}
	if reached, err := c.Reached(t.Context(), "k"); reached || err != nil {
		t.Errorf("an hour later: %v, %v", reached, err)
	}
}
