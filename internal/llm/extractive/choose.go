package extractive

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"vigueur/internal/llm"
)

// Limits and thresholds of quotations.
const (
	most         = 3    // quotations in an answer
	mostListed   = 5    // if a list or a procedure is asked for
	readPassages = 6    // of the prompt, best first
	wholeLimit   = 600  // code points of an article that is quoted whole
	mostWhole    = 4    // sentences of an article that is quoted whole
	openingFloor = 0.8  // of the best score, for the first sentence of its article
	sameFloor    = 0.75 // of the best score, for a further sentence of the same article
	otherFloor   = 0.93 // of the best score, for a sentence of another article
	sure         = 0.8  // share of the question that the best sentence must cover so that no second article is quoted
	secondFloor  = 0.75 // of the best score, for a sentence of another article if the best covers less
	toldCase     = 0.5  // maximum share of the case of the best sentence that the question may not mention
	exceptFloor  = 0.4  // of the best score, for an exception to the quoted article
	novelty      = 0.15 // of the question's weight, that a further sentence must add
	otherNovelty = 0.3  // the same, in another article
)

// choose returns the units to quote, best first, those of an article together and in its
// order.
func (g *Generator) choose(p llm.Prompt) []unit {
	q, all := g.weighed(p)
	if len(all) == 0 || len(q.words) == 0 || q.bare && p.Passages[0].Named {
		return first(all)
	}
	ranked := slices.Clone(all)
	slices.SortStableFunc(ranked, func(a, b unit) int { return cmp.Compare(b.score, a.score) })
	return inOrder(withReserves(led(q.pick(ranked)), all))
}

// weighed returns the scored units of the passages that are read.
func (g *Generator) weighed(p llm.Prompt) (question, []unit) {
	passages := p.Passages[:min(len(p.Passages), readPassages)]
	all := make([]unit, 0, 8*len(passages))
	for i := range passages {
		all = append(all, units(&passages[i])...)
	}
	q := g.question(p, all)
	if len(q.words) == 0 {
		return q, all
	}
	places := make(map[*llm.Passage]surroundings, len(passages))
	for i := range passages {
		places[&passages[i]] = around(&passages[i], all)
	}
	for i, u := range all {
		all[i].score = q.score(u, places[u.passage], passages[0].Score)
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

// pick takes the best unit, the whole of a short article, the continuation of the rule,
// exceptions to it, and further units that are nearly as good and cover more of the
// question.
func (q question) pick(ranked []unit) []unit {
	chosen := q.rule(ranked)
	of, limit := len(chosen), most // a short article that is quoted whole leaves room for one more
	if q.listed {
		limit = mostListed
	}
	for _, u := range ranked {
		if len(chosen) >= max(limit, of+1) || slices.ContainsFunc(chosen, u.same) {
			continue
		}
		if q.furthers(u, chosen, ranked[0]) {
			chosen = append(chosen, u)
		}
	}
	return chosen
}

// rule is the best unit with the sentences that belong to it.
func (q question) rule(ranked []unit) []unit {
	best := ranked[0]
	var whole []unit
	for _, u := range ranked {
		if u.passage == best.passage {
			whole = append(whole, u)
		}
	}
	if quotable(whole) {
		return whole
	}
	chosen := append([]unit{best}, q.neighbors(best, whole)...)
	for _, u := range whole {
		if u.at == 0 && u.score >= openingFloor*best.score && !slices.ContainsFunc(chosen, u.same) {
			chosen = append(chosen, u)
		}
	}
	return withReserves(chosen, whole)
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

// reserves matches sentences that limit the previous one.
var reserves = regexp.MustCompile(`^(?:\(?\d+[°)]\)? )?(Toutefois|Cependant|Néanmoins|Par dérogation|Par exception|Nonobstant|Sauf|Il cesse|Ils cessent|Elle cesse|(Les|Ces) dispositions (ci-dessus |de l.alinéa précédent |précédentes )?ne s.appliquent pas)`)

// quotable reports whether a passage is short enough to be quoted whole.
func quotable(whole []unit) bool {
	length := 0
	for _, u := range whole {
		length += utf8.RuneCountInString(u.text)
	}
	return length <= wholeLimit && len(whole) <= mostWhole && whole[0].passage.Article != ""
}

// furthers reports whether a unit is worth quoting in addition to the chosen ones.
func (q question) furthers(u unit, chosen []unit, best unit) bool {
	adds := q.adds(u, chosen)
	switch {
	case u.passage == best.passage:
		return q.listed && u.score >= sameFloor*best.score || u.score >= sameFloor*best.score && adds >= novelty
	case u.excepts(best), best.excepts(u), q.supplies(u, best):
		return u.score >= exceptFloor*best.score
	}
	if q.adds(best, nil) < sure && alone(chosen) {
		return u.passage.Article != "" && u.score >= secondFloor*best.score && q.special(u) <= toldCase
	}
	return u.passage.Article != "" && u.score >= otherFloor*best.score && adds >= otherNovelty
}

// alone reports whether all units are of one article.
func alone(chosen []unit) bool {
	return !slices.ContainsFunc(chosen, func(u unit) bool { return u.passage != chosen[0].passage })
}

func (u unit) same(v unit) bool { return u.passage == v.passage && u.at == v.at }

// supplies reports whether a unit has the figure that is asked for, if the best unit has
// none and refers to its article: « le congé défini à l’article 232 ».
func (q question) supplies(u, best unit) bool {
	return q.wanted&u.figures != 0 && q.wanted&best.figures == 0 && u.passage.Title == best.passage.Title &&
		slices.Contains(best.cites, u.article)
}

// excepts reports whether a unit makes an exception to another article of the same text: «
// par dérogation à l’article 12 ».
func (u unit) excepts(rule unit) bool {
	return u.passage.Title == rule.passage.Title && rule.passage.Article != "" && exception.MatchString(u.text) &&
		slices.Contains(u.cites, rule.article)
}

var exception = regexp.MustCompile(`(?i)(dérog|exception|nonobstant|toutefois|sauf|ne s.appliquent? pas|hormis)`)

// neighbors are the sentence before the best one if the best refers back to it, and the one
// after if it continues the rule: it refers back, makes an exception, or has the figure
// that is asked for.
func (q question) neighbors(best unit, article []unit) (out []unit) {
	for _, u := range article {
		switch u.at {
		case best.at - 1:
			if pointsBack.MatchString(best.text) {
				out = append(out, u)
			}
		case best.at + 1:
			if pointsBack.MatchString(u.text) || q.wanted&u.figures != 0 && q.wanted&best.figures == 0 {
				out = append(out, u)
			}
		}
	}
	return out
}

// pointsBack matches sentences that are meaningless without the previous one.
var pointsBack = regexp.MustCompile(`^(?:\(?\d+[°)]\)? )?(Toutefois|Cependant|Néanmoins|Il |Elle |Ils |Elles |Ce |Cet |Cette |Ces |Celui-ci|Celle-ci|En cas de récidive|Le même )`)

// leaders reports whether a text has the dots of a table of contents.
func leaders(text string) bool { return strings.Contains(text, ".....") }
