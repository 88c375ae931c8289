package answering_test

import (
	"strings"
	"testing"

	"vigueur/internal/answer/llm"
	"vigueur/internal/work/answering"
)

// TestASentenceThatGoesRoundInCircles checks that Check warns of a sentence that repeats
// the same words again and again, whatever it cites, and of no sentence of a text. The
// repetitive sentences were written by a small model.
func TestASentenceThatGoesRoundInCircles(t *testing.T) {
	t.Parallel()
	passages := []llm.Passage{{N: 1, Title: "Loi n° 2023-07", Text: "Elle est d’un mois pour l’ouvrier."}}
	const others, models = false, true
	for text, want := range map[string]bool{
		"Le cours de la question est de la question de la question de la question de la ** [1].":                                                         models,
		"Le passage n'est pas à l'article, même si je suis déjà le plus tard, même si je suis déjà le plus tard, même si je suis déjà le plus tard [1].": models,
		"Le divorce est une condition de la formation de la formation de la formation [1].":                                                              models,
		"Et nous pouvons réussir le passage, et nous pouvons réussir le passage, et nous pouvons réussir le passage [1].":                                models,
		"N’est-ce pas de la question de la question de la question ?":                                                                                    models,
		"Elle est d’un mois pour l’ouvrier [1].":                                                                                                         others,
		"Le père, la mère, le frère, la sœur ou le tuteur la demandent, la reçoivent ou la refusent [1].":                                                others,
		"Elle est très, très, très courte pour l’ouvrier [1].":                                                                                           others,
		"Il est dit : « de la part de la part de la part de l’ouvrier » [1].":                                                                            others,
		"L’ouvrier le doit de jour en jour, de mois en mois et d’année en année [1].":                                                                    others,
		"Les taux sont 1 2 1 2 1 2 [1].": others,
	} {
		v := answering.Check(text, "", passages)
		if got := v.Warning != nil && strings.Contains(*v.Warning, "répète les mêmes mots"); got != want {
			t.Errorf("%q: %+v", text, v)
		}
	}
}
