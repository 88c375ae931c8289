package main

import (
	"strings"
	"testing"

	"vigueur/internal/rank"
)

// What is counted is told for all questions, and for those of each country.
func TestFiguresOfCountries(t *testing.T) {
	t.Parallel()
	r := report{}
	r.add("left out by country", []outcome{
		{ID: "a", Country: "benin", Has: true, First: true, Three: true, Facts: true, Verdict: rank.Sure},
		{ID: "b", Country: "benin", Has: true, Three: true, Verdict: rank.Unsure},
		{ID: "c", Country: "maroc", Has: true, Refused: true},
		{ID: "d", Refused: true},
	})
	var out strings.Builder
	if err := r.print(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"right article first                1 of   3",
		"benin          first 1 of 2, among three 2 of 2, key facts 1 of 2, refused 0 of 2, right of sure 1 of 1",
		"maroc          first 0 of 1, among three 0 of 1, key facts 0 of 1, refused 1 of 1\n",
		"no answer      rightly refused 1 of 1\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
}
