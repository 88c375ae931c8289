package retrieve

import (
	"testing"

	"vigueur/internal/french"
	"vigueur/internal/law"
	"vigueur/internal/postgres"
)

// TestPenaltiesAreAskedFor is that an article which only imposes a duty carries less of
// the question what follows on a breach than one that says so with fewer of its words.
func TestPenaltiesAreAskedFor(t *testing.T) {
	t.Parallel()
	carried := func(question, text string) float64 {
		terms := french.Terms(question)
		a := asked{terms: terms, figures: french.Asks(question)}
		for range terms {
			a.weights = append(a.weights, 1)
		}
		passage := law.Passage{Text: text}
		hits := []Hit{{Found: postgres.Found{Article: law.Article{Number: "3"}, Passage: passage}, Passages: []law.Passage{passage}}}
		a.judge(hits, read)
		return hits[0].Coverage
	}
	duty, penalty := "Le meunier tient le registre annuel de la meule.", "Le meunier sans registre est passible de radiation."
	if question := "Que risque le meunier sans registre annuel ?"; carried(question, penalty) <= carried(question, duty) {
		t.Errorf("the penalty carries %.2f, the duty %.2f", carried(question, penalty), carried(question, duty))
	}
	if question := "Le meunier tient-il un registre annuel ?"; carried(question, penalty) >= carried(question, duty) {
		t.Errorf("asked for the duty, the penalty carries %.2f, the duty %.2f", carried(question, penalty), carried(question, duty))
	}
}

// TestTheLawsWordsStandTogether is that neighbors of a question are found together by
// the law's words for them too, where it has all of these.
func TestTheLawsWordsStandTogether(t *testing.T) {
	t.Parallel()
	a := asked{terms: french.Terms("veuve meunier remarier"), matches: []french.Match{
		{Start: 0, End: 1, Legal: [][]string{french.Terms("épouse survivante")}}, {Start: 2, End: 3, Legal: [][]string{french.Terms("noces")}}}}
	for text, want := range map[string]bool{
		"Les noces du meunier sont gaies.":                                true,
		"L’épouse survivante du meunier attend.":                          true,
		"L’épouse du meunier attend.":                                     false,
		"Le meunier moud le grain de tous, au prix du roi. Noces closes.": false,
	} {
		if got := a.together(read(Hit{Passages: []law.Passage{{Text: text}}})); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
