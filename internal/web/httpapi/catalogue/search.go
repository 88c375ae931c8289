package catalogue

import (
	"context"
	"strings"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/fulltext"
	"vigueur/internal/search/named"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/form"
)

// relevance is the default order of a search.
const relevance = "pertinence"

// markedBody is a text with its matches.
type markedBody struct {
	Text  string          `json:"text"`
	Marks []fulltext.Mark `json:"marks"`
}

// HitBody is a text or an article that a search found.
type HitBody struct {
	Kind      string            `json:"kind"`
	Document  law.Record        `json:"document"`
	Countries []string          `json:"pays"`
	Title     markedBody        `json:"title"`
	Article   *ArticleBody      `json:"article"`
	Heading   *markedBody       `json:"heading"`
	Excerpt   *fulltext.Excerpt `json:"excerpt"`
	Score     float64           `json:"score"`
}

func (s *Handlers) showHit(words fulltext.Query, h postgres.SearchHit) HitBody {
	marked := func(text string) markedBody { return markedBody{text, words.Marks(text)} }
	body := HitBody{Kind: postgres.TextUnits, Document: ShowRecord(s.Base(), h.Document), Countries: h.Countries, Title: marked(h.Document.Title), Score: h.Score}
	if h.Article == nil {
		return body
	}
	body.Kind = postgres.ArticleUnits
	article, heading, e := showArticle(*h.Article), marked(h.Article.Heading), words.Excerpt(h.Article.Text)
	if v := h.Assembled; v != nil {
		assembled := true
		article.Assembled, article.By = &assembled, showAssembled(&postgres.AssembledBy{Act: *v.Act, Title: v.Title, Evidence: v.Evidence})
	}
	body.Article, body.Heading, body.Excerpt = &article, &heading, &e
	return body
}

// SearchBody is a page of the hits of a search.
type SearchBody struct {
	Items    []HitBody       `json:"items"`
	Total    int             `json:"total"`
	Page     int             `json:"page"`
	PageSize int             `json:"page_size"`
	Words    int             `json:"words"`
	Matched  int             `json:"words_matched"`
	Facets   postgres.Facets `json:"facets"`
	// Respelled are the words that were searched instead of those that the catalogue does not have; "": none.
	Respelled string `json:"respelled"`
}

// search serves GET /search. It finds texts and articles of the catalogue by their words; without
// words, all texts.
func (s *Handlers) search(c *fiber.Ctx, _ postgres.User) error {
	q := form.ReadQuery(c)
	page := q.Number("page", 1, 1, 0)
	words := q.Needed("q", SearchLimit)
	find := postgres.SearchQuery{
		Words:    fulltext.Parse(words),
		All:      strings.TrimSpace(words) == "",
		Kind:     q.One("kind", []string{postgres.ArticleUnits, postgres.TextUnits}),
		Document: q.ID("document_id"),
		On:       q.Day("date"),
		From:     q.Day("promulgation_from"),
		To:       q.Day("promulgation_to"),
		Type:     law.DocType(q.One("doc_type", form.Strings(law.DocTypes()))),
		Nature:   q.Text("nature"),
		Country:  q.Text("pays"),
		Domain:   q.Text("domaine"),
		Status:   law.Status(q.One("statut", form.Strings(law.Statuses()))),
		Sort:     q.One("sort", []string{relevance, postgres.SortNewest, postgres.SortOldest, postgres.SortTitle}),
		Page:     min(page, form.FarthestPage),
		PageSize: q.Number("page_size", searchDefault, 1, searchMost),
	}
	find.Today = country.Today(s.Now(), find.Country)
	if err := q.Err(); err != nil {
		return err
	}
	r, called, err := s.searchCalled(c.UserContext(), find, words)
	if err == nil && !called {
		r, err = s.DB.Search(c.UserContext(), find)
	}
	respelled := ""
	if err == nil && (r.Total == 0 || r.Held < r.Asked) {
		r, respelled, err = s.searchRespelled(c.UserContext(), &find, r, words)
	}
	if err != nil {
		return err
	}
	body := SearchBody{Items: make([]HitBody, 0, len(r.Hits)), Total: r.Total, Page: page, PageSize: find.PageSize,
		Words: r.Asked, Matched: r.Held, Respelled: respelled, Facets: r.Facets}
	for _, h := range r.Hits {
		body.Items = append(body.Items, s.showHit(find.Words, h))
	}
	return c.JSON(body)
}

// searchCalled searches within the texts whose short names are among the words, for the words that are left. found is false
// if there are no such names, or if nothing is found so.
func (s *Handlers) searchCalled(ctx context.Context, q postgres.SearchQuery, words string) (r postgres.SearchResult, found bool, err error) {
	if q.All || q.Document != nil {
		return r, false, nil
	}
	texts, rest, err := named.InTyped(ctx, s.DB, words)
	if err != nil || len(texts) == 0 {
		return r, false, err
	}
	q.Texts, q.Words, q.All = texts, fulltext.Parse(rest), strings.TrimSpace(rest) == ""
	r, err = s.DB.Search(ctx, q)
	return r, r.Total > 0, err
}

// searchRespelled searches again with words that the catalogue has in place of those that it does not, if that finds more of
// the words. It returns the words that were searched, and "" with the earlier result otherwise.
func (s *Handlers) searchRespelled(ctx context.Context, q *postgres.SearchQuery, earlier postgres.SearchResult, words string) (postgres.SearchResult, string, error) {
	spelled, changed, err := s.DB.Respell(ctx, words)
	if err != nil || !changed {
		return earlier, "", err
	}
	again := *q
	again.Words = fulltext.Parse(spelled)
	r, err := s.DB.Search(ctx, again)
	if err != nil || r.Total == 0 || earlier.Total > 0 && r.Held <= earlier.Held {
		return earlier, "", err
	}
	*q = again
	return r, spelled, nil
}
