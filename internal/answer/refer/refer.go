// Package refer answers questions about texts and articles that they name, before anything is searched. If a reference
// resolves, the answer comes only from that article or text. If it does not, the answer says that the catalogue does not
// have it and what similar it has, and gives nothing else instead.
//
// A Resolver comes before the search and returns the same kind of result. It reads the question, and finds the texts of
// the catalogue that its references mean. It answers questions about the words of articles and about the state of a
// text itself, from the articles and from the relations between texts, and cites the article that says so; it also
// answers greetings and messages that are no question. For any other question it limits the search to the named texts.
//
// Its answers are processed like any other: they are streamed, numbered, checked against their sources and stored.
// Errors are those of the catalogue and of the search.
package refer

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/search/decide"
	"vigueur/internal/search/question"
	"vigueur/internal/search/retrieve"
	"vigueur/internal/store/postgres"
)

// Resolver answers questions about the texts that they name. Its fields must not change; Search is safe for
// concurrent use.
type Resolver struct {
	DB   *postgres.DB
	Next *retrieve.Searcher
}

// mention is a reference in a question, and the texts that it means.
type mention struct {
	question.Reference
	texts  []text // empty if the catalogue has none
	more   bool   // more texts have the number than are read
	barred []text // the texts that it means, if the filters of the question exclude all of them
}

// admitted reports whether the filters of a question admit a text.
func (t text) admitted(f law.Filters) bool {
	d := t.Document
	return (f.Domain == "" || f.Domain == d.Domain) && (f.Type == "" || f.Type == d.Type) && (f.Status == "" || f.Status == d.Status) &&
		(f.DocumentID == nil || *f.DocumentID == d.ID)
}

// applyFilters removes the texts that the filters of a question exclude.
func (m mention) applyFilters(f law.Filters) mention {
	admitted := keepGood(m.texts, func(t text) bool { return t.admitted(f) })
	if len(admitted) == 0 {
		m.barred = m.texts
	}
	m.texts = admitted
	return m
}

// Search answers q itself if it can, else by a search that is limited to the texts that q names.
func (d *Resolver) Search(ctx context.Context, q retrieve.Question) (retrieve.Result, error) {
	asked := question.Read(q.Text, q.Before())
	q.Asked = &asked
	if q.Filters.Date == nil {
		q.Filters.Date = asked.Day
	}
	page := d.newPage(q)
	if page.polite(asked) {
		return page.result(), nil
	}
	mentions, err := d.resolve(ctx, q, page.texts)
	if err != nil {
		return retrieve.Result{}, err
	}
	if len(mentions) == 0 { // it names nothing, so it is searched unless it is unreadable
		if page.unreadable(asked) {
			return page.result(), nil
		}
		return d.Next.Search(ctx, q)
	}
	switch {
	case asked.Status != 0:
		err = page.sayStatus(ctx, mentions, asked.Status)
	case slices.ContainsFunc(mentions, func(m mention) bool { return len(m.Articles) > 0 }), asked.Kind.Has(question.Wording):
		return d.answerFromArticles(ctx, q, page, mentions)
	default:
		return d.answerFromTexts(ctx, q, page, mentions)
	}
	if err != nil {
		return retrieve.Result{}, err
	}
	return page.result(), nil
}

// resolve finds what the references in a question mean. A bare number, and words that may be a title, are references
// only if the catalogue has such a text. Articles without a text belong to the one that the filters or the
// conversation give.
func (d *Resolver) resolve(ctx context.Context, q retrieve.Question, all *lookup) (out []mention, err error) {
	for _, r := range q.Asked.References {
		if !r.NamesText() {
			texts, err := d.ofConversation(ctx, q, all)
			if err != nil {
				return nil, err
			}
			out = append(out, mention{Reference: r, texts: texts}.applyFilters(q.Filters))
			continue
		}
		texts, err := all.Named(ctx, r, q.Asked.Countries)
		if err != nil {
			return nil, err
		}
		m := mention{Reference: r, texts: texts[:min(len(texts), mostCandidates)], more: len(texts) > mostCandidates}.applyFilters(q.Filters)
		if len(m.texts)+len(m.barred) == 0 && (r.Alone || r.Phrase != "" && r.Year == 0 || r.Year != 0 && r.Title == "" && !d.isAhead(r)) {
			continue
		}
		out = append(out, m)
	}
	return out, nil
}

func (d *Resolver) isAhead(r question.Reference) bool {
	_, ahead := r.Ahead(d.Next.Now().UTC())
	return ahead
}

// ofConversation returns the text that the filters give, else the one that was named last.
func (d *Resolver) ofConversation(ctx context.Context, q retrieve.Question, all *lookup) ([]text, error) {
	if q.Filters.DocumentID != nil {
		t, ok, err := all.ByID(ctx, *q.Filters.DocumentID)
		if !ok {
			return nil, err
		}
		return []text{t}, err
	}
	var failed error
	last, ok := q.Before().LastText(func(r question.Reference) bool {
		if failed != nil {
			return false
		}
		var known []text
		known, failed = all.Named(ctx, r, nil)
		return len(known) > 0
	})
	if !ok || failed != nil {
		return nil, failed
	}
	return all.Named(ctx, last, q.Asked.Countries)
}

// answerFromTexts answers a question about what texts say by searching only these texts. It says so if the catalogue
// lacks a text that is named by number, date or year. A missing code is left to the search, which says so if nothing
// else answers.
func (d *Resolver) answerFromTexts(ctx context.Context, q retrieve.Question, page *page, mentions []mention) (retrieve.Result, error) {
	var within []uuid.UUID
	for _, m := range mentions {
		for _, t := range m.texts {
			within = append(within, t.Document.ID)
		}
		if len(m.texts) == 0 && (m.Title == "" || len(m.barred) > 0) {
			if err := page.sayAbsent(ctx, m, false); err != nil {
				return retrieve.Result{}, err
			}
		}
	}
	if len(within) == 0 {
		if !page.empty() {
			return page.result(), nil
		}
		unnamed := *q.Asked
		refs, err := absentMarked(ctx, page.texts, unnamed.References)
		if err != nil {
			return retrieve.Result{}, err
		}
		unnamed.References = refs
		q.Asked = &unnamed
		return d.Next.Search(ctx, q)
	}
	asked := q.Asked
	if page.empty() && len(within) == 1 && q.Filters.DocumentID == nil {
		reworded, err := d.reworded(ctx, within[0])
		if err != nil {
			return retrieve.Result{}, err
		}
		if !reworded {
			q.Filters.DocumentID = &within[0]
		}
	}
	narrowed := *asked
	narrowed.References = nil // they are resolved
	q.Asked, q.Within = &narrowed, within
	q.Repealed = d.noneInForce(q, mentions)
	result, err := d.Next.Search(ctx, q)
	result.Asked = asked
	for _, m := range mentions {
		if len(m.texts) == 0 {
			result.Missing = append(result.Missing, m.Name)
		}
	}
	return result, err
}

// noneInForce reports whether all texts that a question names were repealed by the day whose law is asked about. Then
// the answer says what they said, and that they are no longer in force. Otherwise the repealed ones are left out.
func (d *Resolver) noneInForce(q retrieve.Question, mentions []mention) bool {
	day, _ := d.Next.Days(q.Filters)
	for _, m := range mentions {
		for _, t := range m.texts {
			if !t.repealed(day) {
				return false
			}
		}
	}
	return true
}

// absentMarked marks the codes that the catalogue does not have, so that the search, which only knows the words of
// titles, does not use a code with a longer name instead.
func absentMarked(ctx context.Context, all *lookup, refs []question.Reference) ([]question.Reference, error) {
	out := slices.Clone(refs)
	for i, r := range out {
		if r.Type != law.Code || r.Title == "" {
			continue
		}
		known, err := all.candidates(ctx, r, nil)
		if err != nil {
			return nil, err
		}
		out[i].Absent = len(byName(known, r)) == 0
	}
	return out, nil
}

// reworded reports whether other texts give new wordings of articles of a text.
func (d *Resolver) reworded(ctx context.Context, document uuid.UUID) (bool, error) {
	days, err := d.DB.ArticleDays(ctx, document)
	return slices.ContainsFunc(days, func(a postgres.ArticleDays) bool { return a.NewWording }), err
}

// answerFromArticles answers a question that names articles: with their words, if it asks for nothing else, else from
// these articles only.
func (d *Resolver) answerFromArticles(ctx context.Context, q retrieve.Question, page *page, mentions []mention) (retrieve.Result, error) {
	if asked := q.Asked; asked.Kind.Has(question.Wording) || len(mentions) > 1 {
		if err := page.giveWordings(ctx, mentions); err != nil {
			return retrieve.Result{}, err
		}
		return page.result(), nil
	}
	found, err := page.findArticles(ctx, mentions[0])
	if err != nil {
		return retrieve.Result{}, err
	}
	if !slices.ContainsFunc(found, func(f foundArticle) bool { return f.law && len(f.ids) > 0 }) {
		if len(mentions[0].texts)+len(mentions[0].barred) == 0 && !mentions[0].NamesText() {
			return d.Next.Search(ctx, q) // « l'article 5 » of no text is a word among others
		}
		if err := page.giveWordings(ctx, mentions); err != nil {
			return retrieve.Result{}, err
		}
		return page.result(), nil
	}
	result := retrieve.Result{Verdict: decide.Named(), Asked: q.Asked}
	result.Day, result.Today = page.day, page.today
	for _, f := range found {
		hits, err := d.Next.Direct(ctx, f.ids)
		if err != nil {
			return retrieve.Result{}, err
		}
		result.Hits = append(result.Hits, hits...)
	}
	return result, nil
}
