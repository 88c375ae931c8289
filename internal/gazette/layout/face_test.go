package layout

import (
	"strings"
	"testing"
	"unicode"
)

const plainPage = `Le ministre chargé des salines et le directeur général des douanes sont chargés, chacun en ce qui le concerne, de
l'exécution du présent arrêté, qui sera publié au Journal officiel. Les sauniers déclarent leur récolte avant la fin du mois
suivant celui de la vente ; ils tiennent un registre où figurent le nom de l'acheteur, la quantité et le prix du sel vendu.`

// moved returns words as a font without its table shows them.
func moved(text string, step rune) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return r
		}
		return r + step
	}, text)
}

// setIn returns the words of a text with the same setting.
func setIn(text string, size float64, bold bool) (words []Word) {
	for w := range strings.FieldsSeq(text) {
		words = append(words, Word{Text: w, Size: size, Bold: bold})
	}
	return words
}

// TestBrokenFonts checks that a page is as good as its worst face, whatever its length, and that odd words of
// other kinds are not broken.
func TestBrokenFonts(t *testing.T) {
	t.Parallel()
	const title = "Arrêté du ministre des salines fixant les modalités de déclaration des récoltes"
	for _, c := range []struct {
		name, head, body string
		want             Worth
	}{
		{"whole", title, plainPage, Good},
		{"whole, in capitals", strings.ToUpper(title), plainPage, Good},
		{"all of it broken", moved(title, 3), moved(plainPage, 3), Useless},
		{"all of it broken by another step", moved(title, -1), moved(plainPage, -1), Useless},
		{"the body broken", title, moved(plainPage, 1), Useless},
		{"the head broken", moved(title, 3), plainPage, Poor},
		{"a mirrored alphabet", strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' {
				return 'a' + 'z' - r
			}
			return r
		}, title), plainPage, Poor},
		{"initials", "Ampliations : PR 2 ; SGG 5 ; MFB 12 ; DGCPT 3 ; JO 1 ; CNTPR 4 ; HGTF 7 ; DRHMP 2 ; TGBZ 1", plainPage, Good},
		{"letters apart", "A R R Ê T É D U M I N I S T R E D E S S A L I N E S", plainPage, Good},
		{"English", "The minister of salt works shall publish this order in the official gazette without delay", plainPage, Good},
		{"figures", "12 500 1.234,50 3/4 (15) 2010-05 17h30 100 % 45 §§ 3.1.2 12-13 9 88 77 66 55 44", plainPage, Good},
		{"Arabic", "قرار من وزير الملح مؤرخ في ثلاثة مارس يتعلق بضبط شروط التصريح", plainPage, Good},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := Page{Source: Layer, Words: append(setIn(c.head, 14, true), setIn(c.body, 10, false)...)}
			if got := p.Layer(); got != c.want {
				t.Errorf("%s: worth %d, want %d", c.name, got, c.want)
			}
			if got := p.Garbled(); got != (c.want != Good) {
				t.Errorf("%s: garbled %v", c.name, got)
			}
		})
	}
}

// TestABrokenFontIsRecognized checks that the recognized page replaces one with an illegible title, however
// good its other words are, unless recognition found nothing.
func TestABrokenFontIsRecognized(t *testing.T) {
	t.Parallel()
	layer := Page{Source: Layer, Words: append(setIn(moved("Arrêté du ministre des salines fixant le prix", 3), 14, true), setIn(plainPage, 10, false)...)}
	seen := Page{Source: OCR, Words: setIn("Arrêté du ministre des salines fixant lc prix Lc ministre chargê "+plainPage, 0, false)}
	if got := Better(layer, seen); got.Source != OCR {
		t.Error("the layer with the broken title is given")
	}
	for name, none := range map[string]Page{"a fault": {Source: None, Fault: "Tesseract n’est pas installé."}, "no word": {Source: OCR}} {
		t.Run(name, func(t *testing.T) {
			if got := Better(layer, none); got.Source != Layer || got.Fault != "" {
				t.Errorf("%s: %q, fault %q", name, got.Source, got.Fault)
			}
		})
	}
}

// TestManyFaces checks that a page with more faces than are distinguished is judged too.
func TestManyFaces(t *testing.T) {
	t.Parallel()
	var words []Word
	for size := range 40 {
		words = append(words, setIn(plainPage, float64(size), size%2 == 0)...)
	}
	if p := (Page{Source: Layer, Words: words}); p.Layer() != Good {
		t.Error("a page of many faces is not good")
	}
	for i := range words {
		words[i].Text = moved(words[i].Text, 3)
	}
	if p := (Page{Source: Layer, Words: words}); p.Layer() != Useless {
		t.Error("a page of many broken faces is not useless")
	}
}

// TestPairs checks the pairs of symbols in words.
func TestPairs(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"sel":      "|s se el l|",
		"Été":      "|e et te e|",
		"l'eau":    "|e ea au u|", // a single letter means nothing
		"SGG":      "",
		"SALINE":   "|s sa al li in ne e|",
		"n°12":     "",
		"a\ufffdb": "|a a? ?b b|",
		"\uf0b7":   "",
		"ab_c":     "|a ab b? ?c c|",
		"ملح":      "",
		"":         "",
	} {
		var got []string
		name := func(s int) string {
			switch s {
			case wordEdge:
				return "|"
			case oddSign:
				return "?"
			}
			return string(rune('a' + s - 1))
		}
		PairsOf(text, func(a, b int) { got = append(got, name(a)+name(b)) })
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %s, want %s", text, strings.Join(got, " "), want)
		}
	}
}

func BenchmarkLegible(b *testing.B) {
	words := setIn(strings.Repeat(plainPage+" ", 6), 10, false) // about a page
	for b.Loop() {
		if illegible(words) {
			b.Fatal("a page of plain words is broken")
		}
	}
}

func BenchmarkJudge(b *testing.B) {
	words := setIn(strings.Repeat(plainPage+" ", 6), 10, false)
	for b.Loop() {
		judge(words, false)
	}
}

// TestOtherLanguages checks that words of a language whose pairs of letters are unknown are legible, and that no step in the
// alphabet makes French look like one.
func TestOtherLanguages(t *testing.T) {
	t.Parallel()
	const kinyarwanda = `Iri tegeko rigena imiterere n'imikorere bya Komisiyo y'Igihugu y'Amatora yitwa Komisiyo muri iri tegeko. Icyicaro
cya Komisiyo kiri mu Mujyi wa Kigali, Umurwa Mukuru wa Repubulika y'u Rwanda ariko gishobora kwimurirwa ahandi igihe bibaye
ngombwa. Komisiyo irigenga kandi ishinzwe gutegura no gukoresha amatora y'inzego z'ibanze, ay'abagize Inteko Ishinga Amategeko.`
	if p := (Page{Source: Layer, Words: setIn(kinyarwanda, 10, false)}); p.Layer() != Good {
		t.Errorf("a page in Kinyarwanda is %v", p.Layer())
	}
	for step := range rune(25) {
		turned := strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' {
				return 'a' + (r-'a'+step+1)%26
			}
			return r
		}, strings.ToLower(plainPage))
		if p := (Page{Source: Layer, Words: setIn(turned, 10, false)}); p.Layer() != Useless {
			t.Errorf("a step of %d makes a page that is %v: %.40s", step+1, p.Layer(), turned)
		}
	}
}
