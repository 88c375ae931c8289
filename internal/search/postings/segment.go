// Package postings is an immutable inverted index over texts of the catalogue: the passages that contain a term, in
// their text and in the headings above it, and what a search needs to know about each passage (its text, the days on
// which it is in force, its length) and about each text.
//
// A Segment is built by a Builder, from rows of the catalogue or from passages of other segments, or by Merge. It is
// stored as bytes (Encode, Decode). A register is a segment without its postings: it knows how many passages contain
// each term, but not which ones. A text is deleted by a View of the segment, which skips it until Merge leaves it
// out.
//
// Package memindex searches segments and updates them when the catalogue changes.
package postings

import (
	"encoding/binary"
	"hash/fnv"
	"iter"
	"math"
	"runtime"
	"sort"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/french"
	"vigueur/internal/store/postgres"
)

// Segment is an immutable index over some texts. Its postings are lists of (distance to the previous passage, packed
// count) as varints, two to three bytes each.
type Segment struct {
	docs     []Document
	Passages []Passage
	Lengths  []uint16          // by passage: the number of terms in its text, plus the weighted number of those in the headings above it
	names    []Identity        // by passage
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
	Guessed   bool           // nobody has said so: these are the countries that it mentions most
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

// Identity returns the identity of passage p.
func (s *Segment) Identity(p uint32) *Identity { return &s.names[p] }

// IDOf returns the id of a passage.
func (s *Segment) IDOf(p uint32) *uuid.UUID { return &s.names[p].ID }

// TermCount returns the number of terms. They are numbered from 0 to TermCount()-1.
func (s *Segment) TermCount() uint32 { return uint32(len(s.terms)) }

// Term returns term t.
func (s *Segment) Term(t uint32) *Term { return &s.terms[t] }

// Frequency returns the number of passages that contain term t, and the number of its n-grams.
func (s *Segment) Frequency(t uint32) (passages uint32, grams uint16) {
	return s.terms[t].passages, s.terms[t].grams
}

// PassagesWith returns the number of passages that contain term t, 0 for NoTerm.
func (s *Segment) PassagesWith(t uint32) int {
	if t == NoTerm {
		return 0
	}
	return int(s.terms[t].passages)
}

// NumberOf returns the number of a term, or NoTerm.
func (s *Segment) NumberOf(name string) uint32 {
	if t, ok := s.ids[name]; ok {
		return t
	}
	return NoTerm
}

// TermsWith returns the words that contain an n-gram, in ascending order.
func (s *Segment) TermsWith(g french.Gram) []uint32 { return s.grams[g] }

// TermsSharing returns, for each term with any of the n-grams, how many it contains.
func (s *Segment) TermsSharing(grams []french.Gram) map[uint32]int {
	shared := make(map[uint32]int)
	for _, g := range grams {
		for _, t := range s.TermsWith(g) {
			shared[t]++
		}
	}
	return shared
}

// OfArticle returns the passages of the articles with a number.
func (s *Segment) OfArticle(number string) []uint32 { return s.articles[number] }

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
	return s.terms[0].registered()
}

// registered reports whether only the number of the term's passages is known.
func (t *Term) registered() bool { return len(t.postings) == 0 && t.passages > 0 }

// View is a segment without the texts that have been deleted since it was made.
type View struct {
	*Segment
	Deleted         map[uint32]bool   // set of the deleted texts, by their numbers
	DeletedCounts   map[uint32]uint32 // by term, the number of deleted passages that contain it
	DeletedPassages int               // number of passages of deleted texts
	DeletedLength   float64           // total length of these passages
}

// Without returns the view without the given texts.
func (v View) Without(documents []uuid.UUID) View {
	var going []uint32
	for _, id := range documents {
		if d, ok := v.DocOf(id); ok && !v.Deleted[d] {
			going = append(going, d)
		}
	}
	if len(going) == 0 {
		return v
	}
	next := View{Segment: v.Segment, Deleted: make(map[uint32]bool), DeletedCounts: make(map[uint32]uint32), DeletedPassages: v.DeletedPassages, DeletedLength: v.DeletedLength}
	for d := range v.Deleted {
		next.Deleted[d] = true
	}
	for t, n := range v.DeletedCounts {
		next.DeletedCounts[t] = n
	}
	for _, d := range going {
		if next.Deleted[d] {
			continue // the text is listed twice
		}
		next.Deleted[d] = true
		gone := v.Doc(d)
		next.DeletedPassages += int(gone.To - gone.From)
		next.DeletedLength += gone.Length
		for _, c := range gone.terms {
			next.DeletedCounts[c.term] += c.passages
		}
	}
	return next
}

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
func (c *Cursor) gap(start uint32) {
	if c.at >= len(c.list) {
		c.next = ended
		return
	}
	gap, i := varint(c.list, c.at)
	c.next, c.at = start+uint32(gap), i
}

// Fill reads postings of passages before to, as many as fit, and returns their number; 0 means that there are no
// more.
func (c *Cursor) Fill(end uint32, room *[BatchSize]Posting) (n int) {
	list, i, pos := c.list, c.at, c.next
	for ; n < BatchSize && pos < end; n++ {
		packed := uint64(list[i])
		if i++; packed >= 0x80 {
			packed, i = longVarint(list, i-1)
		}
		room[n] = Posting{pos, uint32(packed)}
		if i == len(list) {
			pos = ended
			continue
		}
		gap := uint64(list[i])
		if i++; gap >= 0x80 {
			gap, i = longVarint(list, i-1)
		}
		pos += uint32(gap)
	}
	c.at, c.next = i, pos
	return n
}

// Seek skips the postings of passages before from.
func (c *Cursor) Seek(start uint32) {
	if c.next >= start {
		return
	}
	// The last skip before from, if it is ahead.
	k := sort.Search(len(c.skips), func(k int) bool { return c.skips[k].passage >= start }) - 1
	if k >= 0 && c.skips[k].passage > c.next {
		c.next, c.at = c.skips[k].passage, int(c.skips[k].at)
	}
	for c.next < start {
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
	offset, n := uint64(0), uint32(0)
	for i := 0; i < len(t.postings); n++ {
		gap, count := safeVarint(t.postings, i)
		next := 0
		if count > 0 {
			_, next = safeVarint(t.postings, count)
		}
		if offset += gap; next <= 0 || gap >= passages || offset >= passages {
			return nil, false
		}
		if i = next; n%skipEach == skipEach-1 && skips != nil {
			skips = append(skips, skip{uint32(offset), uint32(count)})
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

// norms are the reciprocals of the lengths of a passage's text and of its headings, each as a vector of character
// n-grams. Occurrences in either are multiplied by it, so that a short heading that says what is asked counts as much
// as a long text that repeats it. The lengths do not depend on how rare an n-gram is, and so do not change with the
// rest of the catalogue.
type norms struct{ body, heads float32 }

// fewestPieces is the minimum number of n-grams that a term counts as, so that a number is as large a part of a text as
// a word.
const fewestPieces = 3

// addTerm adds a term with the given number of n-grams.
func (n *norms) addTerm(c Count, pieces uint16) {
	each := float32(max(fewestPieces, pieces))
	body, heads := dampen(float32(c.Body)), dampen(float32(c.Heads))
	n.body += each * body * body
	n.heads += each * heads * heads
}

// invert replaces the sums of squares by the reciprocals of the lengths, 0 if there are no terms.
func (n *norms) invert() { n.body, n.heads = inverse(n.body), inverse(n.heads) }

func inverse(squared float32) float32 {
	if squared == 0 {
		return 0
	}
	return float32(1 / math.Sqrt(float64(squared)))
}

// dampen returns the weight of n occurrences, each of which counts less than the previous one. For most n it
// interpolates linearly in a table.
func dampen(n float32) float32 {
	value := n * dampenedSteps
	i := int(value)
	if uint(i) >= dampenedMost*dampenedSteps {
		return dampenExactly(n)
	}
	step := (*[2]float32)(dampenedTable[i:])
	return step[0] + float32((value-float32(i))*(step[1]-step[0]))
}

// dampenExactly computes what dampen interpolates.
func dampenExactly(n float32) float32 {
	if n <= 1 {
		return n
	}
	return 1 + float32(math.Log(float64(n)))
}

// The table has dampenedSteps entries per occurrence, for up to dampenedMost occurrences. The error is at most
// 1/32,000.
const (
	dampenedMost  = 128
	dampenedSteps = 64
)

var dampenedTable = func() (t [dampenedMost*dampenedSteps + 1]float32) {
	for i := range t {
		t[i] = dampenExactly(float32(i) / dampenedSteps)
	}
	return t
}()

// Share returns the share of a passage that the given occurrences in the text and in the headings are. Those in the
// headings are multiplied by weight.
func (n norms) Share(body, heads, weight float32) Share {
	return shareOf(float32(dampen(body)*n.body) + float32(weight*float32(dampen(heads)*n.heads)))
}

// Share is a share in 16 bits: the upper half of a float32. The lower half is less than a hundredth of its value.
type Share uint16

func shareOf(x float32) Share { return Share(math.Float32bits(x) >> 16) }

// Value returns the share as a number.
func (p Share) Value() float32 { return math.Float32frombits(uint32(p) << 16) }

// Position is the position of an article in its text.
type Position struct {
	Section uint32 // hash of the headings above it, comparable within a text
	Order   uint16 // number among the articles under them, from 1; 0 for no article
}

// sections numbers the articles of one text within their sections, while its passages are added in order.
type sections struct {
	last   map[uint32]uuid.UUID // by section, the last article
	orders map[uint32]uint16    // by section, the number of the last article
}

func newSections() sections {
	return sections{last: make(map[uint32]uuid.UUID), orders: make(map[uint32]uint16)}
}

func (s sections) clear() {
	clear(s.last)
	clear(s.orders)
}

// positionOf returns the position of the next passage.
func (s sections) positionOf(r postgres.IndexRow) Position {
	h := fnv.New32a()
	for _, heading := range r.Path {
		_, _ = h.Write([]byte(heading)) // never fails
		_, _ = h.Write([]byte{0})
	}
	position := Position{Section: h.Sum32()}
	if r.ArticleNumber == "" {
		return position
	}
	if article := r.Passage.ArticleID; s.last[position.Section] != article && s.orders[position.Section] < math.MaxUint16 {
		s.last[position.Section] = article
		s.orders[position.Section]++
	}
	position.Order = s.orders[position.Section]
	return position
}

// Day returns the number of days from 1970-01-01 to t.
func Day(t time.Time) int32 { return int32(math.Floor(float64(t.Unix()) / 86400)) }

// Days is the range of days that a search asks about, as Day numbers them.
type Days struct{ Earliest, Latest int32 }

// InForce reports whether the passage is law on one of the days.
func (p *Passage) InForce(w Days) bool { return p.from <= w.Latest && w.Earliest < p.to }

// InForce reports whether each passage of the document is law on one of the days.
func (d *Document) InForce(w Days) bool { return d.latest <= w.Latest && w.Earliest < d.earliest }
