package segment_test

import (
	"slices"
	"strings"
	"testing"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/gazette/segment"
)

func TestWhatAPageShowsIsADoubt(t *testing.T) {
	t.Parallel()
	for kind, c := range map[remarks.Subject]struct {
		harm  func(l *layout.Line)
		words string
	}{
		remarks.WordsCovered: {func(l *layout.Line) { l.Words[0].Covered = true }, "Fait"},
		remarks.WordsOther:   {func(l *layout.Line) { l.Words[1].Other = true }, "à"},
		remarks.PagesDisordered: {func(l *layout.Line) {
			for range 3 {
				l.Words = append(slices.Clone(l.Words), layout.Word{Text: "le"}, layout.Word{Text: "dans"})
			}
		}, ""},
	} {
		pages := typed(decree)
		l := &pages[0].Lines[slices.IndexFunc(pages[0].Lines, func(l layout.Line) bool { return strings.HasPrefix(l.Text(), "Fait") })]
		c.harm(l)
		x := segment.Split(pages, gazette.Hints{}).Texts[0]
		if !slices.ContainsFunc(x.Doubts, func(d remarks.Doubt) bool { return d.Why.Kind == kind && d.Words == c.words && d.Page == 1 }) {
			t.Errorf("kind %d: no doubt of the words: %+v", kind, x.Doubts)
		}
	}
}
