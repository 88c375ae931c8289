package flat

import (
	"iter"
	"math"

	"github.com/google/uuid"

	"vigueur/internal/country"
	"vigueur/internal/french"
	"vigueur/internal/law"
)

// segment is an immutable index over some texts. Its postings are lists of
// (distance to the passage before, packed count) as varints, two to three bytes
// each.
type segment struct {
	docs     []document
	passages []passage
	lengths  []uint16          // of the passages: terms of the text, and weighted those of the headings above it
	names    []name            // of the passages; like terms, ids, grams and articles nil where they lie in a file
	shelf    *shelf            // what is nil then
	longest  int               // of the passages
	ids      map[string]uint32 // term -> its number
	terms    []term
	grams    map[french.Gram][]uint32  // -> the words that hold it, ascending
	articles map[string][]uint32       // article term -> passages of such articles
	texts    map[string][]uint32       // text term -> docs of that official number
	byID     map[uuid.UUID]uint32      // -> docs
	amended  map[uuid.UUID][]uuid.UUID // new wording -> the texts of the catalogue of whose article it is
	skips    map[uint32][]skip         // term -> places in its postings, for long ones
}

type term struct {
	name     string
	postings []byte
	passages uint32 // that hold it
	grams    uint16 // pieces it has; 0: no word, not compared by pieces
}

type document struct {
	id               uuid.UUID
	title            []string // its terms
	number           string   // its text term
	kind             law.DocType
	status           law.Status
	domain           string
	countries        []country.Code // whose law it is, as far as it tells
	from, to         uint32         // its passages: from the first to before the second
	latest, earliest int32          // the last day on which one of them begins to be law, and the first on which one ends
	terms            []termCount
	length           float64 // of its passages together
}

// termCount is how many passages of a document hold a term.
type termCount struct {
	term     uint32
	passages uint32
}

// passage is what every search reads of a passage: it is kept small.
type passage struct {
	doc      uint32
	from, to int32 // days since 1970: law from the first to before the second
	norms    norms
}

// mostLength bounds the length of a passage.
const mostLength = math.MaxUint16

// name is what a passage is told by.
type name struct {
	id      uuid.UUID
	article uuid.UUID
	number  string // its article's term
	standing
}

// count is how often a passage holds a term: in its text, and in the headings
// above it, there weighted.
type count struct{ body, heads uint32 }

func (c count) all() float64 { return float64(c.body + c.heads) }

// The count in a text, which is saturated long before, is bounded: it takes the
// lowest bits of a packed count.
const (
	bodyBits = 6
	mostBody = 1<<bodyBits - 1
)

func (c count) pack() uint64 { return uint64(c.heads)<<bodyBits | uint64(min(c.body, mostBody)) }

func unpack(n uint64) count { return count{uint32(n & mostBody), uint32(n >> bodyBits)} }

// postings gives the passages that hold term t with their counts.
func (s *segment) postings(t uint32) iter.Seq2[uint32, count] {
	return func(yield func(uint32, count) bool) {
		var room [together]posting
		c := s.cursor(t, 1)
		for n := c.fill(ended, &room); n > 0; n = c.fill(ended, &room) {
			for _, p := range room[:n] {
				if !yield(p.passage, unpack(uint64(p.packed))) {
					return
				}
			}
		}
	}
}

// register is the segment without its postings.
func (s *segment) register() *segment {
	for i := range s.terms {
		s.terms[i].postings = nil
	}
	return s
}

// registered tells whether the segment has been left only how many passages hold
// each of its terms, which are some.
func (s *segment) registered() bool {
	x := s.term(0)
	return x.registered()
}

// registered tells whether a term has been left only how many passages hold it.
func (t *term) registered() bool { return len(t.postings) == 0 && t.passages > 0 }
