package postings

import "runtime"

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
		from, to := d.From, d.To
		d.From, d.To, d.terms = 0, 0, nil
		docs[i] = b.openDoc(d)
		for p := from; p < to; p++ {
			moved := v.Segment.Passages[p]
			moved.Doc = docs[i]
			n := *v.Segment.Identity(p)
			places[p] = b.addPassage(moved, v.Lengths[p], n)
			if of, anew := v.NewWording(n.Article); anew {
				b.segment.amended[n.Article] = of
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
	runtime.KeepAlive(v.Segment) // terms are in its file
}

// addPassage appends a passage and returns its number. The passages of a text must be consecutive.
func (b *Builder) addPassage(p Passage, length uint16, n Identity) int64 {
	at := uint32(len(b.segment.Passages))
	b.segment.Passages, b.segment.Lengths, b.segment.names = append(b.segment.Passages, p), append(b.segment.Lengths, length), append(b.segment.names, n)
	b.segment.Longest = max(b.segment.Longest, int(length))
	d := &b.segment.docs[p.Doc]
	if d.From == d.To {
		d.From, d.latest, d.earliest = at, p.from, p.to
	}
	d.To, d.latest, d.earliest = at+1, max(d.latest, p.from), min(d.earliest, p.to)
	if n.Number != "" {
		b.segment.articles[n.Number] = append(b.segment.articles[n.Number], at)
	}
	return int64(at)
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
