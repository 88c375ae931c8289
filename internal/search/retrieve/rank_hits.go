package retrieve

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/google/uuid"

	"vigueur/internal/kit/parallel"
	"vigueur/internal/law/country"
	"vigueur/internal/law/french"
	"vigueur/internal/search/rank"
)

// rankHits sets the features of the hits and sorts them: first the hits that the question
// names by number, in their order, then the others by the learned model. It removes hits
// of countries other than those that the question names.
func (s *Searcher) rankHits(ctx context.Context, q Question, looked *Examined, hits []Hit) []Hit {
	terms := s.termsOf(*q.Asked)
	terms.named = looked.Named
	cosines := func() []Cosines { return nil }
	if looked.Semantic { // the weights for sentence vectors assume word vectors too
		cosines = s.startCosines(ctx, looked.questionVector, hits)
	}
	terms.addFeatures(hits, func(h Hit) articleTerms { return s.cache.Article(looked.version, h) })
	addRelativeFeatures(hits)
	if near := cosines(); near != nil {
		addSentenceFeatures(hits, near)
		looked.Vectors = rank.SentenceVectors
	}
	weights := s.model().Ordering(looked.Vectors, s.Index.PerText())
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
	hits = s.filterCountries(terms.countries, hits)
	s.addGateFeatures(looked, terms, hits)
	if s.readBest(ctx, looked, terms, hits); looked.Read.Articles > 0 && !looked.Read.Kept {
		s.addGateFeatures(looked, terms, hits) // another article is the first
	}
	return hits
}

// addGateFeatures sets the gate's features of the best hits, or of all hits if
// Searcher.All is set.
func (s *Searcher) addGateFeatures(looked *Examined, terms queryTerms, hits []Hit) {
	n := len(hits)
	if !s.All {
		n = min(n, rank.GateArticles)
	}
	words := s.wordVectors()
	for i := range hits[:n] {
		terms.gateFeatures(&hits[i].Features, s.cache.Article(looked.version, hits[i]), words)
	}
}

// filterCountries removes the hits of countries other than those given, unless none would
// be left.
func (s *Searcher) filterCountries(countries []country.Code, hits []Hit) []Hit {
	out := slices.DeleteFunc(slices.Clone(hits), func(h Hit) bool { return !country.Fits(countries, h.Countries) })
	if len(out) == 0 {
		return hits
	}
	return out
}

// addRelativeFeatures sets the features that compare a hit with the others, such as its
// score minus the best score.
func addRelativeFeatures(hits []Hit) {
	best, most := math.Inf(-1), float32(0)
	ofText := make(map[uuid.UUID]int)
	for i := range hits {
		ofText[hits[i].Document.ID]++
		if hits[i].Mode == ByWords {
			best = max(best, hits[i].Score)
		}
		most = max(most, hits[i].Features[rank.Covered])
	}
	places := 0
	for i := range hits {
		f := &hits[i].Features
		f[rank.BestCovered] = f[rank.Covered] - most
		f[rank.InText] = float32(math.Log(float64(ofText[hits[i].Document.ID]) / float64(len(hits))))
		if hits[i].Mode == ByWords {
			f[rank.Found], f[rank.RankFound] = float32(hits[i].Score-best), float32(-math.Log1p(float64(places)))
			places++
		}
	}
}

// addFeatures sets the features of each hit, on all cores: reading the hits is most of
// the work of a search. A panic in one of them reaches the caller.
func (q *queryTerms) addFeatures(hits []Hit, read func(Hit) articleTerms) {
	parallel.Each(len(hits), func(i int) { q.articleFeatures(&hits[i], read(hits[i])) })
}

// articleFeatures sets the features of one article.
func (q *queryTerms) articleFeatures(h *Hit, r articleTerms) {
	f := &h.Features
	q.coverFeatures(f, r)
	f[rank.Together] = float32(q.adjacency(r))
	f[rank.LeafLikeness] = likeness(q.grams, r.leaf)
	f[rank.PathLikeness] = likeness(q.grams, r.path)
	f[rank.TitleLikeness] = likeness(q.grams, r.title)
	if q.figures != 0 && q.figures&r.figures() == 0 {
		if q.figures&french.Penalty != 0 {
			f[rank.Unpunished] = 1
		} else {
			f[rank.Unfigured] = 1
		}
	}
	if q.offers != 0 {
		for at, kind := range alignments {
			if q.offers&kind != 0 && r.offers()&kind != 0 {
				f[at] = 1
			}
		}
	}
	if slices.Contains(q.named, h.Document.ID) || h.amends(q.named) {
		f[rank.TextNamed] = 1
	}
	if len(q.countries) > 0 && !h.Local && !slices.ContainsFunc(q.countries, country.Union) {
		f[rank.NotLocal] = 1
	}
	f[rank.ArticleLong] = float32(math.Log(float64(1+len(r.order)) / 100))
}

// alignments maps each feature of alignment to the kind of statement that the question asks for and the article makes.
var alignments = map[int]french.Offers{rank.AlignedAuthority: french.Authority, rank.AlignedPermission: french.Permission,
	rank.AlignedPeriod: french.Period, rank.AlignedCondition: french.Condition, rank.AlignedPlace: french.Place}

// coverFeatures sets the features for the words of the question that the article has, and
// for the fields that have them.
func (q *queryTerms) coverFeatures(f *rank.Features, r articleTerms) {
	var t tally
	shares, terms := q.shares(r)
	withLegal := q.raiseByLegal(r, shares)
	for i, w := range q.weights {
		t.weights[q.roles[i]] += w
		t.covered[q.roles[i]] += w * withLegal[i]
		if q.roles[i] == shaping {
			continue
		}
		t.sum += w
		t.all += w * shares[i]
		t.legal += w * withLegal[i]
		for k, held := range r.fieldsWith(terms[i]) {
			if held {
				t.byField[k] += w * shares[i]
			}
		}
		if q.names[q.terms[i]] {
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
	t.setFeatures(f)
}

// tally sums the weights of the question's words, and of those among them that an article
// has.
type tally struct {
	weights, covered                 [roles]float64
	byField                          [3]float64
	sum, all, legal                  float64 // sums over the words of all roles except shaping
	plain, plainAll, names, namesAll float64
	most, heaviest, rarest           float64
}

func (t *tally) setFeatures(f *rank.Features) {
	for at, r := range map[int]role{rank.CoveredShape: shaping, rank.CoveredEarlier: earlier, rank.CoveredBeside: background} {
		f[at] = share(t.covered[r], t.weights[r])
	}
	if t.sum == 0 {
		return
	}
	f[rank.Covered], f[rank.CoveredLegal] = share(t.all, t.sum), share(t.legal-t.all, t.sum)
	f[rank.CoveredBody], f[rank.CoveredHeads], f[rank.CoveredTitle] = share(t.byField[0], t.sum), share(t.byField[1], t.sum), share(t.byField[2], t.sum)
	f[rank.MissedMost], f[rank.Rarest] = share(t.most, t.sum), float32(t.rarest)
	f[rank.CoveredPlain] = share(t.plain, t.plainAll)
	if t.namesAll > 0 {
		f[rank.MissedNames] = 1 - share(t.names, t.namesAll)
	}
}

// share returns part/whole, 0 if whole is 0.
func share(part, whole float64) float32 {
	if whole == 0 {
		return 0
	}
	return float32(part / whole)
}

// amends reports whether the hit gives an article of one of the texts a new wording.
func (h *Hit) amends(texts []uuid.UUID) bool {
	return slices.ContainsFunc(h.amended, func(t uuid.UUID) bool { return slices.Contains(texts, t) })
}

// likeness returns the cosine of two sets of character n-grams.
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

// gramsOf returns the character n-grams of some words, sorted and without duplicates.
func gramsOf(terms []string) (grams []french.Gram) {
	for _, t := range terms {
		grams = french.Grams(grams, t)
	}
	slices.Sort(grams)
	return slices.Clip(slices.Compact(grams))
}

// model returns the ranking model in use.
func (s *Searcher) model() *rank.Model {
	if s.Ranking != nil {
		return s.Ranking
	}
	return rank.Builtin()
}

// evidence computes the evidence of whether the best hit answers; none without hits.
func (s *Searcher) evidence(hits []Hit, by rank.Vectors) (evidence rank.Evidence) {
	if len(hits) == 0 {
		return evidence
	}
	features, scores, texts := make([]*rank.Features, len(hits)), make([]float64, len(hits)), make([]uuid.UUID, len(hits))
	weigh := s.model().Weigh.For(by)
	for i := range hits {
		features[i], scores[i], texts[i] = &hits[i].Features, weigh.Score(&hits[i].Features), hits[i].Document.ID
	}
	return rank.EvidenceOf(features, scores, texts, s.model().Shape.Position(s.Index.PerText()))
}

// evidenceRead returns the evidence, with that of the reader if there was one.
func (s *Searcher) evidenceRead(looked *Examined) rank.Evidence {
	e := s.evidence(looked.Hits, looked.Vectors)
	if n := looked.Read.Articles; n > 0 {
		mixed := make([]float64, n)
		for i, h := range looked.Hits[:n] {
			mixed[i] = h.Score
		}
		e.AddReading(looked.Hits[0].read, mixed, looked.Read.First)
	}
	return e
}
