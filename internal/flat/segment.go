package flat

import (
	"encoding/binary"
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
	names    []name            // of the passages
	longest  int               // of the passages
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

// passage is what every search reads of a passage: it is kept small.
type passage struct {
	doc      uint32
	from, to int32  // days since 1970: law from the first to before the second
	body     uint16 // terms of its text
	heads    uint16 // weighted terms of the headings above it
	norms    norms
}

// mostLength bounds the two lengths of a passage.
const mostLength = math.MaxUint16

func (p passage) length() float64 { return float64(int(p.body) + int(p.heads)) }

// name is what a passage is told by.
type name struct {
	id      uuid.UUID
	article uuid.UUID
	number  string // its article's term
}

// count is how often a passage holds a term: in its text, and in the headings
// above it, there weighted.
type count struct{ body, heads uint32 }

func (c count) all() float64 { return float64(c.body + c.heads) }

// mostBody bounds the count in a text, which is saturated long before.
const mostBody = 1<<6 - 1

func (c count) pack() uint64 { return uint64(c.heads)<<6 | uint64(min(c.body, mostBody)) }

func unpack(n uint64) count { return count{uint32(n & mostBody), uint32(n >> 6)} }

// posting is a passage that holds a term.
type posting struct {
	passage uint32
	count
}

// together is how many postings are read together.
const together = 128

// batches gives the passages that hold term t with their counts, some at a time;
// a batch is good until the next.
func (s *segment) batches(t uint32) iter.Seq[[]posting] {
	return func(yield func([]posting) bool) {
		var room [together]posting
		list, at := s.terms[t].postings, uint32(0)
		for i := 0; i < len(list); {
			n := 0
			for ; n < together && i < len(list); n++ {
				gap, packed := uint64(list[i]), uint64(0)
				if i++; gap >= 0x80 {
					gap, i = number(list, i-1)
				}
				packed = uint64(list[i])
				if i++; packed >= 0x80 {
					packed, i = number(list, i-1)
				}
				at += uint32(gap)
				room[n] = posting{at, unpack(packed)}
			}
			if !yield(room[:n]) {
				return
			}
		}
	}
}

// number reads the varint at i, of more than one byte, and gives where the next
// begins; nearly all have two.
func number(list []byte, i int) (uint64, int) {
	if i+1 < len(list) && list[i+1] < 0x80 {
		return uint64(list[i]&0x7f) | uint64(list[i+1])<<7, i + 2
	}
	n, size := binary.Uvarint(list[i:])
	return n, i + size
}

// postings gives the passages that hold term t with their counts.
func (s *segment) postings(t uint32) iter.Seq2[uint32, count] {
	return func(yield func(uint32, count) bool) {
		for batch := range s.batches(t) {
			for _, p := range batch {
				if !yield(p.passage, p.count) {
					return
				}
			}
		}
	}
}
