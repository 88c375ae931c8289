package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestThreatModelNamesTestsThatExist holds that what the threat model says to be held by
// a test is: one that was renamed or removed is no proof.
func TestThreatModelNamesTestsThatExist(t *testing.T) {
	t.Parallel()
	model, err := os.ReadFile(filepath.Join(root, "docs", "threat-model.md"))
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	named := regexp.MustCompile(`(?m)^func (Test[A-Za-z0-9]+)\(`)
	err = filepath.WalkDir(filepath.Join(root, "internal"), func(path string, _ os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, m := range named.FindAllSubmatch(source, -1) {
			known[string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	told := regexp.MustCompile("`(Test[A-Za-z0-9]+)`").FindAllSubmatch(model, -1)
	if len(told) < 20 {
		t.Errorf("the threat model names only %d tests", len(told))
	}
	for _, m := range told {
		if !known[string(m[1])] {
			t.Errorf("docs/threat-model.md names %s, which is no test", m[1])
		}
	}
}
