package main

import (
	"strings"
	"testing"

	"vigueur/internal/law/quote"
	"vigueur/internal/search/verify"
)

func TestPrintedReport(t *testing.T) {
	t.Parallel()
	pos := 0
	got := printedReport(verify.Report{Text: "Vu la loi n° 5 : « un deux trois ».", More: true,
		References: []verify.Reference{{Name: "loi n° 5", State: verify.Repealed, Told: "Le texte est abrogé.", Sources: []verify.Source{{Title: "Loi n° 5"}}}},
		Quotations: []verify.Quotation{{Start: 19, End: 32, Reference: &pos, Verdict: verify.Verdict(quote.Different), Told: "La citation diffère.", Differences: []quote.Difference{{Quoted: "deux", Article: "2"}}}}})
	for _, want := range []string{"[abrogé] loi n° 5\n    Le texte est abrogé.\n    Loi n° 5\n", "[citation différente] « un deux trois »", "cité « deux », dans l’article « 2 »", "en a d’autres"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in:\n%s", want, got)
		}
	}
	if got := printedReport(verify.Report{}); !strings.Contains(got, "ni référence ni citation") {
		t.Error(got)
	}
	for _, s := range []verify.State{verify.InForce, verify.Amended, verify.Repealed, verify.NotYet, verify.Absent, verify.Ambiguous, verify.Own, verify.NoText} {
		if stateWords[s] == "" {
			t.Errorf("no word for %s", s)
		}
	}
	for _, v := range []verify.Verdict{verify.Verdict(quote.Identical), verify.Verdict(quote.Different), verify.Verdict(quote.Absent), verify.Uncompared} {
		if verdictWords[v] == "" {
			t.Errorf("no word for %s", v)
		}
	}
}
