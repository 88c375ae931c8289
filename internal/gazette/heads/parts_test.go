package heads

import (
	"slices"
	"strings"
	"testing"
)

// TestMisreadHeadsByParts checks that a line that resembles the head of an article counted by parts is
// a head only if the numbers around it leave a gap for it.
func TestMisreadHeadsByParts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		printed string
		want    []string // the numbers that are repaired
	}{
		{"a slip in the word", "Article L. 1-1\nArticLe L. 1-2\nArticle L. 1-3", []string{"L. 1-2"}},
		{"a letter lost, a blank, a speck, a letter for the letter", "Article L. 1-1\nArtice L. 1-2\nArti cle L. 1-3\nArticle L. 1-4 _\nArtic1e l. 1-5\nArticle L. 2-1", []string{"L. 1-2", "L. 1-3", "L. 1-4", "L. 1-5"}},
		{"words behind it", "Article R. 12 - Le sel.\nArticLe R. 13 - Le poivre.\nArticle R. 14 - Le fer.", []string{"R. 13"}},
		{"the first", "ArticLe L. 1-1\nArticle L. 1-2", []string{"L. 1-1"}},
		{"the first of a part, and the last of all", "Article L. 1-9\nArticLe L. 3-1\nArticle L. 3-2\nArticLe L. 3-3", []string{"L. 3-1", "L. 3-3"}},
		{"one lost before it", "Article L. 1-1\nArticLe L. 1-3\nArticle L. 1-4", []string{"L. 1-3"}},
		{"a dash that was lost", "Article L. 2-4\nArticle L. 25\nArticle L. 2-6\nArticle L. 31\nArticle L. 3-2", []string{"L. 2-5", "L. 3-1"}},
		{"no dash that was lost", "Article L. 2-4\nArticle L. 78\nArticle L. 2-5\nArticle L. 2-6", nil},
		{"a code without parts", "Article L. 24\nArticle L. 25\nArticle L. 2-6\nArticle L. 26", nil},
		{"far from the count", "Article L. 1-1\nArticLe L. 1-30\nArticle L. 1-2", nil},
		{"back in the count", "Article L. 3-1\nArticLe L. 2-8\nArticle L. 3-2", nil},
		{"another letter", "Article L. 1-1\nArticLe R. 1-2\nArticle L. 1-2", nil},
		{"within a sentence", "Article L. 1-1\nartic1e L. 1-2 du code\nArticle L. 1-3", nil},
		{"a sentence behind it", "Article L. 1-1\nArticLe L. 1-2 du code\nArticle L. 1-3", nil},
		{"another word", "Article L. 1-1\nAnnexe L. 1-2\nArticle L. 1-3", nil},
		{"no number", "Article L. 1-1\nArticLe L. x\nArticle L. 1-3", nil},
	} {
		var lines []Line
		for text := range strings.SplitSeq(c.printed, "\n") {
			lines = append(lines, Line{Text: text, Apart: true, Opens: true})
		}
		var got []string
		for _, h := range mendByParts(lines) {
			got = append(got, h.Number)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
