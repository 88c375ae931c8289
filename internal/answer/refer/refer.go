// Package refer answers questions about texts and articles that they name, before anything is searched. If a
// reference resolves, the answer comes only from that article or text. If it does not, the answer says that the
// catalogue does not have the text, lists texts with a similar number, and gives nothing else instead.
//
// A Resolver comes before the search and returns the same kind of result. It reads the question, and package named
// tells it which texts of the catalogue the references mean. It answers questions about the words of articles and
// about the state of a text itself, from the articles and from the relations between texts, and cites the article
// that says so; it also answers greetings and messages that are no question. For any other question it limits the
// search to the named texts, or passes on what the references mean.
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
	"vigueur/internal/search/named"
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

// Search answers q itself if it can, else by a search that is limited to the texts that q names.
func (d *Resolver) Search(ctx context.Context, q retrieve.Question) (retrieve.Result, error) {
	found, mentions, err := d.search(ctx, q)
	found.Mentions = mentions
	return found, err
}

// search also returns what the references of q mean.
func (d *Resolver) search(ctx context.Context, q retrieve.Question) (found retrieve.Result, mentions []named.Mention, err error) {
	q = q.Parse(d.Next.Now()).Complete()
	asked := *q.Asked
	if q.Filters.Date == nil {
		q.Filters.Date = asked.Day
	}
	page := d.newPage(q)
	if page.answerCourtesy(asked) {
		return page.result(), nil, nil
	}
	if mentions, err = d.resolve(ctx, q, page.texts); err != nil {
		return found, nil, err
	}
	q.Mentions = mentions
	if len(mentions) == 0 { // it names nothing, so it is searched unless it is unreadable
		if page.unreadable(asked) || page.askWhichNamed(asked) {
			return page.result(), nil, nil
		}
		found, err = d.Next.Search(ctx, q)
		return found, nil, err
	}
	if page.isUndated() && slices.ContainsFunc(mentions, func(m named.Mention) bool { return len(m.Texts) > 0 }) &&
		(asked.Status != 0 || asked.Kind.Has(question.Wording) || slices.ContainsFunc(mentions, func(m named.Mention) bool { return len(m.Articles) > 0 })) {
		page.askWhichDay()
		return page.result(), mentions, nil
	}
	switch {
	case asked.Status != 0:
		err = page.sayStatus(ctx, mentions, asked.Status)
	case slices.ContainsFunc(mentions, func(m named.Mention) bool { return len(m.Articles) > 0 }), asked.Kind.Has(question.Wording):
		found, err = d.answerFromArticles(ctx, q, page, mentions)
		return found, mentions, err
	default:
		found, err = d.answerFromTexts(ctx, q, page, mentions)
		return found, mentions, err
	}
	if err != nil {
		return found, nil, err
	}
	return page.result(), mentions, nil
}

// resolve finds what the references in a question mean.
func (d *Resolver) resolve(ctx context.Context, q retrieve.Question, texts *named.Lookup) ([]named.Mention, error) {
	return texts.Resolve(ctx, named.Question{Asked: q.Asked, Before: q.Before(), Filters: q.Filters, Today: q.Today})
}

// answerFromTexts answers a question about what texts say by searching only these texts. It says so if the catalogue
// lacks a text that is named by number, date or year. A missing code is left to the search, which says so if nothing
// else answers.
func (d *Resolver) answerFromTexts(ctx context.Context, q retrieve.Question, page *page, mentions []named.Mention) (retrieve.Result, error) {
	if q.Asked.WholeText() {
		page.note("Ce service ne résume pas : il dit si un texte est en vigueur, et le cite mot pour mot.")
		if err := page.giveWordings(ctx, mentions); err != nil {
			return retrieve.Result{}, err
		}
		return page.result(), nil
	}
	var within []uuid.UUID
	for _, m := range mentions {
		for _, t := range m.Texts {
			within = append(within, t.Document.ID)
		}
		if len(m.Texts) == 0 && (m.Title == "" || len(m.Barred) > 0) {
			if err := page.sayAbsent(ctx, m, false); err != nil {
				return retrieve.Result{}, err
			}
		}
	}
	if len(within) == 0 {
		if !page.empty() {
			return page.result(), nil
		}
		return d.Next.Search(ctx, q)
	}
	asked := q.Asked
	if page.empty() && len(within) == 1 && q.Filters.DocumentID == nil {
		reworded, err := d.hasNewWordings(ctx, within[0])
		if err != nil {
			return retrieve.Result{}, err
		}
		if !reworded {
			q.Filters.DocumentID = &within[0]
		}
	}
	narrowed := *asked
	narrowed.References, q.Mentions = nil, []named.Mention{} // the search is limited to the texts that they mean
	q.Asked, q.Within = &narrowed, within
	q.Repealed = d.noneInForce(q, mentions)
	result, err := d.Next.Search(ctx, q)
	result.Asked = asked
	for _, m := range mentions {
		if len(m.Texts) == 0 {
			result.Missing = append(result.Missing, m.Name)
		}
	}
	return result, err
}

// noneInForce reports whether all texts that a question names were repealed by the day whose law is asked about. If
// so, the answer is based on these texts and says that they are no longer in force. Otherwise the repealed texts are
// left out.
func (d *Resolver) noneInForce(q retrieve.Question, mentions []named.Mention) bool {
	day, _ := d.Next.Days(q)
	for _, m := range mentions {
		for _, t := range m.Texts {
			if t.Document.ForceOn(day, t.RepealedOn) != law.NoLonger {
				return false
			}
		}
	}
	return true
}

// hasNewWordings reports whether other texts give new wordings of articles of a text.
func (d *Resolver) hasNewWordings(ctx context.Context, document uuid.UUID) (bool, error) {
	days, err := d.DB.ArticleDays(ctx, document)
	return slices.ContainsFunc(days, func(a postgres.ArticleDays) bool { return a.NewWording }), err
}

// answerFromArticles answers a question that names articles: with their words, if it asks for nothing else, else from
// these articles only.
func (d *Resolver) answerFromArticles(ctx context.Context, q retrieve.Question, page *page, mentions []named.Mention) (retrieve.Result, error) {
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
		if len(mentions[0].Texts)+len(mentions[0].Barred) == 0 && !mentions[0].NamesText() {
			return d.Next.Search(ctx, q) // « l'article 5 » without a text is searched like other words
		}
		if err := page.giveWordings(ctx, mentions); err != nil {
			return retrieve.Result{}, err
		}
		return page.result(), nil
	}
	result := retrieve.Result{Verdict: decide.SureByName(), Asked: q.Asked}
	result.Day, result.Today = page.day, page.today
	for _, f := range found {
		hits, err := d.Next.Direct(ctx, f.ids, f.day)
		if err != nil {
			return retrieve.Result{}, err
		}
		result.Hits = append(result.Hits, wholeVersion(hits)...)
	}
	result.Hits, err = d.Next.WithActs(ctx, result.Hits)
	return result, err
}
