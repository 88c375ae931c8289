package extractive

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"vigueur/internal/answer/llm"
)

// Limits of quotations. They are fixed, not learned: the amount of text that a reader
// gets.
const (
	quotationLimit     = 3   // quotations in an answer
	listedLimit        = 5   // quotations if a list or a procedure is asked for
	passageLimit       = 6   // passages of the prompt that are considered, best first: twice as many as candidates can be quoted
	wholeLimit         = 600 // code points of an article that is quoted whole: about one screen of a telephone
	wholeSentenceLimit = 4   // sentences of an article that is quoted whole
)

// choose returns the units to quote, grouped by article, the article of the best unit first
// unless it makes an exception to another article. The units of an article are in its
// order.
func (g *Generator) choose(p llm.Prompt) []unit {
	q, all := g.scoredUnits(p)
	if len(all) == 0 || len(q.words) == 0 || q.bare && p.Passages[0].Named {
		return beginning(all)
	}
	return inOrder(withReserves(withIntroductions(q.pickQuotations(all, g.weights().Further.ordered(offerNames[:]))), all))
}

// byScore returns the units by descending score.
func byScore(all []unit) []unit {
	out := slices.Clone(all)
	slices.SortStableFunc(out, func(a, b unit) int { return cmp.Compare(b.score, a.score) })
	return out
}

// scoredUnits returns the analyzed question, and the units of the considered passages with
// their features and scores.
func (g *Generator) scoredUnits(p llm.Prompt) (question, []unit) {
	passages := p.Passages[:min(len(p.Passages), passageLimit)]
	all := make([]unit, 0, 8*len(passages))
	ends := make([]int, len(passages))
	for i := range passages {
		if !passages[i].Support {
			all = append(all, units(&passages[i])...)
		}
		ends[i] = len(all)
	}
	q := g.question(p, all)
	if len(q.words) == 0 {
		return q, all
	}
	for i := range all {
		all[i].cosine = q.cosine(all[i].text)
	}
	weights := g.weights().Best.ordered(featureNames[:])
	from := 0
	for i, end := range ends {
		s := surroundingsOf(&passages[i], all[from:end])
		for k := from; k < end; k++ {
			all[k].features = q.features(all[k], &s)
			all[k].score = sum(weights, all[k].features[:])
		}
		from = end
	}
	return q, all
}

// withIntroductions adds to the chosen items of lists the lines that introduce them.
func withIntroductions(chosen []unit) []unit {
	for _, u := range slices.Clone(chosen) {
		if u.introduction != nil && !slices.ContainsFunc(chosen, u.introduction.same) {
			chosen = append(chosen, *u.introduction)
		}
	}
	return chosen
}

// inOrder groups the units by article, each article in its own order. An article that
// makes an exception to another comes after it.
func inOrder(chosen []unit) []unit {
	order := make(map[int]int)
	for i, u := range chosen {
		if _, known := order[u.passage.N]; !known {
			order[u.passage.N] = i
		}
	}
	for _, u := range chosen {
		for _, rule := range chosen {
			if order[u.passage.N] < order[rule.passage.N] && u.excepts(rule) && !rule.excepts(u) {
				moveBefore(order, rule.passage.N, u.passage.N)
			}
		}
	}
	slices.SortStableFunc(chosen, func(a, b unit) int {
		return cmp.Or(cmp.Compare(order[a.passage.N], order[b.passage.N]), cmp.Compare(a.at, b.at))
	})
	return chosen
}

// moveBefore moves a passage right before another one that now precedes it.
func moveBefore(order map[int]int, passage, before int) {
	from, to := order[passage], order[before]
	for n, at := range order {
		if to <= at && at < from {
			order[n] = at + 1
		}
	}
	order[passage] = to
}

// beginning returns the beginning of the best passage, for a question that only names an
// article.
func beginning(all []unit) []unit {
	n := 0
	for n < len(all) && n < quotationLimit && all[n].passage.N == all[0].passage.N {
		n++
	}
	return all[:n]
}

// unitsOf returns the units of a passage.
func unitsOf(all []unit, p *llm.Passage) (out []unit) {
	for _, u := range all {
		if u.passage == p {
			out = append(out, u)
		}
	}
	return out
}

// bestWithContext returns the best unit of an article, whose units are sorted by score,
// and the units to quote for it, the best first: the whole article if it is short, else
// the best unit with the sentence before it that it needs and the sentence after it that
// limits it.
func bestWithContext(article []unit) (best unit, chosen []unit) {
	best = article[0]
	if quotable(article) {
		return best, slices.Clone(article)
	}
	return best, withReserves(append([]unit{best}, neededBefore(best, article)...), article)
}

// withReserves adds to the chosen sentences those that directly follow one of them in the
// same article and limit it.
func withReserves(chosen, all []unit) []unit {
	for _, u := range slices.Clone(chosen) {
		next := slices.IndexFunc(all, func(v unit) bool { return v.passage == u.passage && v.at == u.at+1 })
		if next >= 0 && reserves.MatchString(all[next].text) && !slices.ContainsFunc(chosen, all[next].same) {
			chosen = append(chosen, all[next])
		}
	}
	return chosen
}

// quotable reports whether a passage is short enough to be quoted whole.
func quotable(whole []unit) bool {
	length := 0
	for _, u := range whole {
		length += utf8.RuneCountInString(u.text)
	}
	return length <= wholeLimit && len(whole) <= wholeSentenceLimit && whole[0].passage.Article != ""
}

// same reports whether two units are the same sentence of the same passage.
func (u unit) same(v unit) bool { return u.passage == v.passage && u.at == v.at }

// excepts reports whether a unit makes an exception to another article of the same text:
// « par dérogation à l’article 12 ».
func (u unit) excepts(rule unit) bool {
	return u.passage.Title == rule.passage.Title && rule.passage.Article != "" && exception.MatchString(u.text) &&
		slices.Contains(u.cites, rule.article)
}

// neededBefore returns the sentence before the best one if the best one is meaningless
// without it.
func neededBefore(best unit, article []unit) (out []unit) {
	if !pointsBack.MatchString(best.text) {
		return nil
	}
	for _, u := range article {
		if u.at == best.at-1 {
			out = append(out, u)
		}
	}
	return out
}
