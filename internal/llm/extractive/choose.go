package extractive

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"vigueur/internal/llm"
)

// What is quoted.
const (
	most         = 3    // quotations in an answer
	mostListed   = 5    // when a list or a procedure is asked for
	readPassages = 6    // of the prompt, the best first
	wholeLimit   = 600  // code points of an article that is quoted whole
	mostWhole    = 4    // sentences of an article that is quoted whole
	openingFloor = 0.8  // of the best score, for the sentence that its article begins with
	sameFloor    = 0.75 // of the best score, for a further sentence of the same article
	otherFloor   = 0.93 // of the best score, for a sentence of another article
	sure         = 0.8  // share of the question that the best sentence carries when no second opinion is wanted
	secondFloor  = 0.75 // of the best score, for one of another article when it carries less
	toldCase     = 0.5  // most of the case it rules that the question may leave untold
	exceptFloor  = 0.4  // of the best score, for one that makes an exception to the article quoted
	novelty      = 0.15 // of the question's weight that a further sentence must add
	otherNovelty = 0.3  // when it stands in another article
)

// choose gives the units to quote, the best first, those of one article
// together and in its order.
func (g *Generator) choose(p llm.Prompt) []unit {
	q, all := g.weighed(p)
	if len(all) == 0 || len(q.words) == 0 || q.bare && p.Passages[0].Named {
		return first(all)
	}
	ranked := slices.Clone(all)
	slices.SortStableFunc(ranked, func(a, b unit) int { return cmp.Compare(b.score, a.score) })
	return inOrder(withReserves(led(q.pick(ranked)), all))
}

// weighed gives the units of the passages that are read, each with its score.
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

// led puts before items of a list the line that leads to them.
func led(chosen []unit) []unit {
	for _, u := range slices.Clone(chosen) {
		if u.lead != nil && !slices.ContainsFunc(chosen, u.lead.same) {
			chosen = append(chosen, *u.lead)
		}
	}
	return chosen
}

// inOrder puts the units of one article together, and in its order; a rule before the
// articles that make exceptions to it.
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

// lead moves a passage right before another that stands before it.
func lead(order map[int]int, passage, before int) {
	from, to := order[passage], order[before]
	for n, at := range order {
		if to <= at && at < from {
			order[n] = at + 1
		}
	}
	order[passage] = to
}

// first is the beginning of the best passage: for a question that only names an
// article.
func first(all []unit) []unit {
	n := 0
	for n < len(all) && n < most && all[n].passage.N == all[0].passage.N {
		n++
	}
	return all[:n]
}

// pick takes the best unit, all of its article when that is short, what goes on
// with the rule, exceptions to it, and the further units that are nearly as good
// and add something of the question.
func (q question) pick(ranked []unit) []unit {
	chosen := q.rule(ranked)
	of, limit := len(chosen), most // a short article that is quoted whole leaves room for another
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

// rule is the best unit with what belongs to it.
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

// withReserves adds to the sentences chosen those of the same articles that take back,
// right behind them, part of what they say.
func withReserves(chosen, all []unit) []unit {
	for _, u := range slices.Clone(chosen) {
		next := slices.IndexFunc(all, func(v unit) bool { return v.passage == u.passage && v.at == u.at+1 })
		if next >= 0 && reserves.MatchString(all[next].text) && !slices.ContainsFunc(chosen, all[next].same) {
			chosen = append(chosen, all[next])
		}
	}
	return chosen
}

// reserves finds the sentences that limit the one before.
var reserves = regexp.MustCompile(`^(?:\(?\d+[°)]\)? )?(Toutefois|Cependant|Néanmoins|Par dérogation|Par exception|Nonobstant|Sauf|Il cesse|Ils cessent|Elle cesse|(Les|Ces) dispositions (ci-dessus |de l.alinéa précédent |précédentes )?ne s.appliquent pas)`)

// quotable tells whether the units of a passage are quoted all together.
func quotable(whole []unit) bool {
	length := 0
	for _, u := range whole {
		length += utf8.RuneCountInString(u.text)
	}
	return length <= wholeLimit && len(whole) <= mostWhole && whole[0].passage.Article != ""
}

// furthers tells whether a unit is worth quoting beside those chosen.
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

// alone tells whether all units are of one article.
func alone(chosen []unit) bool {
	return !slices.ContainsFunc(chosen, func(u unit) bool { return u.passage != chosen[0].passage })
}

func (u unit) same(v unit) bool { return u.passage == v.passage && u.at == v.at }

// supplies tells whether a unit has the figure that is asked for, where the best has
// none and points at its article: « le congé défini à l’article 232 ».
func (q question) supplies(u, best unit) bool {
	return q.wanted&u.figures != 0 && q.wanted&best.figures == 0 && u.passage.Title == best.passage.Title &&
		slices.Contains(best.cites, u.article)
}

// excepts tells whether a unit of the same text makes an exception to the
// article of another: « par dérogation à l’article 12 ».
func (u unit) excepts(rule unit) bool {
	return u.passage.Title == rule.passage.Title && rule.passage.Article != "" && exception.MatchString(u.text) &&
		slices.Contains(u.cites, rule.article)
}

var exception = regexp.MustCompile(`(?i)(dérog|exception|nonobstant|toutefois|sauf|ne s.appliquent? pas|hormis)`)

// neighbors are the sentence before the best when the best points back to it,
// and the one after when it goes on with the rule: it points back, makes an
// exception, or has the figure that is asked for.
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

// pointsBack finds the sentences that mean nothing without the one before.
var pointsBack = regexp.MustCompile(`^(?:\(?\d+[°)]\)? )?(Toutefois|Cependant|Néanmoins|Il |Elle |Ils |Elles |Ce |Cet |Cette |Ces |Celui-ci|Celle-ci|En cas de récidive|Le même )`)

// leaders are the dots of a table of contents.
func leaders(text string) bool { return strings.Contains(text, ".....") }
