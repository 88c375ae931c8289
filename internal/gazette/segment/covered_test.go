package segment_test

import (
	"testing"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/gazette/segment"
)

func TestCoveredWordsAreADoubt(t *testing.T) {
	t.Parallel()
	pages := typed(decree)
	lines := pages[0].Lines
	lines[len(lines)-2].Words[0].Covered = true
	x := segment.Split(pages, gazette.Hints{}).Texts[0]
	for _, d := range x.Doubts {
		if d.Why.Kind == remarks.WordsCovered && d.Words == lines[len(lines)-2].Words[0].Text && d.Page == 1 {
			return
		}
	}
	t.Errorf("no doubt of the word: %+v", x.Doubts)
}
