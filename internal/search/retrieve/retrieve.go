// Package retrieve finds the articles that may answer a question.
//
// A search ranks first the articles that the question names (« article 12 de la loi n°
// 2010-05 »), of the texts that it means according to package named. A question that
// depends on the conversation (« et pour un CDD ? ») is extended by the words of the
// earlier questions, with less weight. The search then asks the index, reads the passages
// that it returned from PostgreSQL, and drops those that are gone or no longer match: the
// index may be older than the catalogue, and a deleted text is never cited. The passages
// of one article become one hit.
//
// A search finds only law that is in force on the day asked about, which is today if no day
// is given. It finds repealed texts only if the filters ask for them or for a day on which
// they were in force. A model orders the articles (package rank). The model was learned
// from questions with the articles that answer them, and also estimates how likely the
// first article answers.
package retrieve

import (
	"cmp"
	"context"
	"math"
	"regexp"
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
	"vigueur/internal/search/named"
	"vigueur/internal/search/question"
	"vigueur/internal/search/rank"
	"vigueur/internal/store/postgres"
)

const (
	// HitLimit is how many articles are returned to a reader that quotes them.
	HitLimit = 8
	// WideLimit is how many are returned to a reader that judges them itself.
	WideLimit    = 20
	weighedLimit = 80 // articles ranked to choose them
	passageLimit = 80 // passages read from Postgres to find these
	textLimit    = 5  // texts of one reference that are considered
)

// Index finds passages: *memindex.Index.
type Index interface {
	Search(memindex.Query) []memindex.Hit
	Articles(q memindex.Query, texts []uuid.UUID, numbers []string) []memindex.Hit
	Rarity(terms []string) []float64
	PerText() float64
}

// Catalogue is the part of the catalogue that searches read: *postgres.DB, or a test
// collection of articles with judged questions.
type Catalogue interface {
	CatalogueVersion(ctx context.Context) (int64, error)
	Found(ctx context.Context, passages []uuid.UUID) (map[uuid.UUID]postgres.Found, error)
	FoundArticles(ctx context.Context, articles []uuid.UUID) (map[uuid.UUID][]postgres.Found, error)
	Spans(ctx context.Context, passages []uuid.UUID) (map[uuid.UUID][]law.Span, error)
	ReadQuoted(ctx context.Context, articles []uuid.UUID) (map[uuid.UUID][]law.Passage, error)
}

// Searcher answers searches. Its fields are set once; Search is safe for concurrent use.
type Searcher struct {
	DB      Catalogue
	Index   Index
	Now     func() time.Time
	Lexicon *french.Lexicon // the lexicon that the index uses too
	// Names looks up the references of a question without Mentions, and the texts that new wordings change. With nil,
	// references mean nothing.
	Names named.Source
	// Meaning returns the vector of a question and the generation of vectors that it
	// belongs to. After an error the search goes by words alone. nil means that there are
	// no vectors.
	Meaning func(ctx context.Context, question string) ([]float32, uuid.UUID, error)
	// Sentences compares the question with the articles that were read, by a model that
	// reads whole sentences. nil means none.
	Sentences Sentences
	// Words holds the vectors that say which words are similar in meaning. nil means the
	// embedded ones.
	Words *encode.Encoder
	// Reader reads the best articles together with the question. nil means none.
	Reader Reader
	// ReadingBudget is how long an answer may wait for Sentences and Reader together; 0 is no limit. What is not
	// read by then does without.
	ReadingBudget time.Duration
	// Passages searches passages that are stored outside the index, in a store that may
	// fail. nil means Index.Search.
	Passages func(ctx context.Context, q memindex.Query) ([]memindex.Hit, error)
	// Ranking orders the articles that were read. nil means the embedded model.
	Ranking *rank.Model
	All     bool // Examine returns everything that the index returned

	cache catalogueCache
}

// Search finds the articles for q. Errors are those of the catalogue or of the store of
// passages; they are of kind errs.Unavailable if it does not answer. A search that finds
// nothing is no error.
func (s *Searcher) Search(ctx context.Context, q Question) (Result, error) {
	q.Asked = q.read()
	looked, err := s.Examine(ctx, q)
	if err != nil {
		return Result{}, err
	}
	result := looked.Result
	if ctx.Err() != nil {
		return Result{}, ctx.Err()
	}
	most := HitLimit
	if q.Wide {
		most = WideLimit
	}
	if result.Country != "" && q.Asked.Compares() {
		result.Hits = eachCountryFirst(result.Hits)
	}
	result.Hits = result.Hits[:min(len(result.Hits), most)]
	calibrate(&result)
	gate := s.gate(result.Vectors, result.Read)
	result.setOtherCountries(gate.Other)
	if err := s.completeBest(ctx, &result, q.Wide); err != nil {
		return Result{}, err
	}
	if err := s.addSpans(ctx, looked.version, result.Hits); err != nil {
		return Result{}, err
	}
	for i, h := range result.Hits {
		result.Hits[i].Readable = slices.Contains(looked.Named, h.Document.ID) ||
			h.Score >= worthReading && float64(h.Features[rank.Covered]+h.Features[rank.CoveredLegal]) >= gate.Floor
	}
	markActs(result.Hits)
	result.Hits, err = s.WithActs(ctx, result.Hits)
	return result, err
}

// worthReading is the probability of answering from which on an article is named to the reader although nothing answers surely enough: of
// fewer, not one in ten answers.
const worthReading = 0.1

// calibrate turns the scores of the hits into probabilities of answering. The best hit gets
// the probability of the verdict, and every other hit this probability times e^(its score
// minus the best score). Hits that the question names get 1.
func calibrate(r *Result) {
	best, temper := math.Inf(-1), 1.0
	if r.Read.Articles > 0 {
		temper = rank.BuiltinReading().Temper
	}
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
		r.Hits[i].Score = r.Verdict.Probability * math.Exp(temper*(r.Hits[i].Score-best))
	}
}

// Examined is everything that a search considered; Search returns the best of it.
type Examined struct {
	Result                // with all articles that were read, in order
	Named  []uuid.UUID    // the texts whose name is in the question
	All    []memindex.Hit // what the index returned, in its order; without a limit if Searcher.All is set

	mentions       []named.Mention // what the references in the question mean
	query          memindex.Query  // built once and not changed afterwards
	version        int64
	questionVector func(ctx context.Context) []float32 // waits for the sentence vector of the question
}

// Examine searches and orders the hits, and returns everything that was considered.
// Errors are as for Search.
func (s *Searcher) Examine(ctx context.Context, q Question) (looked Examined, err error) {
	q.Asked = q.read()
	looked.Asked = q.Asked
	embedding, stop := context.WithCancel(ctx)
	defer stop()
	looked.questionVector = s.startEmbedding(embedding, q.Asked.Meant()) // beside the search
	query, err := s.query(ctx, q)
	if err != nil {
		return looked, err
	}
	looked.query = query
	looked.Day, looked.Today = s.Days(q)
	if looked.mentions, err = s.mentions(ctx, q); err != nil {
		return looked, err
	}
	for _, m := range looked.mentions {
		looked.Named = append(looked.Named, idsOf(m.WithName())...)
		if m.AbsentIn(m.AskedCountries(q.Asked.Countries)) {
			looked.Missing = append(looked.Missing, m.Name)
		}
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
	if err := s.readCandidates(ctx, q, query, &looked, mergeCandidates(s.namedArticles(query, looked.mentions), hits[:min(len(hits), passageLimit)])); err != nil {
		return looked, err
	}
	looked.Country = countryToSay(looked.Asked, &query, looked.Hits)
	looked.Verdict = s.decide(q, &looked)
	return looked, nil
}

// readCandidates reads the candidates from the catalogue and sets looked.Hits to their
// articles, in order.
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
	hits, err := s.withoutPastWordings(ctx, q.Text, looked.Day, withoutOlderWordings(groupByArticle(candidates, found, query)))
	if err != nil {
		return err
	}
	if hits, err = s.completeNamed(ctx, hits); err != nil {
		return err
	}
	looked.Hits = s.rankHits(ctx, q, looked, hits)
	return nil
}

// completeLimit is the number of best articles of which all passages are read: those that an
// answer quotes.
const completeLimit = 3

// completeBest adds to the best printed articles the passages that the search did not find,
// so that a rule is quoted with its conditions; but not the new words of other articles that
// an amending article quotes (completeNamed). A refused question quotes nothing. wide completes all of them.
func (s *Searcher) completeBest(ctx context.Context, r *Result, wide bool) error {
	best := r.Hits[:min(len(r.Hits), completeLimit)]
	switch {
	case wide:
		best = r.Hits
	case !r.Verdict.Answers():
		return nil
	}
	var ids []uuid.UUID
	for _, h := range best {
		if h.Assembled == nil && h.Article.Wording == nil {
			ids = append(ids, h.Article.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	found, err := s.DB.FoundArticles(ctx, ids)
	if err != nil {
		return err
	}
	quoted, err := s.DB.ReadQuoted(ctx, ids)
	if err != nil {
		return err
	}
	for i := range best {
		h := &r.Hits[i]
		for _, f := range found[h.Article.ID] {
			same := func(p law.Passage) bool { return p.ID == f.Passage.ID }
			if h.Assembled == nil && !slices.ContainsFunc(h.Passages, same) && !slices.ContainsFunc(quoted[h.Article.ID], same) {
				h.Passages = append(h.Passages, f.Passage)
			}
		}
		slices.SortFunc(h.Passages, func(a, b law.Passage) int { return cmp.Compare(a.Position, b.Position) })
	}
	return nil
}

// decide returns the verdict of package decide on the hits.
func (s *Searcher) decide(q Question, looked *Examined) decide.Verdict {
	found := decide.Found{Asked: q.Asked, DayUnsaid: q.Asked.Undated && q.Filters.Date == nil, Any: len(looked.Hits) > 0, Gate: s.gate(looked.Vectors, looked.Read), Evidence: s.evidenceRead(looked),
		TextAbsent: slices.ContainsFunc(looked.mentions, func(m named.Mention) bool {
			return m.AbsentIn(m.AskedCountries(q.Asked.Countries)) && !inHits(m.Reference, looked.Hits)
		})}
	if found.Any {
		best := looked.Hits[0]
		found.Named, found.Countries, found.Guessed, found.Local = best.Mode == ByReference, best.Countries, best.Guessed, best.Local
		found.Several = looked.Country != ""
	}
	return decide.Decide(&found)
}

// addSpans sets the spans of the hits' passages, which say where they are on the pages.
// It is called only for the hits that are returned, a tenth of those that were read.
func (s *Searcher) addSpans(ctx context.Context, version int64, hits []Hit) error {
	var ids []uuid.UUID
	for _, h := range hits {
		for _, p := range h.Passages {
			if h.Assembled == nil {
				ids = append(ids, p.ID)
			}
		}
	}
	spans, err := s.cache.Spans(ctx, s.DB, version, ids)
	for _, h := range hits {
		for i := range h.Passages {
			if h.Assembled == nil {
				h.Passages[i].Spans = spans[h.Passages[i].ID]
			}
		}
	}
	return err
}

// passages searches the index, or the store that has the passages instead.
func (s *Searcher) passages(ctx context.Context, query memindex.Query) ([]memindex.Hit, error) {
	if s.Passages == nil {
		return s.Index.Search(query), nil
	}
	return s.Passages(ctx, query)
}

// query builds the query of a search, with the vector of the question if there is one. The
// error is that of ctx.
func (s *Searcher) query(ctx context.Context, q Question) (query memindex.Query, err error) {
	query = memindex.Query{Text: q.Text, Earlier: q.Asked.Earlier, Countries: q.Asked.AskedCountries(), Filters: q.Filters, Limit: passageLimit,
		Repealed: q.Filters.Date != nil || q.Repealed, All: s.All}
	query.Day, _ = s.Days(q)
	if q.Repealed || q.Filters.Status == law.Repealed && q.Filters.Date == nil {
		query.Day = time.Time{} // law of any day
	}
	if len(q.Within) > 0 {
		query.Limit = wideLimit
	}
	if s.Meaning != nil {
		if query.Vector, query.Generation, err = s.Meaning(ctx, q.Asked.Meant()); err != nil && ctx.Err() != nil {
			return query, ctx.Err()
		}
	}
	return query, nil
}

// mentions returns what the references in the question mean.
func (s *Searcher) mentions(ctx context.Context, q Question) ([]named.Mention, error) {
	if q.Mentions != nil || s.Names == nil {
		return q.Mentions, nil
	}
	return named.NewLookup(s.Names).Resolve(ctx, named.Question{Asked: q.Asked, Before: q.Before(), Filters: q.Filters, Today: s.Today(q)})
}

// namedArticles returns the passages of the articles that the question names.
func (s *Searcher) namedArticles(query memindex.Query, mentions []named.Mention) (found []candidate) {
	for _, m := range mentions {
		texts := idsOf(m.Texts)
		if len(m.Articles) == 0 || len(texts) == 0 && !m.OfAnyText() {
			continue
		}
		for _, h := range s.Index.Articles(query, texts, m.Articles) {
			found = append(found, candidate{h, ByReference})
		}
	}
	return found
}

// idsOf returns the ids of texts of one reference, nil if there are none.
func idsOf(texts []named.Candidate) (ids []uuid.UUID) {
	for _, t := range texts[:min(len(texts), textLimit)] {
		ids = append(ids, t.Document.ID)
	}
	return ids
}

// wideLimit is the maximum number of passages to search for if only those of some texts
// count afterwards.
const wideLimit = 2000

// Direct returns the articles with the given ids as hits, in that order, with all their
// passages and the positions of these on the pages, as they are on a day; on the zero day as
// printed. It omits articles that the catalogue no longer has, and those that on the day are
// repealed or have a new wording that is an article of its own. Errors are the catalogue's.
func (s *Searcher) Direct(ctx context.Context, articles []uuid.UUID, day time.Time) ([]Hit, error) {
	found, err := s.DB.FoundArticles(ctx, articles)
	if err != nil {
		return nil, err
	}
	hits := make([]Hit, 0, len(articles))
	for _, id := range articles {
		if h, ok := directHit(found[id], day); ok {
			hits = append(hits, h)
		}
	}
	version, err := s.DB.CatalogueVersion(ctx)
	if err != nil {
		return nil, err
	}
	return hits, s.addSpans(ctx, version, hits)
}

// Days returns the day whose law is asked about, and that of the question, midnight UTC.
func (s *Searcher) Days(q Question) (day, today time.Time) {
	today = s.Today(q)
	if day = today; q.Filters.Date != nil {
		d := *q.Filters.Date
		day = time.Date(d.Year(), d.Month(), d.Day(), 0, 0, 0, 0, time.UTC)
	}
	return day, today
}

// Today returns the day of a question, midnight UTC: that of the country whose law it asks about.
func (s *Searcher) Today(q Question) time.Time { return q.todayAt(s.Now()) }

// mentionLimit is the maximum number of passages that Mentioning returns.
const mentionLimit = 300

// FindMentioning returns passages of other texts that contain the words by which a text is
// named. It searches law of any day and status, within the domain, type and country of
// the filters. The text's own passages are left out: all of them contain these words, in the
// title above them.
func (s *Searcher) FindMentioning(ctx context.Context, words string, text uuid.UUID, f law.Filters, countries []country.Code) ([]memindex.Hit, error) {
	hits, err := s.passages(ctx, memindex.Query{Text: words, Countries: countries,
		Filters: law.Filters{Domain: f.Domain, Type: f.Type, Country: f.Country}, Repealed: true, Limit: wideLimit})
	hits = slices.DeleteFunc(hits, func(h memindex.Hit) bool { return h.DocumentID == text })
	return hits[:min(len(hits), mentionLimit)], err
}

// within reports whether a passage belongs to one of the texts in Within, or gives an
// article of one a new wording; true if Within is empty.
func (q Question) within(h memindex.Hit) bool { return len(q.Within) == 0 || h.BelongsTo(q.Within) }

// countryToSay returns the country of the best hit if the question names several, or none and there are hits of others, so that an answer has to
// say whose law it quotes; "" if the best hit belongs to no known country, to several, or to a union of countries.
func countryToSay(asked *question.Question, q *memindex.Query, hits []Hit) country.Code {
	if len(hits) == 0 || hits[0].Mode == ByReference || q.Filters.DocumentID != nil || len(hits[0].Countries) != 1 || hits[0].Guessed || country.Union(hits[0].Countries[0]) {
		return ""
	}
	home := hits[0].Countries[0]
	if !asked.Compares() && (len(q.Countries) > 0 || !slices.ContainsFunc(hits, func(h Hit) bool { return h.elsewhere(home) })) {
		return ""
	}
	return home
}

// eachCountryFirst returns the hits with the best one of each country before the others.
func eachCountryFirst(hits []Hit) []Hit {
	var firsts, others []Hit
	for _, h := range hits {
		if slices.ContainsFunc(firsts, func(f Hit) bool { return slices.Equal(f.Countries, h.Countries) }) {
			others = append(others, h)
		} else {
			firsts = append(firsts, h)
		}
	}
	return append(firsts, others...)
}

// elsewhere reports whether a hit is the law of one country, and not of the given one.
func (h *Hit) elsewhere(home country.Code) bool {
	return len(h.Countries) == 1 && !country.Fits([]country.Code{home}, h.Countries)
}

// setOtherCountries sets the countries beside Country whose hits score high enough to be quoted; all of those that the question names.
func (r *Result) setOtherCountries(enough float64) {
	if r.Asked.Compares() {
		enough = 0
	}
	for _, h := range r.Hits {
		if r.Country != "" && h.Score >= enough && !h.Guessed && h.elsewhere(r.Country) && !slices.Contains(r.OtherCountries, h.Countries[0]) {
			r.OtherCountries = append(r.OtherCountries, h.Countries[0])
		}
	}
}

// findIgnoringSpace finds the words of quote in text, with any white space between them. It returns the byte range [start,end) in text, or -1, -1.
func findIgnoringSpace(text, quote string) (start, end int) {
	words := strings.Fields(quote)
	for i := range words {
		words[i] = regexp.QuoteMeta(words[i])
	}
	form, err := regexp.Compile(strings.Join(words, `[ \t\r\n\x{a0}\x{202f}]+`))
	if err != nil || len(words) == 0 { // the quote has bytes that are no letters, or no words
		return -1, -1
	}
	if found := form.FindStringIndex(text); found != nil {
		return found[0], found[1]
	}
	return -1, -1
}

// mentionHits is the number of best hits that are searched for a mention of a text.
const mentionHits = 5

// inHits reports whether one of the best hits names the text of a reference, as the law
// that amends it does.
func inHits(r question.Reference, hits []Hit) bool {
	return slices.ContainsFunc(hits[:min(len(hits), mentionHits)], func(h Hit) bool {
		all := h.Document.Title + "\n" + h.Text()
		if h.Article.Wording != nil {
			all += "\n" + h.Article.Wording.TargetTitle
		}
		return named.InWords(all, r)
	})
}
