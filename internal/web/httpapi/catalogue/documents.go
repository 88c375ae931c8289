package catalogue

import (
	"fmt"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
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

// listDocuments serves GET /documents. It shows a page of the catalogue.
func (s *Handlers) listDocuments(c *fiber.Ctx, _ postgres.User) error {
	q := form.ReadQuery(c)
	page := q.Number("page", 1, 1, 0)
	find := postgres.DocumentQuery{
		Domain:   q.Text("domaine"),
		Type:     law.DocType(q.One("doc_type", form.Strings(law.DocTypes()))),
		Status:   law.Status(q.One("statut", form.Strings(law.Statuses()))),
		Title:    q.Text("q"),
		Page:     min(page, form.FarthestPage),
		PageSize: q.Number("page_size", documentsDefault, 1, documentsMost),
		From:     q.Day("promulgation_from"),
		To:       q.Day("promulgation_to"),
		Sort:     q.One("sort", []string{postgres.SortNewest, postgres.SortOldest, postgres.SortTitle}),
	}
	if err := q.Err(); err != nil {
		return err
	}
	list, total, err := s.DB.Documents(c.UserContext(), find)
	if err != nil {
		return err
	}
	show := func(d law.Document) law.Record { return ShowRecord(s.Base(), d) }
	return c.JSON(respond.NewPage(respond.ShowAll(list, show), total, page, find.PageSize))
}

// showDocument serves GET /documents/:id. It shows one text of the catalogue, or a superseded
// edition with a link to the better one.
func (s *Handlers) showDocument(c *fiber.Ctx, _ postgres.User, id uuid.UUID) error {
	d, err := s.DB.Document(c.UserContext(), id)
	if err != nil {
		return respond.NoDocument(err)
	}
	if d.SupersededBy != nil { // RFC 5829
		c.Set(fiber.HeaderLink, fmt.Sprintf(`<%s%s/documents/%s>; rel="successor-version"`, s.Base(), transport.Prefix, d.SupersededBy))
	}
	return c.JSON(ShowRecord(s.Base(), d))
}

// ArticleBody is an article without its words.
type ArticleBody struct {
	ID       uuid.UUID `json:"id"`
	Number   string    `json:"number"`
	Heading  string    `json:"heading"`
	Path     []string  `json:"path"`
	Page     int       `json:"page"`
	Position int       `json:"position"`
	// From the first day in force to the first day no longer in force.
	ValidFrom *string `json:"valid_from"`
	ValidTo   *string `json:"valid_to"`
	// Replaces is set for a new wording: the article of another text that it replaces.
	Replaces *law.Replaced `json:"replaces"`
	// Assembled is set in the list of a day: whether the service made the words from amending
	// acts. By is the last of these acts.
	Assembled *bool          `json:"assembled,omitempty"`
	By        *assembledBody `json:"assembled_by,omitempty"`
}

func showArticle(a law.Article) ArticleBody {
	return ArticleBody{ID: a.ID, Number: a.Number, Heading: a.Heading, Path: append([]string{}, a.Path...), Page: a.Page, Position: a.Position,
		ValidFrom: respond.ShowDay(a.ValidFrom), ValidTo: respond.ShowDay(a.ValidTo), Replaces: a.Wording.Replaced()}
}

type relatedBody struct {
	ID    uuid.UUID `json:"id"`
	Title string    `json:"title"`
	Date  string    `json:"date"`
}

func showRelated(list []postgres.RelatedText) []relatedBody {
	return respond.ShowAll(list, func(r postgres.RelatedText) relatedBody {
		return relatedBody{r.ID, r.Title, r.Date.Format(time.DateOnly)}
	})
}

// listRelations serves GET /documents/:id/relations. It shows which texts a text repeals and
// amends, and which texts repeal or amend it.
func (s *Handlers) listRelations(c *fiber.Ctx, _ postgres.User, id uuid.UUID) error {
	r, err := s.DB.Relations(c.UserContext(), id)
	if err != nil {
		return respond.NoDocument(err)
	}
	return c.JSON(struct {
		Repeals    []relatedBody `json:"abroge"`
		RepealedBy []relatedBody `json:"abroge_par"`
		Amends     []relatedBody `json:"modifie"`
		AmendedBy  []relatedBody `json:"modifie_par"`
	}{showRelated(r.Repeals), showRelated(r.RepealedBy), showRelated(r.Amends), showRelated(r.AmendedBy)})
}
