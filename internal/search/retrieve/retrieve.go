// Package retrieve finds the articles that may answer a question.
//
// It reads the references of the question first (« article 12 de la loi n° 2010-05 »):
// the articles they name are ranked first. A question that depends on the conversation
// (« et pour un CDD ? ») takes the words of the earlier questions along, with less
// weight. It then searches the index, reads what was found from PostgreSQL and drops
// what is no longer there or no longer matches: the index may be behind the catalogue,
// and a deleted text is never cited. The passages of one article become one hit.
//
// Only what is in force on the day asked about is found, today when no day is given;
// repealed texts only if the filters ask for them or for a day on which they were in
// force. Articles are ordered by a model learned from questions with the articles that
// answer them (package rank), which also estimates how likely the first one answers.
package retrieve

import (
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/french"
	"vigueur/internal/search/decide"
	"vigueur/internal/search/encode"
	"vigueur/internal/search/memindex"
	"vigueur/internal/search/question"
	"vigueur/internal/search/rank"
	"vigueur/internal/store/postgres"
)

const (
	hitLimit     = 8  // articles given
	weighedLimit = 80 // articles looked at for them
	passageLimit = 80 // passages read from Postgres for them
	textsNamed   = 5  // texts that one name may mean
)

// Index finds passages: *memindex.Index.
type Index interface {
	Search(memindex.Query) []memindex.Hit
	Texts(memindex.Named) []uuid.UUID
	Articles(q memindex.Query, texts []uuid.UUID, numbers []string) []memindex.Hit
	Rarity(terms []string) []float64
	PerText() float64
}

// Catalogue is what searches read of the catalogue: *postgres.DB, or a set of
// articles with questions that were judged.
type Catalogue interface {
	CatalogueVersion(ctx context.Context) (int64, error)
	Found(ctx context.Context, passages []uuid.UUID) (map[uuid.UUID]postgres.Found, error)
	FoundArticles(ctx context.Context, articles []uuid.UUID) (map[uuid.UUID][]postgres.Found, error)
	Spans(ctx context.Context, passages []uuid.UUID) (map[uuid.UUID][]law.Span, error)
	Quoted(ctx context.Context, articles []uuid.UUID) (map[uuid.UUID][]law.Passage, error)
}

// Searcher answers searches. Its fields are set once; Search may be called by
// many goroutines.
type Searcher struct {
	DB      Catalogue
	Index   Index
	Now     func() time.Time
	Lexicon *french.Lexicon // of the index too
	// Meaning gives the vector of a question and the generation that it is of; an
	// error leaves the search to words alone. nil: there are no vectors.
	Meaning func(ctx context.Context, question string) ([]float32, uuid.UUID, error)
	// Sentences tells how near the articles that were read are for a model that reads
	// sentences; nil: there is none.
	Sentences Sentences
	// Words has the vectors by which words of the question and of an article are near;
	// nil: those that the program carries.
	Words *encode.Encoder
	// Reranker looks at the best articles once more; nil: there is none.
	Reranker *Reranker
	// Passages searches passages that are not in the index but elsewhere, which may
	// fail; nil: Index.Search.
	Passages func(ctx context.Context, q memindex.Query) ([]memindex.Hit, error)
	// Ranking orders what was read; nil: as the program has learned it.
	Ranking *rank.Model
	All     bool // Look gives all that the index looked at

	cache catalogueCache
}

// Search finds the articles for q. Errors are the catalogue's, or of the store that
// has the passages, of kind errs.Unavailable when it does not answer; to find
// nothing is none.
func (s *Searcher) Search(ctx context.Context, q Question) (Result, error) {
	q.Asked = q.read()
	looked, err := s.Examine(ctx, q)
	if err != nil {
		return Result{}, err
	}
	result := looked.Result
	result.Reranked = s.Reranker.order(ctx, q, result.Hits)
	if ctx.Err() != nil {
		return Result{}, ctx.Err()
	}
	result.Hits = result.Hits[:min(len(result.Hits), hitLimit)]
	calibrate(&result)
	result.setCountries(s.query(q), s.model().Gate.For(result.Vectors).Other)
	if err := s.addSpans(ctx, looked.version, result.Hits); err != nil {
		return Result{}, err
	}
	gate := s.model().Gate.For(result.Vectors)
	for i, h := range result.Hits {
		result.Hits[i].Readable = slices.Contains(looked.Named, h.Document.ID) ||
			h.Score >= gate.Reading && float64(h.Features[rank.Covered]+h.Features[rank.CoveredLegal]) >= gate.Floor
	}
	return result, nil
}

// calibrate turns the scores of the hits into probabilities of answering: the best has
// the result's, the others less by how far their scores are behind it. What the
// question names has 1.
func calibrate(r *Result) {
	best := math.Inf(-1)
	for _, h := range r.Hits {
		if h.Mode == ByWords {
			best = max(best, h.Score)
		}
	}
	for i := range r.Hits {
		if r.Hits[i].Mode == ByReference {
			r.Hits[i].Score = 1
			continue
		}
		r.Hits[i].Score = r.Verdict.Probability * math.Exp(r.Hits[i].Score-best)
	}
}

// Examined is everything that a search looked at, of which Search returns the best.
type Examined struct {
	Result                // with all articles that were read, in order
	Named  []uuid.UUID    // the texts that the question names
	All    []memindex.Hit // what the index found, in its order; all of it where Searcher.All says so

	version int64
	asked   func() []float32 // waits for the vector of the question, by sentences
}

// Examine searches and orders, and gives all that was looked at. Errors are as those
// of Search.
func (s *Searcher) Examine(ctx context.Context, q Question) (looked Examined, err error) {
	q.Asked = q.read()
	looked.Asked = q.Asked
	query := s.query(q)
	looked.asked = s.ask(ctx, q.Asked.Meant())
	if s.Meaning != nil {
		if query.Vector, query.Generation, err = s.Meaning(ctx, q.Asked.Meant()); err != nil && ctx.Err() != nil {
			return looked, ctx.Err()
		}
	}
	looked.Day, looked.Today = s.day(q.Filters), s.day(law.Filters{})
	numbered, texts, absent := s.resolve(q, query)
	looked.Named = texts
	for _, r := range absent {
		looked.Missing = append(looked.Missing, r.Name)
	}
	hits, err := s.passages(ctx, query)
	if err != nil {
		return looked, err
	}
	hits = slices.DeleteFunc(hits, func(h memindex.Hit) bool { return !q.within(h) })
	if looked.Semantic = len(hits) > 0 && hits[0].Semantic; looked.Semantic {
		looked.Vectors = rank.WordVectors
	}
	looked.All = hits
	if err := s.readCandidates(ctx, q, query, &looked, merge(numbered, hits[:min(len(hits), passageLimit)])); err != nil {
		return looked, err
	}
	looked.Verdict = s.decide(q, &looked, absent)
	return looked, nil
}

// readCandidates reads the candidates from the catalogue and orders them.
func (s *Searcher) readCandidates(ctx context.Context, q Question, query memindex.Query, looked *Examined, candidates []candidate) (err error) {
	if len(candidates) == 0 {
		return nil
	}
	ids := make([]uuid.UUID, len(candidates))
	for i, c := range candidates {
		ids[i] = c.PassageID
	}
	if looked.version, err = s.DB.CatalogueVersion(ctx); err != nil {
		return err
	}
	found, err := s.cache.Found(ctx, s.DB, looked.version, ids)
	if err != nil {
		return err
	}
	hits, err := s.completed(ctx, articles(candidates, found, query))
	if err != nil {
		return err
	}
	looked.Hits = s.order(ctx, q, looked, hits)
	return nil
}

// foreign reports whether the question names countries and the best hit is not their
// law, nor that of a union they belong to. A text whose country is unknown counts as
// foreign if the catalogue has no law of the named countries.
func (s *Searcher) foreign(q memindex.Query, best Hit) bool {
	if len(best.Countries) == 0 {
		return len(q.Countries) > 0 && !best.Local
	}
	return !country.Fits(q.Countries, best.Countries)
}

// decide has package decide judge what was found.
func (s *Searcher) decide(q Question, looked *Examined, absent []question.Reference) decide.Verdict {
	found := decide.Found{Asked: q.Asked, Any: len(looked.Hits) > 0, Gate: s.model().Gate.For(looked.Vectors), Evidence: s.evidence(looked.Hits, looked.Vectors),
		TextAbsent: slices.ContainsFunc(absent, func(r question.Reference) bool { return !mentioned(r, looked.Hits) })}
	if found.Any {
		found.Named, found.Foreign = looked.Hits[0].Mode == ByReference, s.foreign(s.query(q), looked.Hits[0])
	}
	return decide.Decide(&found)
}

// addSpans adds to the passages of the hits where they stand on their pages. It is done
// for the hits that are returned, a tenth of those that were read.
func (s *Searcher) addSpans(ctx context.Context, version int64, hits []Hit) error {
	var ids []uuid.UUID
	for _, h := range hits {
		for _, p := range h.Passages {
			ids = append(ids, p.ID)
		}
	}
	spans, err := s.cache.Spans(ctx, s.DB, version, ids)
	for _, h := range hits {
		for i := range h.Passages {
			h.Passages[i].Spans = spans[h.Passages[i].ID]
		}
	}
	return err
}

// passages searches the index, or the store that has the passages.
func (s *Searcher) passages(ctx context.Context, query memindex.Query) ([]memindex.Hit, error) {
	if s.Passages == nil {
		return s.Index.Search(query), nil
	}
	return s.Passages(ctx, query)
}

// day returns the day asked about, midnight UTC.
func (s *Searcher) day(f law.Filters) time.Time {
	day := s.Now().UTC()
	if f.Date != nil {
		day = *f.Date
	}
	return time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, time.UTC)
}

func (s *Searcher) query(q Question) memindex.Query {
	query := memindex.Query{Text: q.Text, Earlier: q.Asked.Earlier, Countries: q.Asked.AskedCountries(), Filters: q.Filters, Day: s.day(q.Filters), Limit: passageLimit,
		Repealed: q.Filters.Date != nil || q.Repealed, All: s.All}
	if q.Repealed || q.Filters.Status == law.Repealed && q.Filters.Date == nil {
		query.Day = time.Time{} // whenever they were law
	}
	if len(q.Within) > 0 {
		query.Limit = wideLimit
	}
	return query
}

// resolve resolves the references of the question: to the passages of the articles they
// name, the texts they name, and those that the catalogue does not have. A question
// that names articles without a text means the text that the conversation named last.
func (s *Searcher) resolve(q Question, query memindex.Query) (numbered []candidate, texts []uuid.UUID, absent []question.Reference) {
	for _, r := range q.Asked.References {
		of := s.texts(r)
		if len(of) == 0 && !r.NamesText() {
			of = s.textOf(q)
		}
		texts = append(texts, of...)
		if len(of) == 0 && !r.Alone && (r.Number != "" || r.Title != "") {
			absent = append(absent, r)
		}
		if len(r.Articles) == 0 || len(of) == 0 && (r.NamesText() || !lettered(r.Articles)) {
			continue
		}
		for _, h := range s.Index.Articles(query, of, r.Articles) {
			numbered = append(numbered, candidate{h, ByReference})
		}
	}
	return numbered, texts, absent
}

// texts are those that a reference names.
func (s *Searcher) texts(r question.Reference) []uuid.UUID {
	if r.Absent || r.Number == "" && r.Title == "" {
		return nil
	}
	found := s.Index.Texts(memindex.Named{Type: r.Type, Number: r.Number, Title: r.Title})
	if len(found) == 0 && r.Number == "" {
		found = s.Index.Texts(memindex.Named{Type: r.Type, Title: question.TitleWithoutCountries(r.Title)})
	}
	return found[:min(len(found), textsNamed)]
}

// textOf is the text that the conversation is about: the one that the filters
// give, else the last that an earlier question named.
func (s *Searcher) textOf(q Question) []uuid.UUID {
	if q.Filters.DocumentID != nil {
		return []uuid.UUID{*q.Filters.DocumentID}
	}
	if last, ok := q.Before().LastText(func(r question.Reference) bool { return len(s.texts(r)) > 0 }); ok {
		return s.texts(last)
	}
	return nil
}

// lettered reports whether the articles' numbers identify one text by themselves: « L.
// 1224-1 ».
func lettered(articles []string) bool {
	return strings.ContainsFunc(articles[0], func(r rune) bool { return r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' }) &&
		strings.Contains(articles[0], "-")
}
