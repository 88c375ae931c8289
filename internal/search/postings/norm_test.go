package postings

import (
	"math"
	"testing"
)

// A heading of two words that says what is asked counts more than a long text that says it, and without occurrences
// the share is zero.
func TestShareOfAPassage(t *testing.T) {
	t.Parallel()
	var n norms
	n.addTerm(Count{Body: 1, Heads: 2}, 9)
	for range 99 {
		n.addTerm(Count{Body: 1}, 9)
	}
	n.addTerm(Count{Heads: 1}, 9)
	n.invert()
	share := func(body, heads, weight float32) float32 { return n.Share(body, heads, weight).Value() }
	body, heads := share(1, 0, 1), share(0, 1, 1)
	if body <= 0 || heads < 5*body {
		t.Errorf("in the text %v, in the headings %v", body, heads)
	}
	if got := share(1, 1, 2); math.Abs(float64(got/(body+2*heads)-1)) > 0.01 {
		t.Errorf("in both %v, want %v", got, body+2*heads)
	}
	if more := share(8, 0, 1); more <= body || more >= 8*body {
		t.Errorf("eight times %v, once %v: each further one counts less", more, body)
	}
	if (norms{}).Share(1, 1, 1) != 0 {
		t.Error("an empty passage has a share")
	}
}

func TestDampenedTable(t *testing.T) {
	t.Parallel()
	for _, n := range []float32{0, 1, 2, 9, 127, 127.5, 128, 4000} {
		if got, want := dampen(n), dampenExactly(n); got != want {
			t.Errorf("%v: %v, want %v", n, got, want)
		}
	}
	for n := float32(0); n < 2*dampenedMost; n += 0.0037 {
		if got, want := dampen(n), dampenExactly(n); math.Abs(float64(got-want)) > 1.0/32000 {
			t.Fatalf("%v: %v, want about %v", n, got, want)
		}
	}
	if dampen(0) != 0 || dampen(1) != 1 || dampen(2) <= 1.5 || dampen(2) >= 2 {
		t.Errorf("%v, %v and %v", dampen(0), dampen(1), dampen(2))
	}
}
