package retrieve

import (
	"cmp"
	"slices"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/search/memindex"
	"vigueur/internal/store/postgres"
)

// candidate is a passage that the index returned, and how it was found.
type candidate struct {
	memindex.Hit
	Mode Mode
}

// mergeCandidates returns the passages found by reference, then those found by words:
// each passage once, at most passageLimit in all.
func mergeCandidates(byReference []candidate, searched []memindex.Hit) []candidate {
	seen := make(map[uuid.UUID]bool)
	var out []candidate
	all := slices.Clone(byReference)
	for _, h := range searched {
		all = append(all, candidate{h, ByWords})
	}
	for _, c := range all {
		if !seen[c.PassageID] && len(out) < passageLimit {
			seen[c.PassageID] = true
			out = append(out, c)
		}
	}
	return out
}

// groupByArticle groups the candidates by article and returns one hit per article, in the
// order of each article's best passage, at most weighedLimit hits. It drops passages that
// the catalogue no longer has or that no longer fit the query, and the signatures at the
// end of a text.
func groupByArticle(candidates []candidate, found map[uuid.UUID]postgres.Found, q memindex.Query) []Hit {
	hits := []Hit{}
	at := make(map[uuid.UUID]int)
	for _, c := range candidates {
		printed, ok := found[c.PassageID]
		if !ok || !fits(printed, q) {
			continue
		}
		f, version, ok := onDay(printed, q.Day)
		if !ok || f.Article.Number == "" && f.Article.Heading == signatures {
			continue
		}
		i, known := at[f.Article.ID]
		if !known {
			if len(hits) == weighedLimit {
				continue
			}
			i = len(hits)
			at[f.Article.ID] = i
			hits = append(hits, Hit{Found: f, Score: c.Score, Mode: c.Mode, Features: c.Features, Countries: c.Countries, Local: c.Local, Assembled: version, amended: c.Amended})
			if version != nil {
				hits[i].Passages = []law.Passage{f.Passage}
			}
		}
		hits[i].add(printed.Passage, version != nil)
	}
	for _, h := range hits {
		slices.SortFunc(h.Passages, func(a, b law.Passage) int { return cmp.Compare(a.Position, b.Position) })
	}
	return hits
}

// signatures is the heading of the article that holds the end of a text.
const signatures = "Signatures"

// fits reports whether a passage fits the query, by its current data in the catalogue;
// the index may be out of date.
func fits(f postgres.Found, q memindex.Query) bool {
	d, w := f.Document, q.Filters
	return w.Admit(d.ID, d.Domain, d.Type, d.Status) &&
		(q.Repealed || w.Status != "" || d.Status != law.Repealed) &&
		inForce(f, q.Day)
}

func inForce(f postgres.Found, day time.Time) bool {
	return day.IsZero() || !day.Before(f.From) && (f.To == nil || day.Before(*f.To))
}
