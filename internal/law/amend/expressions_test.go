package amend

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"vigueur/internal/kit/lazyre"
)

// Expressions are compiled when they are first used. This test finds invalid ones earlier.
func TestExpressionsCompile(t *testing.T) {
	t.Parallel()
	if lazyre.CompileAll() == 0 {
		t.Error("no expressions")
	}
}

// A form that names a class which nothing reads would never fit.
func TestClassesAreKnown(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, f := range []string{"grammar.go", "clause.go", "place.go", "target.go", "read.go", "amend.go"} {
		source, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^\tcase ("[a-z-]+"(?:, "[a-z-]+")*):$`).FindAllStringSubmatch(string(source), -1) {
			for name := range strings.SplitSeq(m[1], ", ") {
				known[strings.Trim(name, `"`)] = known[strings.Trim(name, `"`)] || f == "grammar.go"
			}
		}
		for _, m := range regexp.MustCompile(`<([a-z-]+)>`).FindAllStringSubmatch(string(source), -1) {
			if grammar[m[1]] == "" && !known[m[1]] {
				t.Errorf("%s: nothing reads <%s>", f, m[1])
			}
		}
	}
	if len(productions) > 64 {
		t.Error("more productions than starts has bits")
	}
}
