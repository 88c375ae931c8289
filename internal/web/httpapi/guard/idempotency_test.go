package guard

import (
	"strings"
	"testing"
)

// FuzzIdempotencyKey: a key that is taken is printable and not empty, in either form.
func FuzzIdempotencyKey(f *testing.F) {
	for _, seed := range []string{"a", `"a b"`, `""`, `"a\"b"`, "é", `"é"`, "a b", "\"a\x00\"", strings.Repeat("a", 256)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, header string) {
		found := onceForm.FindStringSubmatch(header)
		if found == nil {
			return
		}
		name := found[1] + found[2]
		if name == "" || len(name) > 255 || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r > '~' }) {
			t.Errorf("%q is the key %q", header, name)
		}
	})
}
