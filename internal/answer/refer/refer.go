// Package refer answers what a question asks of the texts and articles that it names,
// before anything is searched: a reference that resolves is answered from that article,
// or that text, and no other; one that does not is said not to be in the catalogue,
// with what there is in its place, and nothing is put in its stead.
//
// A Resolver stands before the search and gives what it gives. It reads the question, and
// finds what its references mean among the texts of the catalogue. Questions for the
// words of articles and for what has become of a text are answered in full, from the
// articles and from the relations between texts, with the article that says so as
// source; so are greetings, and what is no question that can be answered. For any other
// question it narrows the search to what is named and leaves the rest to it.
//
// The answer that it writes goes the way of every other: it is streamed, numbered,
// checked against its sources and stored. Errors are the catalogue's and the search's.
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

// Resolver answers what questions ask of the texts that they name. Its fields are set once;
// Search may be called by many goroutines.
type Resolver struct {
	DB   *postgres.DB
	Next *retrieve.Searcher
}

// mention is a reference of a question and the texts that it means.
type mention struct {
	question.Reference
	texts  []text // none: the catalogue has none
	more   bool   // there are more of the number than are read
	barred []text // those that it means, where the filters of the question leave none
}

// admitted reports whether the filters of a question admit a text.
func (t text) admitted(f law.Filters) bool {
	d := t.Document
	return (f.Domain == "" || f.Domain == d.Domain) && (f.Type == "" || f.Type == d.Type) && (f.Status == "" || f.Status == d.Status) &&
		(f.DocumentID == nil || *f.DocumentID == d.ID)
}

// narrow takes out the texts that the filters of a question do not admit.
func (m mention) narrow(f law.Filters) mention {
	admitted := keep(m.texts, func(t text) bool { return t.admitted(f) })
	if len(admitted) == 0 {
		m.barred = m.texts
	}
	m.texts = admitted
	return m
}

// Search answers q itself where it can, else by the search, narrowed to what q names.
func (d *Resolver) Search(ctx context.Context, q retrieve.Question) (retrieve.Result, error) {
	asked := question.Read(q.Text, q.Before())
	q.Asked = &asked
	if q.Filters.Date == nil {
		q.Filters.Date = asked.Day
	}
	page := d.open(q)
	if page.polite(asked) {
		return page.result(), nil
	}
	mentions, err := d.resolve(ctx, q, page.texts)
	if err != nil {
		return retrieve.Result{}, err
	}
	if len(mentions) == 0 { // it names nothing: it is searched, if it can be
		if page.unreadable(asked) {
			return page.result(), nil
		}
		return d.Next.Search(ctx, q)
	}
	switch {
	case asked.Status != 0:
		err = page.status(ctx, mentions, asked.Status)
	case slices.ContainsFunc(mentions, func(m mention) bool { return len(m.Articles) > 0 }), asked.Kind.Has(question.Wording):
		return d.articles(ctx, q, page, mentions)
	default:
		return d.texts(ctx, q, page, mentions)
	}
	if err != nil {
		return retrieve.Result{}, err
	}
	return page.result(), nil
}

// resolve finds what the references of a question mean. A number that is called
// nothing, and words that may be a title, are references where the catalogue has such
// a text; articles of no text are those of the text that the filters or the
// conversation give.
func (d *Resolver) resolve(ctx context.Context, q retrieve.Question, all *lookup) (out []mention, err error) {
	for _, r := range q.Asked.References {
		if !r.NamesText() {
			texts, err := d.ofConversation(ctx, q, all)
			if err != nil {
				return nil, err
			}
			out = append(out, mention{Reference: r, texts: texts}.narrow(q.Filters))
			continue
		}
		texts, err := all.Named(ctx, r, q.Asked.Countries)
		if err != nil {
			return nil, err
		}
		m := mention{Reference: r, texts: texts[:min(len(texts), mostCandidates)], more: len(texts) > mostCandidates}.narrow(q.Filters)
		if len(m.texts)+len(m.barred) == 0 && (r.Alone || r.Phrase != "" && r.Year == 0 || r.Year != 0 && r.Title == "" && !d.ahead(r)) {
			continue
		}
		out = append(out, m)
	}
	return out, nil
}

func (d *Resolver) ahead(r question.Reference) bool {
	_, ahead := r.Ahead(d.Next.Now().UTC())
	return ahead
}

// ofConversation is the text that the filters give, else the one that was named last.
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

// texts answers a question about what texts say by searching these alone. A text named
// by number, date or year that the catalogue has not is told of; a code of which it
// has none is left to the search, which tells of it when nothing else answers.
func (d *Resolver) texts(ctx context.Context, q retrieve.Question, page *page, mentions []mention) (retrieve.Result, error) {
	var within []uuid.UUID
	for _, m := range mentions {
		for _, t := range m.texts {
			within = append(within, t.Document.ID)
		}
		if len(m.texts) == 0 && (m.Title == "" || len(m.barred) > 0) {
			if err := page.absent(ctx, m, false); err != nil {
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
	narrowed.References = nil // resolved
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

// noneInForce reports whether the texts that a question names were all repealed by the day whose law is asked about. What
// they said is told then, and that they are no longer in force; beside a text that is in force, those are left out.
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

// absentMarked marks the codes that the catalogue has not, so that the search, which knows
// only the words of titles, takes none that has a longer name for them.
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

// reworded reports whether other texts give articles of a text new words.
func (d *Resolver) reworded(ctx context.Context, document uuid.UUID) (bool, error) {
	days, err := d.DB.ArticleDays(ctx, document)
	return slices.ContainsFunc(days, func(a postgres.ArticleDays) bool { return a.NewWording }), err
}

// articles answers a question that names articles: by their words, when it asks for
// nothing else, else from them alone.
func (d *Resolver) articles(ctx context.Context, q retrieve.Question, page *page, mentions []mention) (retrieve.Result, error) {
	if asked := q.Asked; asked.Kind.Has(question.Wording) || len(mentions) > 1 {
		if err := page.wordings(ctx, mentions); err != nil {
			return retrieve.Result{}, err
		}
		return page.result(), nil
	}
	found, err := page.find(ctx, mentions[0])
	if err != nil {
		return retrieve.Result{}, err
	}
	if !slices.ContainsFunc(found, func(f foundArticle) bool { return f.law && len(f.ids) > 0 }) {
		if len(mentions[0].texts)+len(mentions[0].barred) == 0 && !mentions[0].NamesText() {
			return d.Next.Search(ctx, q) // « l'article 5 » of no text: one word among others
		}
		if err := page.wordings(ctx, mentions); err != nil {
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
