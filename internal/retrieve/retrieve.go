// Package retrieve leads from a question to the articles that may answer it.
//
// It reads the references of the question first (« article 12 de la loi n°
// 2010-05 »): the articles they name come on top. A question that leans on the
// conversation (« et pour un CDD ? ») takes the words of the earlier ones along,
// with less weight. Then it searches the index, reads what was found from
// Postgres and drops what is no longer there or no longer fits: the index may be
// behind, the catalogue is the truth, and a text that was deleted is never cited.
// Passages of one article become one hit.
//
// Only what is law on the day asked about is found, today when no day is given;
// repealed texts only when the filters ask for them or for a day on which they
// were law. The result says whether it is enough to answer from: whether one of
// the best articles carries enough of what the question asks.
package retrieve

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/flat"
	"vigueur/internal/french"
	"vigueur/internal/law"
	"vigueur/internal/postgres"
	"vigueur/internal/question"
)

const (
	hitLimit     = 8    // articles given
	weighedLimit = 80   // articles looked at for them
	passageLimit = 80   // passages read from Postgres for them
	namedBonus   = 0.25 // of a passage of a text that the question names
	textsNamed   = 5    // texts that one name may mean
)

// Index finds passages: *flat.Index.
type Index interface {
	Search(flat.Query) []flat.Hit
	Texts(flat.Named) []uuid.UUID
	Articles(q flat.Query, texts []uuid.UUID, numbers []string) []flat.Hit
	Rarity(terms []string) []float64
}

// Searcher answers searches. Its fields are set once; Search may be called by
// many goroutines.
type Searcher struct {
	DB      *postgres.DB
	Index   Index
	Now     func() time.Time
	Lexicon *french.Lexicon // of the index too
	// Meaning gives the vector of a question and the generation that it is of; an
	// error leaves the search to words alone. nil: there are no vectors.
	Meaning func(ctx context.Context, question string) ([]float32, uuid.UUID, error)
	// Reranker looks at the best articles once more; nil: there is none.
	Reranker *Reranker
	// Passages searches passages that are not in the index but elsewhere, which may
	// fail; nil: Index.Search.
	Passages func(ctx context.Context, q flat.Query) ([]flat.Hit, error)

	recent recent
}

// Search finds the articles for q. Errors are the catalogue's, or of the store that
// has the passages, of kind errs.Unavailable when it does not answer; to find
// nothing is none.
func (s *Searcher) Search(ctx context.Context, q Question) (Result, error) {
	asked := q.read()
	q.Asked = asked
	query := s.query(q)
	if s.Meaning != nil {
		var err error
		if query.Vector, query.Generation, err = s.Meaning(ctx, asked.Meant()); err != nil && ctx.Err() != nil {
			return Result{}, ctx.Err()
		}
	}
	result := Result{Day: s.day(q.Filters), Today: s.day(law.Filters{}), Asked: asked}
	numbered, texts, absent := s.named(q, query)
	hits, err := s.passages(ctx, query)
	if err != nil {
		return Result{}, err
	}
	hits = slices.DeleteFunc(hits, func(h flat.Hit) bool { return !q.within(h) })
	result.Meant = len(hits) > 0 && hits[0].Meant
	candidates := merge(numbered, prefer(hits, texts))
	if len(candidates) == 0 {
		for _, r := range absent {
			result.Missing = append(result.Missing, r.Name)
		}
		return result, nil
	}
	ids := make([]uuid.UUID, len(candidates))
	for i, c := range candidates {
		ids[i] = c.PassageID
	}
	version, err := s.DB.CatalogueVersion(ctx)
	if err != nil {
		return Result{}, err
	}
	found, err := s.recent.Found(ctx, s.DB, version, ids)
	if err != nil {
		return Result{}, err
	}
	looked, err := s.completed(ctx, articles(candidates, found, query))
	if err != nil {
		return Result{}, err
	}
	result.Hits, result.Reranked = s.weigh(ctx, q, version, looked)
	if ctx.Err() != nil {
		return Result{}, ctx.Err()
	}
	if err := s.place(ctx, version, result.Hits); err != nil {
		return Result{}, err
	}
	result.Coverage = coverage(result.Hits)
	result.Enough = result.Coverage >= enough || len(result.Hits) > 0 && result.Hits[0].Mode == ByReference
	for _, r := range absent {
		result.Missing = append(result.Missing, r.Name)
		result.Enough = result.Enough && spokenOf(r, result.Hits)
	}
	result.Enough = result.Enough && !asked.Lawless
	if !result.Enough {
		result.Hits = readable(result.Hits, texts)
	}
	return result, nil
}

// readable are the hits that are worth reading although nothing answers: those of
// the texts that the question names, and what has more than next to nothing of it.
func readable(hits []Hit, named []uuid.UUID) []Hit {
	return slices.DeleteFunc(hits, func(h Hit) bool {
		return h.Mode == ByWords && h.Coverage < worthReading && !slices.Contains(named, h.Document.ID)
	})
}

// place adds to the passages of the hits where they stand: of ten times as many
// that were looked at nobody asks.
func (s *Searcher) place(ctx context.Context, version int64, hits []Hit) error {
	var ids []uuid.UUID
	for _, h := range hits {
		for _, p := range h.Passages {
			ids = append(ids, p.ID)
		}
	}
	spans, err := s.recent.Spans(ctx, s.DB, version, ids)
	for _, h := range hits {
		for i := range h.Passages {
			h.Passages[i].Spans = spans[h.Passages[i].ID]
		}
	}
	return err
}

// passages searches where the passages are.
func (s *Searcher) passages(ctx context.Context, query flat.Query) ([]flat.Hit, error) {
	if s.Passages == nil {
		return s.Index.Search(query), nil
	}
	return s.Passages(ctx, query)
}

// day is the day asked about, midnight UTC.
func (s *Searcher) day(f law.Filters) time.Time {
	day := s.Now().UTC()
	if f.Date != nil {
		day = *f.Date
	}
	return time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, time.UTC)
}

func (s *Searcher) query(q Question) flat.Query {
	query := flat.Query{Text: q.Text, Earlier: q.Asked.Earlier, Countries: q.Asked.Asked(), Filters: q.Filters, Day: s.day(q.Filters), Limit: passageLimit,
		Repealed: q.Filters.Date != nil}
	if q.Filters.Status == law.Repealed && q.Filters.Date == nil {
		query.Day = time.Time{} // whenever they were law
	}
	if len(q.Within) > 0 {
		query.Limit = wideLimit
	}
	return query
}

// named resolves the references of the question: the passages of the articles
// they name, and the texts they name. A question that names articles of no text
// means the text that the conversation named last.
func (s *Searcher) named(q Question, query flat.Query) (numbered []candidate, texts []uuid.UUID, absent []question.Reference) {
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
	if r.Number == "" && r.Title == "" {
		return nil
	}
	found := s.Index.Texts(flat.Named{Type: r.Type, Number: r.Number, Title: r.Title})
	if len(found) == 0 && r.Number == "" {
		found = s.Index.Texts(flat.Named{Type: r.Type, Title: question.Plain(r.Title)})
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

// lettered tells whether articles are named so that they mean one text without
// it being said: « L. 1224-1 ».
func lettered(articles []string) bool {
	return strings.ContainsFunc(articles[0], func(r rune) bool { return r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' }) &&
		strings.Contains(articles[0], "-")
}

// prefer lifts the passages of the texts that the question names.
func prefer(hits []flat.Hit, texts []uuid.UUID) []candidate {
	out := make([]candidate, len(hits))
	for i, h := range hits {
		if slices.Contains(texts, h.DocumentID) || slices.ContainsFunc(h.Amended, func(t uuid.UUID) bool { return slices.Contains(texts, t) }) {
			h.Score += namedBonus
		}
		out[i] = candidate{h, ByWords}
	}
	slices.SortStableFunc(out, func(a, b candidate) int {
		switch {
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		}
		return 0
	})
	return out
}
