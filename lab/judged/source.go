package judged

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
)

// CatalogueVersion is always the first: a set never changes.
func (*Set) CatalogueVersion(context.Context) (int64, error) { return 1, nil }

// Changes returns none.
func (*Set) Changes(_ context.Context, after int64) ([]uuid.UUID, int64, error) {
	return nil, after, nil
}

// Listen waits for the end of ctx.
func (*Set) Listen(ctx context.Context, _ func()) error {
	<-ctx.Done()
	return ctx.Err()
}

// IndexRows returns all passages.
func (s *Set) IndexRows(_ context.Context, _ []uuid.UUID, yield func(postgres.IndexRow) error) error {
	for _, r := range s.rows {
		if err := yield(r); err != nil {
			return err
		}
	}
	return nil
}

// texts returns the texts of the set, as questions may name them.
func (s *Set) texts() (all []postgres.NamedText) {
	seen := make(map[uuid.UUID]bool)
	for i := range s.rows {
		r := &s.rows[i]
		if seen[r.Passage.DocumentID] {
			continue
		}
		seen[r.Passage.DocumentID] = true
		x := postgres.NamedText{Document: law.Document{ID: r.Passage.DocumentID, Title: r.Title, Type: r.Type, Status: r.Status}, Countries: r.Countries}
		if s.kept != nil {
			x.Document = s.kept.Found[r.Passage.ID].Document
		}
		all = append(all, x)
	}
	return all
}

// Found returns passages as the catalogue would have them.
func (s *Set) Found(_ context.Context, ids []uuid.UUID) (map[uuid.UUID]postgres.Found, error) {
	out := make(map[uuid.UUID]postgres.Found, len(ids))
	for _, id := range ids {
		at, known := s.at[id]
		if !known {
			continue
		}
		if s.kept != nil {
			out[id] = s.kept.Found[id]
			continue
		}
		r := &s.rows[at]
		out[id] = postgres.Found{Passage: r.Passage, From: r.From,
			Article:  law.Article{ID: r.Passage.ArticleID, DocumentID: r.Passage.DocumentID, Number: r.ArticleNumber, Path: r.Path},
			Document: law.Document{ID: r.Passage.DocumentID, Title: r.Title, Type: r.Type, Status: r.Status}}
	}
	return out, nil
}

// Spans returns none: nobody draws these passages.
func (*Set) Spans(context.Context, []uuid.UUID) (map[uuid.UUID][]law.Span, error) {
	return map[uuid.UUID][]law.Span{}, nil
}

// FoundArticles returns the passages of some articles.
func (s *Set) FoundArticles(ctx context.Context, articles []uuid.UUID) (map[uuid.UUID][]postgres.Found, error) {
	out := make(map[uuid.UUID][]postgres.Found, len(articles))
	for i := range s.rows {
		p := s.rows[i].Passage
		if !slices.Contains(articles, p.ArticleID) {
			continue
		}
		found, err := s.Found(ctx, []uuid.UUID{p.ID})
		if err != nil {
			return nil, err
		}
		out[p.ArticleID] = append(out[p.ArticleID], found[p.ID])
	}
	return out, nil
}

// ReadQuoted returns the passages that are kept of articles which word others anew.
func (s *Set) ReadQuoted(_ context.Context, articles []uuid.UUID) (map[uuid.UUID][]law.Passage, error) {
	out := make(map[uuid.UUID][]law.Passage)
	for _, id := range articles {
		if s.kept != nil && len(s.kept.Quoted[id]) > 0 {
			out[id] = s.kept.Quoted[id]
		}
	}
	return out, nil
}
