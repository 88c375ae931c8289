package guard

import (
	"testing"
	"time"

	"github.com/google/uuid"
)

func TestRefusalsAreCountedForAWindow(t *testing.T) {
	t.Parallel()
	var r refusals
	now := time.Now()
	mine, yours := refusal{uuid.UUID{1}, uuid.Nil, "GET /"}, refusal{uuid.UUID{2}, uuid.Nil, "GET /"}
	equal(t, "first", []bool{r.add(mine, now), r.add(mine, now), r.add(yours, now.Add(time.Minute)), r.add(mine, now)}, []bool{true, false, true, false})
	equal(t, "too early", len(r.take(now)), 0)
	equal(t, "after the window", r.take(now.Add(time.Second)), map[refusal]int{mine: 2})
	equal(t, "a window of its own", r.add(mine, now.Add(time.Hour)), true)
	equal(t, "once, no count", len(r.take(now.Add(2*time.Hour))), 0)
	equal(t, "kept", len(r.seen), 0)
	for i := range mostRefusals + 1 {
		refused := refusal{user: uuid.UUID{byte(i >> 16), byte(i >> 8), byte(i)}}
		r.add(refused, now)
		r.add(refused, now)
	}
	equal(t, "too many", len(r.take(now)), mostRefusals+1)
}
