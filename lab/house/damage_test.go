package house

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"vigueur/internal/gazette/layout"
)

// worn is a style's issue before and after a damage.
func worn(d Damage) (before, after Issue) {
	s := Styles()[0]
	return Make(s, 5, Damage{}), Make(s, 5, d)
}

func allWords(i Issue) (out []layout.Word) {
	for _, p := range i.Pages {
		out = append(out, p.Words...)
	}
	return out
}

func TestRecognized(t *testing.T) {
	t.Parallel()
	before, after := worn(Damage{OCR: true})
	for n, p := range after.Pages {
		if p.Source != layout.OCR || p.Cover != 1 || p.DPI == 0 {
			t.Errorf("page %d: %q, cover %v, %v dpi", n, p.Source, p.Cover, p.DPI)
		}
		for k, w := range p.Words {
			o := before.Pages[n].Words[k]
			if w.Size != 0 || w.Bold || w.Ital || w.Text != o.Text {
				t.Fatalf("%+v of %+v", w, o)
			}
			if w.Rect[3]-w.Rect[1] >= o.Rect[3]-o.Rect[1] {
				t.Fatalf("the box %v of %v", w.Rect, o.Rect)
			}
		}
	}
}

// TestRecognizedArabic checks that a reader of French makes no Arabic of anything.
func TestRecognizedArabic(t *testing.T) {
	t.Parallel()
	arabic := func(r rune) bool { return unicode.Is(unicode.Arabic, r) }
	for _, s := range Styles() {
		if s.Name != "bilingualArabic" {
			continue
		}
		if n := marks(Make(s, 1, Damage{}), arabic); n < 1000 {
			t.Errorf("%v letters of Arabic on the pages", n)
		}
		if n := marks(Make(s, 1, Damage{OCR: true}), arabic); n != 0 {
			t.Errorf("%v letters of Arabic were recognized", n)
		}
	}
}

// TestLevels checks that damage of each kind grows with its level and does what it
// says.
func TestLevels(t *testing.T) {
	t.Parallel()
	before := Make(Styles()[0], 5, Damage{})
	for name, c := range map[string]struct {
		damage  func(level float64) Damage
		measure func(before, after Issue) float64
		least   float64 // of the whole level
	}{
		"accents":   {func(x float64) Damage { return Damage{Accents: x} }, accentsLost, 0.99},
		"blur":      {func(x float64) Damage { return Damage{Blur: x} }, marksLost, 0.2},
		"shift":     {func(x float64) Damage { return Damage{Shift: x} }, pagesChanged, 0.7},
		"fonts":     {func(x float64) Damage { return Damage{Fonts: x} }, pagesChanged, 0.7},
		"ligatures": {func(x float64) Damage { return Damage{Ligatures: x} }, pagesChanged, 0.7},
		"confusion": {func(x float64) Damage { return Damage{Confusion: x} }, textChanged, 0.01},
		"noise":     {func(x float64) Damage { return Damage{Noise: x} }, wordsMoved, 0.5},
		"skew":      {func(x float64) Damage { return Damage{Skew: x} }, wordsMoved, 0.5},
	} {
		none := c.measure(before, Make(Styles()[0], 5, c.damage(0)))
		half := c.measure(before, Make(Styles()[0], 5, c.damage(0.4)))
		full := c.measure(before, Make(Styles()[0], 5, c.damage(1)))
		if none != 0 || half <= 0 || half > full || full < c.least {
			t.Errorf("%s: %v at none, %v at 0.4, %v at the whole level", name, none, half, full)
		}
	}
}

func marks(i Issue, is func(r rune) bool) (n float64) {
	for _, w := range allWords(i) {
		for _, r := range w.Text {
			if is(r) {
				n++
			}
		}
	}
	return n
}

func accentsLost(before, after Issue) float64 {
	accent := func(r rune) bool { return unicode.IsLetter(r) && bareLetters.Replace(string(r)) != string(r) }
	return 1 - marks(after, accent)/marks(before, accent)
}

func marksLost(before, after Issue) float64 {
	small := func(r rune) bool { return strings.ContainsRune(".,'’°;:«»-", r) }
	return 1 - marks(after, small)/marks(before, small)
}

func pagesChanged(before, after Issue) float64 {
	n := 0
	for k := range before.Pages {
		if !slices.Equal(before.Pages[k].Words, after.Pages[k].Words) {
			n++
		}
	}
	return float64(n) / float64(len(before.Pages))
}

func textChanged(before, after Issue) float64 {
	seen := map[string]int{}
	for _, w := range allWords(before) {
		seen[w.Text]++
	}
	other := 0
	for _, w := range allWords(after) {
		if seen[w.Text]--; seen[w.Text] < 0 {
			other++
		}
	}
	return float64(other) / float64(len(allWords(before)))
}

// wordsMoved is the mean way of the first words of pages, in points.
func wordsMoved(before, after Issue) float64 {
	sum, n := 0.0, 0
	for k := range before.Pages {
		for j := range min(len(before.Pages[k].Words), len(after.Pages[k].Words)) {
			if a, b := before.Pages[k].Words[j], after.Pages[k].Words[j]; a.Text == b.Text {
				sum, n = sum+math.Abs(a.Rect[1]-b.Rect[1])+math.Abs(a.Rect[0]-b.Rect[0]), n+1
			}
		}
	}
	return sum / float64(n)
}

// TestWorn checks that drawn damages are of every kind and within their levels.
func TestWorn(t *testing.T) {
	t.Parallel()
	var none, scans, shifted int
	for seed := range uint64(300) {
		d := Worn(seed)
		if d != Worn(seed) {
			t.Errorf("seed %d gives two damages", seed)
		}
		for _, x := range []float64{d.Skew, d.Noise, d.Blur, d.Accents, d.Shift, d.Confusion} {
			if x < 0 || x > 1 {
				t.Errorf("seed %d: %+v", seed, d)
			}
		}
		none, scans, shifted = none+boolInt(d == Damage{}), scans+boolInt(d.OCR), shifted+boolInt(d.Shift > 0)
	}
	if none < 60 || scans < 60 || shifted < 25 {
		t.Errorf("%d undamaged, %d scans, %d shifted of 300", none, scans, shifted)
	}
}

// TestLabelsFollowTheirWords checks that words that were split, joined, lost or
// added leave every word the label of what stood in its place.
func TestLabelsFollowTheirWords(t *testing.T) {
	t.Parallel()
	before, after := worn(Damage{OCR: true, Noise: 1, Confusion: 1, Blur: 1, Accents: 1})
	for n := range after.Pages {
		if len(after.Labels[n]) != len(after.Pages[n].Words) || len(after.Owner[n]) != len(after.Pages[n].Words) {
			t.Fatalf("page %d: %d words, %d labels, %d owners", n, len(after.Pages[n].Words), len(after.Labels[n]), len(after.Owner[n]))
		}
		for k, w := range after.Pages[n].Words {
			l, o := after.Labels[n][k], after.Owner[n][k]
			if l != Furniture && !before.stands(n, w, l, o) {
				t.Errorf("%q at %v has become %s of %d", w.Text, w.Rect, l, o)
			}
			if w.Text == "" || w.Rect[2] <= w.Rect[0] || w.Rect[3] <= w.Rect[1] {
				t.Errorf("the word %+v", w)
			}
		}
	}
}

// stands reports whether a word of that label and owner stands where w does.
func (i Issue) stands(n int, w layout.Word, l Label, owner int) bool {
	x, y := (w.Rect[0]+w.Rect[2])/2, (w.Rect[1]+w.Rect[3])/2
	for k, o := range i.Pages[n].Words {
		if i.Labels[n][k] == l && i.Owner[n][k] == owner && x > o.Rect[0]-8 && x < o.Rect[2]+8 && y > o.Rect[1]-2 && y < o.Rect[3]+2 {
			return true
		}
	}
	return false
}

// TestObscureSpoilsAsMuchAsIsAsked, the same for the same chance.
func TestObscureSpoilsAsMuchAsIsAsked(t *testing.T) {
	t.Parallel()
	const printed = "Article 23. — "
	with := func(share float64) string { return Obscure(printed, share, rand.New(rand.NewPCG(1, 2))) }
	if half, again := with(0.5), with(0.5); with(0) != printed || half == printed || half != again {
		t.Errorf("%q, %q and %q", with(0), half, again)
	}
	if strings.HasPrefix(with(1), "Art") {
		t.Errorf("%q", with(1))
	}
}
