package finding

import (
	"context"
	"fmt"

	"vigueur/internal/search/memindex"
	"vigueur/internal/store/postgres"
)

const (
	// anArticle is the number of passages that are ranked for each requested hit, and
	// fewest the minimum in total. Milvus returns as many passages.
	anArticle = 4
	fewest    = 320
	// reach bounds the sum of the numbers of passages that contain each searched word. The
	// words are added from the rarest to the most common until the sum exceeds reach; the
	// rarest is always searched. PostgreSQL scores so many passages in about a tenth of a
	// second (measured in lab/experiments.md).
	reach = 50_000
)

// byWords finds passages by words in PostgreSQL. If the rarest words find too few passages,
// as under a narrow filter, it searches for all words that reach allows.
func (f *Finder) byWords(ctx context.Context, q memindex.Query) ([]memindex.Hit, error) {
	all := q.Filters.DocumentID != nil
	rows, err := f.rows(ctx, q, all)
	if err == nil && !all && len(rows) < q.Limit {
		rows, err = f.rows(ctx, q, true)
	}
	if err != nil {
		return nil, fmt.Errorf("find by words: %w", err)
	}
	candidates := make([]memindex.Candidate, len(rows))
	for i, w := range memindex.Weigh(rows, f.Register.Average()) {
		candidates[i] = memindex.Candidate{PassageID: w.PassageID, DocumentID: rows[i].Passage.DocumentID, Counts: w.Counts, Cosine: -1}
	}
	return f.Register.Among(q, candidates, false), nil
}

func (f *Finder) rows(ctx context.Context, q memindex.Query, all bool) ([]postgres.IndexRow, error) {
	var words []postgres.SoughtWord
	held := 0
	for _, s := range f.Register.SearchWords(q, all) {
		if held += s.Held; held > reach && len(words) > 0 && q.Filters.DocumentID == nil {
			break
		}
		words = append(words, postgres.SoughtWord{Terms: s.Terms, Weight: s.Weight})
	}
	in := postgres.SoughtIn{Filters: q.Filters, Day: q.Day, Repealed: q.Repealed}
	return f.Words.WithWords(ctx, words, in, max(anArticle*q.Limit, fewest))
}
