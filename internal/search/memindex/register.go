package memindex

import "math"

// Average returns the mean length of a passage, in words, for Weigh.
func (x *Index) Average() float64 { return x.now.Load().average() }

// SearchWord is a word of a question, as a store uses it to find passages.
type SearchWord struct {
	Terms  []string // the word, and the words of the catalogue that resemble it; never empty
	Weight float64  // its importance: the BM25 rarity times the weight of the word in the question
	Held   int      // the sum of the numbers of passages that contain each of Terms
}

// SearchWords returns the words of a question that select passages, the rarest first, for a store that finds passages
// by words and does not know which words are similar. With all set, every word of the question that the catalogue
// contains selects, as for a filter that leaves few passages.
func (x *Index) SearchWords(q Query, all bool) []SearchWord {
	t := x.tuning()
	if all {
		t.minRarity, t.maxReach = 0, math.MaxInt
	}
	by := searcher{snapshot: x.now.Load().snapshot, tuning: t, accumulator: new(accumulator), query: q}
	for _, w := range queryTerms(q, x.options.Lexicon, t) {
		by.addClause(w)
	}
	by.chooseSelecting()
	var out []SearchWord
	for _, c := range by.clauses {
		if !c.selects {
			continue
		}
		s := SearchWord{Weight: float64(c.pieces), Held: c.reach}
		if by.holders(c.name) > 0 {
			s.Terms = append(s.Terms, c.name)
		}
		for _, k := range c.others {
			s.Terms = append(s.Terms, k.name)
		}
		out = append(out, s)
	}
	return out
}
