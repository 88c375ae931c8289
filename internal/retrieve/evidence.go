package retrieve

import (
	"cmp"
	"math"
	"slices"

	"github.com/google/uuid"

	"vigueur/internal/country"
	"vigueur/internal/french"
	"vigueur/internal/parallel"
	"vigueur/internal/rank"
)

// order notes what is known of each hit and puts them in the order of the model,
// those that the question names by their numbers before all others, in the order
// they came. The law of other countries than those named is left out.
func (s *Searcher) order(q Question, looked *Examined, hits []Hit) []Hit {
	asked := s.asked(*q.Asked)
	asked.named = looked.Named
	asked.judge(hits, func(h Hit) reading { return s.recent.Reading(looked.version, h) })
	relate(hits)
	weights := s.model().Ordering(looked.Semantic, s.Index.PerText())
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
	hits = s.fitting(asked.countries, hits)
	s.closer(looked, asked, hits)
	return hits
}

// closer looks at the best hits, or at all where Searcher.All says so, as the gate does.
func (s *Searcher) closer(looked *Examined, asked asked, hits []Hit) {
	n := len(hits)
	if !s.All {
		n = min(n, rank.Watched)
	}
	words := s.words()
	for i := range hits[:n] {
		asked.near(&hits[i].Features, s.recent.Reading(looked.version, hits[i]), words)
	}
}

// fitting leaves out the law of other countries than those that the question names,
// unless nothing else was found.
func (s *Searcher) fitting(countries []country.Code, hits []Hit) []Hit {
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
	parallel.Each(len(hits), func(i int) { a.describe(&hits[i], read(hits[i])) })
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
	var t tally
	shares, terms := a.shares(r)
	withLegal := a.legal(r, shares)
	for i, w := range a.weights {
		t.of[a.roles[i]] += w
		t.covered[a.roles[i]] += w * withLegal[i]
		if a.roles[i] == shaping {
			continue
		}
		t.sum += w
		t.all += w * shares[i]
		t.legal += w * withLegal[i]
		for k, held := range r.where(terms[i]) {
			if held {
				t.in[k] += w * shares[i]
			}
		}
		if a.names[a.terms[i]] {
			t.names += w * withLegal[i]
			t.namesAll += w
		} else {
			t.plain += w * withLegal[i]
			t.plainAll += w
		}
		t.most = max(t.most, w*(1-withLegal[i]))
		if w > t.heaviest {
			t.heaviest, t.rarest = w, withLegal[i]
		}
	}
	t.tell(f)
}

// tally is what the words of a question weigh, and those of them that an article has.
type tally struct {
	of, covered                      [roles]float64
	in                               [3]float64
	sum, all, legal                  float64 // of all but those that shape
	plain, plainAll, names, namesAll float64
	most, heaviest, rarest           float64
}

func (t *tally) tell(f *rank.Features) {
	for at, r := range map[int]role{rank.CoveredShape: shaping, rank.CoveredEarlier: earlier, rank.CoveredBeside: beside} {
		f[at] = share(t.covered[r], t.of[r])
	}
	if t.sum == 0 {
		return
	}
	f[rank.Covered], f[rank.CoveredLegal] = share(t.all, t.sum), share(t.legal-t.all, t.sum)
	f[rank.CoveredBody], f[rank.CoveredHeads], f[rank.CoveredTitle] = share(t.in[0], t.sum), share(t.in[1], t.sum), share(t.in[2], t.sum)
	f[rank.MissedMost], f[rank.Rarest] = share(t.most, t.sum), float32(t.rarest)
	f[rank.CoveredPlain] = share(t.plain, t.plainAll)
	if t.namesAll > 0 {
		f[rank.MissedNames] = 1 - share(t.names, t.namesAll)
	}
}

// share is 0 of nothing.
func share(part, whole float64) float32 {
	if whole == 0 {
		return 0
	}
	return float32(part / whole)
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
	return rank.Builtin()
}

// gate tells how likely the best of the hits, which are in order, answers.
func (s *Searcher) gate(hits []Hit, meant bool) (probability float64, evidence rank.Evidence) {
	features, scores, texts := make([]*rank.Features, len(hits)), make([]float64, len(hits)), make([]uuid.UUID, len(hits))
	weigh := s.model().Weigh.Of(meant)
	for i := range hits {
		features[i], scores[i], texts[i] = &hits[i].Features, weigh.Score(&hits[i].Features), hits[i].Document.ID
	}
	if len(hits) == 0 {
		return 0, evidence
	}
	evidence = rank.EvidenceOf(features, scores, texts, s.model().Shape.Of(s.Index.PerText()))
	probability = s.model().Gate.Of(meant).First.Of(&evidence)
	return probability, evidence
}
