package flat

import (
	"encoding/binary"
	"iter"

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
	ids      map[string]uint32 // term -> its number
	terms    []term
	grams    map[french.Gram][]uint32 // -> the words that hold it, ascending
	articles map[string][]uint32      // article term -> passages of such articles
	texts    map[string][]uint32      // text term -> docs of that official number
	byID     map[uuid.UUID]uint32     // -> docs
}

type term struct {
	name     string
	postings []byte
	passages uint32 // that hold it
	grams    uint16 // pieces it has; 0: no word, not compared by pieces
}

type document struct {
	id        uuid.UUID
	title     []string // its terms
	number    string   // its text term
	kind      law.DocType
	status    law.Status
	domain    string
	countries []country.Code // whose law it is, as far as it tells
	passages  []uint32
	terms     []termCount
	length    float64 // of its passages together
}

// termCount is how many passages of a document hold a term.
type termCount struct {
	term     uint32
	passages uint32
}

type passage struct {
	id       uuid.UUID
	article  uuid.UUID
	doc      uint32
	number   string  // its article's term
	from, to int32   // days since 1970: law from the first to before the second
	body     float32 // terms of its text
	heads    float32 // weighted terms of the headings above it
}

func (p passage) length() float64 { return float64(p.body + p.heads) }

// count is how often a passage holds a term: in its text, and in the headings
// above it, there weighted.
type count struct{ body, heads uint32 }

func (c count) all() float64 { return float64(c.body + c.heads) }

// mostBody bounds the count in a text, which is saturated long before.
const mostBody = 1<<6 - 1

func (c count) pack() uint64 { return uint64(c.heads)<<6 | uint64(min(c.body, mostBody)) }

func unpack(n uint64) count { return count{uint32(n & mostBody), uint32(n >> 6)} }

// postings gives the passages that hold term t with their counts.
func (s *segment) postings(t uint32) iter.Seq2[uint32, count] {
	return func(yield func(uint32, count) bool) {
		list := s.terms[t].postings
		at := uint32(0)
		for len(list) > 0 {
			gap, n := binary.Uvarint(list)
			packed, m := binary.Uvarint(list[n:])
			list = list[n+m:]
			at += uint32(gap)
			if !yield(at, unpack(packed)) {
				return
			}
		}
	}
}
