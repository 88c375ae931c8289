package french_test

import (
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"vigueur/internal/law/french"
)

// Facts with the same meaning are equal, however they are written, and others are not. An
// answer with a fact that its sources lack is marked as unfounded.
func TestFactsAreEqualWhereTheySayTheSame(t *testing.T) {
	t.Parallel()
	for want, texts := range map[string][]string{
		"3 mois":          {"trois mois", "3 mois", "trois (3) mois", "TROIS MOIS", "03 mois", "3\u00a0mois"},
		"15 jour|20 jour": {"15 ou 20 jours", "15 OU 20 JOURS", "quinze à vingt jours", "15 À 20 jours", norm.NFD.String("15 à 20 jours"), "15 et 20 jours"},
		"1000000 franc":   {"1.000.000 francs", "1 000 000 F", "un million francs", "1\u202f000\u202f000 FCFA", "1000000 francs"},
		"1.5 %":           {"1,5 %", "1.5 %", "1,50 %"},
		"1 an":            {"un an", "1 an", "une année"},
		"80 an":           {"quatre-vingts ans", "80 ans"},
		"71 jour":         {"soixante et onze jours", "71 jours"},
		"91 jour":         {"quatre-vingt-onze jours", "91 jours"},
		"200000 dirham":   {"deux cent mille dirhams", "200.000 dirhams", "200 000 dirhams"},
		"2010-05-03":      {"le 3 mai 2010", "03/05/2010", "3 MAI 2010"},
		"5|6 mois":        {"5. Il a 6 mois"},
		"":                {"aucun fait", "", "un homme", "?!", "31"[:0]},
	} {
		for _, text := range texts {
			t.Run(text, func(t *testing.T) {
				t.Parallel()
				var values []string
				for _, f := range french.Facts(text) {
					values = append(values, f.Value)
				}
				if got := strings.Join(values, "|"); got != want {
					t.Errorf("%q, want %q", got, want)
				}
			})
		}
	}
}

// A number also keeps its value without the unit, and its original form.
func TestFactsKeepHowTheyAreWritten(t *testing.T) {
	t.Parallel()
	facts := french.Facts("Après 15 ou vingt jours, au taux de 5 %, l’article 14 bis de la loi n° 2010-05.")
	want := []french.Fact{
		{Kind: french.Number, Value: "15 jour", Bare: "15", Text: "15"},
		{Kind: french.Number, Value: "20 jour", Bare: "20", Text: "vingt jours"},
		{Kind: french.Number, Value: "5 %", Bare: "5", Text: "5 %"},
	}
	if len(facts) != 5 {
		t.Fatalf("%+v", facts)
	}
	for i, w := range want {
		if facts[i] != w {
			t.Errorf("%+v, want %+v", facts[i], w)
		}
	}
	if facts[3].Kind != french.Article || facts[4].Kind != french.Text || facts[3].Bare != facts[3].Value {
		t.Errorf("%+v", facts[3:])
	}
	for name, want := range map[string]string{"année": "an", "an": "an", "journée": "jour", "km": "kilomètre", "vache": ""} {
		if got := french.Unit(french.Terms(name)[0]); got != want {
			t.Errorf("%s is the unit %q, want %q", name, got, want)
		}
	}
}
