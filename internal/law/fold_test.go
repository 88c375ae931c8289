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

func TestQuotations(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Le mot « sel » tombe.": "Le mot  tombe.", "Ainsi : « Un « deux » trois » quatre": "Ainsi :  quatre",
		"« jamais fermé": "", "rien": "rien", "» fermé seul": "» fermé seul", "“anglais” non": " non", `un "deux « trois" quatre`: "un  quatre", `3" de`: `3" de`,
	} {
		if got := OutsideQuotations(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if q := Quotations("a « b » c « d"); len(q) != 2 || q[0].Words != "b" || q[0].Open || q[1].Words != "d" || !q[1].Open {
		t.Errorf("quotations: %+v", q)
	}
}

func TestRoman(t *testing.T) {
	t.Parallel()
	for n := 1; n < 400; n++ {
		if s := WriteRoman(n); Roman(s) != n {
			t.Errorf("%s: %d, want %d", s, Roman(s), n)
		}
	}
	for s, want := range map[string]int{"Ier": 1, "iv": 4, "IIII": 4, "IIX": 0, "CIVIL": 0, "": 0, "IIer": 0, "VX": 0} {
		if got := Roman(s); got != want {
			t.Errorf("%q: %d, want %d", s, got, want)
		}
	}
}
