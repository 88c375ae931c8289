package answering_test

import (
	"fmt"
	"strings"
	"testing"

	"vigueur/internal/answer/llm"
	"vigueur/internal/work/answering"
)

// BenchmarkCheck checks an answer like a model's, of eight sentences, half of them
// quotations, against eight articles of 2,400 characters.
func BenchmarkCheck(b *testing.B) {
	rule := "Le salarié payé au mois respecte un préavis de %d mois à compter de la notification prévue à l’article %d ; " +
		"l’employeur ne peut l’en dispenser qu’avec l’accord écrit de l’inspecteur, donné dans les %d jours. "
	var passages []llm.Passage
	var text strings.Builder
	for n := 1; n <= 8; n++ {
		var body strings.Builder
		for k := range 12 {
			_, _ = fmt.Fprintf(&body, rule, n+k, 10*n+k, 15+k)
		}
		passages = append(passages, llm.Passage{N: n, Title: "Loi n° 2023-07 portant Code du travail", Number: "2023-07", Article: fmt.Sprint(n), Text: body.String()})
		said := strings.TrimSpace(fmt.Sprintf(rule, n+5, 10*n+5, 20))
		if n%2 == 0 {
			said = "L’article " + fmt.Sprint(n) + " dispose : « " + said + " »"
		}
		_, _ = fmt.Fprintf(&text, "%s [%d]\n", strings.TrimSuffix(said, "."), n)
	}
	if v := answering.Check(text.String(), "", passages); !v.OK {
		b.Fatal(*v.Warning)
	}
	b.ReportAllocs()
	for b.Loop() {
		answering.Check(text.String(), "", passages)
	}
}
