package main

import (
	"path/filepath"
	"strings"
	"testing"
	"vigueur/internal/search/decide"
)

// What is counted is told for all questions, and for those of each country.
func TestFiguresOfCountries(t *testing.T) {
	t.Parallel()
	r := report{}
	r.add("left out by country", []outcome{
		{ID: "a", Country: "benin", Has: true, First: true, Three: true, Facts: true, Verdict: decide.Sure},
		{ID: "b", Country: "benin", Has: true, Three: true, Verdict: decide.Unsure},
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

// Of questions that are sealed nothing is told but the totals; of others that are further ones, each style, too.
func TestSealedQuestionsAreOnlyCounted(t *testing.T) {
	t.Parallel()
	outcomes := []outcome{
		{ID: "a", Country: "benin", Style: "sms", Has: true, First: true, told: "cb de tps"},
		{ID: "b", Country: "benin", Style: "lawyer", Has: true, told: "Quel délai ?"},
	}
	r := report{details: true}
	r.add("open.jsonl", outcomes)
	r.addSealed("sealed.jsonl", outcomes)
	var out strings.Builder
	if err := r.print(&out); err != nil {
		t.Fatal(err)
	}
	open, sealed, found := strings.Cut(out.String(), "sealed.jsonl\n")
	if !found {
		t.Fatalf("the sealed questions are not in\n%s", out.String())
	}
	sealed, asJSON, _ := strings.Cut(sealed, "{")
	for _, want := range []string{"sms            first 1 of 1", "lawyer         first 0 of 1", "benin          first 1 of 2", "cb de tps"} {
		if !strings.Contains(open, want) {
			t.Errorf("%q is not in\n%s", want, open)
		}
		if strings.Contains(sealed, want) {
			t.Errorf("%q is told of sealed questions:\n%s", want, sealed)
		}
	}
	if want := "right article first                1 of   2"; !strings.Contains(sealed, want) {
		t.Errorf("%q is not in\n%s", want, sealed)
	}
	if got := strings.Count(asJSON, `"benin"`); got != 1 {
		t.Errorf("the country is %d times in the JSON, want once:\n%s", got, asJSON)
	}
}

// What is kept of a way is compared with the same way alone: left out with left out, not with what was in sample.
func TestWaysAreComparedWithThemselves(t *testing.T) {
	t.Parallel()
	right, wrong := outcome{ID: "a", Has: true, First: true}, outcome{ID: "a", Has: true}
	before := report{}
	before.add("in sample", []outcome{right})
	before.add("left out by file", []outcome{wrong})
	before.addSealed("sealed.jsonl", []outcome{{ID: "c", Has: true}})
	path := filepath.Join(t.TempDir(), "kept")
	if err := before.keep(path); err != nil {
		t.Fatal(err)
	}
	var after report
	if err := after.read(path); err != nil {
		t.Fatal(err)
	}
	if !after.before["sealed.jsonl"]["c"].Sealed {
		t.Errorf("kept %+v", after.before)
	}
	after.add("in sample", []outcome{right})
	after.add("left out by file", []outcome{right})
	after.add("left out by country", []outcome{right})
	for i, want := range []float64{0, 1} {
		if got := after.ways[i].Gain["right article first"].Value; got != want {
			t.Errorf("%s: a gain of %v, want %v", after.ways[i].Name, got, want)
		}
	}
	if gain := after.ways[2].Gain; len(gain) > 0 {
		t.Errorf("a difference to a way that was not kept: %+v", gain)
	}
}

// Questions of which nothing was kept before have no difference to it.
func TestNoDifferenceWithoutPairs(t *testing.T) {
	t.Parallel()
	r := report{before: map[string]map[string]outcome{"open.jsonl": {"a": {ID: "a", Has: true}}}}
	r.add("open.jsonl", []outcome{{ID: "b", Has: true}})
	if gain := r.ways[0].Gain; len(gain) > 0 {
		t.Errorf("a difference to nothing: %+v", gain)
	}
}
