package postings

import (
	"cmp"
	"maps"
	"slices"

	"github.com/google/uuid"

	"vigueur/internal/law/french"
)

// file holds what a segment stores in a file, except its passages: values without pointers. Binary search replaces
// the maps of a segment in memory.
type file struct {
	names    []fileIdentity // by passage
	terms    []fileTerm
	letters  []byte   // the names of all terms, concatenated
	sorted   []uint32 // the terms, in the order of their names
	grams    lists[french.Gram]
	articles lists[uint32] // passages of articles, by the term of the article's number
	docs     fileDocuments
}

type fileIdentity struct {
	id, article uuid.UUID
	number      uint32 // the term of its article's number plus one; 0 if it has none
	Position
}

type fileTerm struct {
	from, to uint32 // range of letters
	passages uint32
	grams    uint16
}

// lists maps keys to lists of numbers.
type lists[K cmp.Ordered] struct {
	keys   []K
	starts []uint32 // by key, the index of its first value; then the end
	values []uint32
}

func listsOf[K cmp.Ordered](m map[K][]uint32) (l lists[K]) {
	l.keys = slices.Sorted(maps.Keys(m))
	for _, k := range l.keys {
		l.starts = append(l.starts, uint32(len(l.values)))
		l.values = append(l.values, m[k]...)
	}
	l.starts = append(l.starts, uint32(len(l.values)))
	return l
}

func (l *lists[K]) valuesOf(key K) []uint32 {
	i, found := slices.BinarySearch(l.keys, key)
	if !found {
		return nil
	}
	return l.values[l.starts[i]:l.starts[i+1]]
}

func (l *lists[K]) extent() int { return extent(l.keys) + extent(l.starts) + extent(l.values) }

func (l *lists[K]) place(g *arena) {
	l.keys, l.starts, l.values = place(g, l.keys), place(g, l.starts), place(g, l.values)
}

// MoveToFile moves the texts, passages and terms of the segment, which must be a register, from memory into a file of
// the folder. The file is mapped and has no name. On an error the segment stays as it was.
func (s *Segment) MoveToFile(dir string) error {
	file := s.fileOf()
	size := extent(s.Passages) + extent(s.Lengths) + extent(file.names) + extent(file.terms) + extent(file.letters) + extent(file.sorted) + file.grams.extent() + file.articles.extent() + file.docs.extent()
	g, err := mapMemory(dir, size)
	if err != nil {
		return err
	}
	s.Passages, s.Lengths = place(g, s.Passages), place(g, s.Lengths)
	file.names, file.terms, file.letters, file.sorted = place(g, file.names), place(g, file.terms), place(g, file.letters), place(g, file.sorted)
	file.grams.place(g)
	file.articles.place(g)
	file.docs.place(g)
	s.file, s.names, s.terms, s.ids, s.grams, s.articles = file, nil, nil, nil, nil, nil
	s.docs, s.byID, s.amended = nil, nil, nil
	g.releaseWith(s)
	return nil
}

// fileOf makes the file's contents, in memory.
func (s *Segment) fileOf() *file {
	of := &file{names: make([]fileIdentity, len(s.names)), terms: make([]fileTerm, len(s.terms)), sorted: make([]uint32, len(s.terms)), grams: listsOf(s.grams)}
	for i, n := range s.names {
		of.names[i] = fileIdentity{id: n.ID, article: n.Article, Position: n.Position}
		if n.Number != "" {
			of.names[i].number = s.ids[n.Number] + 1
		}
	}
	for t, x := range s.terms {
		start := uint32(len(of.letters))
		of.letters = append(of.letters, x.Name...)
		of.terms[t] = fileTerm{from: start, to: uint32(len(of.letters)), passages: x.passages, grams: x.grams}
		of.sorted[t] = uint32(t)
	}
	slices.SortFunc(of.sorted, func(a, b uint32) int { return cmp.Compare(s.terms[a].Name, s.terms[b].Name) })
	articles := make(map[uint32][]uint32, len(s.articles))
	for number, list := range s.articles {
		articles[s.ids[number]] = list
	}
	of.articles = listsOf(articles)
	of.docs.fill(s)
	return of
}

// InFile reports whether the segment was moved to a file.
func (s *Segment) InFile() bool { return s.file != nil }

// Identity returns the identity of passage p.
func (s *Segment) Identity(p uint32) *Identity {
	if s.file == nil {
		return &s.names[p]
	}
	fileIdentity := &s.file.names[p]
	n := &Identity{ID: fileIdentity.id, Article: fileIdentity.article, Position: fileIdentity.Position}
	if fileIdentity.number > 0 {
		n.Number = s.Term(fileIdentity.number - 1).Name
	}
	return n
}

// IDOf returns the id of a passage.
func (s *Segment) IDOf(p uint32) *uuid.UUID {
	if s.file == nil {
		return &s.names[p].ID
	}
	return &s.file.names[p].id
}

// TermCount returns the number of terms. They are numbered from 0 to TermCount()-1.
func (s *Segment) TermCount() uint32 {
	if s.file == nil {
		return uint32(len(s.terms))
	}
	return uint32(len(s.file.terms))
}

// Term returns term t. A term in a file belongs to a register and has no postings.
func (s *Segment) Term(t uint32) Term {
	if s.file == nil {
		return s.terms[t]
	}
	x := &s.file.terms[t]
	return Term{Name: s.file.nameOf(t), passages: x.passages, grams: x.grams}
}

// nameOf returns the name of a term.
func (f *file) nameOf(t uint32) string { return string(f.letters[f.terms[t].from:f.terms[t].to]) }

// Frequency returns the number of passages that contain term t, and the number of its n-grams, without constructing
// the term.
func (s *Segment) Frequency(t uint32) (passages uint32, grams uint16) {
	if s.file == nil {
		return s.terms[t].passages, s.terms[t].grams
	}
	return s.file.terms[t].passages, s.file.terms[t].grams
}

// PassagesWith returns the number of passages that contain term t, 0 for NoTerm.
func (s *Segment) PassagesWith(t uint32) int {
	if t == NoTerm {
		return 0
	}
	passages, _ := s.Frequency(t)
	return int(passages)
}

// NumberOf returns the number of a term, or NoTerm.
func (s *Segment) NumberOf(name string) uint32 {
	if s.file == nil {
		if t, ok := s.ids[name]; ok {
			return t
		}
		return NoTerm
	}
	i, found := slices.BinarySearchFunc(s.file.sorted, name, func(t uint32, name string) int {
		x := &s.file.terms[t]
		return cmp.Compare(string(s.file.letters[x.from:x.to]), name)
	})
	if !found {
		return NoTerm
	}
	return s.file.sorted[i]
}

// TermsWith returns the words that contain an n-gram, in ascending order.
func (s *Segment) TermsWith(g french.Gram) []uint32 {
	if s.file == nil {
		return s.grams[g]
	}
	return s.file.grams.valuesOf(g)
}

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
func (s *Segment) OfArticle(number string) []uint32 {
	if s.file == nil {
		return s.articles[number]
	}
	if t := s.NumberOf(number); t != NoTerm {
		return s.file.articles.valuesOf(t)
	}
	return nil
}
