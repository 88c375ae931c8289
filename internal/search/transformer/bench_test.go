package transformer

import (
	"strings"
	"testing"
)

// BenchmarkEncode makes the vectors of a question and of a passage by each kernel.
func BenchmarkEncode(b *testing.B) {
	m, err := Builtin()
	if err != nil {
		b.Fatal(err)
	}
	used := multiply
	defer func() { multiply = used }()
	for name, kernel := range kernels() {
		for text, owner := range map[string]string{
			"question": "query: Combien de jours de congé le salarié a-t-il par mois de travail ?",
			"passage":  "passage: " + strings.Repeat("Le salarié a droit à un congé payé de deux jours et demi par mois de travail effectif. ", 6),
		} {
			b.Run(name+"/"+text, func(b *testing.B) {
				multiply = kernel
				for b.Loop() {
					encode(m, owner)
				}
			})
		}
	}
}

// BenchmarkReader reads a question with a text that fills the reader's tokens.
func BenchmarkReader(b *testing.B) {
	x, err := BuiltinReader()
	if err != nil {
		b.Fatal(err)
	}
	asked := x.Ask("Combien de jours de congé le salarié a-t-il par mois de travail ?")
	text := "Loi n° 2023-07 du 14 mars 2023 portant Code du travail. " + strings.Repeat("Le salarié a droit à un congé payé de deux jours et demi par mois de travail effectif. ", 8)
	for b.Loop() {
		if _, err := x.Score(b.Context(), asked, text); err != nil {
			b.Fatal(err)
		}
	}
}
