package postings

import (
	"bytes"
	"encoding/binary"
	"errors"
	"maps"
	"math"
	"slices"

	"github.com/google/uuid"

	"vigueur/internal/kit/parallel"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
)

// Encode returns the segment as bytes, for Decode. It omits what Decode can compute quickly: the maps, and the
// passages of each text.
func (s *Segment) Encode() []byte {
	w := writer{buf: make([]byte, 0, 1<<20)}
	w.number(uint64(s.DocCount()))
	for d := range uint32(s.DocCount()) {
		w.document(s.Doc(d))
	}
	w.number(uint64(len(s.Passages)))
	for i := range s.Passages {
		w.passage(s.Passages[i], s.Lengths[i], *s.Identity(uint32(i)))
	}
	w.number(uint64(s.TermCount()))
	for n := range s.TermCount() {
		t := s.Term(n)
		w.text(t.Name)
		w.number(uint64(t.passages))
		w.number(uint64(t.grams))
		w.bytes(t.postings)
	}
	w.amended(s)
	return w.buf
}

// writer appends values to bytes.
type writer struct{ buf []byte }

func (w *writer) number(n uint64) { w.buf = binary.AppendUvarint(w.buf, n) }
func (w *writer) day(n int32)     { w.buf = binary.AppendVarint(w.buf, int64(n)) }
func (w *writer) id(id uuid.UUID) { w.buf = append(w.buf, id[:]...) }

func (w *writer) bytes(b []byte) {
	w.number(uint64(len(b)))
	w.buf = append(w.buf, b...)
}

func (w *writer) text(s string) {
	w.number(uint64(len(s)))
	w.buf = append(w.buf, s...)
}

func (w *writer) document(d *Document) {
	w.id(d.ID)
	w.class(&d.Class)
	w.number(uint64(d.Length)) // lengths are integers
	w.number(uint64(len(d.terms)))
	for _, c := range d.terms {
		w.number(uint64(c.term))
		w.number(uint64(c.passages))
	}
}

// class writes what distinguishes one class from another.
func (w *writer) class(c *Class) {
	for _, s := range []string{string(c.Kind), string(c.Status), c.Domain} {
		w.text(s)
	}
	w.number(map[bool]uint64{true: 1}[c.Guessed])
	w.number(uint64(len(c.Countries)))
	for _, country := range c.Countries {
		w.text(string(country))
	}
}

// amended writes the new wordings in the order of their ids, so that the same segment gives the same bytes.
func (w *writer) amended(s *Segment) {
	articles := s.newWordings()
	w.number(uint64(len(articles)))
	for _, article := range articles {
		ids, _ := s.NewWording(article)
		w.id(article)
		w.number(uint64(len(ids)))
		for _, id := range ids {
			w.id(id)
		}
	}
}

func (w *writer) passage(p Passage, length uint16, n Identity) {
	w.id(n.ID)
	w.id(n.Article)
	w.number(uint64(p.Doc))
	w.text(n.Number)
	w.day(p.from)
	w.day(p.to)
	w.number(uint64(length))
	w.number(uint64(math.Float32bits(p.Norms.body)))
	w.number(uint64(math.Float32bits(p.Norms.heads)))
	w.number(uint64(n.Section))
	w.number(uint64(n.Order))
}

var errMalformed = errors.New("postings: malformed segment")

// Decode decodes what Encode encoded. Postings are not copied, so raw must not be changed afterwards. It returns an
// error for any other bytes.
func Decode(raw []byte) (*Segment, error) {
	r := reader{rest: raw, texts: make(map[string]string)}
	b := NewBuilder()
	docs := r.count(minDocument)
	for range docs {
		if d := r.document(); !r.bad {
			b.openDoc(d)
		}
	}
	passages := r.count(minPassage)
	b.segment.Passages, b.segment.Lengths, b.segment.names = make([]Passage, 0, passages), make([]uint16, 0, passages), make([]Identity, 0, passages)
	for range passages {
		p, length, n := r.passage()
		if r.bad || int(p.Doc) >= docs {
			return nil, errMalformed
		}
		if d := b.segment.docs[p.Doc]; d.From < d.To && int(d.To) != len(b.segment.Passages) {
			return nil, errMalformed // not consecutive
		}
		b.addPassage(p, length, n)
	}
	terms := make([]Term, r.count(minTerm))
	for i := range terms {
		terms[i] = Term{Name: string(r.bytes()), passages: uint32(r.number()), grams: uint16(r.number()), postings: r.bytes()}
	}
	b.segment.amended = r.amended()
	if r.bad || len(r.rest) > 0 {
		return nil, errMalformed
	}
	// The postings are most of the bytes, and are checked while the maps are filled.
	b.segment.terms = terms
	marked := parallel.Go(b.segment.setSkips)
	for t := range terms {
		b.segment.ids[terms[t].Name] = uint32(t)
		if terms[t].grams > 0 {
			b.addGrams(uint32(t))
			terms[t].grams = uint16(len(b.grams))
		}
	}
	if marked(); b.segment.skips == nil || !b.segment.consistent() {
		return nil, errMalformed
	}
	return b.segment, nil
}

// The minimum sizes of an encoded document, passage, term and new wording. A count for which the remaining bytes are
// too few is invalid.
const (
	minDocument = 16
	minPassage  = 32
	minTerm     = 4
	minWording  = 17
)

// consistent reports whether the documents' counts refer to existing terms, and all names and ids are unique.
func (s *Segment) consistent() bool {
	for i := range s.docs {
		for _, c := range s.docs[i].terms {
			if int(c.term) >= len(s.terms) {
				return false
			}
		}
	}
	return len(s.ids) == len(s.terms) && len(s.byID) == len(s.docs)
}

// reader decodes values. bad is set if a value is missing.
type reader struct {
	rest  []byte
	bad   bool
	texts map[string]string // texts that have been read
}

func (r *reader) number() uint64 {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 || r.bad {
		r.bad = true
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

func (r *reader) day() int32 {
	n, size := binary.Varint(r.rest)
	if size <= 0 || r.bad {
		r.bad = true
		return 0
	}
	r.rest = r.rest[size:]
	return int32(n)
}

// count reads the number of things that take at least so many bytes each.
func (r *reader) count(least int) int {
	n := r.number()
	if n > uint64(len(r.rest)/least) {
		r.bad = true
		return 0
	}
	return int(n)
}

func (r *reader) bytes() []byte {
	n := r.count(1)
	out := r.rest[:n:n]
	r.rest = r.rest[n:]
	return out
}

// text reads a text. Equal texts share their memory.
func (r *reader) text() string {
	raw := r.bytes()
	if known, ok := r.texts[string(raw)]; ok {
		return known
	}
	s := string(raw)
	r.texts[s] = s
	return s
}

func (r *reader) id() (id uuid.UUID) {
	if len(r.rest) < len(id) {
		r.bad = true
		return id
	}
	copy(id[:], r.rest)
	r.rest = r.rest[len(id):]
	return id
}

func (r *reader) class() (c Class) {
	c.Kind, c.Status, c.Domain = law.DocType(r.text()), law.Status(r.text()), r.text()
	c.Guessed = r.number() == 1
	for range r.count(1) {
		c.Countries = append(c.Countries, country.Code(r.text()))
	}
	return c
}

func (r *reader) document() (d Document) {
	d.ID = r.id()
	d.Class = r.class()
	d.Length = float64(r.number())
	d.terms = make([]termCount, r.count(2))
	for i := range d.terms {
		d.terms[i] = termCount{uint32(r.number()), uint32(r.number())}
	}
	return d
}

func (r *reader) amended() map[uuid.UUID][]uuid.UUID {
	m := make(map[uuid.UUID][]uuid.UUID)
	for range r.count(minWording) {
		article := r.id()
		ids := make([]uuid.UUID, r.count(len(article)))
		for i := range ids {
			ids[i] = r.id()
		}
		m[article] = ids
	}
	return m
}

func (r *reader) passage() (p Passage, length uint16, n Identity) {
	n.ID, n.Article, p.Doc, n.Number = r.id(), r.id(), uint32(r.number()), r.text()
	p.from, p.to, length = r.day(), r.day(), r.length()
	p.Norms = norms{r.norm(), r.norm()}
	n.Position = Position{uint32(r.number()), r.length()}
	return p, length, n
}

func (r *reader) norm() float32 {
	n := math.Float32frombits(uint32(r.number()))
	r.bad = r.bad || !(n >= 0 && n < math.MaxFloat32)
	return n
}

func (r *reader) length() uint16 {
	n := r.number()
	r.bad = r.bad || n > mostLength
	return uint16(n)
}

// DocCount returns the number of texts. They are numbered from 0 to DocCount()-1.
func (s *Segment) DocCount() int { return len(s.docs) }

// Doc returns text d.
func (s *Segment) Doc(d uint32) *Document { return &s.docs[d] }

// DocID returns the id of text d.
func (s *Segment) DocID(d uint32) uuid.UUID { return s.docs[d].ID }

// DocOf returns the text with an id; ok is false if there is none.
func (s *Segment) DocOf(id uuid.UUID) (d uint32, ok bool) {
	d, ok = s.byID[id]
	return d, ok
}

// ClassOf returns the properties of text d for filters and countries.
func (s *Segment) ClassOf(d uint32) *Class { return &s.docs[d].Class }

// Extent returns the range of the passages of text d.
func (s *Segment) Extent(d uint32) (start, end uint32) { return s.docs[d].From, s.docs[d].To }

// HasLawOf reports whether a live text is the law of one of the countries themselves, not only of a union.
func (v View) HasLawOf(countries []country.Code) bool {
	for d := range v.docs {
		if !v.Deleted[uint32(d)] && slices.ContainsFunc(v.docs[d].Countries, func(c country.Code) bool { return slices.Contains(countries, c) }) {
			return true
		}
	}
	return false
}

// Length returns the total length of the live passages. Lengths are integers, so the sum does not depend on their
// order.
func (v View) Length() (sum float64) {
	for d := range v.docs {
		sum += v.docs[d].Length
	}
	return sum - v.DeletedLength
}

// NewWording returns the texts of the catalogue that an article may amend by a new wording; anew is false if the
// article is no new wording.
func (s *Segment) NewWording(article uuid.UUID) (ids []uuid.UUID, anew bool) {
	ids, anew = s.amended[article]
	return ids, anew
}

// newWordings returns the articles that are new wordings, in ascending order.
func (s *Segment) newWordings() []uuid.UUID {
	return slices.SortedFunc(maps.Keys(s.amended), func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
}
