package flat

import (
	"cmp"
	"maps"
	"slices"

	"github.com/google/uuid"

	"vigueur/internal/french"
)

// shelf is what of a segment lies in a file, beside its passages: values without pointers, looked up by halving where a
// segment in memory has maps.
type shelf struct {
	names    []shelvedName // of the passages
	terms    []shelvedTerm
	letters  []byte   // the terms' names, one behind the other
	sorted   []uint32 // the terms, by their names
	grams    lists[french.Gram]
	articles lists[uint32] // the term of an article's number -> passages
}

type shelvedName struct {
	id, article uuid.UUID
	number      uint32 // one more than the term of its article's number; 0: it has none
	standing
}

type shelvedTerm struct {
	from, to uint32 // of the letters
	passages uint32
	grams    uint16
}

// lists are lists of numbers by their keys.
type lists[K cmp.Ordered] struct {
	keys   []K
	starts []uint32 // of each list in the values, and their end
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

func (l *lists[K]) of(key K) []uint32 {
	i, found := slices.BinarySearch(l.keys, key)
	if !found {
		return nil
	}
	return l.values[l.starts[i]:l.starts[i+1]]
}

func (l *lists[K]) extent() int { return extent(l.keys) + extent(l.starts) + extent(l.values) }

func (l *lists[K]) lay(g *ground) {
	l.keys, l.starts, l.values = lay(g, l.keys), lay(g, l.starts), lay(g, l.values)
}

// shelve puts all that a segment has of passages and words into a file.
func (s *segment) shelve(dir string) error {
	of := s.shelfOf()
	size := extent(s.passages) + extent(s.lengths) + extent(of.names) + extent(of.terms) + extent(of.letters) + extent(of.sorted) + of.grams.extent() + of.articles.extent()
	for i := range s.docs {
		size += extent(s.docs[i].terms)
	}
	g, err := mapped(dir, size)
	if err != nil {
		return err
	}
	s.passages, s.lengths = lay(g, s.passages), lay(g, s.lengths)
	of.names, of.terms, of.letters, of.sorted = lay(g, of.names), lay(g, of.terms), lay(g, of.letters), lay(g, of.sorted)
	of.grams.lay(g)
	of.articles.lay(g)
	for i := range s.docs {
		s.docs[i].terms = lay(g, s.docs[i].terms)
	}
	s.shelf, s.names, s.terms, s.ids, s.grams, s.articles = of, nil, nil, nil, nil, nil
	g.releaseWith(s)
	return nil
}

// shelfOf makes it, in memory still.
func (s *segment) shelfOf() *shelf {
	of := &shelf{names: make([]shelvedName, len(s.names)), terms: make([]shelvedTerm, len(s.terms)), sorted: make([]uint32, len(s.terms)), grams: listsOf(s.grams)}
	for i, n := range s.names {
		of.names[i] = shelvedName{id: n.id, article: n.article, standing: n.standing}
		if n.number != "" {
			of.names[i].number = s.ids[n.number] + 1
		}
	}
	for t, x := range s.terms {
		from := uint32(len(of.letters))
		of.letters = append(of.letters, x.name...)
		of.terms[t] = shelvedTerm{from: from, to: uint32(len(of.letters)), passages: x.passages, grams: x.grams}
		of.sorted[t] = uint32(t)
	}
	slices.SortFunc(of.sorted, func(a, b uint32) int { return cmp.Compare(s.terms[a].name, s.terms[b].name) })
	articles := make(map[uint32][]uint32, len(s.articles))
	for number, list := range s.articles {
		articles[s.ids[number]] = list
	}
	of.articles = listsOf(articles)
	return of
}

// inFile tells whether the segment lies in a file.
func (s *segment) inFile() bool { return s.shelf != nil }

// named gives what a passage is told by.
func (s *segment) named(p uint32) *name {
	if s.shelf == nil {
		return &s.names[p]
	}
	of := &s.shelf.names[p]
	n := &name{id: of.id, article: of.article, standing: of.standing}
	if of.number > 0 {
		n.number = s.term(of.number - 1).name
	}
	return n
}

// idOf is the id of a passage.
func (s *segment) idOf(p uint32) *uuid.UUID {
	if s.shelf == nil {
		return &s.names[p].id
	}
	return &s.shelf.names[p].id
}

// termTotal is how many terms there are, by their numbers.
func (s *segment) termTotal() uint32 {
	if s.shelf == nil {
		return uint32(len(s.terms))
	}
	return uint32(len(s.shelf.terms))
}

// term gives one; one that lies in a file is of a register, and has no postings.
func (s *segment) term(t uint32) term {
	if s.shelf == nil {
		return s.terms[t]
	}
	x := &s.shelf.terms[t]
	return term{name: string(s.shelf.letters[x.from:x.to]), passages: x.passages, grams: x.grams}
}

// heldBy is how many passages hold a term, and of how many pieces it is: what is asked of many terms.
func (s *segment) heldBy(t uint32) (passages uint32, grams uint16) {
	if s.shelf == nil {
		return s.terms[t].passages, s.terms[t].grams
	}
	return s.shelf.terms[t].passages, s.shelf.terms[t].grams
}

// number gives the number of a term.
func (s *segment) number(name string) uint32 {
	if s.shelf == nil {
		if t, ok := s.ids[name]; ok {
			return t
		}
		return noTerm
	}
	i, found := slices.BinarySearchFunc(s.shelf.sorted, name, func(t uint32, name string) int {
		x := &s.shelf.terms[t]
		return cmp.Compare(string(s.shelf.letters[x.from:x.to]), name)
	})
	if !found {
		return noTerm
	}
	return s.shelf.sorted[i]
}

// holding gives the words that hold a piece, ascending.
func (s *segment) holding(g french.Gram) []uint32 {
	if s.shelf == nil {
		return s.grams[g]
	}
	return s.shelf.grams.of(g)
}

// ofArticles gives the passages of the articles of a number.
func (s *segment) ofArticles(number string) []uint32 {
	if s.shelf == nil {
		return s.articles[number]
	}
	if t := s.number(number); t != noTerm {
		return s.shelf.articles.of(t)
	}
	return nil
}
