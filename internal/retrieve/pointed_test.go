package retrieve_test

import (
	"strings"
	"testing"

	"vigueur/internal/llm"
	"vigueur/internal/llm/extractive"
	"vigueur/internal/retrieve"
)

func TestQuestionsPointBackAtArticles(t *testing.T) {
	t.Parallel()
	s, _, _ := open(t)
	history := []string{"Que dit l’article 26 du code du travail ?"}
	for question, want := range map[string]string{
		"Et selon le même article, quelle exception ?": "2023-07 26",
		"Que dit l’article précédent ?":                "2023-07 25",
		"Et l’article suivant ?":                       "2023-07 27",
		"Que prévoit art 79 du code du travail ?":      "2023-07 79",
		"Que prévoit art.79 du code du travail ?":      "2023-07 79",
	} {
		r := search(t, s, retrieve.Question{Text: question, History: history})
		if got := first(r); got != want || !r.Enough {
			t.Errorf("%q: %q (enough %v), want %q", question, got, r.Enough, want)
		}
	}
}

func TestTextThatIsNotThereIsNamed(t *testing.T) {
	t.Parallel()
	s, _, _ := open(t)
	g := extractive.Generator{Lexicon: s.Lexicon}
	for question, want := range map[string]string{
		"Que dit l’article 12 de la loi n° 1999-44 du 3 mai 1999 ?":    "loi n° 1999-44 du 3 mai 1999",
		"Que prévoit le décret n° 1987-3 sur le préavis des cadres ?":  "décret n° 1987-3",
		"Est-ce que je vais gagner mon procès contre mon employeur ?":  "avocat",
		"Quelles sont mes chances de gagner contre mon propriétaire ?": "avocat",
	} {
		r := search(t, s, retrieve.Question{Text: question})
		if r.Enough {
			t.Errorf("%q: enough, coverage %.2f", question, r.Coverage)
		}
		var b strings.Builder
		p := llm.Prompt{Question: question, Passages: r.Prompted(), Abstain: !r.Enough, Missing: r.Missing}
		if err := g.Generate(t.Context(), p, func(d string) error { b.WriteString(d); return nil }); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q: no « %s » in %s", question, want, b.String())
		}
	}
}

// The law of another country answers nothing, and a text of none that is known
// answers a question that names none.
func TestForeignLawDoesNotAnswer(t *testing.T) {
	t.Parallel()
	s, _, _ := open(t)
	const question = "Combien de temps dure le préavis d’un cadre qui démissionne"
	if r := search(t, s, retrieve.Question{Text: question + " ?"}); !r.Enough {
		t.Errorf("without a country: coverage %.2f", r.Coverage)
	}
	if r := search(t, s, retrieve.Question{Text: question + " au Gabon ?"}); r.Enough {
		t.Errorf("of Gabon, whose law is not there: coverage %.2f", r.Coverage)
	}
}
