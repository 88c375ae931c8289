package label

import (
	"testing"

	"vigueur/internal/gazette/segment/line"
)

// TestNumberCache checks that the cache returns what a line reads as, after any number.
func TestNumberCache(t *testing.T) {
	t.Parallel()
	lines := []line.Line{{Text: "Article 12 : Le sel est gris.", Opens: true}, {Text: "Le sel est fin.", Opens: true}, {Text: "Article 131 bis : Non.", Opens: true}}
	kept := numberCache{}
	for _, last := range []string{"", "11", "11", "12", "", "30"} {
		for i, l := range lines {
			number, end, ok := l.Article(last)
			gotNumber, gotEnd, gotOK := kept.numberAt(lines, i, last)
			if gotNumber != number || gotEnd != end || gotOK != ok {
				t.Errorf("line %d after %q: %q, %d, %t; want %q, %d, %t", i, last, gotNumber, gotEnd, gotOK, number, end, ok)
			}
		}
	}
}
