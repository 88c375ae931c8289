package segment

import "testing"

func TestEditDistance(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"article", "article", 0}, {"articie", "article", 1}, {"aficle", "article", 2}, {"arcticle", "article", 1},
		{"", "titre", 4}, {"chapiire", "chapitre", 1}, {"200", "2000", 1}, {"zzzzzzz", "article", 7},
	} {
		if got := slipsOf(c.a, c.b); got != c.want && !(got > 3 && c.want > 3) {
			t.Errorf("%q for %q: %d slips, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestFiguresLike(t *testing.T) {
	t.Parallel()
	for token, want := range map[string]int{"12": 12, "l2": 12, "5t": 51, "1O": 10, "IS": 15, "$": 5, "1er": 1, "ler": 1, "1°”": 1, "1\"'": 1,
		"premier": 1, "prem1er": 1, "xy": 0, "": 0, "3bis": 0} {
		if got := figuresLike(token); got != want {
			t.Errorf("%q is %d, want %d", token, got, want)
		}
	}
}

func FuzzBlurredArticle(f *testing.F) {
	for _, s := range []string{"Artic1e 12 : Le sel", "Art icle\u00a09", "Àrticle", "‘Articie j; -", "4rt1c|e 1\"' x", "Article \xff 3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		h, ok := blurredArticle(text)
		if ok && (h.end <= 0 || h.end > len(text) || h.number < 0) {
			t.Fatalf("%q: %+v", text, h)
		}
	})
}
