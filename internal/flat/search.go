package flat

import "math"

// tuning is how much counts for what.
type tuning struct {
	k1, b    float64 // BM25's saturation and weight of length
	likeness float64 // words less alike are not compared
	kin      int     // at most so many words a word
	power    float64 // of the likeness, as the weight of a kindred word
	pieces   float64 // share of the pieces in the score beside the words, 0 to 1
	headings float64 // weight of the headings, added to those two
	headK    float64 // saturation within headings
	legal    float64 // weight of a word that the lexicon adds
	earlier  float64 // weight of a word of an earlier turn
	nobodys  float64 // factor for a text of no known country when the question names one
	foreign  float64 // factor for a text of another country
	meaning  float64 // share of the meaning in the score beside all words, 0 to 1
}

// measured is what served best on 147 questions about French labor law.
func measured() tuning {
	return tuning{k1: 2, b: 0.75, likeness: 0.35, kin: 40, power: 2, pieces: 0.3, headings: 0.25, headK: 4, legal: 0.4, earlier: 0.3,
		nobodys: 0.8, foreign: 0.4, meaning: 0.4}
}

// channels are three scores of each passage: by words (BM25F), by pieces of
// words (BM25F over words and all that resemble them), and by how much of the
// headings the question's words take up.
type channels struct{ words, pieces, headings, held scores }

// scores is a number for each passage of each view.
type scores [][]float32

func (s *snapshot) newScores() scores {
	out := make(scores, len(s.views))
	for i, v := range s.views {
		out[i] = make([]float32, len(v.segment.passages))
	}
	return out
}

// search finds the passages for q, the best first; of equal ones the smaller id
// first.
func (s *snapshot) search(q Query, wants []want, t tuning, m *meanings) []Hit {
	x := searcher{snapshot: s, tuning: t, average: max(1, s.length/math.Max(1, float64(s.passages)))}
	c := channels{s.newScores(), s.newScores(), s.newScores(), s.newScores()}
	for _, w := range wants {
		x.addWord(c, w)
		if w.word {
			x.addPieces(c, w)
		}
	}
	return s.best(q, t, c, m.near(s, q))
}

// searcher is one search over one snapshot.
type searcher struct {
	*snapshot
	tuning
	average float64 // length of a passage
}

// addWord adds BM25F's part of one term.
func (x searcher) addWord(into channels, w want) {
	idf := x.idf(float64(x.holders(w.name))) * w.weight
	for i, v := range x.views {
		id, ok := v.ids[w.name]
		if !ok {
			continue
		}
		for p, c := range v.postings(id) {
			into.words[i][p] += float32(idf * x.saturate(c.all(), v.segment.passages[p]))
			into.held[i][p] += float32(idf)
		}
	}
}

// saturate is BM25's tf·(k1+1) / (tf + k1·(1 − b + b·length/average)).
func (x searcher) saturate(tf float64, p passage) float64 {
	return tf * (x.k1 + 1) / (tf + x.k1*(1-x.b+x.b*p.length()/x.average))
}

// addPieces adds the part of one word by all the words that resemble it. They
// count together as one word that stands in all their passages, each occurrence
// as much as it is alike: a rare misspelling in the law so weighs no more than
// the word that was meant.
func (x searcher) addPieces(into channels, w want) {
	kindred := x.kindred(w.name, x.tuning)
	if len(kindred) == 0 {
		return
	}
	all, heads := x.newScores(), x.newScores()
	holders := 0.0
	for _, k := range kindred {
		like := math.Pow(k.like, x.power)
		holders += like * float64(x.holders(k.name))
		x.gather(all, heads, k.name, like)
	}
	idf := x.idf(math.Min(holders, float64(x.passages))) * w.weight
	for i, v := range x.views {
		for p, tf := range all[i] {
			if tf == 0 {
				continue
			}
			place := v.segment.passages[p]
			into.pieces[i][p] += float32(idf * x.saturate(float64(tf), place))
			if h := float64(heads[i][p]); h > 0 {
				into.headings[i][p] += float32(idf * h / (h + x.headK) / math.Sqrt(float64(place.heads)+1))
			}
		}
	}
}

// gather adds the occurrences of one word, each counting like.
func (x searcher) gather(all, heads scores, name string, like float64) {
	for i, v := range x.views {
		id, ok := v.ids[name]
		if !ok {
			continue
		}
		for p, c := range v.postings(id) {
			all[i][p] += float32(like * c.all())
			heads[i][p] += float32(like * float64(c.heads))
		}
	}
}
