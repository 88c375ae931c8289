package french_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"vigueur/internal/law/french"
)

// pieces returns the pieces of a term as texts, with « ^ » for its beginning.
func pieces(term string) (list []string) {
	for size := 4; size <= 5; size++ {
		for pos := range len("^" + term) {
			if pos+size <= len("^"+term) {
				if p := ("^" + term)[pos : pos+size]; !slices.Contains(list, p) {
					list = append(list, p)
				}
			}
		}
	}
	return list
}

// Two terms share as many pieces as their texts do, and their likeness is the cosine of the
// sets of pieces.
func TestGramsAreThePiecesOfATerm(t *testing.T) {
	t.Parallel()
	terms := strings.Fields("licenci licenciement licenciment preavi salair salarie greve anana aaaaaaaa bbbb abc ab a 2010-5 conge congediement reconge")
	for _, a := range terms {
		t.Run(a, func(t *testing.T) {
			t.Parallel()
			if got, want := len(french.Grams(nil, a)), len(pieces(a)); got != want {
				t.Fatalf("%d pieces, want %d: %q", got, want, pieces(a))
			}
			for _, b := range terms {
				shared := 0
				for _, p := range pieces(a) {
					if slices.Contains(pieces(b), p) {
						shared++
					}
				}
				got := 0
				for _, g := range french.Grams(nil, a) {
					if slices.Contains(french.Grams(nil, b), g) {
						got++
					}
				}
				want := 0.0
				if shared > 0 {
					want = float64(shared) / math.Sqrt(float64(len(pieces(a))*len(pieces(b))))
				}
				if a == b {
					want = 1
				}
				if like := french.Similar(a, b); got != shared || math.Abs(like-want) > 1e-12 {
					t.Errorf("%s shares %d pieces, want %d; is alike by %v, want %v", b, got, shared, like, want)
				}
			}
		})
	}
}

// Grams does not change what the slice contained before: it adds a piece that is already
// there.
func TestGramsAppends(t *testing.T) {
	t.Parallel()
	before := french.Grams(nil, "conge")
	both := french.Grams(slices.Clone(before), "conge")
	if len(both) != 2*len(before) || !slices.Equal(both[:len(before)], before) || !slices.Equal(both[len(before):], before) {
		t.Errorf("%v behind %v", both, before)
	}
}

// Short words must be nearly the same to stand for one another.
func TestAkinByLength(t *testing.T) {
	t.Parallel()
	for pair, want := range map[string]bool{
		"viol violenc": false, "mari mariag": false, "bail bailleu": false, "loyer loye": true, "licenci licenciement": true,
		"salair salair": true, "greve grave": false, "prison prisonni": true,
	} {
		t.Run(pair, func(t *testing.T) {
			t.Parallel()
			a, b, _ := strings.Cut(pair, " ")
			like := french.Akin(a, b)
			if (like > 0) != want || like != french.Akin(b, a) || like != 0 && like != french.Similar(a, b) {
				t.Errorf("akin by %v, of a likeness of %v", like, french.Similar(a, b))
			}
		})
	}
}
