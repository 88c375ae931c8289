package retrieve

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"sync"

	"github.com/google/uuid"

	"vigueur/internal/kit/parallel"
	"vigueur/internal/law/country"
	"vigueur/internal/law/french"
	"vigueur/internal/search/encode"
	"vigueur/internal/search/question"
	"vigueur/internal/search/rank"
)

// rankHits sets the features of the hits and sorts them: first the hits that the question
// names by number, in their order, then the others by the learned model. It removes hits
// of countries other than those that the question names.
func (s *Searcher) rankHits(ctx context.Context, q Question, looked *Examined, hits []Hit) []Hit {
	terms := s.termsOf(*q.Asked)
	terms.named = looked.Named
	if s.ReadingBudget > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, s.ReadingBudget)
		defer cancel()
	}
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
		for pos, kind := range alignments {
			if q.offers&kind != 0 && r.offers()&kind != 0 {
				f[pos] = 1
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
	for pos, r := range map[int]role{rank.CoveredShape: shaping, rank.CoveredEarlier: earlier, rank.CoveredBeside: background} {
		f[pos] = share(t.covered[r], t.weights[r])
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
func (s *Searcher) evidence(hits []Hit, vectors rank.Vectors) (evidence rank.Evidence) {
	if len(hits) == 0 {
		return evidence
	}
	features, scores, texts := make([]*rank.Features, len(hits)), make([]float64, len(hits)), make([]uuid.UUID, len(hits))
	weigh := s.model().Weigh.For(vectors)
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

func roleOf(q question.Question, term string, previous bool) role {
	switch {
	case french.Shaping(term) || french.Measure(term):
		return shaping
	case previous:
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
	for pos, t := range r.order {
		if !slices.Contains(some, t) {
			continue
		}
		for _, next := range r.order[max(0, pos-proximity):min(len(r.order), pos+proximity+1)] {
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

// builtinWords returns the word vectors that are embedded in the program.
var builtinWords = sync.OnceValues(encode.New)

// wordVectors returns the vectors that say which words are similar in meaning, or nil if
// there are none.
func (s *Searcher) wordVectors() *encode.Encoder {
	if s.Words != nil {
		return s.Words
	}
	carried, err := builtinWords()
	if err != nil {
		return nil // rank.Builtin already stops a program whose embedded weights cannot be read
	}
	return carried
}

// gateFeatures sets the features of an article that only the gate uses: the share of the
// question covered if words with similar meanings count, and the share covered within one
// window of the article. They take longer to compute than other features, so they are
// computed for the best articles only.
func (q *queryTerms) gateFeatures(f *rank.Features, r articleTerms, words *encode.Encoder) {
	f[rank.Unknown], f[rank.Asked] = float32(q.unknown), float32(math.Log1p(float64(len(q.terms))))
	shares, terms := q.shares(r)
	withLegal := q.raiseByLegal(r, shares)
	var sum, covered, missed float64
	for i, w := range q.weights {
		if q.roles[i] == shaping {
			continue
		}
		share := withLegal[i]
		if share < 1 && words != nil {
			share = max(share, words.Nearest(q.terms[i], r.terms))
		}
		sum += w
		covered += w * share
		missed = max(missed, w*(1-share))
	}
	if sum == 0 {
		return
	}
	f[rank.NearCovered], f[rank.NearMissed] = float32(covered/sum), float32(missed/sum)
	f[rank.Close] = float32(q.densestWindow(r, shares, terms) / sum)
}

// windowTerms is the length in terms of the windows of densestWindow: about one long
// sentence.
const windowTerms = 30

// densestWindow returns the greatest total weight of question terms in any window of the
// article.
func (q *queryTerms) densestWindow(r articleTerms, shares []float64, terms []string) (most float64) {
	worth := make(map[string]float64)
	for i, t := range terms {
		if t != "" && q.roles[i] != shaping {
			worth[t] += q.weights[i] * shares[i]
		}
	}
	held, sum := make(map[string]int), 0.0
	for pos, t := range r.order {
		if w := worth[t]; w > 0 {
			if held[t]++; held[t] == 1 {
				sum += w
			}
		}
		if pos >= windowTerms {
			if old := r.order[pos-windowTerms]; worth[old] > 0 {
				if held[old]--; held[old] == 0 {
					sum -= worth[old]
				}
			}
		}
		most = max(most, sum)
	}
	return most
}
