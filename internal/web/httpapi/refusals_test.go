package httpapi

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/store/postgres"
)

// Whoever asks again and again for what is not theirs adds two lines to the audit log: the
// first refusal, and how many followed.
func TestRepeatedRefusalsAreOneLine(t *testing.T) {
	b := setup(t)
	for range 20 {
		wantDetail(t, b.get(t, prefix+"/admin/users"), http.StatusForbidden)
	}
	wantDetail(t, b.get(t, prefix+"/admin/keys"), http.StatusForbidden)
	before := b.logged(t, postgres.Refused)
	equal(t, "lines at once", len(before), 2)
	b.stop() // the counts are written
	counts := map[string]int{}
	for _, line := range b.logged(t, postgres.Refused) {
		equal(t, "who", *line.UserID, b.user.ID)
		var said struct{ Repeated int }
		ok(t, json.Unmarshal(line.Details, &said))
		if said.Repeated > 0 {
			counts[line.Object] = said.Repeated
		}
	}
	equal(t, "counts", counts, map[string]int{"GET /api/v1/admin/users": 19})
}

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
		of := refusal{user: uuid.UUID{byte(i >> 16), byte(i >> 8), byte(i)}}
		r.add(of, now)
		r.add(of, now)
	}
	equal(t, "too many", len(r.take(now)), mostRefusals+1)
}
