package postings

import (
	"bytes"
	"maps"
	"slices"

	"github.com/google/uuid"

	"vigueur/internal/law/country"
)

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
func (s *Segment) Extent(d uint32) (from, to uint32) {
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
func (s *Segment) NewWording(article uuid.UUID) (of []uuid.UUID, anew bool) {
	if s.file == nil {
		of, anew = s.amended[article]
		return of, anew
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
