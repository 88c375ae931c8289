package extractive_test

import (
	"strings"
	"testing"

	"vigueur/internal/answer/llm"
	"vigueur/internal/answer/llm/extractive"
	"vigueur/internal/law/french"
)

// BenchmarkGenerate writes an answer from six articles of some 40 sentences each.
func BenchmarkGenerate(b *testing.B) {
	var list []llm.Passage
	for i := range 6 {
		list = append(list, articlesOf(strings.Repeat(string(rune('1'+i))+"|Le préavis du meunier est de deux mois."+strings.Repeat(filler, 6), 1))...)
		list[i].N = i + 1
	}
	g := extractive.Generator{Lexicon: french.NewLexicon()}
	p := llm.Prompt{Verdict: sure, Question: "Combien de temps dure le préavis d’un meunier qui quitte la meule en hiver ?", Passages: list}
	for b.Loop() {
		if err := g.Generate(b.Context(), p, func(string) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}
