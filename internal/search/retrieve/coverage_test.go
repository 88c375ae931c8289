package retrieve_test

import (
	"slices"
	"testing"

	"vigueur/internal/search/retrieve"
)

// TestEnough checks which questions that share words with the law are answered and which
// are not.
func TestEnough(t *testing.T) {
	t.Parallel()
	s, _, _ := open(t)
	for question, enough := range map[string]bool{
		// That the law has a common term for a colloquial word is no sign that it
		// answers.
		"Mon patron, le boss de ma boîte, au casino de la plage ?": false,
		"Quel préavis dois-je à mon patron si je démissionne ?":    true,
		// The figures that describe the asker need not occur in the law.
		"Cadre de 57 ans avec 23 mois de maison, combien dure mon préavis si je démissionne ?": true,
		// A yes-or-no question asks for no sum and no time.
		"Mon employeur retient une amende sur mon salaire, a-t-il le droit ?": true,
		// The law gives no advice, does not name the holder of an office and is not
		// translated.
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

// A question about a code that the catalogue does not have is answered neither by another
// code of the country nor by the article with the same number.
func TestCodeThatTheCatalogueLacks(t *testing.T) {
	t.Parallel()
	s, _, _ := open(t)
	r := search(t, s, retrieve.Question{Text: "Que dit l’article 26 du Code de la route ?"})
	if r.Verdict.Answers() || !slices.Equal(r.Missing, []string{"Code de la route"}) {
		t.Errorf("enough %v, missing %q, first %s", r.Verdict.Answers(), r.Missing, first(r))
	}
}
