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
	passageLimit = 6    // passages of the prompt that are considered, best first: twice as many as candidates can be quoted
	wholeLimit   = 1200 // code points of an article that is quoted whole: a rule with its conditions and exceptions, about two screens of a telephone
)

// choose returns the units to quote, grouped by article: the rule of the first article, of
// the others that the question names with it, and of articles that the law itself relates
// to the first.
func (g *Generator) choose(p llm.Prompt) []unit {
	q, all := g.scoredUnits(p)
	if len(all) == 0 {
		return nil
	}
	bare := len(q.words) == 0 || q.bare && all[0].passage.Named
	var chosen []unit
	for i := range p.Passages {
		passage := &p.Passages[i]
		article := unitsOf(all, passage)
		if len(article) == 0 || len(chosen) > 0 && !(passage.Named && chosen[0].passage.Named) {
			continue
		}
		if !bare {
			article = byScore(article)
		}
		chosen = append(chosen, withIntroductions(rule(article))...)
	}
	if !bare {
		best := byScore(unitsOf(all, chosen[0].passage))[0]
		for _, u := range q.findRelated(best, all) {
			if !slices.ContainsFunc(chosen, func(c unit) bool { return c.passage == u.passage }) {
				chosen = append(chosen, withIntroductions(rule(byScore(unitsOf(all, u.passage))))...)
			}
		}
	}
	return inOrder(chosen)
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
	weights := g.weights().Best.inOrderOf(featureNames[:])
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

// unitsOf returns the units of a passage.
func unitsOf(all []unit, p *llm.Passage) (out []unit) {
	for _, u := range all {
		if u.passage == p {
			out = append(out, u)
		}
	}
	return out
}

// quotable reports whether a passage is short enough to be quoted whole.
func quotable(whole []unit) bool {
	length := 0
	for _, u := range whole {
		length += utf8.RuneCountInString(u.text)
	}
	return length <= wholeLimit && whole[0].passage.Article != ""
}

// same reports whether two units are the same sentence of the same passage.
func (u unit) same(v unit) bool { return u.passage == v.passage && u.at == v.at }

// excepts reports whether a unit makes an exception to another article of the same text:
// « par dérogation à l’article 12 ».
func (u unit) excepts(rule unit) bool {
	return u.passage.Title == rule.passage.Title && rule.passage.Article != "" && exception.MatchString(u.text) &&
		slices.Contains(u.cites, rule.article)
}
