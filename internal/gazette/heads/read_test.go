package heads

import (
	"testing"
)

func TestArticleOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, last string
		number     string // "" for no head
		rest       string
	}{
		{"Article premier. — Le sel", "", "1er", "Le sel"},
		{"Article 1er", "", "1er", ""},
		{"ARTICLE 12 : Le sel", "11", "12", "Le sel"},
		{"Art. 12.- Le sel", "11", "12", "Le sel"},
		{"Art. L. 1224-1 Le sel", "", "L. 1224-1", "Le sel"},
		{"Article R*12 : Le sel", "", "R. 12", "Le sel"},
		{"Art. A. 123-4.- Le sel", "", "A. 123-4", "Le sel"},
		{"Art. A 12", "", "A. 12", ""},
		{"Article D1234-5-1", "", "D. 1234-5-1", ""},
		{"Article LO 144", "", "LO 144", ""},
		{"Art. L.O. 6313-1. – Le sel", "", "L.O. 6313-1", "Le sel"},
		{"Art. R*. 123-4", "", "R. 123-4", ""},
		{"Art. 706-32. — Le sel", "", "706-32", "Le sel"},
		{"Article 990 A", "", "990 A", ""},
		{"Art. 990 G. – Le sel", "", "990 G", "Le sel"},
		{"Article 12 I. — Le sel", "", "12", "I. — Le sel"},
		{"Article 34 A l’exception", "", "34", "A l’exception"},
		{"Article 34 Le sel", "", "34", "Le sel"},
		{"Article 91 terdecies", "", "91 terdecies", ""},
		{"Article 26 bis : Le sel", "26", "26 bis", "Le sel"},
		{"Article 6-2 (nouveau) : Le sel", "6", "6-2", "Le sel"},
		{"Article unique. — Le sel", "", "unique", "Le sel"},
		{"ARTICLE 1°.- Le présent décret", "", "1er", "Le présent décret"},
		{"Article II", "", "II", ""},
		{"Article 33450", "333", "334", ""}, // 334 with the mark of note 50
		{"Article 33450", "", "33450", ""},  // without the number before
		{"Article 3345 Le sel", "3344", "3345", "Le sel"},
		{"Article 5 de la loi", "4", "", ""},
		{"Article I La loi", "", "", ""},
		{"Articles divers", "", "", ""},
		{"L'article 5 : Le sel", "4", "", ""},
		{"Artisan 5", "", "", ""},
	} {
		number, end, ok := Read(c.text, c.last)
		if ok != (c.number != "") || number != c.number {
			t.Errorf("%q after %q: %q, %v; want %q", c.text, c.last, number, ok, c.number)
			continue
		}
		if ok && c.text[end:] != c.rest {
			t.Errorf("%q: rest %q, want %q", c.text, c.text[end:], c.rest)
		}
	}
}

func TestMayFollow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		number, last string
		want         bool
	}{
		{"1er", "", true}, {"unique", "", true}, {"2", "", false}, {"2", "1er", true}, {"3", "1er", false}, {"26 bis", "26", true}, {"27", "26 bis", true},
		{"6-2", "6", true}, {"6-3", "6-2", true}, {"6-3", "6-3", false}, {"L. 13", "L. 12", true}, {"II", "1er", true}, {"III", "II", true}, {"IV", "II", false},
		{"I", "", true}, {"X", "IX", true}, {"XL", "XXXIX", true}, {"II", "1 bis", false}, {"C", "XCIX", false}, {"5", "x", false},
	} {
		if got := MayFollow(c.number, c.last); got != c.want {
			t.Errorf("%q after %q: %v", c.number, c.last, got)
		}
	}
}

func TestLettered(t *testing.T) {
	t.Parallel()
	for number, want := range map[string]bool{"L. 1224-1": true, "12": false, "": false, "unique": false} {
		if Lettered(number) != want {
			t.Errorf("%q", number)
		}
	}
}

func TestIn(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]int{
		"Art. 23. — Toute modification":         23,
		"Article 8 : Un représentant":           8,
		"‘Article 8 : Un représentant":          8,
		"7 Article 10: En rémunération":         10,
		"(D, Article 14: Les états":             0,
		". | Article 9 : Le sel":                9,
		"Article premier. — Le sel":             1,
		"Aït. 16 - Le sel":                      16,
		"selon Article 10: En rémunération":     0,
		"Article 8 ci-dessus, le sel":           0,
		"Le sel est gris":                       0,
		"":                                      0,
		"dispositions de l’article 8 : Le sel":  0,
		"a b c d Article 9 : Le sel est gris x": 0,
	} {
		h, ok := In(line)
		if n, _ := LeadingNumber(h.Number); ok != (want > 0) || ok && n != want {
			t.Errorf("%q: article %q, %v, want %v", line, h.Number, ok, want)
		}
	}
}
