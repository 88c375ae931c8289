package flat

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"vigueur/internal/french"
)

// A register tells the same of its passages and words from a file as from memory,
// and holds nothing of them in memory then.
func TestAShelvedSegmentTellsTheSame(t *testing.T) {
	t.Parallel()
	made := func() *segment {
		r, b := rand.New(rand.NewPCG(3, 4)), newBuilder()
		for n := range 20 {
			for _, row := range spoken(r, n) {
				b.add(row)
			}
		}
		return b.done().register()
	}
	kept, s := made(), made()
	if err := s.shelve(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	if !s.inFile() || kept.inFile() || len(s.names)+len(s.terms)+len(s.ids)+len(s.grams)+len(s.articles) > 0 {
		t.Errorf("in a file: %v; in memory %d names, %d terms, %d numbers, %d grams and %d articles", s.inFile(), len(s.names), len(s.terms), len(s.ids), len(s.grams), len(s.articles))
	}
	if !slices.Equal(s.passages, kept.passages) || !slices.Equal(s.lengths, kept.lengths) || s.termTotal() != kept.termTotal() {
		t.Fatalf("%d passages and %d terms, want %d and %d", len(s.passages), s.termTotal(), len(kept.passages), kept.termTotal())
	}
	for p := range uint32(len(kept.passages)) {
		if !reflect.DeepEqual(s.named(p), kept.named(p)) || *s.idOf(p) != *kept.idOf(p) {
			t.Fatalf("passage %d: %v, want %v", p, s.named(p), kept.named(p))
		}
		if number := kept.named(p).number; !slices.Equal(s.ofArticles(number), kept.ofArticles(number)) {
			t.Errorf("articles %q: %v, want %v", number, s.ofArticles(number), kept.ofArticles(number))
		}
	}
	for n := range kept.termTotal() {
		a, b := s.term(n), kept.term(n)
		passages, grams := s.heldBy(n)
		if a.name != b.name || passages != b.passages || grams != b.grams || s.number(b.name) != n {
			t.Fatalf("term %d is %v with the number %d, want %v", n, a, s.number(b.name), b)
		}
		for _, g := range french.Grams(nil, b.name) {
			if !slices.Equal(s.holding(g), kept.holding(g)) {
				t.Errorf("piece %v: %v, want %v", g, s.holding(g), kept.holding(g))
			}
		}
	}
	if s.number("nowhere") != noTerm || s.ofArticles("nowhere") != nil {
		t.Error("a term that is nowhere is found")
	}
}
