package respond

import (
	"strings"
	"testing"
)

// FuzzMatches: a cached response is reused only if the header names its tag, or any.
func FuzzMatches(f *testing.F) {
	const tag = `"0123"`
	for _, seed := range []string{"", "*", tag, "W/" + tag, `"a", W/"0123"`, `"0123`, "0123", ",,"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, header string) {
		if Matches(header, tag) && !strings.Contains(header, tag) && !strings.Contains(header, "*") {
			t.Errorf("%q matches", header)
		}
	})
}
