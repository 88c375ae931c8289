package retrieve_test

import (
	"slices"
	"testing"

	"vigueur/internal/search/retrieve"
)

// TestEnough is what is answered and what is not given as an answer, of questions that
// share words with the law.
func TestEnough(t *testing.T) {
	t.Parallel()
	s, _, _ := open(t)
	for question, enough := range map[string]bool{
		// The law's common word for a lay one is not what is asked about.
		"Mon patron, le boss de ma boîte, au casino de la plage ?": false,
		"Quel préavis dois-je à mon patron si je démissionne ?":    true,
		// The figures of a case need not stand in the law.
		"Cadre de 57 ans avec 23 mois de maison, combien dure mon préavis si je démissionne ?": true,
		// A question that yes or no answers asks for no sum and no time.
		"Mon employeur retient une amende sur mon salaire, a-t-il le droit ?": true,
		// No law tells what to do with one’s life, or the name of who bears an office.
		"Que me conseillez-vous, démissionner ou le préavis d’un cadre ?": false,
		"Vaut-il mieux un contrat à durée déterminée ?":                   false,
		"Qui est l’actuel inspecteur du travail ?":                        false,
		"Traduis l’article sur le préavis du cadre en anglais":            false,
		"Comment s’appelle l’inspecteur du travail ?":                     false,
	} {
		if r := search(t, s, retrieve.Question{Text: question}); enough && !r.Verdict.Answers() || !enough && r.Verdict.Certain() {
			t.Errorf("%q: %v, probability %.2f, first %s", question, r.Verdict.Grade, r.Verdict.Probability, first(r))
		}
	}
}

// TestACodeThatIsNotThere is that another code of the same country does not answer
// for it, nor another article of the same number.
func TestACodeThatIsNotThere(t *testing.T) {
	t.Parallel()
	s, _, _ := open(t)
	r := search(t, s, retrieve.Question{Text: "Que dit l’article 26 du Code de la route ?"})
	if r.Verdict.Answers() || !slices.Equal(r.Missing, []string{"Code de la route"}) {
		t.Errorf("enough %v, missing %q, first %s", r.Verdict.Answers(), r.Missing, first(r))
	}
}
