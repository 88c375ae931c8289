package postings

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// Bytes that can be decoded, but describe a segment that no builder makes, are refused. A search would fail on it, or
// find what does not exist.
func TestDecodeRefusesInconsistentSegments(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*Segment){
		"a passage of no text":             func(s *Segment) { s.Passages[2].Doc = uint32(len(s.docs)) },
		"a text in two places":             func(s *Segment) { s.Passages[len(s.Passages)-1].Doc = 0 },
		"a text twice":                     func(s *Segment) { s.docs[1].ID = s.docs[0].ID },
		"a term twice":                     func(s *Segment) { s.terms[1].Name = s.terms[0].Name },
		"a text with a term that is none":  func(s *Segment) { s.docs[1].terms[0].term = uint32(len(s.terms)) },
		"a share that is no number":        func(s *Segment) { s.Passages[1].Norms.body = float32(math.NaN()) },
		"a negative share":                 func(s *Segment) { s.Passages[1].Norms.heads = -1 },
		"an endless share":                 func(s *Segment) { s.Passages[1].Norms.heads = float32(math.Inf(1)) },
		"more passages than there are":     func(s *Segment) { s.terms[0].passages++ },
		"postings of a passage that's not": func(s *Segment) { s.terms[0].postings[0] = 0x7f },
		"a term of all passages and more":  func(s *Segment) { s.terms[0].postings, s.terms[0].passages = nil, uint32(len(s.Passages))+1 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := build(randomRows(rand.New(rand.NewPCG(51, 52)), 4))
			if _, err := Decode(s.Encode()); err != nil {
				t.Fatalf("before the change: %v", err)
			}
			change(s)
			if _, err := Decode(s.Encode()); !errors.Is(err, errMalformed) {
				t.Errorf("decoded with %v", err)
			}
		})
	}
}
