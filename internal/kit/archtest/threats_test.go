package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestDocumentsNameTestsThatExist checks that the tests and fuzz tests exist that the threat model and the
// manual of the page name as proof. A test that was renamed or removed proves nothing.
func TestDocumentsNameTestsThatExist(t *testing.T) {
	t.Parallel()
	known := testNames(t, "internal", "e2e", "api", "worker", "ingest", "deployments")
	for _, document := range []string{"threat-model.md", "page.md"} {
		words, err := os.ReadFile(filepath.Join(root, "docs", document))
		if err != nil {
			t.Fatal(err)
		}
		told := regexp.MustCompile("`((?:Test|Fuzz)[A-Za-z0-9]+)`").FindAllSubmatch(words, -1)
		if len(told) < 20 {
			t.Errorf("docs/%s names only %d tests", document, len(told))
		}
		for _, m := range told {
			if !known[string(m[1])] {
				t.Errorf("docs/%s names %s, which is no test", document, m[1])
			}
		}
	}
}

// testNames returns the names of the tests in files and folders of the repository.
func testNames(t *testing.T, places ...string) map[string]bool {
	t.Helper()
	known := map[string]bool{}
	named := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)[A-Za-z0-9]+)\(`)
	for _, place := range places {
		err := filepath.WalkDir(filepath.Join(root, place), func(path string, _ os.DirEntry, err error) error {
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
	}
	return known
}
