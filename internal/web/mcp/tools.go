package mcp

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/export"
	"vigueur/internal/law/fulltext"
	"vigueur/internal/law/quote"
	"vigueur/internal/search/named"
	"vigueur/internal/search/question"
	"vigueur/internal/search/verify"
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
func (s *Service) source(d law.Document, countries []string, a *law.Article, moment *time.Time) Source {
	day := s.dayOf(moment, countries...)
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
	target := s.BaseURL + "/textes/" + document.String()
	if article != nil {
		target += "?article=" + article.String()
	}
	return target
}

// dayOf returns the requested day; without one, today in the first of the countries.
func (s *Service) dayOf(moment *time.Time, countries ...string) time.Time {
	if moment != nil {
		return *moment
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
func (s *Service) assembled(source *Source, act uuid.UUID, title string, from *time.Time) *assembledBy {
	source.AsOf, source.Notice = "", ""
	return &assembledBy{otherText{act, law.RemoveMarks(title), law.ISODay(from), s.address(act, nil)}, law.AssembledNotice}
}

// article returns the article with a number, in its wording on a day.
func (s *Service) article(ctx context.Context, in articleArguments) (d postgres.DocumentDetails, a postgres.ReadArticle, err error) {
	document := uuid.MustParse(in.Document) // fault has checked the id
	if d, err = s.document(ctx, document); err != nil {
		return d, a, err
	}
	moment := s.dayOf(parseDay(in.Date), d.Countries...)
	if a, err = s.DB.ReadArticleOn(ctx, document, in.Article, moment); errs.Is(err, errs.NotFound) {
		return d, a, errs.Newf(errs.NotFound, "Ce texte n’a pas d’article « %s » en vigueur le %s.", in.Article, law.WriteDate(moment))
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
	if assembledBy := a.Assembled; assembledBy != nil {
		out.By = s.assembled(&out.Source, assembledBy.Act, assembledBy.Title, a.ValidFrom)
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

func (s *Service) ask(ctx context.Context, question Question) (any, error) {
	return s.Ask(ctx, question)
}

// Cited returns the sources of an answer's citations.
func (s *Service) Cited(list []law.Citation, moment *time.Time) []Source {
	out := make([]Source, 0, len(list))
	for _, c := range list {
		one := Source{DocumentID: c.DocumentID, Title: c.Title, Type: c.DocType, Number: c.OfficialNumber, Status: c.Status, ArticleID: c.ArticleID,
			Day: s.dayOf(moment).Format(time.DateOnly), Regions: c.Regions, URL: s.address(c.DocumentID, c.ArticleID)}
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

// Maximum lengths of arguments, in code points.
const (
	mostQuery    = 200
	mostQuote    = 4000
	mostQuestion = 4000
	mostNumber   = 80
)

// checkText returns the fault of a required text of at most most code points, "" if it has none.
func checkText(name, value string, most int) string {
	switch n := utf8.RuneCountInString(value); {
	case strings.TrimSpace(value) == "":
		return fmt.Sprintf("L’argument « %s » manque.", name)
	case n > most:
		return fmt.Sprintf("L’argument « %s » a %d caractères ; %d au plus.", name, n, most)
	case !utf8.ValidString(value) || strings.ContainsRune(value, 0):
		return fmt.Sprintf("L’argument « %s » n’est pas un texte.", name)
	}
	return ""
}

// checkID returns the fault of the id of a text, "" if it has none.
func checkID(name, value string) string {
	if _, err := uuid.Parse(value); err != nil {
		return fmt.Sprintf("L’argument « %s » n’est pas l’identifiant d’un texte : search_articles et resolve_reference les donnent.", name)
	}
	return ""
}

// checkDay returns the fault of an optional day, "" if it has none.
func checkDay(value string) string {
	if _, err := time.Parse(time.DateOnly, value); value != "" && err != nil {
		return "L’argument « date » attend un jour de la forme AAAA-MM-JJ."
	}
	return ""
}

// checkCountry returns the fault of an optional country, "" if it has none.
func checkCountry(value string) string {
	if _, ok := country.Parse(value); value != "" && !ok {
		return fmt.Sprintf("L’argument « pays » ne peut pas valoir « %.40s » : coverage donne les pays.", value)
	}
	return ""
}

// checkType returns the fault of an optional type of text, "" if it has none.
func checkType(value string) string {
	if value != "" && !slices.Contains(law.DocTypes(), law.DocType(value)) {
		return fmt.Sprintf("L’argument « doc_type » ne peut pas valoir « %.40s ».", value)
	}
	return ""
}

// parseDay parses a day that checkDay has accepted; nil if it is absent.
func parseDay(value string) *time.Time {
	moment, err := time.Parse(time.DateOnly, value)
	if err != nil {
		return nil
	}
	return &moment
}

// parseCountry parses a country that checkCountry has accepted; "" if it is absent.
func parseCountry(value string) string {
	code, ok := country.Parse(value)
	if !ok {
		return ""
	}
	return string(code)
}

type searchArguments struct {
	Query   string `json:"query" jsonschema:"mots cherchés, ou expressions entre guillemets"`
	Date    string `json:"date,omitempty" jsonschema:"jour où l’article est en vigueur, AAAA-MM-JJ"`
	Country string `json:"pays,omitempty" jsonschema:"code du pays : bj, sn…"`
	Type    string `json:"doc_type,omitempty" jsonschema:"loi, decret, arrete, circulaire, code ou constitution"`
	Limit   int    `json:"limit,omitempty" jsonschema:"articles au plus, 1 à 20 ; 10 sans lui"`
}

func (a searchArguments) fault() string {
	limit := ""
	if a.Limit < 0 || a.Limit > 20 {
		limit = "L’argument « limit » va de 1 à 20."
	}
	return cmp.Or(checkText("query", a.Query, mostQuery), checkDay(a.Date), checkCountry(a.Country), checkType(a.Type), limit)
}

type articleArguments struct {
	Document string `json:"document_id" jsonschema:"identifiant du texte"`
	Article  string `json:"article" jsonschema:"numéro de l’article : 36, 1er, L. 1224-1"`
	Date     string `json:"date,omitempty" jsonschema:"jour où l’article est lu, AAAA-MM-JJ ; aujourd’hui sans lui"`
}

func (a articleArguments) fault() string {
	return cmp.Or(checkID("document_id", a.Document), checkText("article", a.Article, mostNumber), checkDay(a.Date))
}

type statusArguments struct {
	Document string `json:"document_id" jsonschema:"identifiant du texte"`
}

func (a statusArguments) fault() string { return checkID("document_id", a.Document) }

type referenceArguments struct {
	Reference string `json:"reference" jsonschema:"ce qui nomme le texte, avec ou sans article"`
	Date      string `json:"date,omitempty" jsonschema:"jour du droit demandé, AAAA-MM-JJ"`
	Country   string `json:"pays,omitempty" jsonschema:"code du pays : bj, sn…"`
}

func (a referenceArguments) fault() string {
	return cmp.Or(checkText("reference", a.Reference, mostQuery), checkDay(a.Date), checkCountry(a.Country))
}

type citationArguments struct {
	articleArguments
	Quote string `json:"quote" jsonschema:"les mots cités"`
}

func (a citationArguments) fault() string {
	return cmp.Or(a.articleArguments.fault(), checkText("quote", a.Quote, mostQuote))
}

type verifyArguments struct {
	Text    string `json:"text" jsonschema:"le texte à vérifier, tel qu’il est écrit : mémoire, contrat, réponse"`
	Date    string `json:"date,omitempty" jsonschema:"jour du droit, AAAA-MM-JJ ; aujourd’hui sans lui"`
	Country string `json:"pays,omitempty" jsonschema:"code du pays dont parle le texte là où il n’en nomme pas : bj, sn…"`
}

func (a verifyArguments) fault() string {
	return cmp.Or(checkText("text", a.Text, verify.MostCharacters), checkDay(a.Date), checkCountry(a.Country))
}

type coverageArguments struct{}

func (coverageArguments) fault() string { return "" }

// Question is a question and the filters of its answer.
type Question struct {
	Question string `json:"question" jsonschema:"la question, en français"`
	Date     string `json:"date,omitempty" jsonschema:"jour du droit demandé, AAAA-MM-JJ"`
	Country  string `json:"pays,omitempty" jsonschema:"code du pays : bj, sn…"`
}

func (q Question) fault() string {
	return cmp.Or(checkText("question", q.Question, mostQuestion), checkDay(q.Date), checkCountry(q.Country))
}

// Filters returns the filters of the answer.
func (q Question) Filters() law.Filters {
	return law.Filters{Date: parseDay(q.Date), Country: parseCountry(q.Country)}
}

type verdict struct {
	Source
	Verdict     quote.Verdict      `json:"verdict"`
	Words       string             `json:"words,omitempty"` // words of the article that match the citation
	Differences []quote.Difference `json:"differences"`
}

// verifyCitation compares quoted words with those of an article.
func (s *Service) verifyCitation(ctx context.Context, in citationArguments) (any, error) {
	d, a, err := s.article(ctx, in.articleArguments)
	if err != nil {
		return nil, err
	}
	found, err := quote.Compare(ctx, in.Quote, a.Text)
	if err != nil {
		return nil, err
	}
	out := verdict{Source: s.source(d.Document, d.Countries, &a.Article, parseDay(in.Date)), Verdict: found.Verdict, Differences: found.Differences}
	if found.Verdict != quote.Absent {
		out.Words = strings.TrimSpace(a.Text[found.Start:found.End])
		out.Regions = law.Regions(a.Spans, found.Start, found.End)
	}
	return out, nil
}

// checkedText is the result of verify. It leaves out the text, which the client has.
type checkedText struct {
	Day        string             `json:"date"`
	Country    string             `json:"pays,omitempty"`
	References []verify.Reference `json:"references"`
	Quotations []checkedQuotation `json:"quotations"`
	More       bool               `json:"more"` // the text has more references or quotations than are checked
}

type checkedQuotation struct {
	Quote string `json:"quote"` // the quoted words, as they were read
	verify.Quotation
}

// verify checks the references and the quotations of a text.
func (s *Service) verify(ctx context.Context, in verifyArguments) (any, error) {
	if s.Turn != nil {
		release, err := s.Turn(ctx)
		if err != nil {
			return nil, err
		}
		defer release()
	}
	r, err := verify.Check(ctx, s.DB, verify.Writing{Text: in.Text, Day: s.dayOf(parseDay(in.Date), parseCountry(in.Country)), Country: country.Code(parseCountry(in.Country)), BaseURL: s.BaseURL})
	if err != nil {
		return nil, err
	}
	out := checkedText{Day: r.Day, Country: r.Country, References: r.References, Quotations: make([]checkedQuotation, len(r.Quotations)), More: r.More}
	text := []rune(r.Text)
	for i, q := range r.Quotations {
		out.Quotations[i] = checkedQuotation{strings.TrimSpace(string(text[q.Start:q.End])), q}
	}
	return out, nil
}

// scheme begins the addresses of resources.
const scheme = "vigueur://textes/"

// addResources adds texts and articles as resources with permanent addresses.
func (s *Service) addResources(server *sdk.Server) {
	for _, t := range []*sdk.ResourceTemplate{
		{Name: "texte", Title: "Un texte entier, en Markdown", URITemplate: scheme + "{document_id}", MIMEType: "text/markdown"},
		{Name: "article", Title: "Un article, tel qu’il est imprimé", URITemplate: scheme + "{document_id}/articles/{article_id}", MIMEType: "text/plain"},
	} {
		server.AddResourceTemplate(t, s.read)
	}
}

// read returns a text or an article.
func (s *Service) read(ctx context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	uri := r.Params.URI
	document, article, one := strings.Cut(strings.TrimPrefix(uri, scheme), "/articles/")
	id, err := uuid.Parse(document)
	if err != nil {
		return nil, sdk.ResourceNotFoundError(uri)
	}
	contents := &sdk.ResourceContents{URI: uri, MIMEType: "text/plain"}
	if one {
		var within uuid.UUID
		if within, err = uuid.Parse(article); err != nil {
			return nil, sdk.ResourceNotFoundError(uri)
		}
		contents.Text, err = s.articleText(ctx, id, within)
	} else {
		contents.MIMEType = "text/markdown"
		contents.Text, err = s.markdown(ctx, id)
	}
	if errs.Is(err, errs.NotFound) {
		return nil, sdk.ResourceNotFoundError(uri)
	}
	if err != nil {
		return nil, errs.New(errs.KindOf(err), errs.Public(err)) // without internals
	}
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{contents}}, nil
}

func (s *Service) articleText(ctx context.Context, document, article uuid.UUID) (string, error) {
	a, err := s.DB.ReadArticle(ctx, document, article)
	return a.Text, err
}

// markdown returns a text of the catalogue; one in review must not be exported.
func (s *Service) markdown(ctx context.Context, id uuid.UUID) (string, error) {
	if _, err := s.DB.Document(ctx, id); err != nil {
		return "", err
	}
	t, err := s.DB.ExportedText(ctx, id, nil)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	err = export.Markdown(&out, t)
	return out.String(), err
}
