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
	used := tile
	defer func() { tile = used }()
	all := kernels()
	all["plain"] = tilePlain
	for name, kernel := range all {
		for text, of := range map[string]string{
			"question": "query: Combien de jours de congé le salarié a-t-il par mois de travail ?",
			"passage":  "passage: " + strings.Repeat("Le salarié a droit à un congé payé de deux jours et demi par mois de travail effectif. ", 6),
		} {
			b.Run(name+"/"+text, func(b *testing.B) {
				tile = kernel
				for b.Loop() {
					m.Encode(of)
				}
			})
		}
	}
}
