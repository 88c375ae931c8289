package masthead

import (
	"maps"
	"slices"
	"strings"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment/label"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/prepare"
	"vigueur/internal/gazette/segment/titles"
	"vigueur/internal/law"
)

// houseWords is how many words a line of a house has at least: « Journal officiel » and « Numéro spécial » are of all.
const houseWords = 3

// House returns the lines by which files of one publisher are known, folded and without figures, months and days: those of
// the head of the first page, down to the first text, and the running heads. It is empty if the file has none of them.
func House(pages []layout.Page, lines []line.Line, marks label.Reading) []string {
	known := map[string]bool{}
	add := func(text string) {
		words := strings.FieldsFunc(law.Fold(text), func(r rune) bool { return r < 'a' || r > 'z' })
		words = slices.DeleteFunc(words, func(w string) bool { return titles.MonthNames[w] || len(w) == 1 })
		if len(words) >= houseWords {
			known[strings.Join(words, " ")] = true
		}
	}
	for i, l := range lines {
		if i >= prepare.HeadLines || l.Page != lines[0].Page || !marks.Labels[i].Loose() {
			break
		}
		add(l.Text)
	}
	for _, p := range pages {
		for _, l := range p.Aside {
			add(l.Text())
		}
	}
	return slices.Sorted(maps.Keys(known))
}
