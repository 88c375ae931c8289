package retrieve

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"

	"vigueur/internal/law"
)

// completed returns an article that the question names its whole text: what it
// quotes as the new words of other articles is searched as these articles only.
// They are then left out, so that no words are found twice; and where they are
// found, so is an article of which nothing was but what leads to them.
func (s *Searcher) completed(ctx context.Context, hits []Hit) ([]Hit, error) {
	giving := make(map[uuid.UUID]bool) // articles whose new wordings were found
	var named []uuid.UUID
	for _, h := range hits {
		if w := h.Article.Wording; w != nil {
			giving[w.Within] = true
		} else if h.Mode == ByReference {
			named = append(named, h.Article.ID)
		}
	}
	quoted := map[uuid.UUID][]law.Passage{}
	if len(named) > 0 {
		var err error
		if quoted, err = s.DB.Quoted(ctx, named); err != nil {
			return nil, err
		}
	}
	whole(hits, quoted)
	return slices.DeleteFunc(hits, func(h Hit) bool {
		if w := h.Article.Wording; w != nil {
			return h.Mode == ByWords && len(quoted[w.Within]) > 0
		}
		return h.Mode == ByWords && giving[h.Article.ID] && strings.HasSuffix(strings.TrimSpace(h.Text()), ":")
	}), nil
}

// whole adds to hits the passages that are kept of them beside the index.
func whole(hits []Hit, quoted map[uuid.UUID][]law.Passage) {
	for i := range hits {
		if more := quoted[hits[i].Article.ID]; hits[i].Mode == ByReference && len(more) > 0 {
			hits[i].Passages = append(hits[i].Passages, more...)
			slices.SortFunc(hits[i].Passages, func(a, b law.Passage) int { return cmp.Compare(a.Position, b.Position) })
		}
	}
}
