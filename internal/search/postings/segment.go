// Package postings is an immutable inverted index over texts of the catalogue: which
// passages hold a term, in their text and in the headings above it, and what a search
// needs to know of each passage (its text, the days on which it is in force, its
// length) and of each text.
//
// A Segment is built by a Builder, from rows of the catalogue or from passages of other
// segments, or by Merge. It is stored as bytes (Encode, Decode). A register is a
// segment without its postings: it knows how many passages hold each term, but not
// which, and what it holds of passages may lie in a mapped file instead of memory. A
// text is deleted by a View of the segment, which skips it until Merge leaves it out.
//
// Package memindex searches segments and keeps them in step with the catalogue.
package postings

import (
	"iter"
	"math"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/french"
)

// Segment is an immutable index over some texts. Its postings are lists of
// (distance to the passage before, packed count) as varints, two to three bytes
// each.
type Segment struct {
	docs     []Document // like names
	Passages []Passage
	Lengths  []uint16          // of the passages: terms of the text, and weighted those of the headings above it
	names    []Identity        // of the passages; like docs, terms, ids, grams, articles, byID and amended nil where they lie in a file
	file     *file             // what is nil then
	Longest  int               // of the passages
	ids      map[string]uint32 // term -> its number
	terms    []Term
	grams    map[french.Gram][]uint32  // -> the words that hold it, ascending
	articles map[string][]uint32       // article term -> passages of such articles
	byID     map[uuid.UUID]uint32      // -> docs
	amended  map[uuid.UUID][]uuid.UUID // new wording -> the texts of the catalogue of whose article it is
	skips    map[uint32][]skip         // term -> places in its postings, for long ones
}

// Term is one term of a segment.
type Term struct {
	Name     string
	postings []byte
	passages uint32 // that hold it
	grams    uint16 // pieces it has; 0: no word, not compared by pieces
}

// Document is a text of the catalogue.
type Document struct {
	ID     uuid.UUID
	title  []string // its terms; of one that lies in a file see TitleOf
	Number string   // its text term
	Class
	From, To         uint32 // its passages: from the first to before the second
	latest, earliest int32  // the last day on which one of them begins to be law, and the first on which one ends
	terms            []termCount
	Length           float64 // of its passages together
}

// Class holds the properties of a text that filters and countries are compared with.
type Class struct {
	Kind      law.DocType
	Status    law.Status
	Domain    string
	Countries []country.Code // whose law it is, as far as it tells
}

// termCount is how many passages of a document hold a term.
type termCount struct {
	term     uint32
	passages uint32
}

// Passage holds the properties of a passage that every search reads; it is kept small.
type Passage struct {
	Doc      uint32
	from, to int32 // days since 1970: law from the first to before the second
	Norms    norms
}

// mostLength bounds the length of a passage.
const mostLength = math.MaxUint16

// Identity says which passage of which article it is.
type Identity struct {
	ID      uuid.UUID
	Article uuid.UUID
	Number  string // its article's term
	Position
}

// Count is how often a passage holds a term: in its text, and in the headings above
// it, where each counts by its weight.
type Count struct{ Body, Heads uint32 }

// Total returns how often a passage holds the term in all.
func (c Count) Total() float64 { return float64(c.Body + c.Heads) }

// The count in a text, which is saturated long before, is bounded: it takes the
// lowest bits of a packed count.
const (
	BodyBits = 6
	MaxBody  = 1<<BodyBits - 1
)

// Pack returns the count as a number, for Unpack; the count in the text is cut to
// MaxBody.
func (c Count) Pack() uint64 { return uint64(c.Heads)<<BodyBits | uint64(min(c.Body, MaxBody)) }

// Unpack returns the count that Pack packed.
func Unpack(n uint64) Count { return Count{uint32(n & MaxBody), uint32(n >> BodyBits)} }

// Postings yields the passages that hold term t with their counts.
func (s *Segment) Postings(t uint32) iter.Seq2[uint32, Count] {
	return func(yield func(uint32, Count) bool) {
		var room [BatchSize]Posting
		c := s.Cursor(t, 1)
		for n := c.Fill(ended, &room); n > 0; n = c.Fill(ended, &room) {
			for _, p := range room[:n] {
				if !yield(p.Passage, Unpack(uint64(p.Packed))) {
					return
				}
			}
		}
	}
}

// Register drops the postings and the places in them and returns the segment: it still knows how many
// passages hold each term.
func (s *Segment) Register() *Segment {
	for i := range s.terms {
		s.terms[i].postings = nil
	}
	s.skips = nil
	return s
}

// Registered reports whether the segment is a register: it has terms, and no postings
// of them. The segment must have a term.
func (s *Segment) Registered() bool {
	x := s.Term(0)
	return x.registered()
}

// registered reports whether only the number of a term's passages is known.
func (t *Term) registered() bool { return len(t.postings) == 0 && t.passages > 0 }
