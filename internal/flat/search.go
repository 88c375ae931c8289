package flat

import "math"

// tuning is how much counts for what.
type tuning struct {
	k1, b    float64 // BM25's saturation and weight of length
	likeness float64 // words less alike are not compared
	kin      int     // at most so many words a word
	power    float64 // of the likeness, as the weight of a kindred word
	pieces   float64 // share of the pieces in the score beside the words, 0 to 1
	headings float64 // what the pieces in headings count beside those in the text
	legal    float64 // weight of a word that the lexicon adds
	earlier  float64 // weight of a word of an earlier turn
	nobodys  float64 // factor for a text of no known country when the question names one
	foreign  float64 // factor for a text of another country
	meaning  float64 // share of the meaning in the score beside all words, 0 to 1
	nearest  int     // so many vectors, by their sketches, are compared exactly
}

// measured is what served best on 147 questions about French labor law: with it
// R@100 is 63.8 and nDCG@10 32.3 by words, 66.2 and 33.0 by meaning too. The
// figures of the neighbors lie within a point of these.
func measured() tuning {
	return tuning{k1: 2, b: 0.75, likeness: 0.35, kin: 40, power: 2, pieces: 0.5, headings: 1.4, legal: 0.4, earlier: 0.3,
		nobodys: 0.8, foreign: 0.4, meaning: 0.35, nearest: 1500}
}

// search finds the passages for q, the best first; of equal ones the smaller id
// first.
func (x *Index) search(q Query, t tuning) []Hit {
	return x.now.Load().search(q, wants(q, x.options.Lexicon, t), t)
}

func (s *state) search(q Query, wants []want, t tuning) []Hit {
	return s.searchNear(q, wants, t, func(x *searcher) bool { return x.near(s, q) })
}

// searchNear searches with what tells how near passages are in meaning.
func (s *snapshot) searchNear(q Query, wants []want, t tuning, tell func(x *searcher) bool) []Hit {
	x := searcher{snapshot: s, tuning: t, sheet: s.newSheet()}
	x.setNorms(t, s.longest, s.average())
	near := beside(func() bool { return tell(&x) }) // neither touches what the other does
	for _, w := range wants {
		x.add(w)
	}
	meant := near()
	if meant {
		x.join()
	}
	hits := x.best(q, meant)
	x.release() // not after a panic: what is left in the sheet then is not known
	return hits
}

// average is the length of a passage.
func (s *snapshot) average() float64 {
	return max(1, s.length/math.Max(1, float64(s.passages)))
}

// beside starts do and gives what waits for its result; a panic of do comes there.
func beside(do func() bool) (wait func() bool) {
	var result bool
	var panicked any
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { panicked = recover() }()
		result = do()
	}()
	return func() bool {
		<-done
		if panicked != nil {
			panic(panicked)
		}
		return result
	}
}

// searcher is one search over one snapshot.
type searcher struct {
	*snapshot
	tuning
	*sheet
}

// add adds all parts of one term.
func (x *searcher) add(w want) {
	var kindred []kin
	if w.word {
		kindred = x.kindred(w.name, x.tuning)
	}
	x.addWord(w, len(kindred) > 0)
	if len(kindred) > 0 {
		x.addPieces(w, kindred)
	}
	x.turn()
}

// addWord adds BM25F's part of one term, and its occurrences to the sums when
// they are wanted.
func (x *searcher) addWord(w want, sums bool) {
	idf := x.idf(float64(x.holders(w.name))) * w.weight
	for i, v := range x.views {
		id, ok := v.ids[w.name]
		if !ok {
			continue
		}
		g := &x.pages[i]
		for batch := range v.batches(id) {
			for _, at := range batch {
				mark(g.touched, at.passage)
				l := &g.lines[at.passage]
				l.words += float32(idf * x.saturate(at.all(), &v.segment.passages[at.passage]))
				l.held += float32(idf)
				if sums {
					g.sums[at.passage] = sum{float32(at.all()), float32(at.heads)}
				}
			}
		}
	}
}

// saturate is BM25's tf·(k1+1) / (tf + k1·(1 − b + b·length/average)).
func (x *searcher) saturate(tf float64, p *passage) float64 {
	return tf * (x.k1 + 1) / (tf + x.norms[int(p.body)+int(p.heads)])
}

// addPieces adds the part of one word by all the words that resemble it. They
// count together as one word that stands in all their passages, each occurrence
// as much as it is alike: a rare misspelling in the law so weighs no more than
// the word that was meant. The sums have the word itself already.
func (x *searcher) addPieces(w want, kindred []kin) {
	holders := 0.0
	for _, k := range kindred {
		like := math.Pow(k.like, x.power)
		holders += like * float64(x.holders(k.name))
		if k.name != w.name {
			x.gather(k.name, like)
		}
	}
	idf := x.idf(math.Min(holders, float64(x.passages))) * w.weight
	for i, v := range x.views {
		g := &x.pages[i]
		for p := range each(g.touched) {
			n := g.sums[p]
			g.sums[p] = sum{}
			g.lines[p].pieces += float32(idf * v.segment.passages[p].norms.share(n.all-n.heads, n.heads, x.headings))
		}
	}
}

// gather adds the occurrences of one word, each counting like.
func (x *searcher) gather(name string, like float64) {
	for i, v := range x.views {
		id, ok := v.ids[name]
		if !ok {
			continue
		}
		g := &x.pages[i]
		for batch := range v.batches(id) {
			for _, at := range batch {
				mark(g.touched, at.passage)
				n := &g.sums[at.passage]
				n.all += float32(like * at.all())
				n.heads += float32(like * float64(at.heads))
			}
		}
	}
}

// join takes what is near in meaning to what is found.
func (x *searcher) join() {
	for i := range x.pages {
		g := &x.pages[i]
		for k, word := range g.near {
			g.found[k] |= word
		}
	}
}

// turn ends a word: what it touched is found.
func (x *searcher) turn() {
	for i := range x.pages {
		g := &x.pages[i]
		for k, word := range g.touched {
			g.found[k] |= word
			g.touched[k] = 0
		}
	}
}
