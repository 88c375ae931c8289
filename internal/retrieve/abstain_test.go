package retrieve_test

import (
	"strings"
	"testing"

	"vigueur/internal/french"
	"vigueur/internal/llm"
	"vigueur/internal/llm/extractive"
)

func TestProbe(t *testing.T) {
	s, _, _ := open(t)
	g := extractive.Generator{Lexicon: french.NewLexicon()}
	for _, q := range sampleQuestions(t) {
		r, err := s.Search(t.Context(), q.ask())
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		p := llm.Prompt{Question: q.Question, Passages: r.Prompted(), Abstain: !r.Enough}
		if err := g.Generate(t.Context(), p, func(s string) error { b.WriteString(s); return nil }); err != nil {
			t.Fatal(err)
		}
		facts := 0
		norm := func(s string) string {
			return strings.Join(strings.Fields(strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(s)), " ")
		}
		for _, k := range q.KeyFacts {
			if strings.Contains(norm(b.String()), norm(k)) {
				facts++
			}
		}
		t.Logf("%s %v rank %d coverage %.2f facts %d/%d\n   %s\n   %s", q.ID, q.Answerable, q.rank(r.Hits), r.Coverage, facts, len(q.KeyFacts), q.Question, strings.ReplaceAll(b.String(), "\n", "\n      "))
	}
}
