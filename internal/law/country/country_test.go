package country

import (
	"slices"
	"testing"

	"vigueur/internal/kit/lazyre"
	"vigueur/internal/law/french"
)

func codes(text string) (out []Code) {
	for _, m := range Mentions(french.Terms(text)) {
		out = append(out, m.Codes...)
	}
	return out
}

func TestNamesAreFound(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]Code{
		"une carte de séjour camerounaise":            {"cm"},
		"Je passe par Douala":                         {"cm"},
		"la Guinée-Bissau":                            {"gw"},
		"la Guinée équatoriale":                       {"gq"},
		"la Guinée":                                   {"gn"},
		"la Côte d’Ivoire":                            {"ci"},
		"un arrêté congolais":                         {"cg", "cd"},
		"la République démocratique du Congo":         {"cd"},
		"au Congo-Brazzaville":                        {"cg"},
		"l’acte uniforme OHADA":                       {"ohada", "ohada"},
		"aucun pays n’est nommé ; la côte est longue": nil,
		"":                            nil,
		"de la Barovie, pays inventé": nil,
		"entre le MAROC et la REPUBLIQUE DE MAURITANIE": {"ma", "mr"},
	} {
		if got := codes(text); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestEveryNameHasACountryThatFitsItself(t *testing.T) {
	t.Parallel()
	if len(table().byFirst) < 100 {
		t.Fatalf("%d names", len(table().byFirst))
	}
	for _, list := range table().byFirst {
		for _, n := range list {
			for _, c := range n.codes {
				if !Fits([]Code{c}, n.codes) {
					t.Errorf("%v does not fit %s", n.codes, c)
				}
			}
		}
	}
	for union, members := range table().members {
		for _, m := range members {
			if len(codes(string(m))) > 0 && table().members[m] != nil {
				t.Errorf("%s has the union %s as a member", union, m)
			}
		}
	}
}

func TestWhoseLawFits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		asked, of []Code
		want      bool
	}{
		{nil, []Code{"cm"}, true}, {[]Code{"cm"}, nil, true}, {[]Code{"cm"}, []Code{"cm"}, true},
		{[]Code{"cm"}, []Code{"tn"}, false}, {[]Code{"cm"}, []Code{"ohada"}, true}, {[]Code{"tn"}, []Code{"ohada"}, false},
		{[]Code{"ohada"}, []Code{"cm"}, false}, {[]Code{"cg", "cd"}, []Code{"cg"}, true},
	} {
		if got := Fits(c.asked, c.of); got != c.want {
			t.Errorf("asked %v of %v: %v", c.asked, c.of, got)
		}
	}
}

func TestTallyTellsWhoseLawItIs(t *testing.T) {
	t.Parallel()
	of := func(text string) []Code {
		c := make(Tally)
		c.Add(Mentions(french.Terms(text)), 1)
		return c.Of()
	}
	for text, want := range map[string][]Code{
		"Maroc, Mauritanie, Maroc, Mauritanie": {"ma", "mr"},
		"Tunisie tunisien Tunis Tunis France":  {"tn"},
		"une fois seulement : le Gabon":        nil,
		"":                                     nil,
		"Bénin Cotonou béninois béninoise et Burkina": {"bj"},
	} {
		if got := of(text); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestCountriesHaveNames(t *testing.T) {
	t.Parallel()
	for c, want := range map[Code]string{"bj": "Bénin", "ohada": "OHADA", "": "", "xx": ""} {
		if got := Name(c); got != want {
			t.Errorf("%s is called %q, want %q", c, got, want)
		}
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]Code{"bj": "bj", "\tBJ\n": "bj", "OHADA": "ohada", "x-Astrevalle": "x-Astrevalle",
		"": "", "zz": "", "Bénin": "", "x-": "", "x-astrevalle": "", "x-A%": "", "x-A\",": ""} {
		if got, ok := Parse(written); ok != (want != "") || ok && got != want {
			t.Errorf("%q: %q %v, want %q", written, got, ok, want)
		}
	}
	for _, c := range List() {
		if got, ok := Parse(string(c)); !ok || got != c || Name(c) == "" {
			t.Errorf("%q is listed, and read as %q", c, got)
		}
	}
}

// Names of languages are no countries: a bilingual law is published in both.
func TestLanguagesAreNoCountries(t *testing.T) {
	t.Parallel()
	lazyre.CompileAll()
	for text, want := range map[string]int{
		"La présente loi sera publiée au Journal officiel en français et en anglais.": 0,
		"en langue française": 0,
		"en France":           1,
		"la loi française":    1,
	} {
		if got := len(In(text)); got != want {
			t.Errorf("%q: %d mentions, want %d", text, got, want)
		}
	}
}

// A text of thousands of mentions is judged as one of few.
func TestClear(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		own, other float64
		want       bool
	}{{5, 0, true}, {4, 0, false}, {10, 5, false}, {110, 6, true}, {1500, 1490, false}, {1500, 100, true}} {
		if got := (Tally{"bf": c.own, "fr": c.other}).Clear("bf"); got != c.want {
			t.Errorf("%g against %g: %t", c.own, c.other, got)
		}
	}
}

func TestSeveral(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"préavis d’un cadre au Bénin et au Togo":                true,
		"le droit ivoirien et le droit sénégalais du bail":      true,
		"le mariage aux Comores et à Madagascar":                true,
		"le droit marocain du bail au Maroc, à Rabat":           false,
		"la constitution congolaise":                            false,
		"un Tunisien peut-il travailler au Maroc ?":             false,
		"les sénégalais et le droit ivoirien":                   false,
		"la saisie au Cameroun et au Tchad dans la zone OHADA":  false,
		"le préavis au Bénin, publié en français et en anglais": false,
		"le préavis": false,
	} {
		if got := Several(text); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
