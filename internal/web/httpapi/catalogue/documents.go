package catalogue

import (
	"fmt"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
)

// ShowRecord shows a text as the contract has it. base is the address of the service.
func ShowRecord(base string, d law.Document) law.Record {
	r := d.Record()
	if base != "" { // a command on the machine of the service has no address
		r.SourceURL = base + transport.Prefix + "/documents/" + d.ID.String() + "/file"
	}
	return r
}

type listDocumentsInput struct {
	Page             int        `query:"page" default:"1" minimum:"1" doc:"Numéro de la page."`
	Domaine          string     `query:"domaine" doc:"Code d’un domaine. Un code qui n’existe pas donne une liste vide."`
	DocType          string     `query:"doc_type" enum:"loi,decret,arrete,circulaire,code,constitution" doc:"Nature du texte."`
	Statut           string     `query:"statut" enum:"en_vigueur,abroge,modifie" doc:"Statut du texte."`
	Q                string     `query:"q" doc:"Mots du titre, ou le numéro d’un texte, avec ou sans les sigles de ses auteurs (2000-192)."`
	PageSize         int        `query:"page_size" default:"20" minimum:"1" maximum:"100" doc:"Textes par page."`
	PromulgationFrom *time.Time `query:"promulgation_from" format:"date" doc:"Textes promulgués ce jour-là ou après."`
	PromulgationTo   *time.Time `query:"promulgation_to" format:"date" doc:"Textes promulgués ce jour-là ou avant."`
	Sort             string     `query:"sort" default:"recent" enum:"recent,ancien,titre" doc:"L’ordre : le plus récemment ou anciennement promulgué d’abord, ou l’alphabet des titres."`
}

// listDocuments serves GET /documents. It shows a page of the catalogue.
func (s *Handlers) listDocuments(c *fiber.Ctx, _ postgres.User, input listDocumentsInput) (reply respond.Page[law.Record], _ error) {
	page := input.Page
	find := postgres.DocumentQuery{
		Domain:   input.Domaine,
		Type:     law.DocType(input.DocType),
		Status:   law.Status(input.Statut),
		Title:    input.Q,
		Page:     min(page, form.FarthestPage),
		PageSize: input.PageSize,
		From:     input.PromulgationFrom,
		To:       input.PromulgationTo,
		Sort:     input.Sort,
	}

	list, total, err := s.DB.Documents(c.UserContext(), find)
	if err != nil {
		return reply, err
	}
	show := func(d law.Document) law.Record { return ShowRecord(s.Base(), d) }
	return respond.NewPage(respond.ShowAll(list, show), total, page, find.PageSize), nil
}

// showDocument serves GET /documents/:id. It shows one text of the catalogue, or a superseded
// edition with a link to the better one.
func (s *Handlers) showDocument(c *fiber.Ctx, _ postgres.User, input contract.ByID) (reply law.Record, _ error) {
	d, err := s.DB.Document(c.UserContext(), input.ID)
	if err != nil {
		return reply, respond.NoDocument(err)
	}
	if d.SupersededBy != nil { // RFC 5829
		c.Set(fiber.HeaderLink, fmt.Sprintf(`<%s%s/documents/%s>; rel="successor-version"`, s.Base(), transport.Prefix, d.SupersededBy))
	}
	return ShowRecord(s.Base(), d), nil
}

// ArticleBody is an article without its words.
type ArticleBody struct {
	ID       uuid.UUID `json:"id"`
	Number   string    `json:"number" doc:"D’une nouvelle rédaction : le numéro de l’article qu’elle rédige, par exemple 36 (nouveau)."`
	Heading  string    `json:"heading" doc:"Le titre de l’article lui-même, souvent vide."`
	Path     []string  `json:"path" doc:"Les titres qui mènent à l’article, le plus large d’abord."`
	Page     int       `json:"page"`
	Position int       `json:"position"`
	// From the first day in force to the first day no longer in force.
	ValidFrom *string `json:"valid_from" format:"date" doc:"Premier jour où l’article est en vigueur."`
	ValidTo   *string `json:"valid_to" format:"date" doc:"Premier jour où il ne l’est plus."`
	// Replaces is set for a new wording: the article of another text that it replaces.
	Replaces *law.Replaced `json:"replaces" doc:"D’une nouvelle rédaction : l’article d’un autre texte dont elle prend la place. Elle n’est pas un article du texte lui-même."`
	// Assembled is set in the list of a day: whether the service made the words from amending
	// acts. By is the last of these acts.
	Assembled *bool            `json:"assembled,omitempty" doc:"Vrai si la rédaction n’est pas imprimée, mais tirée des actes qui modifient le texte. Avec date, et dans ce qu’une recherche trouve."`
	By        *assembledByBody `json:"assembled_by,omitempty"`
}

func showArticle(a law.Article) ArticleBody {
	return ArticleBody{ID: a.ID, Number: a.Number, Heading: a.Heading, Path: append([]string{}, a.Path...), Page: a.Page, Position: a.Position,
		ValidFrom: respond.ShowDay(a.ValidFrom), ValidTo: respond.ShowDay(a.ValidTo), Replaces: a.Wording.Replaced()}
}

type relatedTextBody struct {
	ID    uuid.UUID `json:"id"`
	Title string    `json:"title"`
	Date  string    `json:"date" format:"date"`
}

func showRelated(list []postgres.RelatedText) []relatedTextBody {
	return respond.ShowAll(list, func(r postgres.RelatedText) relatedTextBody {
		return relatedTextBody{r.ID, r.Title, r.Date.Format(time.DateOnly)}
	})
}

type relationsBody struct {
	Repeals    []relatedTextBody `json:"abroge"`
	RepealedBy []relatedTextBody `json:"abroge_par"`
	Amends     []relatedTextBody `json:"modifie"`
	AmendedBy  []relatedTextBody `json:"modifie_par"`
}

// listRelations serves GET /documents/:id/relations. It shows which texts a text repeals and
// amends, and which texts repeal or amend it.
func (s *Handlers) listRelations(c *fiber.Ctx, _ postgres.User, input contract.ByID) (reply relationsBody, _ error) {
	r, err := s.DB.Relations(c.UserContext(), input.ID)
	if err != nil {
		return reply, respond.NoDocument(err)
	}
	return relationsBody{showRelated(r.Repeals), showRelated(r.RepealedBy), showRelated(r.Amends), showRelated(r.AmendedBy)}, nil
}
