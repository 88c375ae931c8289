package httpapi

import (
	"fmt"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
)

// Limits of a page of the catalogue.
const (
	documentsDefault = 20
	documentsMost    = 100
	// farthestPage is beyond any catalogue and prevents the offset from overflowing.
	farthestPage = 1_000_000_000
)

func (s *Server) showLegalDocument(d law.Document) law.Record {
	r := d.Record()
	r.SourceURL = strings.TrimRight(s.BaseURL, "/") + prefix + "/documents/" + d.ID.String() + "/file"
	return r
}

// listDocuments shows a page of the catalogue.
func (s *Server) listDocuments(c *fiber.Ctx, _ postgres.User) error {
	q := query{c: c}
	page := q.number("page", 1, 1, 0)
	find := postgres.DocumentQuery{
		Domain:   q.text("domaine"),
		Type:     law.DocType(q.one("doc_type", texts(law.DocTypes()))),
		Status:   law.Status(q.one("statut", texts(law.Statuses()))),
		Title:    q.text("q"),
		Page:     min(page, farthestPage),
		PageSize: q.number("page_size", documentsDefault, 1, documentsMost),
		From:     q.day("promulgation_from"),
		To:       q.day("promulgation_to"),
		Sort:     q.one("sort", []string{postgres.SortNewest, postgres.SortOldest, postgres.SortTitle}),
	}
	if err := q.err(); err != nil {
		return err
	}
	list, total, err := s.DB.Documents(c.UserContext(), find)
	if err != nil {
		return err
	}
	items := make([]law.Record, 0, len(list))
	for _, d := range list {
		items = append(items, s.showLegalDocument(d))
	}
	return c.JSON(struct {
		Items    []law.Record `json:"items"`
		Total    int          `json:"total"`
		Page     int          `json:"page"`
		PageSize int          `json:"page_size"`
	}{items, total, page, find.PageSize})
}

// showDocument shows one text of the catalogue, or a superseded edition with a link to the
// better one.
func (s *Server) showDocument(c *fiber.Ctx, _ postgres.User) error {
	id, err := pathID(c, "id")
	if err != nil {
		return err
	}
	d, err := s.DB.Document(c.UserContext(), id)
	if err != nil {
		return noDocument(err)
	}
	if d.SupersededBy != nil { // RFC 5829
		c.Set(fiber.HeaderLink, fmt.Sprintf(`<%s%s/documents/%s>; rel="successor-version"`, strings.TrimRight(s.BaseURL, "/"), prefix, d.SupersededBy))
	}
	return c.JSON(s.showLegalDocument(d))
}

// noDocument gives a NotFound error the message for a missing text.
func noDocument(err error) error {
	if errs.Is(err, errs.NotFound) {
		return errs.Wrap(errs.NotFound, "Document introuvable.", err)
	}
	return err
}

type articleBody struct {
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
	// acts, of which By is the last.
	Assembled *bool          `json:"assembled,omitempty"`
	By        *assembledBody `json:"assembled_by,omitempty"`
}

func showArticle(a law.Article) articleBody {
	return articleBody{ID: a.ID, Number: a.Number, Heading: a.Heading, Path: append([]string{}, a.Path...), Page: a.Page, Position: a.Position,
		ValidFrom: showDay(a.ValidFrom), ValidTo: showDay(a.ValidTo), Replaces: a.Wording.Replaced()}
}

func showDay(day *time.Time) *string {
	if day == nil {
		return nil
	}
	shown := day.Format(time.DateOnly)
	return &shown
}

type relatedBody struct {
	ID    uuid.UUID `json:"id"`
	Title string    `json:"title"`
	Date  string    `json:"date"`
}

func showRelated(list []postgres.RelatedText) []relatedBody {
	shown := make([]relatedBody, 0, len(list))
	for _, r := range list {
		shown = append(shown, relatedBody{ID: r.ID, Title: r.Title, Date: r.Date.Format(time.DateOnly)})
	}
	return shown
}

// listRelations shows which texts a text repeals and amends, and which texts repeal or
// amend it.
func (s *Server) listRelations(c *fiber.Ctx, _ postgres.User) error {
	id, err := pathID(c, "id")
	if err != nil {
		return err
	}
	r, err := s.DB.Relations(c.UserContext(), id)
	if err != nil {
		return noDocument(err)
	}
	return c.JSON(struct {
		Repeals    []relatedBody `json:"abroge"`
		RepealedBy []relatedBody `json:"abroge_par"`
		Amends     []relatedBody `json:"modifie"`
		AmendedBy  []relatedBody `json:"modifie_par"`
	}{showRelated(r.Repeals), showRelated(r.RepealedBy), showRelated(r.Amends), showRelated(r.AmendedBy)})
}
