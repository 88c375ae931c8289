package retrieve

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/search/memindex"
)

// wideLimit is the maximum number of passages to search for if only those of some texts
// count afterwards.
const wideLimit = 2000

// DirectAnswer is an answer that needs no generator: facts from the catalogue itself, or
// the reply to a greeting.
type DirectAnswer struct {
	// Pieces is the text of the answer, in pieces to concatenate; « [n] » cites the nth
	// hit.
	Pieces []string
	// Notes are the sentences of Pieces that describe the catalogue and cite no article.
	Notes []string
	// Warnings say why the answer does not count as sure. It has none if it cites
	// articles.
	Warnings []string
}

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
