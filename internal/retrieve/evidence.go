package retrieve

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/google/uuid"

	"vigueur/internal/country"
	"vigueur/internal/flat"
	"vigueur/internal/french"
	"vigueur/internal/rank"
)

// order notes what is known of each hit and puts them in the order of the model,
// those that the question names by their numbers before all others, in the order
// they came.
func (s *Searcher) order(q Question, looked *Looked, hits []Hit) []Hit {
	asked := s.asked(*q.Asked)
	asked.named = looked.Named
	asked.judge(hits, func(h Hit) reading { return s.recent.Reading(looked.version, h) })
	relate(hits)
	weights := s.model().Order.Of(looked.Meant)
	for i := range hits {
		hits[i].Score = weights.Score(&hits[i].Features)
	}
	slices.SortStableFunc(hits, func(a, b Hit) int {
		switch named, other := a.Mode == ByReference, b.Mode == ByReference; {
		case named && other:
			return 0
		case named:
			return -1
		case other:
			return 1
		}
		return cmp.Compare(b.Score, a.Score)
	})
	return hits
}

// fitting leaves out the law of other countries than those that the question names,
// unless nothing else was found.
func (s *Searcher) fitting(q flat.Query, hits []Hit) []Hit {
	countries := q.Countries
	out := slices.DeleteFunc(slices.Clone(hits), func(h Hit) bool { return !country.Fits(countries, h.Countries) })
	if len(out) == 0 {
		return hits
	}
	return out
}

// relate fills in what a hit is beside the others: what the index makes of its
// passage, less what it makes of the best, and the like.
func relate(hits []Hit) {
	best, most := math.Inf(-1), float32(0)
	for i := range hits {
		if hits[i].Mode == ByWords {
			best = max(best, hits[i].Score)
		}
		most = max(most, hits[i].Features[rank.Covered])
	}
	places := 0
	for i := range hits {
		f := &hits[i].Features
		f[rank.BestCovered] = f[rank.Covered] - most
		if hits[i].Mode == ByWords {
			f[rank.Found], f[rank.RankFound] = float32(hits[i].Score-best), float32(-math.Log1p(float64(places)))
			places++
		}
	}
}

// judge notes what is known of the hits, on all cores: to read them is most of the
// work of a search. A panic on one of them comes to the caller.
func (a *asked) judge(hits []Hit, read func(Hit) reading) {
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
				a.describe(&part[i], read(part[i]))
			}
		})
	}
	all.Wait()
	if v := panicked.Load(); v != nil {
		panic(v)
	}
}

// describe fills in what an article that reads so tells of the question.
func (a *asked) describe(h *Hit, r reading) {
	f := &h.Features
	a.cover(f, r)
	f[rank.Together] = float32(a.together(r))
	f[rank.LeafLikeness] = likeness(a.grams, r.leaf)
	f[rank.PathLikeness] = likeness(a.grams, r.path)
	f[rank.TitleLikeness] = likeness(a.grams, r.title)
	if a.figures != 0 && a.figures&r.figures() == 0 {
		if a.figures&french.Penalty != 0 {
			f[rank.Unpunished] = 1
		} else {
			f[rank.Unfigured] = 1
		}
	}
	if slices.Contains(a.named, h.Document.ID) || h.amends(a.named) {
		f[rank.TextNamed] = 1
	}
	if len(a.countries) > 0 && !h.Local && !slices.ContainsFunc(a.countries, country.Union) {
		f[rank.NotLocal] = 1
	}
	f[rank.ArticleLong] = float32(math.Log(float64(1+len(r.order)) / 100))
}

// cover fills in which words of the question the article has, and where.
func (a *asked) cover(f *rank.Features, r reading) {
	var sum, all, legal, plain, plainAll, names, namesAll, most, heaviest float64
	var in [3]float64
	shares, terms := a.shares(r)
	withLegal := a.legal(r, shares)
	for i, w := range a.weights {
		sum += w
		all += w * shares[i]
		legal += w * withLegal[i]
		for k, held := range r.where(terms[i]) {
			if held {
				in[k] += w * shares[i]
			}
		}
		if a.names[a.terms[i]] {
			names += w * withLegal[i]
			namesAll += w
		} else {
			plain += w * withLegal[i]
			plainAll += w
		}
		most = max(most, w*(1-withLegal[i]))
		if w > heaviest {
			heaviest = w
			f[rank.Rarest] = float32(withLegal[i])
		}
	}
	if sum == 0 {
		return
	}
	f[rank.Covered], f[rank.CoveredLegal] = float32(all/sum), float32((legal-all)/sum)
	f[rank.CoveredBody], f[rank.CoveredHeads], f[rank.CoveredTitle] = float32(in[0]/sum), float32(in[1]/sum), float32(in[2]/sum)
	f[rank.MissedMost] = float32(most / sum)
	if plainAll > 0 {
		f[rank.CoveredPlain] = float32(plain / plainAll)
	}
	if namesAll > 0 {
		f[rank.MissedNames] = float32(1 - names/namesAll)
	}
}

// amends tells whether the hit words an article of one of some texts anew.
func (h *Hit) amends(texts []uuid.UUID) bool {
	return slices.ContainsFunc(h.amended, func(t uuid.UUID) bool { return slices.Contains(texts, t) })
}

// likeness is the cosine of two sets of pieces of words.
func likeness(a, b []french.Gram) float32 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	shared, i, k := 0, 0, 0
	for i < len(a) && k < len(b) {
		switch c := cmp.Compare(a[i], b[k]); {
		case c < 0:
			i++
		case c > 0:
			k++
		default:
			shared, i, k = shared+1, i+1, k+1
		}
	}
	return float32(float64(shared) / math.Sqrt(float64(len(a))*float64(len(b))))
}

// gramsOf are the pieces of some words, each once, sorted.
func gramsOf(terms []string) (grams []french.Gram) {
	for _, t := range terms {
		grams = french.Grams(grams, t)
	}
	slices.Sort(grams)
	return slices.Clip(slices.Compact(grams))
}

// model is what the searcher goes by.
func (s *Searcher) model() *rank.Model {
	if s.Ranking != nil {
		return s.Ranking
	}
	return rank.Carried()
}

// gate tells how likely the best of the hits, which are in order, answers.
func (s *Searcher) gate(hits []Hit, meant bool) (probability float64, evidence rank.Evidence) {
	features, scores := make([]*rank.Features, len(hits)), make([]float64, len(hits))
	for i := range hits {
		features[i], scores[i] = &hits[i].Features, hits[i].Score
	}
	if len(hits) == 0 {
		return 0, evidence
	}
	evidence = rank.EvidenceOf(features, scores)
	probability = s.model().Gate.Of(meant).First.Of(&evidence)
	return probability, evidence
}
