package masthead

import (
	"strings"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/segment/titles"
	"vigueur/internal/law/country"
)

// headLinesOfState is how many lines of the first page may name the state whose gazette it is.
const headLinesOfState = 14

// CountryNamed returns the country that pages name most often. If head is set, it reads the head of the first page,
// where one mention is enough, and the running heads; otherwise all words.
func CountryNamed(pages []layout.Page, head bool) (country.Code, bool) {
	tally, mentions := country.Tally{}, []country.Mention(nil)
	add := func(lines []layout.Line, weight float64) {
		var words strings.Builder
		for _, l := range lines {
			words.WriteString(l.Text() + "\n")
		}
		found := country.In(words.String())
		mentions = append(mentions, found...)
		tally.Add(found, weight)
		for _, c := range country.FindUnlisted(words.String()) {
			tally[c] += weight
		}
	}
	for i, p := range pages {
		add(p.Aside, 1)
		if !head {
			add(p.Lines, 1)
			continue
		}
		for k := 0; i == 0 && k < min(len(p.Lines), headLinesOfState); k++ {
			if titles.NamesState.MatchString(p.Lines[k].Text()) {
				add(p.Lines[k:min(len(p.Lines), k+2)], country.Enough) // « JOURNAL OFFICIEL DE LA » goes on below
			}
		}
	}
	return tally.One(mentions)
}
