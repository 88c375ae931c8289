package idp

import (
	"testing"
	"time"

	"github.com/google/uuid"
)

// FuzzOpen: only the cookie that was sealed opens, and only for its provider and state.
func FuzzOpen(f *testing.F) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	attempts, err := NewAttempts([]byte("a secret of thirty-two bytes ...."), time.Minute, func() time.Time { return now })
	if err != nil {
		f.Fatal(err)
	}
	good := attempts.Seal(Attempt{Provider: "ministere", State: "state", Began: now})
	f.Add(good, "ministere", "state")
	f.Add(good, "autre", "state")
	f.Add("", "", "")
	f.Add("e30", "ministere", "\xff")
	f.Fuzz(func(t *testing.T, kept, provider, state string) {
		// Another process of the fuzzer seals the same attempt otherwise, and that opens too.
		a, err := attempts.Open(kept, provider, state, uuid.Nil)
		same := provider == "ministere" && state == "state"
		if err == nil && (!same || a.Provider != provider || a.State != state) || err != nil && kept == good && same {
			t.Errorf("%q for %q and %q: %+v, %v", kept, provider, state, a, err)
		}
	})
}
