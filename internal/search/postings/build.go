package postings

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"github.com/google/uuid"

	"vigueur/internal/law/country"
	"vigueur/internal/law/french"
	"vigueur/internal/store/postgres"
)

// Weights of the headings above a text, relative to 1 for the text itself, as measured on French law. Headings say
// what an article is about, and the nearest ones say it best.
const (
	leafWeight     = 2 // the article's own heading, or the nearest above it
	parentWeight   = 2 // the heading above that
	ancestorWeight = 1 // the others, and the text's title
	numberWeight   = 3 // numbers of the article and of the text
)

// Builder makes a segment, from rows of the catalogue (Add) or from passages of other segments (Carry). The passages
// of a text must be consecutive.
type Builder struct {
	segment            *Segment
	last               []uint32 // by term, the last passage in its postings
	words              french.Analyzer
	tokens             []french.Token
	counts             map[uint32]Count  // of the current passage
	order              []uint32          // the terms of the current passage, in order of occurrence
	number             string            // of the current text: the term of its official number
	document           map[uint32]uint32 // of the current text: by term, the number of passages that contain it
	mentioned          country.Tally     // countries that the current text mentions
	catalogueCountries []country.Code    // countries of the current text according to the catalogue
	plain              []string          // terms of the current field, without stop words
	grams              []french.Gram     // n-grams of the current term
	sections           sections          // of the current text
}

// Weights of mentions of a country, relative to 1 in the text of an article, for determining the countries of a text.
const (
	titleMentions = 8 // in its title
	edgeMentions  = 4 // before its first article or after its last
)

// NewBuilder returns a builder without passages.
func NewBuilder() *Builder {
	return &Builder{
		segment: &Segment{ids: make(map[string]uint32), grams: make(map[french.Gram][]uint32),
			articles: make(map[string][]uint32), byID: make(map[uuid.UUID]uint32),
			amended: make(map[uuid.UUID][]uuid.UUID)},
		counts: make(map[uint32]Count), document: make(map[uint32]uint32), mentioned: make(country.Tally), sections: newSections(),
	}
}

// Add indexes one passage of the catalogue.
func (b *Builder) Add(r postgres.IndexRow) {
	doc := b.doc(r)
	pos := uint32(len(b.segment.Passages))
	n := Identity{ID: r.Passage.ID, Article: r.Passage.ArticleID, Number: french.ArticleTerm(r.ArticleNumber)}
	p := Passage{Doc: doc, from: Day(r.From), to: math.MaxInt32}
	if r.To != nil {
		p.to = Day(*r.To)
	}
	length := uint16(min(b.count(r, n.Number), mostLength))
	if d := &b.segment.docs[doc]; d.From == d.To {
		b.countMentions(r.Title, titleMentions)
	}
	for _, t := range b.order {
		b.addPosting(t, pos, b.counts[t])
		p.Norms.addTerm(b.counts[t], b.segment.terms[t].grams)
	}
	p.Norms.invert()
	n.Position = b.sections.positionOf(r)
	if r.NewWording {
		b.segment.amended[n.Article] = r.Amended
	}
	b.segment.docs[doc].Length += float64(length)
	b.addPassage(p, length, n)
}

// count sets counts and order to the terms of a row, and returns the row's length.
func (b *Builder) count(r postgres.IndexRow, number string) (length uint32) {
	clear(b.counts)
	b.order = b.order[:0]
	length = b.field(r.Passage.Text, Count{Body: 1})
	b.countTokenMentions(map[bool]float64{true: edgeMentions, false: 1}[r.ArticleNumber == ""])
	headings := r.Path
	if r.ArticleHeading != "" {
		headings = append(headings[:len(headings):len(headings)], r.ArticleHeading)
	}
	for i, h := range headings {
		weight := uint32(ancestorWeight)
		switch len(headings) - i {
		case 1:
			weight = leafWeight
		case 2:
			weight = parentWeight
		}
		length += b.field(h, Count{Heads: weight})
	}
	length += b.field(r.Title, Count{Heads: ancestorWeight})
	for _, t := range []string{number, b.number} {
		if t != "" {
			b.increase(b.term(t, french.Article), Count{Heads: numberWeight})
		}
	}
	return length
}

// field counts the terms of one field, each with the given weight, and returns the field's weighted length.
func (b *Builder) field(text string, weight Count) (length uint32) {
	b.tokens = b.words.Append(b.tokens[:0], text)
	for _, t := range b.tokens {
		if t.Stop {
			continue
		}
		b.increase(b.term(t.Term, t.Kind), weight)
		length += weight.Body + weight.Heads
	}
	return length
}

// countMentions counts the countries that a text mentions, each mention with the given weight.
func (b *Builder) countMentions(text string, weight float64) {
	b.tokens = b.words.Append(b.tokens[:0], text)
	b.countTokenMentions(weight)
}

// countTokenMentions counts the countries that the current tokens mention.
func (b *Builder) countTokenMentions(weight float64) {
	b.plain = b.plain[:0]
	for _, t := range b.tokens {
		if !t.Stop {
			b.plain = append(b.plain, t.Term)
		}
	}
	b.mentioned.Add(country.Mentions(b.plain), weight)
}

func (b *Builder) increase(t uint32, count Count) {
	c, known := b.counts[t]
	if !known {
		b.order = append(b.order, t)
	}
	b.counts[t] = Count{c.Body + count.Body, c.Heads + count.Heads}
}

// term returns the number of a term, which it adds if it is new.
func (b *Builder) term(name string, kind french.TokenKind) uint32 {
	if t, ok := b.segment.ids[name]; ok {
		return t
	}
	t := b.newTerm(name)
	if kind == french.Word {
		b.addGrams(t)
		b.segment.terms[t].grams = uint16(len(b.grams))
	}
	return t
}

func (b *Builder) newTerm(name string) uint32 {
	t := uint32(len(b.segment.terms))
	b.segment.ids[name] = t
	b.segment.terms = append(b.segment.terms, Term{Name: name})
	b.last = append(b.last, 0)
	return t
}

func (b *Builder) addGrams(t uint32) {
	b.grams = french.Grams(b.grams[:0], b.segment.terms[t].Name)
	for _, g := range b.grams {
		b.segment.grams[g] = append(b.segment.grams[g], t)
	}
}

// addPosting adds passage at to the postings of t.
func (b *Builder) addPosting(t, pos uint32, c Count) {
	x := &b.segment.terms[t]
	x.postings = binary.AppendUvarint(x.postings, uint64(pos-b.last[t]))
	x.postings = binary.AppendUvarint(x.postings, c.Pack())
	x.passages++
	b.last[t] = pos
	b.document[t]++
}

// doc returns the document of a row, and closes the previous one if it is another.
func (b *Builder) doc(r postgres.IndexRow) uint32 {
	if b.Continues(r.Passage.DocumentID) {
		return uint32(len(b.segment.docs) - 1)
	}
	b.closeDoc()
	b.catalogueCountries = b.catalogueCountries[:0]
	for _, c := range r.Countries {
		b.catalogueCountries = append(b.catalogueCountries, country.Code(c))
	}
	b.number = french.TextTerm(r.OfficialNumber)
	return b.openDoc(Document{ID: r.Passage.DocumentID, Class: Class{Kind: r.Type, Status: r.Status, Domain: r.Domain}})
}

func (b *Builder) openDoc(d Document) uint32 {
	pos := uint32(len(b.segment.docs))
	b.segment.docs = append(b.segment.docs, d)
	b.segment.byID[d.ID] = pos
	return pos
}

// closeDoc stores how many passages of the text contain each term, so that the text can be subtracted from the counts
// later.
func (b *Builder) closeDoc() {
	if len(b.segment.docs) == 0 {
		return
	}
	d := &b.segment.docs[len(b.segment.docs)-1]
	d.terms = make([]termCount, 0, len(b.document))
	for t, n := range b.document {
		d.terms = append(d.terms, termCount{t, n})
	}
	slices.SortFunc(d.terms, func(x, y termCount) int { return cmp.Compare(x.term, y.term) }) // so that the same rows make the same bytes
	clear(b.document)
	if d.Countries = slices.Clone(b.catalogueCountries); len(d.Countries) == 0 {
		d.Countries = b.mentioned.Of()
		d.Guessed = len(d.Countries) > 0 && !slices.ContainsFunc(d.Countries, country.Union) // the catalogue gives the law of unions no country
	}
	clear(b.mentioned)
	b.sections.clear()
}

// Carry appends a passage of another segment, without its terms, and returns its number.
func (b *Builder) Carry(view View, nth uint32) (pos uint32) {
	p := view.Segment.Passages[nth]
	id := view.DocID(p.Doc)
	index := p.Doc
	p.Doc = uint32(len(b.segment.docs)) - 1
	if !b.Continues(id) {
		d := *view.Doc(index)
		d.From, d.To, d.terms = 0, 0, nil
		p.Doc = b.openDoc(d)
	}
	return uint32(b.addPassage(p, view.Lengths[nth], *view.Segment.Identity(nth)))
}

// AddTerm adds passage at to the postings of a term. The passages of a term must be added in ascending order.
func (b *Builder) AddTerm(term string, pos uint32, c Count) {
	t, known := b.segment.ids[term]
	if !known {
		t = b.newTerm(term)
	}
	b.addPosting(t, pos, c)
}

// Size returns the number of passages added so far.
func (b *Builder) Size() int { return len(b.segment.Passages) }

// Continues reports whether the last passage belongs to the given text.
func (b *Builder) Continues(document uuid.UUID) bool {
	n := len(b.segment.docs)
	return n > 0 && b.segment.docs[n-1].ID == document
}

// Carried returns the segment of the carried passages. It is built for one search, so it has no skips.
func (b *Builder) Carried() *Segment { return b.segment }

// Segment returns the segment of the added rows. The builder must not be used afterwards.
func (b *Builder) Segment() *Segment {
	b.closeDoc()
	b.segment.setSkips()
	return b.segment
}

// Merge makes one segment of the texts of several views that are not deleted.
func Merge(all []View) *Segment {
	b := NewBuilder()
	for _, v := range all {
		b.appendView(v)
	}
	b.segment.setSkips()
	return b.segment
}

// appendView appends the texts of v that are not deleted.
func (b *Builder) appendView(v View) {
	docs := make([]uint32, v.DocCount())
	places := make([]int64, len(v.Segment.Passages))
	for i := range places {
		places[i] = -1
	}
	for i := range docs {
		if v.Deleted[uint32(i)] {
			continue
		}
		d := *v.Doc(uint32(i))
		start, end := d.From, d.To
		d.From, d.To, d.terms = 0, 0, nil
		docs[i] = b.openDoc(d)
		for p := start; p < end; p++ {
			moved := v.Segment.Passages[p]
			moved.Doc = docs[i]
			n := *v.Segment.Identity(p)
			places[p] = b.addPassage(moved, v.Lengths[p], n)
			if ids, anew := v.NewWording(n.Article); anew {
				b.segment.amended[n.Article] = ids
			}
		}
	}
	names := make([]uint32, v.TermCount())
	for t := range v.TermCount() {
		names[t] = b.appendTerm(v, t, places)
	}
	for i := range docs {
		if !v.Deleted[uint32(i)] {
			b.segment.docs[docs[i]].terms = renumber(v.Doc(uint32(i)).terms, names)
		}
	}
}

// addPassage appends a passage and returns its number. The passages of a text must be consecutive.
func (b *Builder) addPassage(p Passage, length uint16, n Identity) int64 {
	pos := uint32(len(b.segment.Passages))
	b.segment.Passages, b.segment.Lengths, b.segment.names = append(b.segment.Passages, p), append(b.segment.Lengths, length), append(b.segment.names, n)
	b.segment.Longest = max(b.segment.Longest, int(length))
	d := &b.segment.docs[p.Doc]
	if d.From == d.To {
		d.From, d.latest, d.earliest = pos, p.from, p.to
	}
	d.To, d.latest, d.earliest = pos+1, max(d.latest, p.from), min(d.earliest, p.to)
	if n.Number != "" {
		b.segment.articles[n.Number] = append(b.segment.articles[n.Number], pos)
	}
	return int64(pos)
}

// appendTerm appends the postings of a term in texts that are not deleted, and returns the term's new number. A term
// without any is omitted.
func (b *Builder) appendTerm(v View, t uint32, places []int64) uint32 {
	x := v.Term(t)
	if x.passages == v.DeletedCounts[t] {
		return 0
	}
	n, ok := b.segment.ids[x.Name]
	if !ok {
		n = b.newTerm(x.Name)
		if x.grams > 0 {
			b.addGrams(n)
			b.segment.terms[n].grams = x.grams
		}
	}
	if x.registered() {
		b.segment.terms[n].passages += x.passages - v.DeletedCounts[t]
	}
	for p, c := range v.Postings(t) {
		if places[p] >= 0 {
			b.addPosting(n, uint32(places[p]), c)
		}
	}
	clear(b.document)
	return n
}

func renumber(terms []termCount, names []uint32) []termCount {
	out := make([]termCount, len(terms))
	for i, c := range terms {
		out[i] = termCount{names[c.term], c.passages}
	}
	return out
}
