package layout

import (
	"math"
	"strings"
	"testing"

	"vigueur/internal/law"
)

// A hyphen at the end of a line belongs to the word if, inside the lines of the file, the word occurs more often with
// the hyphen than without.
func TestHardHyphens(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		seen string
		end  string
		next string
		want bool
	}{
		"seen with it":                      {"les dommages-intérêts dus", "des dommages-", "intérêts", true},
		"seen in capitals":                  {"LES DOMMAGES-INTÉRÊTS DUS", "des dommages-", "intérêts", true},
		"seen behind a sign":                {"les « (dommages-intérêts) » dus", "des dommages-", "intérêts", true},
		"seen behind a sign alone":          {"les (dommages-intérêts dus", "des dommages-", "intérêts", true},
		"seen before a sign":                {"les dommages-intérêts, dus", "des dommages-", "intérêts", true},
		"seen without it":                   {"les dommagesintérêts dus", "des dommages-", "intérêts", false},
		"as often without":                  {"dommages-intérêts dommagesintérêts", "des dommages-", "intérêts", false},
		"more often with":                   {"dommages-intérêts dommagesintérêts dommages-intérêts", "des dommages-", "intérêts", true},
		"never seen":                        {"rien de tel", "des dommages-", "intérêts", false},
		"seen at a line's end only":         {"les dommages-", "des dommages-", "intérêts", false},
		"no hyphen":                         {"les dommages-intérêts dus", "des dommages", "intérêts", false},
		"the word goes on":                  {"les dommages-intérêts dus", "des dommages-", "intérêts-là", false},
		"a sign between hyphen and word":    {"les dommages-intérêts dus", "des dommages-", "« intérêts", false},
		"a soft hyphen of another sort too": {"les dommages-intérêts dus", "des dommages\u2010", "intérêts", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seen := textLine(1, c.seen)
			pages := []Page{{Number: 1, Lines: []Line{seen, textLine(1, c.end)}}, {Number: 2, Lines: []Line{textLine(2, c.next), textLine(2, "fin")}}}
			markHard(vocabulary(pages), pages)
			if got := pages[0].Lines[1].Hard; got != c.want || pages[1].Lines[1].Hard {
				t.Errorf("hard: %v", got)
			}
		})
	}
}

// A hyphen that divides a word at the end of a line is removed. A hyphen that belongs to a French word, a number
// or a name stays.
func TestMends(t *testing.T) {
	t.Parallel()
	for parts, want := range map[[2]string]bool{
		{"tra", "vail"}: true, {"MINIS", "TÈRES"}: true, {"l’appar", "tenance"}: true, {"consti", "tution"}: true, {"cel", "lule"}: true,
		{"peut", "être"}: false, {"Saint", "Louis"}: false, {"États", "Unis"}: false, {"2010", "05"}: false, {"L", "12"}: false, {"12", "bis"}: false,
		{"celui", "ci"}: false, {"celles", "là"}: false, {"de", "ci"}: false, {"eux", "mêmes"}: false, {"blas", "mêmes"}: true,
		{"doit", "il"}: false, {"prend", "on"}: false, {"a", "t-il"}: false, {"es", "t"}: true, {"est", "ce"}: false, {"noti", "ce"}: true,
		{"main", "d’œuvre"}: false, {"regar", "d"}: true, {"vingt", "deux"}: false, {"quatre-vingt", "dix"}: false, {"quatre", "ment"}: true, {"trente", "et-un"}: false,
		{"vice", "président"}: false, {"semi", "public"}: false, {"sous", "traitant"}: false, {"sous", "cription"}: true, {"ci", "vile"}: true, {"au", "delà"}: false,
		{"c’est-à", "dire"}: false, {"vis-à", "vis"}: false, {"dommages", "intérêts"}: false, {"décret", "loi"}: false, {"loi", "cadre"}: false, {"contrat", "type"}: false,
		{"ex", "conjoint"}: false, {"saisie", "arrêt"}: false, {"saisie", "exécution"}: false, {"tiers", "payant"}: false, {"tiers", "saisi"}: false, {"juge", "commissaire"}: false,
		{"savoir", "faire"}: false, {"aide", "mémoire"}: false, {"secrétaire", "adjoint"}: false, {"pot-de", "vin"}: false, {"sui", "vante"}: true, {"infrac", "tions"}: true,
		{"sous-en", "tendu"}: true, {"au-des", "sous"}: true, {"contre", "partie"}: true, {"sur", "face"}: true, {"lors", "que"}: true, {"Porto", "Novo"}: false,
		{"au", "torité"}: true, {"procès", "verbaux"}: false, {"l’avant", "projet"}: false, {"demi", "tour"}: false, {"vis", "à-vis"}: false, {"non", "lieu"}: false,
	} {
		t.Run(parts[0]+"-"+parts[1], func(t *testing.T) {
			t.Parallel()
			if got := mends(parts[0], parts[1]); got != want {
				t.Errorf("mends: %v", got)
			}
		})
	}
}

// The signs of a number are one, however they are printed or read.
func TestSignsOfNumbersAreOne(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"loi no 2010-05 du": "loi n° 2010-05 du", "LOI N0 2010-05": "LOI N° 2010-05", "LOI No. 5": "LOI N° 5", "DÉCRET N 2010-05": "DÉCRET N° 2010-05",
		"loi no2010-05": "loi n°2010-05", "loi n° 5": "loi n° 5", "loi nº 5": "loi n° 5", "loi nᵒ5": "loi n°5", "la route N 12": "la route N 12", "no man": "no man", "non 5": "non 5", "nos 5 et 6": "nos 5 et 6",
	} {
		var words []Word
		for w := range strings.FieldsSeq(text) {
			words = append(words, Word{Text: w})
		}
		if got := (Line{Words: signNumbers(words)}).Text(); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Words without blanks between them are told apart where nothing but known words is left. One word of several parts stays.
func TestGluedWords(t *testing.T) {
	t.Parallel()
	seen := map[string]int{"grand-ducal": 3, "memorial": 3}
	for text, want := range map[string]string{
		"Loidu28décembre1990portantapprobation":             "Loi du 28 décembre 1990 portant approbation",
		"(Règlementgrand-ducaldu4décembre1990,":             "(Règlement grand-ducal du 4 décembre 1990,",
		"duGouvernementenConseil;":                          "du Gouvernement en Conseil;",
		"règlementquiserapublié":                            "règlement qui sera publié",
		"approbationdelaConstitutiond’unepersonne":          "approbation de la Constitution d’une personne",
		"anticoncurrentielles":                              "anticoncurrentielles",
		"provinciales":                                      "provinciales",
		"l'interjetterait":                                  "l'interjetterait",
		"professionnels102":                                 "professionnels102",
		"https://journal.gouv.example/loi-du-28-decembre.x": "https://journal.gouv.example/loi-du-28-decembre.x",
	} {
		line := Line{Words: partWords(seen, []Word{{Text: text, Rect: law.Rect{10, 0, 110, 10}}})}
		if got := line.Text(); got != want {
			t.Errorf("%q is read as %q, want %q", text, got, want)
		}
		if r := line.Words[len(line.Words)-1].Rect; math.Abs(r[2]-110) > 0.01 {
			t.Errorf("%q ends at %v", text, r)
		}
	}
}
