package admission

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// FuzzName: whatever a client calls its file, the name is one printable element of a path, and is its own name.
func FuzzName(f *testing.F) {
	for _, seed := range []string{"", ".", "..", "/", `C:\jo\n° 5.pdf`, "../../etc/passwd", "a\x00b.pdf", "\xff/\xfe", "a\u202egpj.fdp", strings.Repeat("é", 300), " / "} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, given string) {
		name := Name(given)
		if name == "" || len(name) > MaxName || !utf8.ValidString(name) || strings.ContainsAny(name, `/\`) || !filepath.IsLocal(name) {
			t.Errorf("%q is named %q", given, name)
		}
		if i := strings.IndexFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }); i >= 0 {
			t.Errorf("%q is named %q, with an unprintable character", given, name)
		}
		if again := Name(name); again != name {
			t.Errorf("%q is named %q, and that %q", given, name, again)
		}
	})
}
