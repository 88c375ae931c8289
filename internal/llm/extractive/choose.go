package extractive

import (
	"cmp"
	"math"
	"regexp"
	"slices"

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
	figureBonus   = 0.2  // when a figure is asked for and the sentence has one
	floor         = 0.7  // of the best score, for a further sentence
	novelty       = 0.15 // of the question's weight that a further sentence must add
)

// asksFigure finds the questions that a number or a date answers, in folded text.
var asksFigure = regexp.MustCompile(`combien|quel(le)? (est |sont |peut etre )?(l[ea']? ?)?(delai|duree|taux|montant|age|pourcentage|amende|peine|prix|cout|valeur|date|nombre|indemnite|salaire)` +
	`|a partir de quel|jusqu'a quand|quand|delai|duree|a quel age|quel age|quel taux|quelle amende`)

// question is what the sentences are weighed against.
type question struct {
	terms  []string
	weight []float64
	figure bool
}

// choose gives the units to quote, the best first, those of one article
// together and in its order.
func (g *Generator) choose(p llm.Prompt) []unit {
	passages := p.Passages[:min(len(p.Passages), readPassages)]
	var all []unit
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
	q := question{figure: asksFigure.MatchString(french.Fold(p.Question))}
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
	if q.figure && u.figures {
		score += figureBonus
	}
	if best > 0 {
		score *= 0.5 + 0.5*min(1, u.passage.Score/best)
	}
	return score
}

// surroundings are the terms of a passage, headings included.
func surroundings(p *llm.Passage, all []unit) map[string]bool {
	around := make(map[string]bool)
	for _, u := range all {
		if u.passage == p {
			for t := range u.terms {
				around[t] = true
			}
		}
	}
	for _, h := range append(p.Path[:len(p.Path):len(p.Path)], p.Heading) {
		for _, t := range french.Terms(h) {
			around[t] = true
		}
	}
	return around
}

// pick takes the best unit and the further ones that are nearly as good and add
// something of the question.
func (q question) pick(ranked []unit) []unit {
	sum := 0.0
	for _, w := range q.weight {
		sum += w
	}
	var chosen []unit
	said := make(map[string]bool)
	for _, u := range ranked {
		added := 0.0
		for i, t := range q.terms {
			if u.terms[t] && !said[t] {
				added += q.weight[i]
			}
		}
		if len(chosen) > 0 && (u.score < floor*ranked[0].score || added < novelty*sum) {
			continue
		}
		chosen = append(chosen, u)
		for t := range u.terms {
			said[t] = true
		}
		if len(chosen) == most {
			break
		}
	}
	return chosen
}
