package layout

import (
	"slices"
	"strings"
	"testing"

	"vigueur/internal/law"
)

const french = "Le contrat de travail est conclu librement entre les parties et il est constaté dans les formes que la loi prévoit pour chacune d’elles. L’employeur déclare toute embauche à l’inspection du travail dans les cinq jours qui suivent la prise de service du salarié, sous peine d’une amende fixée par décret."

// misreadLayer is French as the recognition programs of old scanners misread it.
const misreadLayer = "lo loi n' o pos force de por lo volonté des porties et lo durée du controt est celle que lo loi prévoit pour toutes les cotégories qûe le décret è pris en compte, soit por ei le juge soit pour lo coisse des pensions et les outres cos de fin de controt que le présent orticle ne prévoit pos"

// shifted returns text as a layer of glyph codes shows it: each code is 29 too low.
func shifted(s string) string {
	return strings.Map(func(r rune) rune {
		if r <= ' ' || r > 'z' {
			return r
		}
		return r - 29
	}, s)
}

func plainWords(s string) []Word {
	var out []Word
	for i, w := range strings.Fields(s) {
		x := float64(i%10) * 50
		y := float64(i/10) * 12
		out = append(out, Word{Text: w, Rect: [4]float64{x, y, x + 45, y + 10}})
	}
	return out
}

func TestJudgeFrench(t *testing.T) {
	t.Parallel()
	q := Judge(plainWords(french))
	if q.Stop < 0.35 || q.Vowels < 0.4 || q.Accents < 0.02 || q.Letters < 0.9 || q.Lower < 0.9 {
		t.Errorf("French text judged as %+v", q)
	}
	if got := Judge(nil); got != (Quality{}) {
		t.Errorf("no words judged as %+v", got)
	}
}

func TestLayer(t *testing.T) {
	t.Parallel()
	bare := strings.NewReplacer("é", "e", "à", "a", "è", "e", "ê", "e").Replace(french)
	english := "Any person who wishes to lodge the complaint shall notify their intention within thirty days from the publication and must provide every document which the registry deems necessary"
	tests := []struct {
		name string
		page Page
		want Worth
	}{
		{"digital page", Page{Words: plainWords(french)}, Good},
		{"empty page", Page{}, Good},
		{"image without words", Page{Drawn: true, Cover: 1}, Useless},
		{"outlines without words", Page{Drawn: true}, Useless},
		{"scan with a good layer", Page{Words: plainWords(french), Drawn: true, Cover: 1}, Good},
		{"scan with a layer that lost its accents", Page{Words: plainWords(bare + " " + bare), Drawn: true, Cover: 1}, Poor},
		{"scan with a stamp", Page{Words: plainWords("Visa du 3 mai"), Drawn: true, Cover: 0.9}, Useless},
		{"scan under a long running head", Page{Words: plainWords(french), Height: 842, Drawn: true, Cover: 0.8}, Useless},
		{"short scan with a good layer", Page{Words: plainWords(french), Height: 400, Drawn: true, Cover: 0.8}, Good},
		{"scan with dirt for a layer", Page{Words: plainWords(strings.Repeat("rxt lqp vvm zrt ", 10)), Cover: 1}, Useless},
		{"scan with a layer misread by its scanner", Page{Words: plainWords(misreadLayer), Cover: 1}, Poor},
		{"digital page with the same words", Page{Words: plainWords(misreadLayer)}, Good},
		{"glyph codes", Page{Words: plainWords(shifted(french))}, Useless},
		{"characters that are words each", Page{Words: plainWords(strings.Repeat("k ( T ' 0 / d 7 + U ) [ e ^ 5 ] ", 3))}, Useless},
		{"glyph codes that are marks", Page{Words: plainWords(strings.Repeat(`, 24( 0 $ / $ & "# $% :/ ! B5*C3'*3)'55* (+&('&(*& 7'8# 9& F/ ) - <<<< 80 / 6) *+++ `, 2))}, Useless},
		{"table of figures with signs", Page{Words: plainWords(strings.Repeat("1,250 (75,5) 12,00 (3) 1,1 ; ", 20))}, Good},
		{"some words of one letter", Page{Words: plainWords(french + strings.Repeat(" A . . . . . . 7", 8))}, Good},
		{"symbols", Page{Words: plainWords(strings.Repeat("•• • ••• ", 10))}, Useless},
		{"digital page in another language", Page{Words: plainWords(english)}, Good},
		{"table of figures", Page{Words: plainWords(strings.Repeat("1 250 000 75 % ", 20))}, Good},
		{"page that could not be read", Page{Drawn: true, Fault: "La page 3 est abîmée."}, Good},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.page.Layer(); got != tt.want {
				t.Errorf("%s: %d, want %d (%+v)", tt.name, got, tt.want, Judge(tt.page.Words))
			}
		})
	}
}

func TestSmallWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]int{
		"la": {1, 0}, "lo": {1, 1}, "l’eau": {2, 0}, "qûe": {1, 1}, "Lo": {0, 0}, "1er": {0, 0}, "b)": {0, 0}, "loi,": {1, 0},
		"www.jo.bf": {0, 0}, "S.A.": {0, 0}, "travail": {0, 0}, "غير": {0, 0}, "": {0, 0},
	} {
		t.Run(text, func(t *testing.T) {
			if small, odd := smallWords(text); [2]int{small, odd} != want {
				t.Errorf("%q: %d small, %d odd, want %v", text, small, odd, want)
			}
		})
	}
}

func TestBetter(t *testing.T) {
	t.Parallel()
	page := func(text string, source Source) Page { return Page{Words: plainWords(text), Source: source, Cover: 1} }
	bare := strings.NewReplacer("é", "e", "à", "a", "è", "e", "ê", "e").Replace(french)
	failed := Page{Source: None, Cover: 1, Fault: "Illisible."}
	for _, tt := range []struct {
		name        string
		layer, seen Page
		want        Source
		fault       string
	}{
		{"recognition mends what was misread", page(misreadLayer, Layer), page(french, OCR), OCR, ""},
		{"recognition is worse", page(french, Layer), page(misreadLayer, OCR), Layer, ""},
		{"even", page(french, Layer), page(french, OCR), OCR, ""},
		{"recognition finds the accents", page(bare+" "+bare, Layer), page(french, OCR), OCR, ""},
		{"recognition failed", page(misreadLayer, Layer), failed, Layer, ""},
		{"recognition failed on glyph codes", page(shifted(french), Layer), failed, None, "Illisible."},
		{"no layer", Page{}, failed, None, "Illisible."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Better(tt.layer, tt.seen); got.Source != tt.want || got.Fault != tt.fault {
				t.Errorf("%s: %s, fault %q", tt.name, got.Source, got.Fault)
			}
		})
	}
}

func TestGarbled(t *testing.T) {
	t.Parallel()
	french := strings.Fields(strings.Repeat("Le travailleur a droit à deux jours de congé par mois de service effectif. ", 20))
	rot := strings.Fields("m䌌 ᦄഀ䠀u ࠀ䠀v cmőtrat瀀 ᠀✀䠀s")
	for _, c := range []struct {
		name   string
		source Source
		words  []string
		want   bool
	}{
		{"French", Layer, french, false},
		{"words of other scripts among it", Layer, slices.Concat(french, rot), true},
		{"one of them", Layer, append(slices.Clone(french), rot[0]), false},
		{"few in many", Layer, slices.Concat(french, french, french, rot), false},
		{"Arabic beside it", Layer, slices.Concat(french, strings.Fields("الرائد الرسمي للجمهورية التونسية في الخامس")), false},
		{"Greek, signs and bullets", Layer, slices.Concat(french, strings.Fields("α β γ δ ε \uf0b7 \uf0a7 ½ № •")), false},
		{"what Tesseract made of a picture", OCR, slices.Concat(french, rot), false},
		{"nothing", None, nil, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := Page{Source: c.source}
			for i, w := range c.words {
				p.Words = append(p.Words, Word{Text: w, Rect: law.Rect{0, float64(20 * i), 40, float64(20*i + 10)}})
			}
			if got := p.Garbled(); got != c.want {
				t.Errorf("%s: %v", c.name, got)
			}
			pages := []Page{p}
			Arrange(pages)
			DropWords(pages)
			if got := pages[0].Garbled(); got != c.want || pages[0].Words != nil {
				t.Errorf("%s, in lines: %v, %d words", c.name, got, len(pages[0].Words))
			}
		})
	}
}

func TestDisordered(t *testing.T) {
	t.Parallel()
	const law = "Le préfet peut fermer le puits pendant trente jours si l’eau en est trouble ou si la margelle menace le passage dans la rue. "
	var sideways []Word
	for i, w := range strings.Fields(law) {
		sideways = append(sideways, Word{Text: w, Rect: [4]float64{50 + 20*float64(i/8), 60 * float64(i%8), 62 + 20*float64(i/8), 60*float64(i%8) + 50}})
	}
	for name, c := range map[string]struct {
		words []Word
		want  bool
	}{
		"in order":                {printed(strings.Repeat(law, 8)), false},
		"in another":              {printed(strings.Repeat("Le si peut la puits en passage pendant dans la le préfet le à trente la rue. ", 8)), true},
		"printed twice":           {printed(strings.Repeat("Le Le préfet préfet peut fermer le le puits à à la la source. ", 8)), true},
		"a printer's slip":        {printed(strings.Repeat(law, 8) + "Le maire le à fermé."), false},
		"Latin":                   {printed(strings.Repeat("Les biens du de cujus passent à ses enfants. ", 8)), false},
		"on its side":             {sideways, true},
		"on its side, and told":   {turned(sideways), false},
		"short words of any form": {[]Word{{Text: "Art.", Rect: [4]float64{0, 0, 9, 12}}}, false},
	} {
		pages := []Page{{Width: 595, Height: 842, Words: c.words}}
		Arrange(pages)
		if got := pages[0].Disordered(); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// printed returns the words of a text, ten in a line.
func printed(text string) (words []Word) {
	for i, w := range strings.Fields(text) {
		x, y := 40+50*float64(i%10), 40+14*float64(i/10)
		words = append(words, Word{Text: w, Rect: [4]float64{x, y, x + 45, y + 10}})
	}
	return words
}

// turned returns words that are said to run downwards.
func turned(words []Word) []Word {
	words = slices.Clone(words)
	for i := range words {
		words[i].Turn = Down
	}
	return words
}
