package retrieve

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"

	"vigueur/internal/law"
)

// completeNamed completes the articles that the question names, and removes what would then
// be found twice. An amending article quotes the new words of other articles; the index
// has these words only as wordings of the other articles. If the question names the
// amending article, it gets its quotations back, and the wordings in it that were found
// by words are removed. If wordings in it were found but the question does not name it,
// it is removed if its found text only introduces them, that is, ends with a colon.
func (s *Searcher) completeNamed(ctx context.Context, hits []Hit) ([]Hit, error) {
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
		if quoted, err = s.DB.ReadQuoted(ctx, named); err != nil {
			return nil, err
		}
	}
	addQuoted(hits, quoted)
	return slices.DeleteFunc(hits, func(h Hit) bool {
		if w := h.Article.Wording; w != nil {
			return h.Mode == ByWords && len(quoted[w.Within]) > 0
		}
		return h.Mode == ByWords && giving[h.Article.ID] && strings.HasSuffix(strings.TrimSpace(h.Text()), ":")
	}), nil
}

// addQuoted adds to the hits that the question names the passages of them that the index
// does not have.
func addQuoted(hits []Hit, quoted map[uuid.UUID][]law.Passage) {
	for i := range hits {
		if more := quoted[hits[i].Article.ID]; hits[i].Mode == ByReference && len(more) > 0 {
			hits[i].Passages = append(hits[i].Passages, more...)
			slices.SortFunc(hits[i].Passages, func(a, b law.Passage) int { return cmp.Compare(a.Position, b.Position) })
		}
	}
}
