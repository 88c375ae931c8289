package flat

// merge makes one segment of what is live in several.
func merge(all []live) *segment {
	b := newBuilder()
	for _, v := range all {
		b.take(v)
	}
	b.seg.skip()
	return b.seg
}

// take appends the live texts of v to the segment being built.
func (b *builder) take(v live) {
	docs := make([]uint32, len(v.docs))
	places := make([]int64, len(v.segment.passages))
	for i := range places {
		places[i] = -1
	}
	for i, d := range v.docs {
		if v.gone[uint32(i)] {
			continue
		}
		from, to := d.from, d.to
		d.from, d.to, d.terms = 0, 0, nil
		docs[i] = b.openDoc(d)
		for p := from; p < to; p++ {
			moved := v.segment.passages[p]
			moved.doc = docs[i]
			n := *v.segment.named(p)
			places[p] = b.place(moved, v.lengths[p], n)
			if of, anew := v.segment.amended[n.article]; anew {
				b.seg.amended[n.article] = of
			}
		}
	}
	names := make([]uint32, v.termTotal())
	for t := range v.termTotal() {
		names[t] = b.takeTerm(v, t, places)
	}
	for i, d := range v.docs {
		if !v.gone[uint32(i)] {
			b.seg.docs[docs[i]].terms = renamed(d.terms, names)
		}
	}
}

// place appends a passage and gives its number. The passages of a text follow one
// another.
func (b *builder) place(p passage, length uint16, n name) int64 {
	at := uint32(len(b.seg.passages))
	b.seg.passages, b.seg.lengths, b.seg.names = append(b.seg.passages, p), append(b.seg.lengths, length), append(b.seg.names, n)
	b.seg.longest = max(b.seg.longest, int(length))
	d := &b.seg.docs[p.doc]
	if d.from == d.to {
		d.from, d.latest, d.earliest = at, p.from, p.to
	}
	d.to, d.latest, d.earliest = at+1, max(d.latest, p.from), min(d.earliest, p.to)
	if n.number != "" {
		b.seg.articles[n.number] = append(b.seg.articles[n.number], at)
	}
	return int64(at)
}

// takeTerm appends the live postings of a term; one without any is left behind.
func (b *builder) takeTerm(v live, t uint32, places []int64) uint32 {
	x := v.term(t)
	if x.passages == v.missing[t] {
		return 0
	}
	n, ok := b.seg.ids[x.name]
	if !ok {
		n = b.newTerm(x.name)
		if x.grams > 0 {
			b.addGrams(n)
			b.seg.terms[n].grams = x.grams
		}
	}
	if x.registered() {
		b.seg.terms[n].passages += x.passages - v.missing[t]
	}
	for p, c := range v.postings(t) {
		if places[p] >= 0 {
			b.post(n, uint32(places[p]), c)
		}
	}
	clear(b.document)
	return n
}

func renamed(terms []termCount, names []uint32) []termCount {
	out := make([]termCount, len(terms))
	for i, c := range terms {
		out[i] = termCount{names[c.term], c.passages}
	}
	return out
}
