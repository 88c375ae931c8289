package web_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"vigueur/internal/search/rank"
)

// Features of articles and of the gate have French names on the page that explains an
// answer.
func TestWordsOfWhatIsKnown(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("src/admin/why-words.ts")
	if err != nil {
		t.Fatal(err)
	}
	names := rank.Names()
	var all rank.Evidence
	for i := range all {
		all[i] = 1
	}
	for name := range all.ByName() {
		names = append(names, name)
	}
	for _, name := range names {
		if !strings.Contains(string(source), " "+name+": '") {
			t.Errorf("%s has no words in why-words.ts", name)
		}
	}
}

var (
	comment = regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/`)
	// said matches a string, or the text between two elements.
	said   = regexp.MustCompile("'((?:[^'\\\\\\n]|\\\\.)*)'|`((?:[^`\\\\]|\\\\.)*)`|[^=\\s]>([^<>{}=]*)[<{]|\\}([^<>{}=;()]*)<")
	hole   = regexp.MustCompile(`\$\{[^}]*\}`)
	code   = regexp.MustCompile(`^\s*[):.]|\?\s*$|\breturn\b|&&`)
	unset  = regexp.MustCompile(`[\pL\pN)»’%][ \x{a0}][:;!?»](?:[\s<]|$)|«[ \x{a0}]|\pL'\pL`)
	spoken = regexp.MustCompile(`\pL{2}`)
)

// French typography of all texts of the page, including states that no test reaches: narrow
// no-break spaces before high punctuation and inside guillemets, and typographic
// apostrophes.
func TestFrenchIsSet(t *testing.T) {
	t.Parallel()
	looked := 0
	err := filepath.WalkDir("src", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".tsx") && !strings.HasSuffix(path, ".ts") || strings.Contains(path, ".test.") || strings.HasSuffix(path, "schema.d.ts") {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, groups := range said.FindAllStringSubmatch(comment.ReplaceAllString(string(source), ""), -1) {
			words := hole.ReplaceAllString(strings.Join(groups[1:], ""), "x")
			if !spoken.MatchString(words) || code.MatchString(words) {
				continue
			}
			looked++
			if unset.MatchString(words) {
				t.Errorf("%s: %q", path, words)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if looked < 500 {
		t.Errorf("only %d texts were found", looked)
	}
}
