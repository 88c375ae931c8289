package label

import (
	"strings"
	"testing"
	"unicode/utf8"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/titles"
	"vigueur/internal/law"
)

// TestNewsOfAnAgreement checks that what a gazette tells of an agreement is no agreement, and that an agreement is one.
func TestNewsOfAnAgreement(t *testing.T) {
	t.Parallel()
	const name = "Convention sur le commerce du sel, faite à\nVillebourg, le 18 mars 1970."
	for rest, want := range map[string]bool{
		" — Ratification de la Salinie.":                                                                 true,
		" Adhésion et notification de succession de deux États.":                                         true,
		"\nIl résulte d'une notification du dépositaire qu'en date du 3 mai 2019 la Salinie y a adhéré.": true,
		"\nLes Parties à la présente convention sont convenues de ce qui suit :":                         false,
		"\nArticle 1er. Le commerce du sel est libre.\nArticle 2. Ratification":                          false,
	} {
		h := titles.Title{Kind: titles.KindOf("Convention")}
		if got := tellsOfTreaty(h, typedLines(name+rest)); got != want {
			t.Errorf("%q: %v", rest, got)
		}
	}
	if tellsOfTreaty((titles.Title{Kind: titles.KindOf("Décret")}), typedLines("Décret du 3 mai 1970. — Ratification de la convention")) {
		t.Error("a decree is news of an agreement")
	}
}

// typedLines makes lines of a typewritten page, on which a letter is 6 points wide.
func typedLines(text string) []line.Line {
	var p layout.Page
	for row, t := range strings.Split(strings.Trim(text, "\n"), "\n") {
		l := layout.Line{Page: 1, Size: 10, Gap: 2}
		pos := 0
		for _, w := range strings.Split(t, " ") {
			n := utf8.RuneCountInString(w)
			if w != "" {
				left, top := 50+6*float64(pos), 50+12*float64(row)
				l.Words = append(l.Words, layout.Word{Text: w, Size: 10, Rect: law.Rect{left, top, left + 6*float64(n), top + 10}})
			}
			pos += n + 1
		}
		if len(l.Words) > 0 {
			l.Rect = line.BoundsOf(l.Words)
			p.Lines = append(p.Lines, l)
		}
	}
	return line.Flatten([]layout.Page{p})
}
