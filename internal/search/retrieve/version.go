package retrieve

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/search/named"
	"vigueur/internal/store/postgres"
)

// onDay returns a passage as its article is on a day. An article in an assembled version is
// one passage, version.Body. ok is false if the article is not law on that day, or if its
// wording of that day continues the printed words of another article. On the zero day, and on a day
// before or after all versions, the passage is as printed.
func onDay(f postgres.Found, day time.Time) (_ postgres.Found, version *postgres.FoundVersion, ok bool) {
	if len(f.Versions) == 0 || day.IsZero() {
		return f, nil, true
	}
	target := day.Format(time.DateOnly)
	pos := slices.IndexFunc(f.Versions, func(v postgres.FoundVersion) bool {
		return (v.From == nil || *v.From <= target) && (v.To == nil || target < *v.To)
	})
	if pos < 0 {
		return f, nil, true
	}
	v := &f.Versions[pos]
	if v.Gone || v.Elsewhere {
		return f, nil, false
	}
	if v.To != nil {
		if end, err := time.Parse(time.DateOnly, *v.To); err == nil && (f.To == nil || end.Before(*f.To)) {
			f.To = &end
		}
	}
	if v.Act == nil {
		return f, nil, true
	}
	if v.From != nil {
		if start, err := time.Parse(time.DateOnly, *v.From); err == nil && start.After(f.From) {
			f.From = start
		}
	}
	page := f.Article.Page
	if len(v.Spans) > 0 {
		page = v.Spans[0].Page
	}
	f.Passage = law.Passage{ID: uuid.NewSHA1(f.Article.ID, []byte("version from "+f.From.Format(time.DateOnly)+v.Body)), DocumentID: f.Document.ID, ArticleID: f.Article.ID,
		Page: page, Text: v.Body, Spans: v.Spans}
	return f, v, true
}

// add adds a passage of the hit's article to the hit.
func (h *Hit) add(p law.Passage, assembled bool) {
	if assembled {
		h.printed = append(h.printed, p.ID)
		return
	}
	h.Passages = append(h.Passages, p)
}

// passagesWithVectors returns the passages of the hit that have sentence vectors. An assembled article has those of the printed
// one.
func (h Hit) passagesWithVectors() []uuid.UUID {
	if h.Assembled != nil {
		return h.printed
	}
	ids := make([]uuid.UUID, len(h.Passages))
	for i := range h.Passages {
		ids[i] = h.Passages[i].ID
	}
	return ids
}

// withoutOlderWordings removes new wordings of articles that are among the hits in an
// assembled version, which contains them.
func withoutOlderWordings(hits []Hit) []Hit {
	type key struct {
		document uuid.UUID
		article  string
	}
	assembled := map[key]bool{}
	for _, h := range hits {
		switch w := h.Article.Wording; {
		case h.Assembled == nil:
		case w == nil:
			assembled[key{h.Document.ID, law.ArticleKey(h.Article.Number)}] = true
		case w.TargetID != nil:
			assembled[key{*w.TargetID, law.ArticleKey(w.Number)}] = true
		}
	}
	if len(assembled) == 0 {
		return hits
	}
	return slices.DeleteFunc(hits, func(h Hit) bool {
		w := h.Article.Wording
		return w != nil && h.Assembled == nil && h.Mode == ByWords && w.TargetID != nil && assembled[key{*w.TargetID, law.ArticleKey(w.Number)}]
	})
}

// withoutPastWordings removes new wordings that a later edition of the changed text in the catalogue contains or
// replaces. For example, the article of a constitution as an act of 2008 wrote it is no longer law if the constitution
// was printed as of 2016, unless the question names 2008. day is the day whose law is asked about.
func (s *Searcher) withoutPastWordings(ctx context.Context, question string, day time.Time, hits []Hit) ([]Hit, error) {
	if s.Names == nil {
		return hits, nil
	}
	lookup, passed := named.NewLookup(s.Names), make([]bool, len(hits))
	for i, h := range hits {
		w := h.Article.Wording
		if w == nil || w.TargetTitle == "" || h.Mode != ByWords || h.Assembled != nil || len(h.Countries) == 0 || strings.Contains(question, h.Document.Promulgated.Format("2006")) {
			continue
		}
		editions, err := lookup.FindCalled(ctx, w.TargetTitle, h.Countries)
		if err != nil {
			return nil, err
		}
		passed[i] = slices.ContainsFunc(editions, func(t named.Candidate) bool {
			date := t.Document.Promulgated
			if t.Document.AsOf != nil {
				date = *t.Document.AsOf
			}
			return t.Document.ID != h.Document.ID && date.After(h.Document.Promulgated) && !date.After(day) &&
				slices.ContainsFunc(h.Countries, func(c country.Code) bool { return slices.Contains(t.Countries, string(c)) })
		})
	}
	kept := hits[:0]
	for i, h := range hits {
		if !passed[i] {
			kept = append(kept, h)
		}
	}
	return kept, nil
}

// markActs marks the articles of acts that made a version of an article if another version of that article was
// assembled. The assembled version is the law; the words that an act quotes may have been changed since.
func markActs(hits []Hit) {
	for i := range hits {
		h := &hits[i]
		h.Support = h.Support || h.Mode == ByWords && h.Assembled == nil && slices.ContainsFunc(hits, func(o Hit) bool {
			if o.Assembled == nil {
				return false
			}
			if w := o.Article.Wording; w != nil && w.Within == h.Article.ID {
				return true
			}
			return slices.ContainsFunc(o.Versions, func(v postgres.FoundVersion) bool { return v.Act != nil && *v.Act == h.Document.ID })
		})
	}
}

// WithActs appends to the hits the articles of the acts that made the assembled wordings among
// them, as printed: an answer cites both.
func (s *Searcher) WithActs(ctx context.Context, hits []Hit) ([]Hit, error) {
	var acts []uuid.UUID
	for _, h := range hits {
		for _, id := range h.Amending() {
			if !slices.Contains(acts, id) && !slices.ContainsFunc(hits, func(o Hit) bool { return o.Article.ID == id }) {
				acts = append(acts, id)
			}
		}
	}
	if len(acts) == 0 {
		return hits, nil
	}
	found, err := s.Direct(ctx, acts, time.Time{})
	for i := range found {
		found[i].Mode, found[i].Score, found[i].Support = ByWords, 0, true
	}
	return append(hits, found...), err
}

// Amending returns the articles of acts whose instructions made the wording of the hit.
func (h Hit) Amending() (articles []uuid.UUID) {
	if h.Assembled == nil {
		return nil
	}
	for _, e := range h.Assembled.Evidence {
		if e.Article != nil && !slices.Contains(articles, *e.Article) {
			articles = append(articles, *e.Article)
		}
	}
	return articles
}

// directHit returns an article that was read by id, as it is on a day, and whether it is law
// in a wording of its own on that day.
func directHit(passages []postgres.Found, day time.Time) (h Hit, ok bool) {
	passages = slices.Clone(passages)
	slices.SortStableFunc(passages, func(a, b postgres.Found) int { return cmp.Compare(a.Passage.Position, b.Passage.Position) })
	for i, f := range passages {
		found, version, law := onDay(f, day)
		if !law {
			return h, false
		}
		if i == 0 {
			h = HitOf(found)
			h.Score, h.Mode, h.Assembled = 1, ByReference, version
			h.Passages = append(h.Passages, found.Passage)
			continue
		}
		h.add(f.Passage, version != nil)
	}
	return h, len(passages) > 0
}

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
