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
	used, whole := tile, restored
	defer func() { tile, restored = used, whole }()
	all := kernels()
	all["plain"] = tilePlain
	for name, kernel := range all {
		for text, of := range map[string]string{
			"question": "query: Combien de jours de congé le salarié a-t-il par mois de travail ?",
			"passage":  "passage: " + strings.Repeat("Le salarié a droit à un congé payé de deux jours et demi par mois de travail effectif. ", 6),
		} {
			b.Run(name+"/"+text, func(b *testing.B) {
				if tile, restored = kernel, whole; name != "in use" {
					restored = nil
				}
				for b.Loop() {
					m.Encode(of)
				}
			})
		}
	}
}
