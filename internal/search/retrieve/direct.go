package retrieve

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/search/memindex"
)

// wideLimit is how many passages are searched where only those of some texts count.
const wideLimit = 2000

// DirectAnswer is an answer that needs no generator: what the catalogue itself knows, or
// what there is to say to a greeting.
type DirectAnswer struct {
	// Pieces are the text, put end to end; « [n] » points at the nth hit.
	Pieces []string
	// Notes are the sentences of it that tell of the catalogue and rest on no article.
	Notes []string
	// Warnings say why the answer does not count as sure; none: it rests on articles.
	Warnings []string
}

// Direct returns the articles of the given ids as hits, in that order, with all their
// passages and where these stand; what the catalogue has no longer is left out. Errors
// are the catalogue's.
func (s *Searcher) Direct(ctx context.Context, articles []uuid.UUID) ([]Hit, error) {
	found, err := s.DB.FoundArticles(ctx, articles)
	if err != nil {
		return nil, err
	}
	hits := make([]Hit, 0, len(articles))
	for _, id := range articles {
		passages := found[id]
		if len(passages) == 0 {
			continue
		}
		h := Hit{Found: passages[0], Score: 1, Mode: ByReference}
		for _, f := range passages {
			h.Passages = append(h.Passages, f.Passage)
		}
		hits = append(hits, h)
	}
	version, err := s.DB.CatalogueVersion(ctx)
	if err != nil {
		return nil, err
	}
	return hits, s.addSpans(ctx, version, hits)
}

// Days are the day whose law is asked about, and today.
func (s *Searcher) Days(f law.Filters) (day, today time.Time) { return s.day(f), s.day(law.Filters{}) }

// mentionLimit is how many passages are given that may mention a text.
const mentionLimit = 300

// Mentioning searches the passages of other texts that have the words by which a text
// is named, whenever they were law, as far as the filters allow. The text's own have
// them all, in the title above them.
func (s *Searcher) Mentioning(ctx context.Context, words string, text uuid.UUID, f law.Filters) ([]memindex.Hit, error) {
	hits, err := s.passages(ctx, memindex.Query{Text: words, Filters: law.Filters{Domain: f.Domain, Type: f.Type}, Repealed: true, Limit: wideLimit})
	hits = slices.DeleteFunc(hits, func(h memindex.Hit) bool { return h.DocumentID == text })
	return hits[:min(len(hits), mentionLimit)], err
}

// within reports whether a passage is of one of the texts that alone answer, or words an
// article of one anew.
func (q Question) within(h memindex.Hit) bool { return len(q.Within) == 0 || h.BelongsTo(q.Within) }
