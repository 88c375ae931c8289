package postings

import (
	"bytes"
	"encoding/binary"
	"errors"
	"maps"
	"math"
	"runtime"
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
	runtime.KeepAlive(s)
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

// fileDocuments holds the texts of a segment in a file, as values without pointers. Only the classes stay in memory,
// because there are few of them for any number of texts.
type fileDocuments struct {
	all     []fileDocument
	ids     []uuid.UUID // by text
	byID    []uint32    // the texts, in the order of their ids
	terms   []termCount // the counts of all texts, concatenated
	classes []Class
	length  float64 // total length of the passages

	wordings []uuid.UUID // the new wordings, in ascending order
	starts   []uint32    // by wording, the index of its first text in amended; then the end
	amended  []uuid.UUID
}

type fileDocument struct {
	class            uint32
	terms, termsEnd  uint32
	from, to         uint32
	latest, earliest int32
	length           float64
}

// fill fills f with the texts of a segment in memory.
func (f *fileDocuments) fill(s *Segment) {
	classes := make(map[string]uint32)
	f.all, f.ids, f.byID = make([]fileDocument, len(s.docs)), make([]uuid.UUID, len(s.docs)), make([]uint32, len(s.docs))
	for i := range s.docs {
		d := &s.docs[i]
		x := fileDocument{class: f.classOf(&d.Class, classes), from: d.From, to: d.To, latest: d.latest, earliest: d.earliest,
			length: d.Length, terms: uint32(len(f.terms))}
		f.terms = append(f.terms, d.terms...)
		x.termsEnd = uint32(len(f.terms))
		f.all[i], f.ids[i], f.byID[i] = x, d.ID, uint32(i)
		f.length += d.Length
	}
	slices.SortFunc(f.byID, func(a, b uint32) int { return bytes.Compare(f.ids[a][:], f.ids[b][:]) })
	f.fillWordings(s)
}

// classOf returns the number of a class, which it adds if it is new.
func (f *fileDocuments) classOf(c *Class, known map[string]uint32) uint32 {
	var w writer
	w.class(c)
	n, ok := known[string(w.buf)]
	if !ok {
		n = uint32(len(f.classes))
		known[string(w.buf)] = n
		f.classes = append(f.classes, (&reader{rest: w.buf, texts: make(map[string]string)}).class()) // a copy, which shares no memory with the segment
	}
	return n
}

func (f *fileDocuments) fillWordings(s *Segment) {
	f.wordings = s.newWordings()
	for _, w := range f.wordings {
		f.starts = append(f.starts, uint32(len(f.amended)))
		f.amended = append(f.amended, s.amended[w]...)
	}
	f.starts = append(f.starts, uint32(len(f.amended)))
}

func (f *fileDocuments) extent() int {
	return extent(f.all) + extent(f.ids) + extent(f.byID) + extent(f.terms) + extent(f.wordings) + extent(f.starts) + extent(f.amended)
}

func (f *fileDocuments) place(g *arena) {
	f.all, f.ids, f.byID, f.terms = place(g, f.all), place(g, f.ids), place(g, f.byID), place(g, f.terms)
	f.wordings, f.starts, f.amended = place(g, f.wordings), place(g, f.starts), place(g, f.amended)
}

// DocCount returns the number of texts. They are numbered from 0 to DocCount()-1.
func (s *Segment) DocCount() int {
	if s.file == nil {
		return len(s.docs)
	}
	return len(s.file.docs.all)
}

// Doc returns text d. A text in a file is constructed on each call; DocID, ClassOf and Extent are cheaper.
func (s *Segment) Doc(d uint32) *Document {
	if s.file == nil {
		return &s.docs[d]
	}
	f := &s.file.docs
	x := &f.all[d]
	return &Document{ID: f.ids[d], Class: f.classes[x.class], From: x.from, To: x.to, latest: x.latest, earliest: x.earliest,
		terms: f.terms[x.terms:x.termsEnd], Length: x.length}
}

// DocID returns the id of text d.
func (s *Segment) DocID(d uint32) uuid.UUID {
	if s.file == nil {
		return s.docs[d].ID
	}
	return s.file.docs.ids[d]
}

// DocOf returns the text with an id; ok is false if there is none.
func (s *Segment) DocOf(id uuid.UUID) (d uint32, ok bool) {
	if s.file == nil {
		d, ok = s.byID[id]
		return d, ok
	}
	f := &s.file.docs
	i, ok := slices.BinarySearchFunc(f.byID, id, func(d uint32, id uuid.UUID) int { return bytes.Compare(f.ids[d][:], id[:]) })
	if !ok {
		return 0, false
	}
	return f.byID[i], true
}

// ClassOf returns the properties of text d for filters and countries.
func (s *Segment) ClassOf(d uint32) *Class {
	if s.file == nil {
		return &s.docs[d].Class
	}
	return &s.file.docs.classes[s.file.docs.all[d].class]
}

// Extent returns the range of the passages of text d.
func (s *Segment) Extent(d uint32) (start, end uint32) {
	if s.file == nil {
		return s.docs[d].From, s.docs[d].To
	}
	x := &s.file.docs.all[d]
	return x.from, x.to
}

// HasLawOf reports whether a live text is the law of one of the countries themselves, not only of a union.
func (v View) HasLawOf(countries []country.Code) bool {
	is := func(c *Class) bool {
		return slices.ContainsFunc(c.Countries, func(c country.Code) bool { return slices.Contains(countries, c) })
	}
	if v.file != nil && !slices.ContainsFunc(v.file.docs.classes, func(c Class) bool { return is(&c) }) {
		return false
	}
	for d := range uint32(v.DocCount()) {
		if !v.Deleted[d] && is(v.ClassOf(d)) {
			return true
		}
	}
	return false
}

// Length returns the total length of the live passages. Lengths are integers, so the sum does not depend on their
// order.
func (v View) Length() (sum float64) {
	if v.file != nil {
		return v.file.docs.length - v.DeletedLength
	}
	for d := range v.docs {
		sum += v.docs[d].Length
	}
	return sum - v.DeletedLength
}

// NewWording returns the texts of the catalogue that an article may amend by a new wording; anew is false if the
// article is no new wording.
func (s *Segment) NewWording(article uuid.UUID) (ids []uuid.UUID, anew bool) {
	if s.file == nil {
		ids, anew = s.amended[article]
		return ids, anew
	}
	f := &s.file.docs
	i, anew := slices.BinarySearchFunc(f.wordings, article, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
	if !anew || f.starts[i] == f.starts[i+1] {
		return nil, anew
	}
	return slices.Clone(f.amended[f.starts[i]:f.starts[i+1]]), true // the result may outlive the segment
}

// newWordings returns the articles that are new wordings, in ascending order.
func (s *Segment) newWordings() []uuid.UUID {
	if s.file != nil {
		return s.file.docs.wordings
	}
	return slices.SortedFunc(maps.Keys(s.amended), func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
}
