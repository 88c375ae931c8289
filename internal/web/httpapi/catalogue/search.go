package catalogue

import (
	"context"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/fulltext"
	"vigueur/internal/search/named"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/guard"
	"vigueur/internal/web/httpapi/transport"
)

// markedTextBody is a text with its matches.
type markedTextBody struct {
	Text  string          `json:"text"`
	Marks []fulltext.Mark `json:"marks"`
}

// SearchHitBody is a text or an article that a search found.
type SearchHitBody struct {
	Kind      string            `json:"kind" enum:"article,texte"`
	Document  law.Record        `json:"document"`
	Countries []string          `json:"pays" doc:"Les pays dont le texte est la loi, en deux lettres ; aucun quand il ne le dit pas, ou qu’il est d’une union de pays."`
	Title     markedTextBody    `json:"title"`
	Article   *ArticleBody      `json:"article" doc:"null pour un texte trouvé par son titre ou son numéro."`
	Heading   *markedTextBody   `json:"heading" doc:"Le titre de l’article."`
	Excerpt   *fulltext.Excerpt `json:"excerpt" doc:"Des mots de l’article, tels quels : de sa rédaction du jour demandé, ou sans jour de celle qui a le plus de mots cherchés."`
	Score     float64           `json:"score" doc:"Plus grand, plus proche ; ne se compare que dans une même recherche."`
}

func (s *Handlers) showHit(words fulltext.Query, h postgres.SearchHit) SearchHitBody {
	marked := func(text string) markedTextBody { return markedTextBody{text, words.Marks(text)} }
	body := SearchHitBody{Kind: postgres.TextUnits, Document: ShowRecord(s.Base(), h.Document), Countries: h.Countries, Title: marked(h.Document.Title), Score: h.Score}
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

// SearchPageBody is a page of the hits of a search.
type SearchPageBody struct {
	Items    []SearchHitBody `json:"items"`
	Total    int             `json:"total" doc:"Nombre exact de résultats, toutes pages comprises."`
	Page     int             `json:"page"`
	PageSize int             `json:"page_size"`
	Words    int             `json:"words" doc:"Mots et suites de mots cherchés, sans les mots vides (« le », « de »)."`
	Matched  int             `json:"words_matched" doc:"Combien d’entre eux, au moins, a chaque résultat."`
	Facets   postgres.Facets `json:"facets"`
	// Respelled are the words that were searched instead of those that the catalogue does not have; "": none.
	Respelled string `json:"respelled" doc:"Ce qui a été cherché à la place de q, quand le catalogue n’a pas un de ses mots et en a un qui en diffère d’une lettre ; vide sinon."`
}

type searchInput struct {
	Page             int        `query:"page" default:"1" minimum:"1" doc:"Numéro de la page."`
	Q                string     `query:"q" maxLength:"200" required:"true" doc:"Ce qui est cherché."`
	Kind             string     `query:"kind" enum:"article,texte" doc:"Des articles ou des textes seulement."`
	DocumentID       *uuid.UUID `query:"document_id" doc:"Dans ce texte seulement."`
	Date             *time.Time `query:"date" format:"date" doc:"Seulement ce qui est en vigueur ce jour-là."`
	PromulgationFrom *time.Time `query:"promulgation_from" format:"date" doc:"Textes promulgués ce jour-là ou après."`
	PromulgationTo   *time.Time `query:"promulgation_to" format:"date" doc:"Textes promulgués ce jour-là ou avant."`
	DocType          string     `query:"doc_type" enum:"loi,decret,arrete,circulaire,code,constitution" doc:"Nature du texte."`
	Nature           string     `query:"nature" doc:"Ce qu’est le texte : ce qu’il se dit, ou le mot de son type s’il ne dit rien d’autre, et d’un code ou d’une constitution. L’une des valeurs comptées."`
	Pays             string     `query:"pays" doc:"Pays dont le texte est la loi, en deux lettres, ou « x- » et le nom que se donne un État d’aucune liste : l’une des valeurs comptées. Les textes d’aucun pays, comme ceux d’une union, y sont avec les siens."`
	Domaine          string     `query:"domaine" doc:"Code d’un domaine."`
	Statut           string     `query:"statut" enum:"en_vigueur,abroge,modifie" doc:"Statut du texte."`
	Sort             string     `query:"sort" default:"pertinence" enum:"pertinence,recent,ancien,titre" doc:"L’ordre : le plus proche de ce qui est cherché d’abord, le plus récemment ou anciennement promulgué, ou celui des titres."`
	PageSize         int        `query:"page_size" default:"20" minimum:"1" maximum:"50" doc:"Résultats par page."`
}

// search serves GET /search. It finds texts and articles of the catalogue by their words; without
// words, all texts.
func (s *Handlers) search(c *fiber.Ctx, _ postgres.User, input searchInput) (reply SearchPageBody, _ error) {
	page := input.Page
	words := input.Q
	find := postgres.SearchQuery{
		Words:    fulltext.Parse(words),
		All:      strings.TrimSpace(words) == "",
		Kind:     input.Kind,
		Document: input.DocumentID,
		On:       input.Date,
		From:     input.PromulgationFrom,
		To:       input.PromulgationTo,
		Type:     law.DocType(input.DocType),
		Nature:   input.Nature,
		Country:  input.Pays,
		Domain:   input.Domaine,
		Status:   law.Status(input.Statut),
		Sort:     input.Sort,
		Page:     min(page, form.FarthestPage),
		PageSize: input.PageSize,
	}
	find.Today = country.Today(s.Now(), find.Country)

	typed := named.Typed{}
	var err error
	if !find.All && find.Document == nil {
		typed, err = named.InTyped(c.UserContext(), s.DB, words, find.Country, find.Today)
		find.First = typed.Articles
	}
	var r postgres.SearchResult
	if err == nil && len(typed.Texts) > 0 {
		r, err = s.searchCalled(c.UserContext(), find, typed)
	}
	if err == nil && r.Total == 0 {
		r, err = s.DB.Search(c.UserContext(), find)
	}
	respelled := ""
	if err == nil && (r.Total == 0 || r.Held < r.Asked) {
		r, respelled, err = s.searchRespelled(c.UserContext(), &find, r, words)
	}
	if err != nil {
		return reply, err
	}
	body := SearchPageBody{Items: make([]SearchHitBody, 0, len(r.Hits)), Total: r.Total, Page: page, PageSize: find.PageSize,
		Words: r.Asked, Matched: r.Held, Respelled: respelled, Facets: r.Facets}
	for _, h := range r.Hits {
		body.Items = append(body.Items, s.showHit(find.Words, h))
	}
	return body, nil
}

// searchCalled searches within the texts whose short names were typed, for the words that are left.
func (s *Handlers) searchCalled(ctx context.Context, q postgres.SearchQuery, typed named.Typed) (postgres.SearchResult, error) {
	q.Texts, q.Words, q.All = typed.Texts, fulltext.Parse(typed.Rest), strings.TrimSpace(typed.Rest) == ""
	return s.DB.Search(ctx, q)
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

// SuggestedTitleBody is a suggested text.
type SuggestedTitleBody struct {
	ID          uuid.UUID       `json:"id"`
	Title       string          `json:"title"`
	Marks       []fulltext.Mark `json:"marks" doc:"Les mots qui commencent comme ce qui est tapé."`
	Type        string          `json:"doc_type" enum:"loi,decret,arrete,circulaire,code,constitution"`
	Nature      string          `json:"nature"`
	Number      string          `json:"numero_officiel"`
	Promulgated string          `json:"date_promulgation" format:"date"`
	Status      string          `json:"statut" enum:"en_vigueur,abroge,modifie"`
}

// letSuggest serves suggestions to signed-in users and, if the operator allows it, within a limit to anybody.
func (s *Handlers) letSuggest(h contract.Handler) contract.Handler {
	h = s.Revalidated(h)
	if s.Guests == nil {
		return s.Signed(h)
	}
	return guard.SignedOr(s.Signed(h), h, func(c *fiber.Ctx) (func(), error) { return func() {}, s.admitGuest(c) })
}

// admitGuest counts a request without authentication.
func (s *Handlers) admitGuest(c *fiber.Ctx) error {
	event, err := s.BeginVisit(c, s.Guests, "")
	if err != nil {
		return err
	}
	quota, err := event.Count(c.UserContext())
	if err != nil {
		return err
	}
	transport.SetQuota(c, quota)
	return nil
}

type titlesInput struct {
	Q     string `query:"q" maxLength:"200" required:"true" doc:"Ce qui est tapé."`
	Pays  string `query:"pays" doc:"Pays dont les titres viennent d’abord."`
	Limit int    `query:"limit" default:"8" minimum:"1" maximum:"20" doc:"Titres au plus."`
}

type titlesBody struct {
	Items []SuggestedTitleBody `json:"items"`
	Alike bool                 `json:"alike" doc:"Aucun titre ne commence ainsi : ceux-ci le contiennent ou lui ressemblent."`
}

// suggestTitles serves GET /titles. It completes a title while it is typed.
func (s *Handlers) suggestTitles(c *fiber.Ctx, _ postgres.User, input titlesInput) (reply titlesBody, _ error) {
	list, alike, err := named.Suggest(c.UserContext(), s.DB, input.Q, input.Pays, input.Limit)
	if err != nil {
		return reply, err
	}
	items, beginnings := make([]SuggestedTitleBody, 0, len(list)), fulltext.Beginnings(input.Q)
	for _, d := range list {
		r := d.Record()
		items = append(items, SuggestedTitleBody{r.ID, r.Title, fulltext.MarkBeginnings(r.Title, beginnings), string(r.Type), r.Nature,
			r.OfficialNumber, r.Promulgated, string(r.Status)})
	}
	return titlesBody{items, alike}, nil
}
