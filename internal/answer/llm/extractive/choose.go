package extractive

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"vigueur/internal/answer/llm"
)

// Limits of quotations: what a reader is given to read, whatever the model makes of it.
const (
	most         = 3   // quotations in an answer
	mostListed   = 5   // if a list or a procedure is asked for
	readPassages = 6   // of the prompt, best first: twice as many articles as are ever quoted
	wholeLimit   = 600 // code points of an article that is quoted whole: a telephone's screen
	mostWhole    = 4   // sentences of an article that is quoted whole
)

// choose returns the units to quote, best first, those of an article together and in its
// order.
func (g *Generator) choose(p llm.Prompt) []unit {
	q, all := g.weighed(p)
	if len(all) == 0 || len(q.words) == 0 || q.bare && p.Passages[0].Named {
		return first(all)
	}
	return inOrder(withReserves(led(q.pick(all, g.weights().Further.of(offerNames[:]))), all))
}

// ranked returns units by their score, the best first.
func ranked(all []unit) []unit {
	out := slices.Clone(all)
	slices.SortStableFunc(out, func(a, b unit) int { return cmp.Compare(b.score, a.score) })
	return out
}

// weighed returns the scored units of the passages that are read.
func (g *Generator) weighed(p llm.Prompt) (question, []unit) {
	passages := p.Passages[:min(len(p.Passages), readPassages)]
	all := make([]unit, 0, 8*len(passages))
	ends := make([]int, len(passages))
	for i := range passages {
		all = append(all, units(&passages[i])...)
		ends[i] = len(all)
	}
	q := g.question(p, all)
	if len(q.words) == 0 {
		return q, all
	}
	for i := range all {
		all[i].cosine = q.cosine(all[i].text)
	}
	weights := g.weights().Best.of(featureNames[:])
	from := 0
	for i, end := range ends {
		s := around(&passages[i], all[from:end])
		for k := from; k < end; k++ {
			all[k].features = q.features(all[k], &s)
			all[k].score = sum(weights, all[k].features[:])
		}
		from = end
	}
	return q, all
}

// led inserts before items of a list the line that introduces them.
func led(chosen []unit) []unit {
	for _, u := range slices.Clone(chosen) {
		if u.lead != nil && !slices.ContainsFunc(chosen, u.lead.same) {
			chosen = append(chosen, *u.lead)
		}
	}
	return chosen
}

// inOrder groups the units by article, in the article's order, and puts a rule before the
// articles with exceptions to it.
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
				lead(order, rule.passage.N, u.passage.N)
			}
		}
	}
	slices.SortStableFunc(chosen, func(a, b unit) int {
		return cmp.Or(cmp.Compare(order[a.passage.N], order[b.passage.N]), cmp.Compare(a.at, b.at))
	})
	return chosen
}

// lead moves a passage right before another one that precedes it.
func lead(order map[int]int, passage, before int) {
	from, to := order[passage], order[before]
	for n, at := range order {
		if to <= at && at < from {
			order[n] = at + 1
		}
	}
	order[passage] = to
}

// first is the beginning of the best passage, for a question that only names an article.
func first(all []unit) []unit {
	n := 0
	for n < len(all) && n < most && all[n].passage.N == all[0].passage.N {
		n++
	}
	return all[:n]
}

// of are the units of a passage.
func of(all []unit, p *llm.Passage) (out []unit) {
	for _, u := range all {
		if u.passage == p {
			out = append(out, u)
		}
	}
	return out
}

// rule is the best unit of an article, whose units stand in the order of their scores, with
// the sentences that belong to it; the best stands first.
func rule(article []unit) (best unit, chosen []unit) {
	best = article[0]
	if quotable(article) {
		return best, slices.Clone(article)
	}
	return best, withReserves(append([]unit{best}, needed(best, article)...), article)
}

// withReserves adds to the chosen sentences those that directly follow them in the same
// article and limit them.
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
	return length <= wholeLimit && len(whole) <= mostWhole && whole[0].passage.Article != ""
}

// same reports whether two units are one sentence of one passage.
func (u unit) same(v unit) bool { return u.passage == v.passage && u.at == v.at }

// excepts reports whether a unit makes an exception to another article of the same text: «
// par dérogation à l’article 12 ».
func (u unit) excepts(rule unit) bool {
	return u.passage.Title == rule.passage.Title && rule.passage.Article != "" && exception.MatchString(u.text) &&
		slices.Contains(u.cites, rule.article)
}

// needed is the sentence before the best one, if the best is meaningless without it.
func needed(best unit, article []unit) (out []unit) {
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
