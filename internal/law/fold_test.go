package law

import (
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestFold(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                               "",
		"  L’ÉTAT\u00a0\u202fcivil\n ":   "l'etat civil",
		"Œuvre, ÆQUO, cœur":              "oeuvre, aequo, coeur",
		"sous‑section – alinéa — a‐b":    "sous-section - alinea - a-b",
		"De\u0301cret n\u00ba 12":        "decret no 12",
		"ÀÇÑÖŠŽ \u00a8 x":                "acnosz x",
		"\xff\u1e9e\u1eaf\U0001d400 ﬁn²": "\ufffdssaa fin2",
		"l\u00adoi\u200b\ufeff":          "loi",
		"Ørsted, ſtraße, a-t-il":         "orsted, strasse, a-t-il",
		"l´an, l`an, l＇an":               "l'an, l'an, l'an",
		"№ 3 … ½":                        "no 3 ... 12",
	} {
		t.Run(text, func(t *testing.T) {
			if got := Fold(text); got != want {
				t.Errorf("%q: %q, want %q", text, got, want)
			}
		})
	}
}

// ASCII characters, which are folded by a table, are folded like others.
func TestFoldASCII(t *testing.T) {
	t.Parallel()
	for c := range rune(utf8.RuneSelf) {
		var f folder
		f.add('x')
		f.add(unicode.ToLower(c))
		f.add('x')
		if got := Fold("x" + string(c) + "x"); got != string(f.out) {
			t.Errorf("%q: %q, want %q", c, got, f.out)
		}
	}
}
