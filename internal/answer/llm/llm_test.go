package llm_test

import (
	"slices"
	"testing"

	"vigueur/internal/answer/llm"
	"vigueur/internal/search/question"
)

func TestPromptRead(t *testing.T) {
	t.Parallel()
	other := question.Read("Que dit l’article 7 de la loi n° 2011-01 ?", question.Conversation{})
	for name, c := range map[string]struct {
		prompt   llm.Prompt
		articles []string // articles of the references in the question
		number   string
		earlier  bool
	}{
		"a reference": {
			prompt:   llm.Prompt{Question: "Que dit l’article 12 de la loi n° 2010-05 ?"},
			articles: []string{"12"}, number: "2010-05",
		},
		"a follow-up takes the words before along": {
			prompt:  llm.Prompt{Question: "Et pour un CDD ?", History: []llm.Turn{{Question: "Quel est le préavis d’une démission ?", Answer: "Un mois."}}},
			earlier: true,
		},
		"what was read is not read again": {
			prompt:   llm.Prompt{Question: "Que dit l’article 12 de la loi n° 2010-05 ?", Asked: &other},
			articles: []string{"7"}, number: "2011-01",
		},
		"an empty question": {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := c.prompt.Read()
			if (got.Earlier != "") != c.earlier {
				t.Errorf("earlier questions: %q", got.Earlier)
			}
			if c.number == "" {
				if len(got.References) > 0 {
					t.Errorf("references of nothing: %+v", got.References)
				}
				return
			}
			if len(got.References) != 1 || got.References[0].Number != c.number || !slices.Equal(got.References[0].Articles, c.articles) {
				t.Errorf("references: %+v", got.References)
			}
		})
	}
}
