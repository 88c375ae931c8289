package judge

import (
	"math"
	"testing"
	"vigueur/scripts/corpora"
)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

func TestRankByHand(t *testing.T) {
	t.Parallel()
	right := map[string]bool{"b": true, "d": true}
	got := Rank([]string{"a", "b", "c", "d"}, right)
	ideal := 1 + 1/math.Log2(3)
	want := Ranking{R10: 1, R100: 1, MRR: 0.5, NDCG10: (1/math.Log2(3) + 1/math.Log2(5)) / ideal, Hit5: 1}
	if got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := Rank(nil, right); got != (Ranking{}) {
		t.Errorf("nothing found: %+v", got)
	}
	if got := Rank([]string{"a"}, nil); got != (Ranking{}) {
		t.Errorf("nothing right: %+v", got)
	}
	late := make([]string, 150)
	late[100] = "b"
	late[50] = "d"
	if got := Rank(late, right); got.R100 != 0.5 || got.R10 != 0 || !near(got.MRR, 1.0/51) {
		t.Errorf("late ones: %+v", got)
	}
}

func TestGroupsCountAlike(t *testing.T) {
	t.Parallel()
	all := []Judged{
		{ID: "1", Group: "x", Ranking: Ranking{R10: 1}}, {ID: "2", Group: "x", Ranking: Ranking{R10: 1}},
		{ID: "3", Group: "x", Ranking: Ranking{R10: 1}}, {ID: "4", Group: "y"},
	}
	f := Summary(all)[0]
	if !near(f.Value, 0.5) || f.Low > f.Value || f.High < f.Value {
		t.Errorf("%+v, want 0.5 inside its interval", f)
	}
	if again := Summary(all)[0]; again != f {
		t.Errorf("a second time %+v", again)
	}
}

func TestDifferenceIsOfCommonQuestions(t *testing.T) {
	t.Parallel()
	before := []Judged{{ID: "1", Group: "x"}, {ID: "9", Group: "z", Ranking: Ranking{MRR: 1}}}
	after := []Judged{{ID: "1", Group: "x", Ranking: Ranking{MRR: 0.25}}, {ID: "8", Group: "x", Ranking: Ranking{MRR: 1}}}
	d, common := Difference(before, after)
	if common != 1 || !near(d[2].Value, 0.25) {
		t.Errorf("%+v over %d groups, want 0.25 over 1", d[2], common)
	}
}

func TestFactsAreHeldHoweverWritten(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, fact string
		want       bool
	}{
		{"Il dure Trois (3) mois au plus.", "trois mois", true},
		{"Il dure 3 mois.", "trois mois", true},
		{"Il dure trois (03) semaines.", "trois mois", false},
		{"une amende de 5 000 000 FCFA", "5.000.000", true},
		{"une amende de cinq millions (5.000.000) de francs", "5.000.000", true},
		{"une amende de 500 000 FCFA", "5.000.000", false},
		{"deux (2) mois à deux (2) ans", "deux mois à deux ans", true},
		{"cinq pour cent des suffrages", "5%", true},
		{"renouvelable une (1) seule fois", "renouvelable une seule fois", true},
		{"En aucun cas, un duplicata", "duplicata", true},
		{"En aucun cas, il ne peut être délivré un duplicata", "en aucun cas", true},
		{"Dans ce cas", "en aucun cas", false},
		{"", "duplicata", false},
		{"duplicata", "", false},
	} {
		if got := Holds(c.text, c.fact); got != c.want {
			t.Errorf("%q holds %q: %v, want %v", c.text, c.fact, got, c.want)
		}
	}
}

func TestGoldFits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		gold  string
		cited Cited
		want  bool
	}{
		{"5", Cited{"f", "", "5"}, true},
		{"5", Cited{"g", "", "5"}, false},
		{"1", Cited{"f", "", "1er"}, true},
		{"10 nouveau", Cited{"f", "", "10"}, true},
		{"Loi n° 10-2025, art. 23", Cited{"f", "10-2025", "23"}, true},
		{"Loi n° 10-2025, art. 23", Cited{"f", "14-2025", "23"}, false},
		{"Loi n° 10-2025, art. 23", Cited{"f", "10-2025", "22"}, false},
		{"Arrêté n° 1499 du 13 juin 2025", Cited{"f", "1499", "3"}, true},
		{"2 (art. 28 nouveau)", Cited{"f", "", "2"}, true},
		{"2 (art. 28 nouveau)", Cited{"f", "", "28"}, true},
		{"2 (art. 28 nouveau)", Cited{"f", "", "8"}, false},
	} {
		if got := Fits(corpora.Gold{Document: "f", Article: c.gold}, c.cited); got != c.want {
			t.Errorf("%s: %+v fits %v, want %v", c.gold, c.cited, got, c.want)
		}
	}
}

func TestVariantsFalsifyOneThing(t *testing.T) {
	t.Parallel()
	kinds := make(map[string]string)
	for _, v := range Variants("L’employeur ne peut, dans les trois (3) mois prévus à l’article 14, agir avant le 3 mai 2010.") {
		kinds[v.Kind] = v.Text
	}
	for kind, want := range map[string]string{
		Rewritten: "L’employeur ne peut, dans les 3 mois prévus à l’article 14, agir avant le 03/05/2010.",
		Number:    "L’employeur ne peut, dans les quatre mois prévus à l’article 14, agir avant le 3 mai 2010.",
		Unit:      "L’employeur ne peut, dans les trois (3) ans prévus à l’article 14, agir avant le 3 mai 2010.",
		Reference: "L’employeur ne peut, dans les trois (3) mois prévus à l’article 15, agir avant le 3 mai 2010.",
		Date:      "L’employeur ne peut, dans les trois (3) mois prévus à l’article 14, agir avant le 03/05/2011.",
		Negation:  "L’employeur peut, dans les trois (3) mois prévus à l’article 14, agir avant le 3 mai 2010.",
	} {
		if kinds[kind] != want {
			t.Errorf("%s: %q, want %q", kind, kinds[kind], want)
		}
	}
}

func FuzzHolds(f *testing.F) {
	f.Add("trois (3) mois", "3 mois")
	f.Fuzz(func(t *testing.T, text, fact string) {
		if Holds(text, fact) && !Holds(text+" fin", fact) {
			t.Errorf("%q holds %q, and not when it goes on", text, fact)
		}
	})
}
