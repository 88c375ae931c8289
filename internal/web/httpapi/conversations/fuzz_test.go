package conversations

import (
	"strings"
	"testing"
)

// FuzzLastEventID: a reader resumes after an event, never before the first one.
func FuzzLastEventID(f *testing.F) {
	for _, seed := range []string{"", "0", "42", "-1", "+7", "9223372036854775807", "9223372036854775808", "1e3", " 1", "١"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, header string) {
		if n := lastEventID(header); n < 0 || n > 0 && strings.Trim(header, "+0123456789") != "" {
			t.Errorf("%q is event %d", header, n)
		}
	})
}
