package postings

import (
	"encoding/binary"
	"math"
	"runtime"
	"sort"
	"sync"
	"sync/atomic"
)

// Posting is a passage that contains a term, with its packed Count.
type Posting struct{ Passage, Packed uint32 }

// BatchSize is the maximum number of postings that Fill reads.
const BatchSize = 128

// Cursor reads the postings of one term once, from the first to the last.
type Cursor struct {
	list     []byte
	skips    []skip
	at       int    // offset in list of the next posting's count
	next     uint32 // passage of the next posting; ended if there is none
	Likeness float32
}

const ended = math.MaxUint32

// NoTerm is the number of a term that a segment does not contain.
const NoTerm = math.MaxUint32

// Cursor returns a cursor before the first posting of term t. Its Likeness is for the caller: the similarity of the
// term to the one that was asked for.
func (s *Segment) Cursor(t uint32, like float32) Cursor {
	if t == NoTerm {
		return Cursor{next: ended}
	}
	c := Cursor{list: s.Term(t).postings, skips: s.skips[t], Likeness: like}
	c.gap(0)
	return c
}

// gap reads the distance from the given passage to the next one.
func (c *Cursor) gap(from uint32) {
	if c.at >= len(c.list) {
		c.next = ended
		return
	}
	gap, i := varint(c.list, c.at)
	c.next, c.at = from+uint32(gap), i
}

// Fill reads postings of passages before to, as many as fit, and returns their number; 0 means that there are no
// more.
func (c *Cursor) Fill(to uint32, room *[BatchSize]Posting) (n int) {
	list, i, at := c.list, c.at, c.next
	for ; n < BatchSize && at < to; n++ {
		packed := uint64(list[i])
		if i++; packed >= 0x80 {
			packed, i = longVarint(list, i-1)
		}
		room[n] = Posting{at, uint32(packed)}
		if i == len(list) {
			at = ended
			continue
		}
		gap := uint64(list[i])
		if i++; gap >= 0x80 {
			gap, i = longVarint(list, i-1)
		}
		at += uint32(gap)
	}
	c.at, c.next = i, at
	return n
}

// Seek skips the postings of passages before from.
func (c *Cursor) Seek(from uint32) {
	if c.next >= from {
		return
	}
	// The last skip before from, if it is ahead.
	k := sort.Search(len(c.skips), func(k int) bool { return c.skips[k].passage >= from }) - 1
	if k >= 0 && c.skips[k].passage > c.next {
		c.next, c.at = c.skips[k].passage, int(c.skips[k].at)
	}
	for c.next < from {
		_, c.at = varint(c.list, c.at)
		c.gap(c.next)
	}
}

// skip is a position in a list of postings: the passage, and the offset of its count.
type skip struct{ passage, at uint32 }

// skipEach is the number of postings between two skips.
const skipEach = 128

// setSkips sets the skips of long lists of postings, so that a search may start in the middle of them. The segment must
// be complete. If a list contains passages that the segment does not have, skips stays nil.
func (s *Segment) setSkips() {
	of := make([][]skip, len(s.terms))
	var taken atomic.Int64
	var broken atomic.Bool
	var looking sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		looking.Go(func() {
			for t := taken.Add(1) - 1; t < int64(len(of)) && !broken.Load(); t = taken.Add(1) - 1 {
				skips, ok := s.terms[t].makeSkips(uint64(len(s.Passages)))
				if of[t] = skips; !ok {
					broken.Store(true)
				}
			}
		})
	}
	looking.Wait()
	if broken.Load() {
		return
	}
	s.skips = make(map[uint32][]skip)
	for t, skips := range of {
		if skips != nil {
			s.skips[uint32(t)] = skips
		}
	}
}

// makeSkips returns the skips of a term's postings, none if there are few postings. ok is false if they contain
// passages that do not exist.
func (t *Term) makeSkips(passages uint64) (skips []skip, ok bool) {
	if t.registered() {
		return nil, uint64(t.passages) <= passages
	}
	if int(t.passages) > len(t.postings)/2 {
		return nil, false
	}
	if t.passages >= fewest {
		skips = make([]skip, 0, t.passages/skipEach)
	}
	at, n := uint64(0), uint32(0)
	for i := 0; i < len(t.postings); n++ {
		gap, count := safeVarint(t.postings, i)
		next := 0
		if count > 0 {
			_, next = safeVarint(t.postings, count)
		}
		if at += gap; next <= 0 || gap >= passages || at >= passages {
			return nil, false
		}
		if i = next; n%skipEach == skipEach-1 && skips != nil {
			skips = append(skips, skip{uint32(at), uint32(count)})
		}
	}
	return skips, n == t.passages
}

// fewest is the minimum number of postings of a list for which skips are worth their memory.
const fewest = 4 * skipEach

// safeVarint reads the varint at i of bytes that may be malformed. It returns the number and the offset of the next
// one, 0 or less if there is no varint.
func safeVarint(list []byte, i int) (uint64, int) {
	if i < len(list) && list[i] < 0x80 {
		return uint64(list[i]), i + 1
	}
	n, size := binary.Uvarint(list[min(i, len(list)):])
	if size <= 0 {
		return 0, 0
	}
	return n, i + size
}

// varint reads the varint at i and returns the offset of the next one.
func varint(list []byte, i int) (uint64, int) {
	if list[i] < 0x80 {
		return uint64(list[i]), i + 1
	}
	return longVarint(list, i)
}

// longVarint reads the varint at i, which has more than one byte, and returns the offset of the next one. Nearly all
// have two bytes.
func longVarint(list []byte, i int) (uint64, int) {
	if i+1 < len(list) && list[i+1] < 0x80 {
		return uint64(list[i]&0x7f) | uint64(list[i+1])<<7, i + 2
	}
	n, size := binary.Uvarint(list[i:])
	return n, i + size
}
