package retrieve

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"vigueur/internal/law"
)

// completed gives an article that the question names its whole text: what it
// quotes as the new words of other articles is searched as these articles only.
// They are then left out, so that no words are found twice.
func (s *Searcher) completed(ctx context.Context, hits []Hit) ([]Hit, error) {
	var named []uuid.UUID
	for _, h := range hits {
		if h.Mode == ByReference && h.Article.Wording == nil {
			named = append(named, h.Article.ID)
		}
	}
	if len(named) == 0 {
		return hits, nil
	}
	quoted, err := s.DB.Quoted(ctx, named)
	if err != nil || len(quoted) == 0 {
		return hits, err
	}
	for i := range hits {
		if more := quoted[hits[i].Article.ID]; hits[i].Mode == ByReference && len(more) > 0 {
			hits[i].Passages = append(hits[i].Passages, more...)
			slices.SortFunc(hits[i].Passages, func(a, b law.Passage) int { return cmp.Compare(a.Position, b.Position) })
		}
	}
	return slices.DeleteFunc(hits, func(h Hit) bool {
		w := h.Article.Wording
		return w != nil && h.Mode == ByWords && len(quoted[w.Within]) > 0
	}), nil
}
