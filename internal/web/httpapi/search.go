package httpapi

import (
	"strings"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/fulltext"
	"vigueur/internal/store/postgres"
)

// Page size and maximum length of a search, in code points.
const (
	searchDefault = 20
	searchMost    = 50
	searchLimit   = 200
)

// relevance is the default order of a search.
const relevance = "pertinence"

// markBody is a match within a text, in code points: from start up to, not including, end.
type markBody struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

func showMarks(list []fulltext.Mark) []markBody {
	marks := make([]markBody, 0, len(list))
	for _, m := range list {
		marks = append(marks, markBody(m))
	}
	return marks
}

// markedBody is a text with its matches.
type markedBody struct {
	Text  string     `json:"text"`
	Marks []markBody `json:"marks"`
}

// excerptBody is an excerpt of an article with its matches.
type excerptBody struct {
	markedBody
	Before bool `json:"before"`
	After  bool `json:"after"`
}

// hitBody is a text or an article that a search found.
type hitBody struct {
	Kind      string       `json:"kind"`
	Document  law.Record   `json:"document"`
	Countries []string     `json:"pays"`
	Title     markedBody   `json:"title"`
	Article   *articleBody `json:"article"`
	Heading   *markedBody  `json:"heading"`
	Excerpt   *excerptBody `json:"excerpt"`
	Score     float64      `json:"score"`
}

func (s *Server) showHit(words fulltext.Query, h postgres.SearchHit) hitBody {
	marked := func(text string) markedBody { return markedBody{text, showMarks(words.Marks(text))} }
	body := hitBody{Kind: postgres.TextUnits, Document: s.showLegalDocument(h.Document), Countries: h.Countries, Title: marked(h.Document.Title), Score: h.Score}
	if h.Article == nil {
		return body
	}
	body.Kind = postgres.ArticleUnits
	article, heading, e := showArticle(*h.Article), marked(h.Article.Heading), words.Excerpt(h.Article.Text)
	if v := h.Assembled; v != nil {
		assembled := true
		article.Assembled, article.By = &assembled, showAssembled(&postgres.AssembledBy{Act: *v.Act, Title: v.Title, Evidence: v.Evidence})
	}
	body.Article, body.Heading = &article, &heading
	body.Excerpt = &excerptBody{markedBody{e.Text, showMarks(e.Marks)}, e.Before, e.After}
	return body
}

// countBody is the number of hits with one value of a facet.
type countBody struct {
	Value string `json:"value"`
	Count int    `json:"count"`
}

func showCounts(list []postgres.Count) []countBody {
	shown := make([]countBody, 0, len(list))
	for _, c := range list {
		shown = append(shown, countBody{c.Value, c.N})
	}
	return shown
}

type facetsBody struct {
	Kinds     []countBody `json:"kind"`
	Types     []countBody `json:"doc_type"`
	Natures   []countBody `json:"nature"`
	Countries []countBody `json:"pays"`
	Domains   []countBody `json:"domaine"`
	Statuses  []countBody `json:"statut"`
	Years     []countBody `json:"annee"`
}

func showFacets(f postgres.Facets) facetsBody {
	return facetsBody{showCounts(f.Kinds), showCounts(f.Types), showCounts(f.Natures), showCounts(f.Countries), showCounts(f.Domains),
		showCounts(f.Statuses), showCounts(f.Years)}
}

type searchBody struct {
	Items    []hitBody  `json:"items"`
	Total    int        `json:"total"`
	Page     int        `json:"page"`
	PageSize int        `json:"page_size"`
	Words    int        `json:"words"`
	Matched  int        `json:"words_matched"`
	Facets   facetsBody `json:"facets"`
}

// search finds texts and articles of the catalogue by their words; without words, all
// texts.
func (s *Server) search(c *fiber.Ctx, _ postgres.User) error {
	q := query{c: c}
	page := q.number("page", 1, 1, 0)
	words := q.needed("q", searchLimit)
	find := postgres.SearchQuery{
		Words:    fulltext.Parse(words),
		All:      strings.TrimSpace(words) == "",
		Kind:     q.one("kind", []string{postgres.ArticleUnits, postgres.TextUnits}),
		Document: q.id("document_id"),
		On:       q.day("date"),
		From:     q.day("promulgation_from"),
		To:       q.day("promulgation_to"),
		Type:     law.DocType(q.one("doc_type", texts(law.DocTypes()))),
		Nature:   q.text("nature"),
		Country:  q.text("pays"),
		Domain:   q.text("domaine"),
		Status:   law.Status(q.one("statut", texts(law.Statuses()))),
		Sort:     q.one("sort", []string{relevance, postgres.SortNewest, postgres.SortOldest, postgres.SortTitle}),
		Page:     min(page, farthestPage),
		PageSize: q.number("page_size", searchDefault, 1, searchMost),
	}
	find.Today = country.Today(s.Now(), find.Country)
	if err := q.err(); err != nil {
		return err
	}
	r, err := s.DB.Search(c.UserContext(), find)
	if err != nil {
		return err
	}
	body := searchBody{Items: make([]hitBody, 0, len(r.Hits)), Total: r.Total, Page: page, PageSize: find.PageSize,
		Words: r.Asked, Matched: r.Held, Facets: showFacets(r.Facets)}
	for _, h := range r.Hits {
		body.Items = append(body.Items, s.showHit(find.Words, h))
	}
	return c.JSON(body)
}

// needed reads a required text of at most limit code points; the text may be blank.
func (q *query) needed(name string, limit int) string {
	raw, given := q.get(name)
	if !given {
		q.faults.missing([]any{"query", name})
		return ""
	}
	if utf8.RuneCountInString(raw) > limit {
		q.faults.add("string_too_long", []any{"query", name}, quoted(raw), "Au plus %d %s.", limit, plural(limit, "caractère"))
		return ""
	}
	return q.text(name)
}
