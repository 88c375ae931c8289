package retrieve

import (
	"testing"

	"vigueur/internal/french"
	"vigueur/internal/law"
	"vigueur/internal/postgres"
	"vigueur/internal/rank"
)

// TestPenaltiesAreAskedFor is that an article which only imposes a duty is known to lack
// what a question about the consequences of a breach asks for, and one that has them not.
func TestPenaltiesAreAskedFor(t *testing.T) {
	t.Parallel()
	told := func(question, text string) rank.Features {
		terms := french.Terms(question)
		a := asked{terms: terms, figures: french.Asks(question), grams: gramsOf(terms)}
		for range terms {
			a.weights = append(a.weights, 1)
		}
		passage := law.Passage{Text: text}
		hits := []Hit{{Found: postgres.Found{Article: law.Article{Number: "3"}, Passage: passage}, Passages: []law.Passage{passage}}}
		a.judge(hits, read)
		return hits[0].Features
	}
	duty, penalty := "Le meunier tient le registre annuel de la meule.", "Le meunier sans registre est passible de radiation."
	question := "Que risque le meunier sans registre annuel ?"
	if d, p := told(question, duty), told(question, penalty); d[rank.Unpunished] != 1 || p[rank.Unpunished] != 0 {
		t.Errorf("the duty lacks %v, the penalty %v", d[rank.Unpunished], p[rank.Unpunished])
	}
	question = "Le meunier tient-il un registre annuel ?"
	d, p := told(question, duty), told(question, penalty)
	if d[rank.Unpunished] != 0 || d[rank.Covered] <= p[rank.Covered] || d[rank.CoveredBody] != d[rank.Covered] || d[rank.CoveredHeads] != 0 {
		t.Errorf("asked for the duty: %v, the penalty %v", d, p)
	}
}

// TestWordsAreFoundWhereTheyStand is that a word of a heading or of the title of a text
// counts there, and that likeness is that of the heading it stands in.
func TestWordsAreFoundWhereTheyStand(t *testing.T) {
	t.Parallel()
	a := asked{terms: french.Terms("moulin farine sel"), weights: []float64{1, 1, 2}, grams: gramsOf(french.Terms("moulin farine sel"))}
	passage := law.Passage{Text: "La farine est blanche."}
	hits := []Hit{{Found: postgres.Found{Article: law.Article{Number: "3", Path: []string{"Des grains", "Du moulin"}},
		Document: law.Document{Title: "Code du sel"}, Passage: passage}, Passages: []law.Passage{passage}}}
	a.judge(hits, read)
	f := hits[0].Features
	for feature, want := range map[int]float32{rank.Covered: 1, rank.CoveredBody: 0.25, rank.CoveredHeads: 0.25, rank.CoveredTitle: 0.5,
		rank.CoveredPlain: 1, rank.MissedMost: 0, rank.Rarest: 1, rank.MissedNames: 0} {
		if f[feature] != want {
			t.Errorf("%s is %v, want %v", rank.Names()[feature], f[feature], want)
		}
	}
	if f[rank.LeafLikeness] <= 0 || f[rank.LeafLikeness] <= f[rank.PathLikeness] || f[rank.TitleLikeness] <= 0 {
		t.Errorf("likeness of the heading %v, of all %v, of the title %v", f[rank.LeafLikeness], f[rank.PathLikeness], f[rank.TitleLikeness])
	}
}

// TestTheLawsWordsStandTogether is that neighbors of a question are found together by
// the law's words for them too, where it has all of these.
func TestTheLawsWordsStandTogether(t *testing.T) {
	t.Parallel()
	a := asked{terms: french.Terms("veuve meunier remarier"), matches: []french.Match{
		{Start: 0, End: 1, Legal: [][]string{french.Terms("épouse survivante")}}, {Start: 2, End: 3, Legal: [][]string{french.Terms("noces")}}}}
	for text, want := range map[string]float64{
		"Les noces du meunier sont gaies.":                                0.5,
		"L’épouse survivante du meunier attend.":                          0.5,
		"L’épouse du meunier attend.":                                     0,
		"Le meunier moud le grain de tous, au prix du roi. Noces closes.": 0,
	} {
		if got := a.together(read(Hit{Passages: []law.Passage{{Text: text}}})); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
