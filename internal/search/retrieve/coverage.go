package retrieve

import (
	"maps"
	"math"
	"slices"

	"github.com/google/uuid"

	"vigueur/internal/law/country"
	"vigueur/internal/law/french"
	"vigueur/internal/search/question"
)

// queryTerms is the part of a question that articles are compared with: its terms with
// their weights and roles, and its other requests.
type queryTerms struct {
	terms     []string
	weights   []float64
	roles     []role
	unknown   float64 // share of the words that occur nowhere in the catalogue
	names     map[string]bool
	matches   []french.Match
	countries []country.Code
	figures   french.Figures
	offers    french.Offers // the kinds of statements that would answer it
	grams     []french.Gram // of the question's own words
	named     []uuid.UUID   // the texts that the question names
}

// termsOf returns the terms of a question: first its own, then those of the earlier
// questions that it depends on.
func (s *Searcher) termsOf(asked question.Question) queryTerms {
	terms := unique(slices.Clone(asked.Terms))
	own := len(terms)
	terms = append(terms, asked.EarlierTerms...)
	q := queryTerms{terms: unique(terms), names: maps.Clone(asked.Names), countries: asked.AskedCountries(), figures: asked.Figures, offers: asked.Offers, grams: gramsOf(terms[:own])}
	q.weights = s.Index.Rarity(q.terms)
	q.roles = make([]role, len(q.terms))
	sum, unknown := 0.0, 0.0
	for i, t := range q.terms {
		q.roles[i] = roleOf(asked, t, i >= own)
		sum += q.weights[i]
		if q.weights[i] == 1 {
			unknown++
		}
	}
	if sum > 0 {
		q.unknown = unknown / sum
	}
	if !slices.ContainsFunc(q.roles, func(r role) bool { return r != shaping }) {
		clear(q.roles) // « quelle est la durée ? » has no other words: all count as the subject
	}
	q.matches = s.Lexicon.Matches(q.terms)
	s.capWeights(q)
	return q
}

// role is what a word does in a question.
type role int

// The roles. Each role except the first has a feature of its own: the share of its words
// that an article has.
const (
	subject    role = iota // what the question is about
	shaping                // only says what kind of answer is asked for: « quelle est la durée de … »
	earlier                // occurs only in an earlier question of the conversation
	background             // only in sentences that ask nothing, beside one that asks: describes the case, or is irrelevant
	roles
)

func roleOf(q question.Question, term string, before bool) role {
	switch {
	case french.Shaping(term) || french.Measure(term):
		return shaping
	case before:
		return earlier
	case len(q.Asking) > 0 && !q.Asking[term]:
		return background
	}
	return subject
}

// capWeights caps the weight of colloquial words at the weight of the most common legal
// term for them: an article about an employer is no special evidence for a question about
// « mon patron ».
func (s *Searcher) capWeights(q queryTerms) {
	for _, m := range q.matches {
		commonest := math.Inf(1)
		for _, alternative := range m.Legal {
			together := 0.0 // a term of several words is as rare as all its words together
			for _, rarity := range s.Index.Rarity(alternative) {
				together += rarity
			}
			commonest = min(commonest, together)
		}
		for i := m.Start; i < m.End; i++ {
			q.weights[i] = min(q.weights[i], commonest)
			delete(q.names, q.terms[i]) // « CDD » is a colloquial word, not a name
		}
	}
}

func unique(terms []string) []string {
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

// proximity is the greatest distance, in terms, of two terms that count as adjacent.
const proximity = 3

// adjacency returns the share of the pairs of neighboring words of the question whose
// words, or the legal terms for them, are adjacent in the article too; 1 if the question
// has no such pair.
func (q *queryTerms) adjacency(r articleTerms) float64 {
	pairs, found := 0, 0
	for i := range q.terms[:max(0, len(q.terms)-1)] {
		if french.Shaping(q.terms[i]) || french.Shaping(q.terms[i+1]) {
			continue
		}
		pairs++
		if r.adjacent(q.equivalents(r, i), q.equivalents(r, i+1)) {
			found++
		}
	}
	if pairs == 0 {
		return 1
	}
	return float64(found) / float64(pairs)
}

// equivalents returns the terms of the article that match term i of the question: the
// most similar one, and the legal terms for it.
func (q *queryTerms) equivalents(r articleTerms, i int) (terms []string) {
	if t, _ := r.mostSimilar(q.terms[i]); t != "" {
		terms = append(terms, t)
	}
	for _, m := range q.matches {
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

// adjacent reports whether one of the terms some occurs within proximity of one of the
// terms others. A term that is in both lists counts as adjacent to itself.
func (r articleTerms) adjacent(some, others []string) bool {
	for at, t := range r.order {
		if !slices.Contains(some, t) {
			continue
		}
		for _, next := range r.order[max(0, at-proximity):min(len(r.order), at+proximity+1)] {
			if slices.Contains(others, next) {
				return true
			}
		}
	}
	return false
}

// shares returns for each term of the question its similarity (0 to 1) to the most
// similar term of the article, and that term.
func (q *queryTerms) shares(r articleTerms) (shares []float64, terms []string) {
	shares, terms = make([]float64, len(q.terms)), make([]string, len(q.terms))
	for i, t := range q.terms {
		terms[i], shares[i] = r.mostSimilar(t)
	}
	return shares, terms
}

// raiseByLegal returns the shares, raised where the article contains the legal terms for
// a word of the question.
func (q *queryTerms) raiseByLegal(r articleTerms, shares []float64) []float64 {
	shares = slices.Clone(shares)
	for _, m := range q.matches {
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
