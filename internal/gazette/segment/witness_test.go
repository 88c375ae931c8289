package segment

import (
	"slices"
	"strings"
	"testing"
	"time"

	"vigueur/internal/gazette/remarks"
	"vigueur/internal/law"
)

// values returns the values of a text's witnesses by kind.
func (d *draft) values() map[WitnessKind]float64 {
	out := map[WitnessKind]float64{}
	for _, w := range d.Witnesses {
		out[w.Kind] = w.Value
	}
	return out
}

func TestOddWords(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]bool{"décret": false, "DÉCRET": false, "99-452/PRES": false, "l’État": false, "McDonald": true, "1er": false, "12ème": false,
		"te\"x": true, "propri1té": true, "IÉSTITUANT": false, "atti~ude": true, "2e": false, "B5A": false, "eUou": true} {
		if got := oddWord(word); got != want {
			t.Errorf("%s: %v", word, got)
		}
	}
}

func TestSummaryIsComparedWithTheTexts(t *testing.T) {
	t.Parallel()
	on := time.Date(2019, 3, 1, 0, 0, 0, 0, time.UTC)
	order := func(number, object string, first, last int) *draft {
		d := &draft{head: head{kind: kindOf("Décret"), number: number, object: object, date: on}, number: number}
		d.Document.FirstPage, d.Document.LastPage = first, last
		return d
	}
	entry := func(number, object string, page int) listed {
		return listed{text: "Décret n° " + number + " " + object, head: head{kind: kindOf("Décret"), number: number, object: object, date: on}, number: number, page: page}
	}
	drafts := []*draft{order("1", "fixant le prix du sel", 3, 5), order("3", "fixant le prix du blé", 6, 6), order("9", "relatif au poivre", 7, 7)}
	m := masthead{listed: []listed{entry("1", "fixant le prix du sel", 103), entry("2", "nommant un saunier", 104), entry("3", "fixant le prix du blé", 106)}}
	m.compare(drafts)
	if got := drafts[0].values(); got[Unfound] != 1 || got[NotAnnounced] != 0 {
		t.Errorf("the first text: %v", got)
	}
	i := slices.IndexFunc(drafts[0].Witnesses, func(w Witness) bool { return w.Kind == Unfound })
	if w := drafts[0].Witnesses[i]; !strings.HasPrefix(w.Doubt.Why.Sentence(), "Le sommaire annonce 3 actes, 2 ont été trouvés") || !strings.Contains(w.Doubt.Words, "saunier") {
		t.Errorf("%+v", w.Doubt)
	}
	if got := drafts[1].values(); len(got) != 0 {
		t.Errorf("the second text: %v", got)
	}
	if got := drafts[2].values(); got[NotAnnounced] == 0 {
		t.Errorf("the third text: %v", got)
	}
	other := []*draft{order("70", "relatif au riz", 1, 1)}
	m.compare(other)
	if len(other[0].Witnesses) != 0 {
		t.Errorf("another issue's summary: %v", other[0].Witnesses)
	}
}

func TestWitnessesMakeADoubtTogether(t *testing.T) {
	t.Parallel()
	j := Judgment{Weights: map[WitnessKind]float64{GapIn: 2, PassedOver: 1.5, OddWords: 0.2, Scanned: 5}, Bias: -3, Threshold: 0.4}
	judged := func(kinds ...WitnessKind) []remarks.Doubt {
		d := draft{judgment: j}
		for _, k := range kinds {
			why := remarks.WordsMisread
			if k == Scanned {
				why = remarks.None
			}
			d.addWitness(k, 1, "articles", "mots", 4, remarks.Of(why))
		}
		d.judge()
		return d.Doubts
	}
	if got := judged(GapIn); len(got) != 0 {
		t.Errorf("one alone: %v", got)
	}
	if got := judged(GapIn, PassedOver, OddWords); len(got) != 2 || got[0].Page != 4 || got[0].Confidence >= 0.6 {
		t.Errorf("want two doubts, and none from the weak witness: %v", got)
	}
	if got := judged(Scanned); len(got) != 1 || got[0].Why.Kind == remarks.None {
		t.Errorf("a scan that is read wrongly: %v", got)
	}
}

// TestEveryWitnessHasAWeight checks that the judgment that comes with the program has a weight for every kind.
func TestEveryWitnessHasAWeight(t *testing.T) {
	t.Parallel()
	j := standardJudgment()
	if j.Threshold <= 0 || j.Threshold >= 1 || j.Trust <= 0 || j.Provenance == "" {
		t.Errorf("%+v", j)
	}
	for _, kind := range WitnessKinds() {
		if w, ok := j.Weights[kind]; !ok || w < 0 && kind != Scanned {
			t.Errorf("%s: %v, %v", kind, w, ok)
		}
	}
	for _, name := range Followings() {
		if _, ok := j.Numbering[name]; !ok {
			t.Errorf("%s is not weighed", name)
		}
	}
}

// counted returns candidates with the given numbers, all with the same log-odds.
func counted(odds float64, numbers ...string) Counting {
	c := Counting{}
	for i, n := range numbers {
		c.all = append(c.all, candidate{line: i, number: n, logit: odds})
	}
	return c
}

func TestArticlesAreChosenByTheirNumbers(t *testing.T) {
	t.Parallel()
	j := standardJudgment()
	for _, c := range []struct {
		odds    float64
		numbers string
		want    []int
	}{
		{4, "1er 2 3", []int{0, 1, 2}},
		{-2, "1er 2 3", []int{0, 1, 2}},    // the numbering outweighs the chain, which does not see them
		{-1, "1er 2 61 3", []int{0, 1, 3}}, // a quotation
		{4, "", nil},
	} {
		if got := counted(c.odds, strings.Fields(c.numbers)...).Choose(j); !slices.Equal(got, c.want) {
			t.Errorf("%s at %v: %v", c.numbers, c.odds, got)
		}
	}
}

func TestMeasureThatTookEffectEarlier(t *testing.T) {
	t.Parallel()
	signed := time.Date(1979, 12, 15, 0, 0, 0, 0, time.UTC)
	f := forceOf([]law.Article{{Text: "M. Personne est titularisé à compter du 11 juillet 1979."}}, true)
	if f.odd(signed, nil) || !f.date(signed, nil).Equal(signed) {
		t.Errorf("odd %v, in force %v", f.odd(signed, nil), f.date(signed, nil))
	}
	f = forceOf([]law.Article{{Text: "M. Personne est nommé à compter du 1er janvier 1980."}}, true)
	if got := f.date(signed, nil); got.Year() != 1980 {
		t.Errorf("a later day: %v", got)
	}
	rule := force{on: time.Date(1979, 1, 1, 0, 0, 0, 0, time.UTC)}
	if !rule.odd(signed, nil) {
		t.Error("a rule of an earlier day is not doubted")
	}
}
