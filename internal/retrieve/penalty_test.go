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
