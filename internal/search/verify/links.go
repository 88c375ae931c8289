package verify

import (
	"context"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/fulltext"
	"vigueur/internal/search/named"
	"vigueur/internal/search/question"
	"vigueur/internal/store/postgres"
)

// Link is a reference of an article of the catalogue to another article or text of the catalogue.
type Link struct {
	Start    int        `json:"start"` // in code points of the article's words
	End      int        `json:"end"`
	Name     string     `json:"name"` // as written in the article
	Document uuid.UUID  `json:"document_id"`
	Article  *uuid.UUID `json:"article_id"` // nil: the whole text
	Number   string     `json:"number"`
	Title    string     `json:"title"`
	State    State      `json:"state" enum:"en_vigueur,modifie,abroge,pas_encore"`
	Words    string     `json:"words"` // first words of the article; "" for a text
}

// firstWords is the number of code points of an article that a link has.
const firstWords = 240

// allArticles is more than a text has.
const allArticles = 1 << 20

// home is the text that a writing is an article of. Articles that are named without a text are
// its own.
type home struct {
	text    *known
	article uuid.UUID
}

// beside matches a reference to the article before or after.
var beside = law.Pattern(`(?i)(?:^|[^\p{L}])(l'article +(?:(précédent|qui +précède)|suivant|qui +suit))(?:$|[^\p{L}])`)

// possessed matches the words before an article of the text named before: « notamment son article 37 ».
var possessed = law.Pattern(`(?i)(?:^|[^\p{L}])(?:son|ses|leurs?) +$`)

// Links returns the references in an article of a text, as of a day, that lead to one text of the
// catalogue, in order. They are read and resolved as those of a document are, but for two: articles
// that are named without a text are those of the text itself, and « l'article précédent » is the
// article before.
func Links(ctx context.Context, db *postgres.DB, addressedText postgres.AddressedText, a law.Article, day time.Time) ([]Link, error) {
	text := question.NormalizeTyped(a.Text)
	if len(text) != len(a.Text) { // the places would be others
		return nil, nil
	}
	w := Writing{Text: text, Day: day}
	if len(addressedText.Countries) > 0 {
		w.Country = country.Code(addressedText.Countries[0])
	}
	c := &checker{db: db, w: w, lookup: named.NewLookup(db), texts: map[uuid.UUID]*known{}, report: Report{Day: day.Format(time.DateOnly), Text: text}}
	c.home = &home{article: a.ID, text: c.know(named.CandidateOf(postgres.NamedText{Document: addressedText.Document, Countries: addressedText.Countries, RepealedOn: addressedText.Repealed}), nil)}
	quoted := quotations(text)
	if err := c.resolve(ctx, text, quoted); err != nil {
		return nil, err
	}
	if err := c.read(ctx); err != nil {
		return nil, err
	}
	var links []Link
	for _, f := range c.found {
		if l, ok := c.link(f); ok {
			links = append(links, l)
		}
	}
	near, err := c.linksBeside(ctx, text, quoted)
	if err != nil {
		return nil, err
	}
	links = append(links, near...)
	slices.SortFunc(links, func(a, b Link) int { return a.Start - b.Start })
	pos, n := 0, 0
	for i := range links {
		l := &links[i]
		l.Name = text[l.Start:l.End]
		n += utf8.RuneCountInString(text[pos:l.Start])
		pos, l.Start, l.End = l.End, n, n+utf8.RuneCountInString(l.Name)
		n = l.End
	}
	return links, nil
}

// link returns the link of a reference. It is false for one that leads to no text or to several,
// to an article that its text lacks, or to the article itself.
func (c *checker) link(f found) (l Link, ok bool) {
	if f.text == nil {
		return l, false
	}
	if l = c.linkTo(f.text, f.Start, f.End); len(f.read.Articles) == 0 {
		return l, f.text != c.home.text
	}
	a, has := f.text.articles[law.ArticleKey(f.read.Articles[0])]
	if !has || a.ID == nil || *a.ID == c.home.article {
		return l, false
	}
	l.Article, l.Number, l.State, l.Words = a.ID, a.Number, a.State, beginning(a.words)
	return l, true
}

func (c *checker) linkTo(t *known, start, end int) Link {
	return Link{Start: start, End: end, Document: t.Document.ID, Title: t.Document.Title, State: t.source.State}
}

// linksBeside returns the links to the articles before and after.
func (c *checker) linksBeside(ctx context.Context, text string, quoted []span) (links []Link, err error) {
	var list []postgres.ReadArticle
	for _, m := range beside.FindAllStringSubmatchIndex(text, -1) {
		if slices.ContainsFunc(quoted, func(q span) bool { return q.start < m[3] && m[2] < q.end }) {
			continue
		}
		if list == nil {
			if list, _, err = c.db.ReadArticlesOn(ctx, c.home.text.Document.ID, c.home.text.day, 1, allArticles, false); err != nil {
				return nil, err
			}
		}
		pos := slices.IndexFunc(list, func(a postgres.ReadArticle) bool { return a.ID == c.home.article })
		end := pos + 1
		if m[4] >= 0 {
			end = pos - 1
		}
		if pos < 0 || end < 0 || end >= len(list) || list[end].Number == "" {
			continue
		}
		read, err := c.db.ReadArticleByID(ctx, c.home.text.Document.ID, list[end].ID, c.home.text.day)
		if err != nil {
			return nil, err
		}
		l, a := c.linkTo(c.home.text, m[2], m[3]), c.articleOf(c.home.text, read)
		l.Article, l.Number, l.State, l.Words = a.ID, a.Number, a.State, beginning(a.words)
		links = append(links, l)
	}
	return links, nil
}

// beginning returns the first words of an article.
func beginning(words string) string {
	runes := []rune(words)
	if len(runes) <= firstWords {
		return words
	}
	return string(runes[:firstWords]) + "…"
}

// Citing is an article of the catalogue that refers to another one.
type Citing struct {
	Document uuid.UUID `json:"document_id"`
	Article  uuid.UUID `json:"article_id"`
	Number   string    `json:"number"`
	Title    string    `json:"title"`
}

// mostCiting is the maximum number of articles that are read to find those that refer to one.
const mostCiting = 20

// CitedBy returns articles that refer to an article of a text on a day: of the text itself first,
// then of texts that name it by its number. Articles that have the words are found by search, and
// their references resolved as Links does.
func CitedBy(ctx context.Context, db *postgres.DB, addressedText postgres.AddressedText, a law.Article, day time.Time) ([]Citing, error) {
	if a.Number == "" {
		return nil, nil
	}
	searches := []postgres.SearchQuery{{Words: fulltext.Parse("article " + a.Number), Document: &addressedText.ID}}
	if addressedText.OfficialNumber != "" {
		searches = append(searches, postgres.SearchQuery{Words: fulltext.Parse("article " + a.Number + " " + addressedText.OfficialNumber)})
	}
	var out []Citing
	for _, q := range searches {
		q.Kind, q.Page, q.PageSize, q.Today = postgres.ArticleUnits, 1, mostCiting, day
		found, err := db.Search(ctx, q)
		if err != nil {
			return nil, err
		}
		if found.Held < found.Asked {
			continue
		}
		for _, h := range found.Hits {
			if h.Article.ID == a.ID || slices.ContainsFunc(out, func(c Citing) bool { return c.Article == h.Article.ID }) {
				continue
			}
			links, err := Links(ctx, db, postgres.AddressedText{Document: h.Document, Countries: h.Countries}, *h.Article, day)
			if err != nil {
				return nil, err
			}
			if slices.ContainsFunc(links, func(l Link) bool { return l.Article != nil && *l.Article == a.ID }) {
				out = append(out, Citing{h.Document.ID, h.Article.ID, h.Article.Number, h.Document.Title})
			}
		}
	}
	return out, nil
}
