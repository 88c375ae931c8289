package retrieve

import (
	"maps"
	"math"
	"slices"

	"github.com/google/uuid"

	"vigueur/internal/country"
	"vigueur/internal/french"
	"vigueur/internal/question"
)

// asked is what a question asks for.
type asked struct {
	terms     []string
	weights   []float64
	roles     []role
	unknown   float64 // share of the words that the catalogue has nowhere
	names     map[string]bool
	matches   []french.Match
	countries []country.Code
	figures   french.Figures
	grams     []french.Gram // of its own words
	named     []uuid.UUID   // the texts that it names
}

func (s *Searcher) asked(q question.Question) asked {
	terms := once(slices.Clone(q.Terms))
	own := len(terms)
	terms = append(terms, q.EarlierTerms...)
	a := asked{terms: once(terms), names: maps.Clone(q.Names), countries: q.Asked(), figures: q.Figures, grams: gramsOf(terms[:own])}
	a.weights = s.Index.Rarity(a.terms)
	a.roles = make([]role, len(a.terms))
	sum, unknown := 0.0, 0.0
	for i, t := range a.terms {
		a.roles[i] = roleOf(q, t, i >= own)
		sum += a.weights[i]
		if a.weights[i] == 1 {
			unknown++
		}
	}
	if sum > 0 {
		a.unknown = unknown / sum
	}
	if !slices.ContainsFunc(a.roles, func(r role) bool { return r != shaping }) {
		clear(a.roles) // « quelle est la durée ? » has nothing else to tell what it is about
	}
	a.matches = s.Lexicon.Matches(a.terms)
	s.lighten(a)
	return a
}

// role is what a word of a question is there for.
type role int

// The roles; what a word counts in each is learned, from shares of their own.
const (
	subject role = iota // it tells what is asked about
	shaping             // it only says what kind of answer is asked for: « quelle est la durée de … »
	earlier             // only an earlier question of the conversation has it
	beside              // it stands in no sentence that asks, where another does: it tells of the case, or of nothing
	roles
)

func roleOf(q question.Question, term string, before bool) role {
	switch {
	case french.Shaping(term) || french.Measure(term):
		return shaping
	case before:
		return earlier
	case len(q.Asking) > 0 && !q.Asking[term]:
		return beside
	}
	return subject
}

// lighten makes words that the law has others for weigh no more than the
// commonest of these: an article that speaks of an employer tells nothing of what
// is asked about « mon patron ».
func (s *Searcher) lighten(a asked) {
	for _, m := range a.matches {
		commonest := math.Inf(1)
		for _, alternative := range m.Legal {
			together := 0.0 // words that stand together are as rare as all of them
			for _, rarity := range s.Index.Rarity(alternative) {
				together += rarity
			}
			commonest = min(commonest, together)
		}
		for i := m.Start; i < m.End; i++ {
			a.weights[i] = min(a.weights[i], commonest)
			delete(a.names, a.terms[i]) // « CDD » is a word of people, not a name
		}
	}
}

func once(terms []string) []string {
	seen := make(map[string]bool)
	out := terms[:0]
	for _, t := range terms {
		if !seen[t] {
			seen[t] = true
			out = append(out, t)
		}
	}
	return out
}

// nearby is how many terms apart two words still stand together.
const nearby = 3

// together is the share of the neighbors of the question that stand nearby together
// among the terms of an article, as they are or by the law's words for them; a
// question of a single word has none to part.
func (a *asked) together(r reading) float64 {
	pairs, found := 0, 0
	for i := range a.terms[:max(0, len(a.terms)-1)] {
		if french.Shaping(a.terms[i]) || french.Shaping(a.terms[i+1]) {
			continue
		}
		pairs++
		if r.near(a.standing(r, i), a.standing(r, i+1)) {
			found++
		}
	}
	if pairs == 0 {
		return 1
	}
	return float64(found) / float64(pairs)
}

// standing are the terms that stand for one of the question in an article.
func (a *asked) standing(r reading, i int) (terms []string) {
	if t, _ := r.likest(a.terms[i]); t != "" {
		terms = append(terms, t)
	}
	for _, m := range a.matches {
		if m.Start > i || i >= m.End {
			continue
		}
		for _, alternative := range m.Legal {
			if !slices.ContainsFunc(alternative, func(t string) bool { return !r.has(t) }) {
				terms = append(terms, alternative...)
			}
		}
	}
	return terms
}

// near tells whether one of some terms stands nearby one of others; a term that is
// of both stands for both.
func (r reading) near(some, others []string) bool {
	for at, t := range r.order {
		if !slices.Contains(some, t) {
			continue
		}
		for _, next := range r.order[max(0, at-nearby):min(len(r.order), at+nearby+1)] {
			if slices.Contains(others, next) {
				return true
			}
		}
	}
	return false
}

// shares is how much of each term an article that reads so has, and as which of its
// terms.
func (a *asked) shares(r reading) (shares []float64, terms []string) {
	shares, terms = make([]float64, len(a.terms)), make([]string, len(a.terms))
	for i, t := range a.terms {
		terms[i], shares[i] = r.likest(t)
	}
	return shares, terms
}

// legal are the shares with what the law's own words stand for.
func (a *asked) legal(r reading, shares []float64) []float64 {
	shares = slices.Clone(shares)
	for _, m := range a.matches {
		for _, alternative := range m.Legal {
			found := 0.0
			for _, t := range alternative {
				if r.has(t) {
					found += 1 / float64(len(alternative))
				}
			}
			// Squared: « taxe » and « valeur » apart are not « la TVA ».
			for i := m.Start; i < m.End; i++ {
				shares[i] = max(shares[i], found*found)
			}
		}
	}
	return shares
}
