package mcp

import (
	"context"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/fulltext"
	"vigueur/internal/search/named"
	"vigueur/internal/search/question"
	"vigueur/internal/store/postgres"
)

// Source is the place of something in the catalogue: text, article, and the day on which it is law.
type Source struct {
	DocumentID uuid.UUID    `json:"document_id"`
	Title      string       `json:"title"`
	Type       law.DocType  `json:"doc_type"`
	Number     string       `json:"numero_officiel,omitempty"`
	Status     law.Status   `json:"statut"`
	Countries  []string     `json:"pays,omitempty"`
	ArticleID  *uuid.UUID   `json:"article_id,omitempty"`
	Article    string       `json:"article,omitempty"`
	Day        string       `json:"date"`              // day of the wording
	AsOf       string       `json:"etat_au,omitempty"` // of a consolidated edition: the day of its wording
	Notice     string       `json:"notice,omitempty"`  // warns that the printed words are later than Date
	Page       int          `json:"page"`              // page of the gazette, from 1
	Regions    []law.Region `json:"regions,omitempty"` // places of its lines, if known
	URL        string       `json:"url,omitempty"`     // opens it on the page
}

// source returns the source of an article, or of a text if a is nil.
func (s *Service) source(d law.Document, countries []string, a *law.Article, at *time.Time) Source {
	day := s.dayOf(at, countries...)
	out := Source{DocumentID: d.ID, Title: law.RemoveMarks(d.Title), Type: d.Type, Number: d.OfficialNumber, Status: d.Status, Countries: countries,
		Day: day.Format(time.DateOnly), AsOf: law.ISODay(d.AsOf), Notice: d.LaterNotice(day), Page: d.FirstPage, URL: s.address(d.ID, nil)}
	if a != nil {
		out.ArticleID, out.Article, out.Page, out.URL = &a.ID, a.Number, a.Page, s.address(d.ID, &a.ID)
		out.Regions = law.Regions(a.Spans, 0, len(a.Text))
	}
	return out
}

// address returns the address of a text or an article on the page.
func (s *Service) address(document uuid.UUID, article *uuid.UUID) string {
	if s.BaseURL == "" {
		return ""
	}
	to := s.BaseURL + "/textes/" + document.String()
	if article != nil {
		to += "?article=" + article.String()
	}
	return to
}

// dayOf returns the requested day; without one, today in the first of the countries.
func (s *Service) dayOf(at *time.Time, countries ...string) time.Time {
	if at != nil {
		return *at
	}
	return country.Today(s.Now(), countries...)
}

type foundArticle struct {
	Source
	Excerpt string       `json:"excerpt"`
	By      *assembledBy `json:"assembled_by,omitempty"` // act that made the wording of the excerpt, if no gazette prints that
}

type foundArticles struct {
	Items []foundArticle `json:"items"`
	Total int            `json:"total"`
}

const defaultLimit = 10

// searchArticles finds articles by their words.
func (s *Service) searchArticles(ctx context.Context, in searchArguments) (any, error) {
	if in.Limit == 0 {
		in.Limit = defaultLimit
	}
	find := postgres.SearchQuery{Words: fulltext.Parse(in.Query), Kind: postgres.ArticleUnits, On: parseDay(in.Date), Today: s.dayOf(nil, parseCountry(in.Country)), Country: parseCountry(in.Country),
		Type: law.DocType(in.Type), Page: 1, PageSize: in.Limit}
	r, err := s.DB.Search(ctx, find)
	if err != nil {
		return nil, err
	}
	out := foundArticles{Items: []foundArticle{}, Total: r.Total}
	for _, h := range r.Hits {
		if h.Article != nil {
			found := foundArticle{Source: s.source(h.Document, h.Countries, h.Article, find.On), Excerpt: find.Words.Excerpt(h.Article.Text).Text}
			if v := h.Assembled; v != nil {
				found.By = s.assembled(&found.Source, *v.Act, v.Title, h.Article.ValidFrom)
			}
			out.Items = append(out.Items, found)
		}
	}
	return out, nil
}

type readArticle struct {
	Source
	Path    []string          `json:"path"`
	Heading string            `json:"heading,omitempty"`
	Text    string            `json:"text"`
	Changes []law.RelationRef `json:"changed_by"`
	By      *assembledBy      `json:"assembled_by,omitempty"`
}

// assembledBy is the act that made a wording which no gazette prints.
type assembledBy struct {
	otherText
	Notice string `json:"notice"`
}

// assembled returns the act that made a wording. The days of that wording differ from those of its
// source's edition.
func (s *Service) assembled(of *Source, act uuid.UUID, title string, from *time.Time) *assembledBy {
	of.AsOf, of.Notice = "", ""
	return &assembledBy{otherText{act, law.RemoveMarks(title), law.ISODay(from), s.address(act, nil)}, law.AssembledNotice}
}

// article returns the article with a number, in its wording on a day.
func (s *Service) article(ctx context.Context, in articleArguments) (d postgres.DocumentDetails, a postgres.ReadArticle, err error) {
	document := uuid.MustParse(in.Document) // fault has checked the id
	if d, err = s.document(ctx, document); err != nil {
		return d, a, err
	}
	at := s.dayOf(parseDay(in.Date), d.Countries...)
	if a, err = s.DB.ReadArticleOn(ctx, document, in.Article, at); errs.Is(err, errs.NotFound) {
		return d, a, errs.Newf(errs.NotFound, "Ce texte n’a pas d’article « %s » en vigueur le %s.", in.Article, law.WriteDate(at))
	}
	return d, a, err
}

// document returns a text of the catalogue.
func (s *Service) document(ctx context.Context, id uuid.UUID) (postgres.DocumentDetails, error) {
	d, err := s.DB.DocumentDetails(ctx, id)
	if errs.Is(err, errs.NotFound) {
		return d, errs.Wrap(errs.NotFound, "Ce texte n’est pas au catalogue.", err)
	}
	return d, err
}

// readArticle returns an article with its words.
func (s *Service) readArticle(ctx context.Context, in articleArguments) (any, error) {
	d, a, err := s.article(ctx, in)
	if err != nil {
		return nil, err
	}
	out := readArticle{s.source(d.Document, d.Countries, &a.Article, parseDay(in.Date)), append([]string{}, a.Path...), a.Heading, a.Text, a.Changes, nil}
	if by := a.Assembled; by != nil {
		out.By = s.assembled(&out.Source, by.Act, by.Title, a.ValidFrom)
	}
	return out, nil
}

type otherText struct {
	DocumentID uuid.UUID `json:"document_id"`
	Title      string    `json:"title"`
	Since      string    `json:"since"`
	URL        string    `json:"url,omitempty"`
}

type textStatus struct {
	Source
	InForce    string      `json:"date_entree_vigueur"`
	RepealedOn string      `json:"date_abrogation,omitempty"`
	RepealedBy []otherText `json:"repealed_by"`
	AmendedBy  []otherText `json:"amended_by"`
	Repeals    []otherText `json:"repeals"`
	Amends     []otherText `json:"amends"`
}

// textStatus is the status of a text and the texts that changed it.
func (s *Service) textStatus(ctx context.Context, in statusArguments) (any, error) {
	d, err := s.document(ctx, uuid.MustParse(in.Document))
	if err != nil {
		return nil, err
	}
	related, err := s.DB.Relations(ctx, d.Document.ID)
	if err != nil {
		return nil, err
	}
	others := func(list []postgres.RelatedText) []otherText {
		out := make([]otherText, 0, len(list))
		for _, r := range list {
			out = append(out, otherText{r.ID, law.RemoveMarks(r.Title), r.Date.Format(time.DateOnly), s.address(r.ID, nil)})
		}
		return out
	}
	out := textStatus{Source: s.source(d.Document, d.Countries, nil, nil), InForce: d.Document.EntersInForce.Format(time.DateOnly), RepealedOn: law.ISODay(d.RepealedOn),
		RepealedBy: others(related.RepealedBy), AmendedBy: others(related.AmendedBy), Repeals: others(related.Repeals), Amends: others(related.Amends)}
	return out, nil
}

type meantText struct {
	Name     string   `json:"name"`     // as written in the text
	Articles []string `json:"articles"` // numbers of the articles that it names
	Texts    []Source `json:"texts"`    // texts that it means, the likeliest first
	More     bool     `json:"more"`     // it means more texts than these
	Alike    []Source `json:"alike"`    // further texts with this name
	Absent   bool     `json:"absent"`   // no text of the catalogue has this number or title
}

type meantTexts struct {
	Items []meantText `json:"items"`
}

// resolveReference says which texts a reference means.
func (s *Service) resolveReference(ctx context.Context, in referenceArguments) (any, error) {
	asked := question.Read(in.Reference, question.Conversation{})
	filters := law.Filters{Date: parseDay(in.Date), Country: parseCountry(in.Country)}
	mentions, err := named.NewLookup(s.DB).Resolve(ctx, named.Question{Asked: &asked, Filters: filters, Today: s.dayOf(nil, filters.Country)})
	if err != nil {
		return nil, err
	}
	out := meantTexts{Items: []meantText{}}
	sources := func(texts []named.Candidate) []Source {
		list := make([]Source, 0, len(texts))
		for _, t := range texts {
			list = append(list, s.source(t.Document, t.Countries, nil, filters.Date))
		}
		return list
	}
	for _, m := range mentions {
		out.Items = append(out.Items, meantText{m.Name, append([]string{}, m.Articles...), sources(m.Texts), m.More, sources(m.Alike), m.Absent()})
	}
	return out, nil
}

type counted struct {
	Value string `json:"value"`
	Texts int    `json:"texts"`
}

type covered struct {
	Texts     int       `json:"texts"`
	Countries []counted `json:"pays"`
	Types     []counted `json:"doc_type"`
	Natures   []counted `json:"nature"`
	Statuses  []counted `json:"statut"`
	Years     []counted `json:"annee"`
}

// coverage counts the texts of the catalogue.
func (s *Service) coverage(ctx context.Context, _ coverageArguments) (any, error) {
	r, err := s.DB.Search(ctx, postgres.SearchQuery{Words: fulltext.Parse(""), All: true, Kind: postgres.TextUnits, Page: 1, PageSize: 1})
	if err != nil {
		return nil, err
	}
	counts := func(list []postgres.Count) []counted {
		out := make([]counted, 0, len(list))
		for _, c := range list {
			out = append(out, counted{c.Value, c.N})
		}
		return out
	}
	f := r.Facets
	return covered{r.Total, counts(f.Countries), counts(f.Types), counts(f.Natures), counts(f.Statuses), counts(f.Years)}, nil
}

// ask asks a question.
func (s *Service) ask(ctx context.Context, in Question) (any, error) { return s.Ask(ctx, in) }

// Cited returns the sources of an answer's citations.
func (s *Service) Cited(list []law.Citation, at *time.Time) []Source {
	out := make([]Source, 0, len(list))
	for _, c := range list {
		one := Source{DocumentID: c.DocumentID, Title: c.Title, Type: c.DocType, Number: c.OfficialNumber, Status: c.Status, ArticleID: c.ArticleID,
			Day: s.dayOf(at).Format(time.DateOnly), Regions: c.Regions, URL: s.address(c.DocumentID, c.ArticleID)}
		if c.Article != nil {
			one.Article = *c.Article
		}
		if c.Page != nil {
			one.Page = *c.Page
		}
		out = append(out, one)
	}
	return out
}
