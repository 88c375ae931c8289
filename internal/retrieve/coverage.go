package retrieve

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"

	"vigueur/internal/country"
	"vigueur/internal/french"
	"vigueur/internal/question"
)

const (
	// enough is the share of a question's weight that an article must carry for
	// an answer to rest on it, as measured: see TestSampleQuestions.
	enough = 0.41
	// worthReading is the share that an article must carry to be named as reading
	// where nothing answers.
	worthReading = 0.25
	// coverageWeight is what the share of the question that an article carries
	// counts for its place, beside the search's score.
	coverageWeight = 0.5
	// judgedHits is how many of the best articles are looked at for it.
	judgedHits = 5
	// nameWeight is how much more a name counts than another word as rare: what is
	// said of one institution answers no question about another.
	nameWeight = 2
	// standIn is what the law's own word for a lay one carries of it.
	standIn = 0.9
	// shapeWeight is what a word counts that only says what kind of answer is
	// asked for: « quelle est la durée de … ».
	shapeWeight = 0.3
	// earlierWeight is what a word counts that only an earlier question of the
	// conversation has.
	earlierWeight = 0.5
	// besideWeight is what a word counts that stands in no sentence that asks, where
	// another does: it tells of the case, or of nothing.
	besideWeight = 0.4
	// apart is what is left when no two neighbors of the question stand close
	// together in the article: « salaire » here and « minimum » there are not « le
	// salaire minimum ».
	apart = 0.65
	// fewWords is how many words a question has at most for that: a longer one is
	// told in words of its own.
	fewWords = 4
	// figureless is what is left when a figure is asked for and the article has
	// none of its kind.
	figureless = 0.75
	// harmless is what is left when what follows on a breach is asked for and the article
	// tells of nothing of the kind.
	harmless = 0.55
	// unfigured is what is left of that when it is told whether the article answers:
	// it may well be what was meant, and still not say how much.
	unfigured = 0.8
	// nobodys is what is left when the question names a country and it is not
	// known whose law the text is.
	nobodys = 0.7
	// absent is left instead when the catalogue has no law of that country.
	absent = 0.35
	// edge is what is left of what is no article: a preamble, a table of contents.
	edge = 0.8
)

// weigh notes of each hit which share of the question's weight it carries: the
// question's words, each as much as it is rare, found in the article, its
// headings or the text's title, as they are, by a word that resembles them, or
// by the law's word for them. The names alone do not make it, nor the other
// words alone: the lesser of the shares with and without the names counts. The
// law of another country than the one asked about carries nothing.
//
// Then it puts the hits in order by their score and that share together, those
// that the question names by their numbers before all others.
//
// Where there is a reranker it has the last word on the order of what words found.
func (s *Searcher) weigh(ctx context.Context, q Question, version int64, hits []Hit) (_ []Hit, reranked bool) {
	asked := s.asked(*q.read())
	asked.judge(hits, func(h Hit) reading { return s.recent.Reading(version, h) })
	best := 0.0
	for _, h := range hits {
		best = max(best, h.Score)
	}
	for i, h := range hits {
		if best > 0 && h.Mode == ByWords {
			hits[i].Score = (1-coverageWeight)*h.Score + coverageWeight*best*h.Coverage
		}
	}
	slices.SortStableFunc(hits, func(a, b Hit) int {
		if a.Mode != b.Mode {
			return cmp.Compare(len(a.Mode), len(b.Mode)) * -1
		}
		if a.Mode == ByReference {
			return 0
		}
		return cmp.Compare(b.Score, a.Score)
	})
	reranked = s.Reranker.order(ctx, q, hits)
	hits = hits[:min(len(hits), hitLimit)]
	fitting := slices.DeleteFunc(slices.Clone(hits), func(h Hit) bool { return !country.Fits(asked.countries, h.Countries) })
	if len(fitting) == 0 {
		return hits, reranked
	}
	return fitting, reranked
}

// judge notes what the hits carry of the question, on all cores: to read them is
// most of the work of a search. A panic on one of them comes to the caller.
func (a asked) judge(hits []Hit, read func(Hit) reading) {
	var all sync.WaitGroup
	var panicked atomic.Value
	each := (len(hits) + runtime.GOMAXPROCS(0) - 1) / runtime.GOMAXPROCS(0)
	for part := range slices.Chunk(hits, max(1, each)) {
		all.Go(func() {
			defer func() {
				if v := recover(); v != nil {
					panicked.Store(fmt.Sprintf("%v\n%s", v, debug.Stack()))
				}
			}()
			for i := range part {
				r := read(part[i])
				part[i].unfigured = a.figures != 0 && a.figures&r.figures() == 0
				part[i].Coverage = a.carriedBy(part[i], r)
			}
		})
	}
	all.Wait()
	if v := panicked.Load(); v != nil {
		panic(v)
	}
}

// coverage is the greatest share that one of the best hits carries.
func coverage(hits []Hit) (best float64) {
	for _, h := range hits[:min(len(hits), judgedHits)] {
		share := h.Coverage
		if h.unfigured {
			share *= unfigured
		}
		best = max(best, share)
	}
	return best
}

// asked is what a question asks for.
type asked struct {
	terms     []string
	weights   []float64
	names     map[string]bool
	matches   []french.Match
	countries []country.Code
	figures   french.Figures
}

func (s *Searcher) asked(q question.Question) asked {
	terms := once(slices.Clone(q.Terms))
	own := len(terms)
	terms = append(terms, q.EarlierTerms...)
	a := asked{terms: once(terms), names: maps.Clone(q.Names), countries: q.Asked(), figures: q.Figures}
	a.weights = s.Index.Rarity(a.terms)
	for i, t := range a.terms {
		if french.Shaping(t) || french.Measure(t) {
			a.weights[i] *= shapeWeight
		}
		if len(q.Asking) > 0 && !q.Asking[t] {
			a.weights[i] *= besideWeight
		}
		if i >= own {
			a.weights[i] *= earlierWeight
		}
	}
	a.matches = s.Lexicon.Matches(a.terms)
	s.lighten(a)
	return a
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

// carriedBy is the share that an article carries.
func (a asked) carriedBy(h Hit, r reading) float64 {
	factor := 1.0
	switch {
	case !country.Fits(a.countries, h.Countries):
		return 0
	case len(a.countries) > 0 && !h.Local && !slices.ContainsFunc(a.countries, country.Union):
		factor = absent
	case len(a.countries) > 0 && len(h.Countries) == 0:
		factor = nobodys
	}
	if h.Article.Number == "" {
		factor *= edge
	}
	switch {
	case h.unfigured && a.figures&french.Penalty != 0:
		factor *= harmless
	case h.unfigured:
		factor *= figureless
	}
	if len(a.terms) <= fewWords && !a.together(r) {
		factor *= apart
	}
	return factor * a.carried(r)
}

// nearby is how many terms apart two words still stand together.
const nearby = 3

// together tells whether some neighbors of the question stand nearby together
// among the terms of an article, as they are or by the law's words for them; a
// question of a single word has none to part.
func (a asked) together(r reading) bool {
	pairs := 0
	for i := range a.terms[:max(0, len(a.terms)-1)] {
		if french.Shaping(a.terms[i]) || french.Shaping(a.terms[i+1]) {
			continue
		}
		pairs++
		if r.near(a.standing(r, i), a.standing(r, i+1)) {
			return true
		}
	}
	return pairs == 0
}

// standing are the terms that stand for one of the question in an article.
func (a asked) standing(r reading, i int) (terms []string) {
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

// carried is the share that an article that reads so carries.
func (a asked) carried(r reading) float64 {
	shares := a.shares(r)
	var plain, plainAll, all, allAll float64
	for i, w := range a.weights {
		if a.names[a.terms[i]] {
			w *= nameWeight
		} else {
			plain += w * shares[i]
			plainAll += w
		}
		all += w * shares[i]
		allAll += w
	}
	switch {
	case allAll == 0:
		return 0
	case plainAll == 0:
		return all / allAll
	}
	return min(plain/plainAll, all/allAll)
}

// shares is how much of each term an article that reads so has.
func (a asked) shares(r reading) []float64 {
	shares := make([]float64, len(a.terms))
	for i, t := range a.terms {
		_, shares[i] = r.likest(t)
	}
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
				shares[i] = max(shares[i], standIn*found*found)
			}
		}
	}
	return shares
}
