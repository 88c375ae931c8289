package main

import (
	"slices"
	"testing"
)

func TestWords(t *testing.T) {
	t.Parallel()
	got := words("L’étranger, admis (2010-05) : « oﬃce ».")
	if want := []string{"L", "étranger", "admis", "2010", "05", "office"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestCompare(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, truth, read string
		want              likeness
		share, order      float64
	}{
		{"same", "a b c d", "a b c d", likeness{True: 4, Found: 4, Ordered: 4}, 1, 1},
		{"columns mixed", "a b c d", "c d a b", likeness{True: 4, Found: 4, Ordered: 2}, 1, .5},
		{"one misread, one more", "a b c d", "a x c d y", likeness{True: 4, Found: 3, Ordered: 3, Extra: 2}, .75, 1},
		{"repeated", "a a a b", "a a b", likeness{True: 4, Found: 3, Ordered: 3}, .75, 1},
		{"too often", "a b", "a a b b", likeness{True: 2, Found: 2, Ordered: 2, Extra: 2}, 1, 1},
		{"nothing read", "a b", "", likeness{True: 2}, 0, 1},
		{"nothing to read", "", "a", likeness{Extra: 1}, 1, 1},
	} {
		got := compare(words(tt.truth), words(tt.read))
		if got != tt.want || got.Share() != tt.share || got.Order() != tt.order {
			t.Errorf("%s: %+v, share %v, order %v", tt.name, got, got.Share(), got.Order())
		}
	}
	if sum := (likeness{True: 1, Found: 1, Ordered: 1}).Plus(likeness{True: 3, Found: 1, Extra: 2}); sum != (likeness{True: 4, Found: 2, Ordered: 1, Extra: 2}) {
		t.Errorf("%+v", sum)
	}
}

// FuzzCompare holds what is true of any two texts.
func FuzzCompare(f *testing.F) {
	f.Add("a b c", "c b a")
	f.Add("ﬁ \xff", "fi")
	f.Fuzz(func(t *testing.T, truth, read string) {
		if len(truth) > 1000 || len(read) > 1000 {
			return
		}
		a, b := words(truth), words(read)
		l := compare(a, b)
		if l.Ordered > l.Found || l.Found > l.True || l.Found+l.Extra != len(b) {
			t.Errorf("%+v", l)
		}
		if same := compare(a, a); same.Share() != 1 || same.Order() != 1 || same.Extra != 0 {
			t.Errorf("of the same text: %+v", same)
		}
	})
}
