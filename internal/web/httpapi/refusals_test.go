package httpapi

import (
	"encoding/json"
	"net/http"
	"testing"

	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/transport"
)

// Whoever asks again and again for what is not theirs adds two lines to the audit log: the
// first refusal, and how many followed.
func TestRepeatedRefusalsAreOneLine(t *testing.T) {
	b := setup(t)
	for range 20 {
		wantDetail(t, b.get(t, transport.Prefix+"/admin/users"), http.StatusForbidden)
	}
	wantDetail(t, b.get(t, transport.Prefix+"/admin/keys"), http.StatusForbidden)
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
