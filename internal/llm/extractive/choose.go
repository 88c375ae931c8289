package extractive

import (
	"cmp"
	"maps"
	"math"
	"regexp"
	"slices"
	"unicode/utf8"

	"vigueur/internal/french"
	"vigueur/internal/llm"
)

// How the sentences are weighed.
const (
	most          = 3    // quotations in an answer
	readPassages  = 5    // of the prompt, the best first
	aroundWeight  = 0.5  // of a word that stands in the article but not in the sentence
	legalWeight   = 0.5  // of the law's word for a lay one
	earlierWeight = 0.15 // of a word of the question before
	figureBonus   = 0.3  // when a figure of that kind is asked for and the sentence has one
	anyBonus      = 0.1  // when it has a figure of another kind
	namedBonus    = 0.5  // of an article that the question names
	longMalus     = 0.15 // of a unit of longUnit code points or more, over a short one
	shortUnit     = 300
	longUnit      = 1200
	sameFloor     = 0.75 // of the best score, for a further sentence of the same article
	otherFloor    = 0.9  // of the best score, for a sentence of another article
	novelty       = 0.15 // of the question's weight that a further sentence must add
)

// question is what the sentences are weighed against.
type question struct {
	terms  []string
	weight []float64
	wanted figures
	named  map[string]bool // the articles it names, by their terms
}

// choose gives the units to quote, the best first, those of one article
// together and in its order.
func (g *Generator) choose(p llm.Prompt) []unit {
	passages := p.Passages[:min(len(p.Passages), readPassages)]
	all := make([]unit, 0, 8*len(passages))
	for i := range passages {
		all = append(all, units(&passages[i])...)
	}
	q := g.question(p, all)
	if len(q.terms) == 0 {
		return first(all)
	}
	around := make(map[int]map[string]bool, len(passages))
	for i := range passages {
		around[passages[i].N] = surroundings(&passages[i], all)
	}
	for i, u := range all {
		all[i].score = q.score(u, around[u.passage.N], passages[0].Score)
	}
	slices.SortStableFunc(all, func(a, b unit) int { return cmp.Compare(b.score, a.score) })
	chosen := q.pick(all)
	order := make(map[int]int)
	for i, u := range chosen {
		if _, known := order[u.passage.N]; !known {
			order[u.passage.N] = i
		}
	}
	slices.SortStableFunc(chosen, func(a, b unit) int {
		return cmp.Or(cmp.Compare(order[a.passage.N], order[b.passage.N]), cmp.Compare(a.at, b.at))
	})
	return chosen
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

// question gives the terms that count, each with its weight: the rarer among the
// sentences at hand, the more.
func (g *Generator) question(p llm.Prompt, all []unit) question {
	q := question{wanted: asks(p.Question), named: make(map[string]bool)}
	for _, t := range french.Analyze(p.Question) {
		if t.Kind == french.Article {
			q.named[t.Term] = true
		}
	}
	seen := make(map[string]bool)
	add := func(term string, weight float64) {
		if seen[term] {
			return
		}
		seen[term] = true
		holders := 0
		for _, u := range all {
			if u.terms[term] {
				holders++
			}
		}
		if holders > 0 {
			q.terms = append(q.terms, term)
			q.weight = append(q.weight, weight*math.Log(1+float64(len(all))/float64(holders)))
		}
	}
	terms := words(p.Question)
	for _, t := range terms {
		add(t, 1)
		for _, k := range alike(t, all) {
			add(k.term, k.like)
		}
	}
	for _, t := range g.Lexicon.Expand(terms) {
		add(t, legalWeight)
	}
	if n := len(p.History); n > 0 {
		for _, t := range words(p.History[n-1].Question) {
			add(t, earlierWeight)
		}
	}
	return q
}

// words gives the terms of a question but those that name articles, which every
// article of that number would have.
func words(text string) []string {
	var out []string
	for _, t := range french.Analyze(text) {
		if !t.Stop && t.Kind != french.Article && t.Kind != french.Text && t.Term != "articl" {
			out = append(out, t.Term)
		}
	}
	return out
}

type kin struct {
	term string
	like float64
}

// alike gives the terms of the units that resemble t, in order.
func alike(t string, all []unit) []kin {
	const resembling = 0.5
	likeness := make(map[string]float64)
	for _, u := range all {
		for term := range u.terms {
			if _, known := likeness[term]; !known && term != t && len(term) > 3 && len(t) > 3 && term[:3] == t[:3] {
				likeness[term] = french.Similar(t, term)
			}
		}
	}
	var out []kin
	for term, like := range likeness {
		if like >= resembling {
			out = append(out, kin{term, like})
		}
	}
	slices.SortFunc(out, func(a, b kin) int {
		return cmp.Or(cmp.Compare(b.like, a.like), cmp.Compare(a.term, b.term))
	})
	return out
}

// score weighs a unit: the share of the question that it carries, by itself and
// by what stands around it, somewhat less in a passage that the search found
// less good.
func (q question) score(u unit, around map[string]bool, best float64) float64 {
	carried, sum := 0.0, 0.0
	for i, t := range q.terms {
		sum += q.weight[i]
		switch {
		case u.terms[t]:
			carried += q.weight[i]
		case around[t]:
			carried += aroundWeight * q.weight[i]
		}
	}
	score := carried / sum
	switch {
	case q.wanted&u.figures != 0:
		score += figureBonus
	case q.wanted != 0 && u.figures != 0:
		score += anyBonus
	}
	if q.named[french.ArticleTerm(u.passage.Article)] {
		score += namedBonus
	}
	long := float64(utf8.RuneCountInString(u.text)-shortUnit) / (longUnit - shortUnit)
	score -= longMalus * max(0, min(1, long))
	if best > 0 {
		score *= 0.5 + 0.5*min(1, u.passage.Score/best)
	}
	return score
}

// surroundings are the terms of a passage, of its headings and of its text's
// title, which tells the country.
func surroundings(p *llm.Passage, all []unit) map[string]bool {
	around := make(map[string]bool)
	for _, u := range all {
		if u.passage == p {
			for t := range u.terms {
				around[t] = true
			}
		}
	}
	for _, h := range append(p.Path[:len(p.Path):len(p.Path)], p.Heading, p.Title) {
		for _, t := range french.Terms(h) {
			around[t] = true
		}
	}
	return around
}

// pick takes the best unit, what follows it when that goes on with the rule, and
// the further ones that are nearly as good and add something of the question.
func (q question) pick(ranked []unit) []unit {
	sum := 0.0
	for _, w := range q.weight {
		sum += w
	}
	chosen := ranked[:min(1, len(ranked))]
	chosen = append(chosen[:len(chosen):len(chosen)], q.neighbors(ranked)...)
	said := make(map[string]bool)
	for _, u := range chosen {
		maps.Copy(said, u.terms)
	}
	for _, u := range ranked {
		floor := otherFloor
		if u.passage == chosen[0].passage {
			floor = sameFloor
		}
		if len(chosen) >= most || u.score < floor*ranked[0].score || q.adds(u, said) < novelty*sum {
			continue
		}
		chosen = append(chosen, u)
		maps.Copy(said, u.terms)
	}
	return chosen
}

// adds is the weight of the question's words that u says and nothing before.
func (q question) adds(u unit, said map[string]bool) (added float64) {
	for i, t := range q.terms {
		if u.terms[t] && !said[t] {
			added += q.weight[i]
		}
	}
	return added
}

// neighbors are the sentence before the best when the best points back to it,
// and the one after when it goes on with the rule: it points back, makes an
// exception, or has the figure that is asked for.
func (q question) neighbors(ranked []unit) (out []unit) {
	best := ranked[0]
	for _, u := range ranked {
		if u.passage != best.passage {
			continue
		}
		switch u.at {
		case best.at - 1:
			if pointsBack.MatchString(best.text) {
				out = append(out, u)
			}
		case best.at + 1:
			if pointsBack.MatchString(u.text) || q.wanted&u.figures != 0 {
				out = append(out, u)
			}
		}
	}
	return out
}

// pointsBack finds the sentences that mean nothing without the one before.
var pointsBack = regexp.MustCompile(`^(Toutefois|Cependant|Néanmoins|Il |Elle |Ils |Elles |Ce |Cet |Cette |Ces |Celui-ci|Celle-ci|En cas de |Le même )`)
