package remarks

import (
	"os"
	"strings"
	"testing"
	"time"

	"vigueur/internal/law"
)

// TestSentences compares the sentence of each kind, in the order of the kinds, with the form that the catalogue stores.
func TestSentences(t *testing.T) {
	t.Parallel()
	days := []time.Time{time.Date(2010, 5, 1, 0, 0, 0, 0, time.UTC), time.Date(2010, 5, 17, 0, 0, 0, 0, time.UTC)}
	var got strings.Builder
	for k := None + 1; k < kinds; k++ {
		r := Remark{Kind: k, Page: 3, Pages: []int{2, 3, 1}, Numbers: []string{"4", "12–33"}, Days: days, Words: "Le sel", Announced: 7, Found: 5}
		got.WriteString(r.Sentence() + "\n")
	}
	want, err := os.ReadFile("testdata/sentences.golden")
	if err != nil {
		t.Fatal(err)
	}
	lines, known := strings.Split(got.String(), "\n"), strings.Split(string(want), "\n")
	if len(lines) != len(known) {
		t.Fatalf("%d sentences, and %d are known", len(lines)-1, len(known)-1)
	}
	for i := range lines {
		if lines[i] != known[i] {
			t.Errorf("kind %d: %q, want %q", i+1, lines[i], known[i])
		}
	}
	if s := (Remark{}).Sentence(); s != "" {
		t.Errorf("no remark says %q", s)
	}
}

func TestMissingDaysAreTold(t *testing.T) {
	t.Parallel()
	if s := Of(InForceOdd).Sentence(); !strings.Contains(s, "(01/01/0001)") {
		t.Error(s)
	}
}

func TestTold(t *testing.T) {
	t.Parallel()
	if got := Told(nil); got != nil {
		t.Errorf("%v", got)
	}
	got := Told([]Doubt{{Field: "complet", Why: OnPage(BeginInside, 4), Confidence: 0.3, Words: "Le sel", Page: 4}})
	want := law.Doubt{Field: "complet", Reason: "Un autre texte commence peut-être page 4.", Confidence: 0.3, Words: "Le sel", Page: 4}
	if len(got) != 1 || got[0] != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
