package heads

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
		if got := Slips(c.a, c.b); got != c.want && !(got > 3 && c.want > 3) {
			t.Errorf("%q for %q: %d slips, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestNumberLike(t *testing.T) {
	t.Parallel()
	for token, want := range map[string]string{"12": "12", "l2": "12", "5t": "51", "1O": "10", "IS": "15", "$": "5", "08": "8", "1": "1er", "1er": "1er", "ler": "1er", "1°”": "1er",
		"1\"'": "1er", "premier": "1er", "prem1er": "1er", "xy": "", "": "", "3bis": "", "OO": ""} {
		if got := numberLike(token); got != want {
			t.Errorf("%q is %q, want %q", token, got, want)
		}
	}
}

func FuzzSlipped(f *testing.F) {
	for _, s := range []string{"Artic1e 12 : Le sel", "Art icle\u00a09", "Àrticle", "‘Articie j; -", "4rt1c|e 1\"' x", "Article \xff 3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		h, ok := readSlipped(text)
		n, counted := LeadingNumber(h.Number)
		if ok && (h.End <= 0 || h.End > len(text) || h.Number != "" && (!counted || n <= 0)) {
			t.Fatalf("%q: %+v", text, h)
		}
	})
}
