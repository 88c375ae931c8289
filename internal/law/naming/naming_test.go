package naming

import (
	"hash/fnv"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"vigueur/internal/law"
	"vigueur/internal/law/country"
)

var day = time.Date(2015, 3, 2, 0, 0, 0, 0, time.UTC)

func TestKeysOfAText(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		of   Name
		want []string
	}{
		"a law": {Name{Title: "Loi sur le sel", Number: "2015-07/AN", Type: law.Loi, Promulgated: day, Countries: []string{"bj"}},
			[]string{"!loi", "#2015-7", "&bj", "/2015", "/2015-03-02", "=2015-7-an", "@loi", "loi", "sel", "~"}},
		"a code is called a law, too": {Name{Title: "Code du sel", Type: law.Code, Promulgated: day},
			[]string{"!code", "!loi", "&", "/2015", "/2015-03-02", "@code", "code", "sel", "~"}},
		"one that changes another, of the country of its title": {Name{Title: "Loi modifiant la loi béninoise", Nature: "sel", Type: law.Loi, Promulgated: day},
			[]string{"!loi", "&bj", "/2015", "/2015-03-02", "@loi", "beninois", "loi", "modifiant", "sel"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := c.of.Keys(); !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestKeysAreWhatAnIndexCanHold(t *testing.T) {
	t.Parallel()
	of := Name{Title: strings.Repeat("é", 5000) + " a\x00b\xff " + strings.Repeat("x", 3000), Number: strings.Repeat("9", 3000), Countries: []string{strings.Repeat("ß", 400)}}
	keys := of.Keys()
	for _, k := range keys {
		if len(k) > longest || !utf8.ValidString(k) || strings.ContainsAny(k, "\x00\n") {
			t.Errorf("%q", k)
		}
	}
	if asked := Terms(of.Terms()); len(asked) == 0 || slices.ContainsFunc(asked, func(k string) bool { return !slices.Contains(keys, k) }) {
		t.Errorf("what is asked for is %q, the text has %q", asked, keys)
	}
}

// The keys of Fitting find exactly the texts that country.Fits accepts.
func TestKeysOfCountriesFitAsTheirTextsDo(t *testing.T) {
	t.Parallel()
	lists := [][]country.Code{nil, {"bj"}, {"sn"}, {"cm", "bj"}, {"ohada"}, {"uemoa"}, {"cemac", "tn"}, {"x-Astrevalle"}}
	for _, codes := range lists {
		x := Name{}
		for _, c := range codes {
			x.Countries = append(x.Countries, string(c))
		}
		keys := x.Keys()
		for _, asked := range lists[1:] {
			got := slices.Contains(keys, Silent) || slices.ContainsFunc(Fitting(asked), func(k string) bool { return slices.Contains(keys, k) })
			if want := country.Fits(asked, codes); got != want {
				t.Errorf("asked %q of %q: %v, want %v", asked, codes, got, want)
			}
		}
	}
}

// TestAnalysisIsNumbered fails if keys changed but Analysis did not, because stores must
// then make the keys of all texts again.
func TestAnalysisIsNumbered(t *testing.T) {
	t.Parallel()
	sum := fnv.New64a()
	for _, title := range []string{"Loi n° 2010-05 du 3 mai 2010 relative aux meuniers", "Décret exécutif n° 07-140 modifiant et complétant le décret n° 2000-190/PRES/PM",
		"Acte uniforme relatif au droit commercial général", "Code de procédure pénale de la République du Bénin", "Arrêté interministériel fixant les tarifs des œuvres d’art à l’exportation",
		"DAHIR PORTANT LOI ORGANIQUE DES FINANCES PUBLIQUES DU ROYAUME DU MAROC", "Ordonnance abrogeant l’article 12 bis du Code des impôts", "Constitution"} {
		for _, key := range (Name{Title: title, Number: title, Type: law.Code, Promulgated: day}).Keys() {
			_, _ = sum.Write([]byte(key + "\n")) // never fails
		}
	}
	names, err := os.ReadFile("../country/names.txt")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = sum.Write(names)
	if want := uint64(18181169843663064248); sum.Sum64() != want {
		t.Errorf("the keys of the sample are others (%d): number Analysis anew, and note the sum here", sum.Sum64())
	}
}
