// Package postings is an immutable inverted index over texts of the catalogue: the passages that contain a term, in
// their text and in the headings above it, and what a search needs to know about each passage (its text, the days on
// which it is in force, its length) and about each text.
//
// A Segment is built by a Builder, from rows of the catalogue or from passages of other segments, or by Merge. It is
// stored as bytes (Encode, Decode). A register is a segment without its postings: it knows how many passages contain
// each term, but not which ones, and its passages may be in a mapped file instead of memory. A text is deleted by a View
// of the segment, which skips it until Merge leaves it out.
//
// Package memindex searches segments and updates them when the catalogue changes.
package postings

import (
	"iter"
	"math"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/french"
)

// Segment is an immutable index over some texts. Its postings are lists of (distance to the previous passage, packed
// count) as varints, two to three bytes each.
type Segment struct {
	docs     []Document // nil if the texts are in a file
	Passages []Passage
	Lengths  []uint16          // by passage: the number of terms in its text, plus the weighted number of those in the headings above it
	names    []Identity        // by passage; like docs, terms, ids, grams, articles, byID and amended, nil if they are in a file
	file     *file             // holds the fields that are nil in this case; nil if the segment is in memory
	Longest  int               // length of the longest passage
	ids      map[string]uint32 // by term, its number
	terms    []Term
	grams    map[french.Gram][]uint32  // by n-gram, the words that contain it, in ascending order
	articles map[string][]uint32       // by article term, the passages of such articles
	byID     map[uuid.UUID]uint32      // by id, the index in docs
	amended  map[uuid.UUID][]uuid.UUID // by new wording, the texts of the catalogue that it may amend
	skips    map[uint32][]skip         // by term, positions in its postings; only for long ones
}

// Term is one term of a segment.
type Term struct {
	Name     string
	postings []byte
	passages uint32 // number of passages that contain it
	grams    uint16 // number of its n-grams; 0 if it is not a word, and only compared as a whole
}

// Document is a text of the catalogue.
type Document struct {
	ID uuid.UUID
	Class
	From, To         uint32 // range of its passages
	latest, earliest int32  // the last day on which a passage begins to be law, and the first day on which one ends
	terms            []termCount
	Length           float64 // total length of its passages
}

// Class holds the properties of a text that filters and countries are compared with. What
// writer.class does not write is lost in files.
type Class struct {
	Kind      law.DocType
	Status    law.Status
	Domain    string
	Countries []country.Code // countries that the text belongs to, as far as known
}

// termCount is the number of passages of a document that contain a term.
type termCount struct {
	term     uint32
	passages uint32
}

// Passage holds the properties of a passage that every search reads. It is small.
type Passage struct {
	Doc      uint32
	from, to int32 // days since 1970; it is law from the first day up to, but not on, the second
	Norms    norms
}

// mostLength is the greatest length of a passage; longer passages count as this long.
const mostLength = math.MaxUint16

// Identity identifies a passage and its article.
type Identity struct {
	ID      uuid.UUID
	Article uuid.UUID
	Number  string // the term of the article's number
	Position
}

// Count is how often a passage contains a term: in its text, and, weighted, in the headings above it.
type Count struct{ Body, Heads uint32 }

// Total returns the sum of both counts.
func (c Count) Total() float64 { return float64(c.Body + c.Heads) }

// The count in the text takes the lowest bits of a packed count. It is bounded, because scores saturate far below the
// bound.
const (
	BodyBits = 6
	MaxBody  = 1<<BodyBits - 1
)

// Pack returns the count as a number, for Unpack. The count in the text is limited to MaxBody.
func (c Count) Pack() uint64 { return uint64(c.Heads)<<BodyBits | uint64(min(c.Body, MaxBody)) }

// Unpack returns the count that Pack packed.
func Unpack(n uint64) Count { return Count{uint32(n & MaxBody), uint32(n >> BodyBits)} }

// Postings yields the passages that contain term t, with their counts.
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

// Register removes the postings and their skips, and returns the segment, which still knows how many passages contain
// each term.
func (s *Segment) Register() *Segment {
	for i := range s.terms {
		s.terms[i].postings = nil
	}
	s.skips = nil
	return s
}

// Registered reports whether the segment is a register: it has terms without postings. The segment must have a term.
func (s *Segment) Registered() bool {
	x := s.Term(0)
	return x.registered()
}

// registered reports whether only the number of the term's passages is known.
func (t *Term) registered() bool { return len(t.postings) == 0 && t.passages > 0 }
