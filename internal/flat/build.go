package flat

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/google/uuid"

	"vigueur/internal/country"
	"vigueur/internal/french"
	"vigueur/internal/postgres"
)

// The weights of what stands above a text, beside 1 for the text itself, as
// measured on French law: headings say what an article is about, and the nearest
// say it best.
const (
	leafWeight     = 2 // the article's own heading, or the nearest above it
	parentWeight   = 2 // the heading above that
	ancestorWeight = 1 // the others, and the text's title
	numberWeight   = 3 // numbers of the article and of the text
)

// builder makes a segment of rows, which come text by text.
type builder struct {
	seg      *segment
	last     []uint32 // per term, the passage its postings end with
	words    french.Analyzer
	tokens   []french.Token
	counts   map[uint32]count  // of the passage at hand
	order    []uint32          // its terms as they came
	document map[uint32]uint32 // term -> passages, of the text at hand
	spoken   country.Tally     // countries that the text at hand mentions
	told     []country.Code    // whose law the catalogue says that it is
	plain    []string          // terms of the field at hand, without stop words
	grams    []french.Gram     // of the term at hand
	sections sections          // of the text at hand
}

// How much a mention of a country counts, beside 1 in the text of an article,
// when it is told whose law a text is.
const (
	titleSpeaks = 8 // in its title
	edgeSpeaks  = 4 // in what stands before its first article or after its last
)

func newBuilder() *builder {
	return &builder{
		seg: &segment{ids: make(map[string]uint32), grams: make(map[french.Gram][]uint32),
			articles: make(map[string][]uint32), texts: make(map[string][]uint32), byID: make(map[uuid.UUID]uint32),
			amended: make(map[uuid.UUID][]uuid.UUID)},
		counts: make(map[uint32]count), document: make(map[uint32]uint32), spoken: make(country.Tally), sections: newSections(),
	}
}

// add takes one passage; the passages of a text follow one another.
func (b *builder) add(r postgres.IndexRow) {
	doc := b.doc(r)
	at := uint32(len(b.seg.passages))
	n := name{id: r.Passage.ID, article: r.Passage.ArticleID, number: french.ArticleTerm(r.ArticleNumber)}
	p := passage{doc: doc, from: day(r.From), to: math.MaxInt32}
	if r.To != nil {
		p.to = day(*r.To)
	}
	length := uint16(min(b.count(r, n.number), mostLength))
	if d := &b.seg.docs[doc]; d.from == d.to {
		b.speak(r.Title, titleSpeaks)
	}
	for _, t := range b.order {
		b.post(t, at, b.counts[t])
		p.norms.add(b.counts[t], b.seg.terms[t].grams)
	}
	p.norms.close()
	n.standing = b.sections.of(r)
	if r.Anew {
		b.seg.amended[n.article] = r.Amended
	}
	b.seg.docs[doc].length += float64(length)
	b.place(p, length, n)
}

// count fills counts and order with the terms of a row and gives its length.
func (b *builder) count(r postgres.IndexRow, number string) (length uint32) {
	clear(b.counts)
	b.order = b.order[:0]
	length = b.field(r.Passage.Text, count{body: 1})
	b.speakTokens(map[bool]float64{true: edgeSpeaks, false: 1}[r.ArticleNumber == ""])
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
		length += b.field(h, count{heads: weight})
	}
	length += b.field(r.Title, count{heads: ancestorWeight})
	for _, t := range []string{number, b.seg.docs[len(b.seg.docs)-1].number} {
		if t != "" {
			b.raise(b.term(t, french.Article), count{heads: numberWeight})
		}
	}
	return length
}

// field counts the terms of one field, each as much as weight says, and gives
// the field's weighted length.
func (b *builder) field(text string, weight count) (length uint32) {
	b.tokens = b.words.Append(b.tokens[:0], text)
	for _, t := range b.tokens {
		if t.Stop {
			continue
		}
		b.raise(b.term(t.Term, t.Kind), weight)
		length += weight.body + weight.heads
	}
	return length
}

// speak notes the countries that a text mentions.
func (b *builder) speak(text string, weight float64) {
	b.tokens = b.words.Append(b.tokens[:0], text)
	b.speakTokens(weight)
}

// speakTokens does it for the tokens at hand.
func (b *builder) speakTokens(weight float64) {
	b.plain = b.plain[:0]
	for _, t := range b.tokens {
		if !t.Stop {
			b.plain = append(b.plain, t.Term)
		}
	}
	b.spoken.Add(country.Mentions(b.plain), weight)
}

func (b *builder) raise(t uint32, by count) {
	c, known := b.counts[t]
	if !known {
		b.order = append(b.order, t)
	}
	b.counts[t] = count{c.body + by.body, c.heads + by.heads}
}

// term gives the number of a term, a new one when it is new.
func (b *builder) term(name string, kind french.Kind) uint32 {
	if t, ok := b.seg.ids[name]; ok {
		return t
	}
	t := b.newTerm(name)
	if kind == french.Word {
		b.addGrams(t)
		b.seg.terms[t].grams = uint16(len(b.grams))
	}
	return t
}

func (b *builder) newTerm(name string) uint32 {
	t := uint32(len(b.seg.terms))
	b.seg.ids[name] = t
	b.seg.terms = append(b.seg.terms, term{name: name})
	b.last = append(b.last, 0)
	return t
}

func (b *builder) addGrams(t uint32) {
	b.grams = french.Grams(b.grams[:0], b.seg.terms[t].name)
	for _, g := range b.grams {
		b.seg.grams[g] = append(b.seg.grams[g], t)
	}
}

// post adds passage at to the postings of t.
func (b *builder) post(t, at uint32, c count) {
	x := &b.seg.terms[t]
	x.postings = binary.AppendUvarint(x.postings, uint64(at-b.last[t]))
	x.postings = binary.AppendUvarint(x.postings, c.pack())
	x.passages++
	b.last[t] = at
	b.document[t]++
}

// doc gives the document of a row, closing the one before when it is another.
func (b *builder) doc(r postgres.IndexRow) uint32 {
	if b.continues(r.Passage.DocumentID) {
		return uint32(len(b.seg.docs) - 1)
	}
	b.closeDoc()
	b.told = b.told[:0]
	for _, c := range r.Countries {
		b.told = append(b.told, country.Code(c))
	}
	return b.openDoc(document{id: r.Passage.DocumentID, title: french.Terms(r.Title), number: french.TextTerm(r.OfficialNumber),
		kind: r.Type, status: r.Status, domain: r.Domain})
}

func (b *builder) openDoc(d document) uint32 {
	at := uint32(len(b.seg.docs))
	b.seg.docs = append(b.seg.docs, d)
	b.seg.byID[d.id] = at
	if d.number != "" {
		b.seg.texts[d.number] = append(b.seg.texts[d.number], at)
	}
	return at
}

// closeDoc keeps how many passages of the text hold each term, so that the text
// can be taken out of the counts again.
func (b *builder) closeDoc() {
	if len(b.seg.docs) == 0 {
		return
	}
	d := &b.seg.docs[len(b.seg.docs)-1]
	d.terms = make([]termCount, 0, len(b.document))
	for t, n := range b.document {
		d.terms = append(d.terms, termCount{t, n})
	}
	clear(b.document)
	if d.countries = b.spoken.Of(); d.countries == nil { // then it may tell by the issue that it stands in
		d.countries = slices.Clone(b.told)
	}
	clear(b.spoken)
	b.sections.clear()
}

// carry appends a passage of another segment, of the same text as the one before or
// of a text of its own, without the terms that it holds, and gives its number.
func (b *builder) carry(from live, nth uint32) (at uint32) {
	p := from.segment.passages[nth]
	d := from.docs[p.doc]
	p.doc = uint32(len(b.seg.docs)) - 1
	if !b.continues(d.id) {
		d.from, d.to, d.terms = 0, 0, nil
		p.doc = b.openDoc(d)
	}
	return uint32(b.place(p, from.lengths[nth], *from.segment.named(nth)))
}

// hold notes that passage at, the last one of the term so far, holds a term.
func (b *builder) hold(term string, at uint32, c count) {
	t, known := b.seg.ids[term]
	if !known {
		t = b.newTerm(term)
	}
	b.post(t, at, c)
}

// size is how many passages there are so far.
func (b *builder) size() int { return len(b.seg.passages) }

// continues tells whether the passage before is of this text.
func (b *builder) continues(document uuid.UUID) bool {
	n := len(b.seg.docs)
	return n > 0 && b.seg.docs[n-1].id == document
}

// carried gives the segment of passages that were carried: it is searched once, and
// nothing is made that only pays for many searches.
func (b *builder) carried() *segment { return b.seg }

// done gives the segment; the builder is not used again.
func (b *builder) done() *segment {
	b.closeDoc()
	b.seg.skip()
	return b.seg
}
