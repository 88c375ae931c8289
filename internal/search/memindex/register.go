package memindex

import "math"

// Average is the length of a passage, in words, as Weigh takes it.
func (x *Index) Average() float64 { return x.now.Load().average() }

// SearchWord is a word of a question as a store finds passages by it.
type SearchWord struct {
	Terms  []string // the word, and those of the catalogue that resemble it; never empty
	Weight float64  // how much it tells: BM25's rarity by the weight of the word in the question
	Held   int      // how many passages hold each of them, added up
}

// SearchWords returns the words of a question that find passages, the rarest first,
// for a store that finds by words and does not know which ones resemble one
// another. all says that each finds that the catalogue has, as where a filter
// leaves few passages.
func (x *Index) SearchWords(q Query, all bool) []SearchWord {
	t := x.tuning()
	if all {
		t.minRarity, t.maxReach = 0, math.MaxInt
	}
	by := searcher{snapshot: x.now.Load().snapshot, tuning: t, accumulator: new(accumulator), query: q}
	for _, w := range queryTerms(q, x.options.Lexicon, t) {
		by.addClause(w)
	}
	by.chooseFinders()
	var out []SearchWord
	for _, c := range by.clauses {
		if !c.finds {
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
