package answering

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vigueur/lab/judged"
)

func TestZZ(t *testing.T) {
	fs, _ := filepath.Glob(os.Getenv("ZZ") + "/requests/*.json")
	for _, f := range fs {
		q, ps, _ := judged.Request(f)
		a, _ := os.ReadFile(strings.Replace(strings.Replace(f, "requests", "true", 1), ".json", ".txt", 1))
		for _, s := range sentences(string(a)) {
			c, o := s.faults(sourcesOf(ps), around(q, string(a)))
			if len(c)+len(o) > 0 {
				cl := readClaim(s.claimed(), s.cited(sourcesOf(ps)), around(q, string(a)))
				t.Logf("%s %v %v\n    %s\n    RULE %s\n    %v", filepath.Base(f), c, o, s.words, cl.other.text, cl.signs())
			}
		}
	}
}
