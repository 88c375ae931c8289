package catalogue

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/export"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/respond"
)

// ReadArticleBody is an article with its words.
type ReadArticleBody struct {
	ArticleBody
	Text    string            `json:"text"`
	Regions []law.Region      `json:"regions"`
	Changes []law.RelationRef `json:"changed_by"`
}

func showReadArticle(a postgres.ReadArticle) ReadArticleBody {
	return ReadArticleBody{showArticle(a.Article), a.Text, law.Regions(a.Spans, 0, len(a.Text)), a.Changes}
}

// listArticles serves GET /documents/:id/articles. It lists the articles of a text: all without
// their words, or a page of them, with their words on request; with a day, only those in force on
// it.
func (s *Handlers) listArticles(c *fiber.Ctx, _ postgres.User) error {
	id, malformed := form.PathID(c, "id")
	q := form.ReadQuery(c)
	on, full := q.Day("date"), q.One("text", []string{"true", "false"}) == "true"
	_, sized := q.Get("page_size")
	_, paged := q.Get("page")
	most := articlesMost
	if full {
		most = articlesReadMost
	}
	page, size := q.Number("page", 1, 1, 0), q.Number("page_size", most, 1, most)
	if err := form.Join(malformed, q.Err()); err != nil {
		return err
	}
	if on != nil {
		return s.listArticlesOn(c, id, *on, articlesPage{page, size, full, sized || paged})
	}
	if !full && !sized && !paged {
		list, err := s.DB.Articles(c.UserContext(), id)
		if err != nil {
			return respond.NoDocument(err)
		}
		return c.JSON(respond.Page[ArticleBody]{Items: respond.ShowAll(list, showArticle)})
	}
	list, total, err := s.DB.ReadArticles(c.UserContext(), id, min(page, form.FarthestPage), size)
	if err != nil {
		return respond.NoDocument(err)
	}
	if full {
		return c.JSON(respond.NewPage(respond.ShowAll(list, showReadArticle), total, page, size))
	}
	short := func(a postgres.ReadArticle) ArticleBody { return showArticle(a.Article) }
	return c.JSON(respond.NewPage(respond.ShowAll(list, short), total, page, size))
}

// showArticle serves GET /documents/:id/articles/:article_id. It shows one article of a text with
// its words.
func (s *Handlers) showArticle(c *fiber.Ctx) error {
	document, malformed := form.PathID(c, "id")
	id, other := form.PathID(c, "article_id")
	if err := form.Join(malformed, other); err != nil {
		return err
	}
	q := form.ReadQuery(c)
	on := q.Day("date")
	if err := q.Err(); err != nil {
		return err
	}
	a, err := s.readArticle(c.UserContext(), document, id, on)
	if err != nil {
		return respond.NotFound(err, "Article introuvable.")
	}
	if on != nil || a.Assembled != nil {
		return c.JSON(showReadArticleOn(a))
	}
	return c.JSON(showReadArticle(a))
}

// readArticle reads an article in its wording of a day; as printed if on is nil.
func (s *Handlers) readArticle(ctx context.Context, document, id uuid.UUID, on *time.Time) (postgres.ReadArticle, error) {
	if on != nil {
		return s.DB.ReadArticleByID(ctx, document, id, *on)
	}
	return s.DB.ReadArticle(ctx, document, id)
}

// DetailsBody is additional information about a text, besides LegalDocument.
type DetailsBody struct {
	ID           uuid.UUID  `json:"id"`
	FirstPage    int        `json:"first_page"`
	LastPage     int        `json:"last_page"`
	Countries    []string   `json:"pays"`
	Articles     int        `json:"articles_count"`
	RepealedOn   *string    `json:"date_abrogation"`
	SupersededBy *uuid.UUID `json:"remplace_par"`
	Address      *string    `json:"adresse"`
	File         fileBody   `json:"file"`
}

type fileBody struct {
	Name  string `json:"name"`
	Size  int64  `json:"size"`
	Pages int    `json:"pages"`
}

// showDetails serves GET /documents/:id/details. It shows a text's place in its file and its
// countries.
func (s *Handlers) showDetails(c *fiber.Ctx, _ postgres.User, id uuid.UUID) error {
	d, err := s.DB.DocumentDetails(c.UserContext(), id)
	if err != nil {
		return respond.NoDocument(err)
	}
	public, err := s.Public.PublicAddress(c.UserContext(), d.Document, d.Countries)
	if err != nil {
		return err
	}
	return c.JSON(DetailsBody{d.Document.ID, d.Document.FirstPage, d.Document.LastPage, d.Countries, d.Articles, respond.ShowDay(d.RepealedOn),
		d.Document.SupersededBy, public, fileBody{d.Filename, d.Size, d.Pages}})
}

// exportDocument serves GET /documents/:id/export. It downloads a text with all its articles, as
// printed or in its wording of a day.
func (s *Handlers) exportDocument(c *fiber.Ctx, user postgres.User) error {
	id, malformed := form.PathID(c, "id")
	q := form.ReadQuery(c)
	var names []string
	for _, f := range export.Formats() {
		names = append(names, f.Name)
	}
	name, on := q.One("format", names), q.Day("date")
	if err := form.Join(malformed, q.Err()); err != nil {
		return err
	}
	if name == "" {
		name = names[0]
	}
	// Only editors read a text in review, which has no wording of a day.
	if _, err := s.DB.Document(c.UserContext(), id); err != nil && (!errs.Is(err, errs.NotFound) || user.Role == "user" || on != nil) {
		return respond.NoDocument(err)
	}
	t, err := s.DB.ExportedText(c.UserContext(), id, on)
	if err != nil && on == nil {
		return respond.NoDocument(err)
	}
	if err != nil {
		return err
	}
	t.Evidence, t.Day = nil, country.Today(s.Now(), t.Countries...) // evidence is for those who ingest
	format, _ := export.ByName(name)
	if format.Binary {
		release, err := s.Papers.Take(c.UserContext(), user.ID.String(), 1, false)
		if err != nil {
			return err
		}
		defer release()
	}
	var file bytes.Buffer
	if err := format.Write(&file, t); err != nil {
		return fmt.Errorf("httpapi: export %s: %w", id, err)
	}
	title := t.Document.Title
	if on != nil {
		title += " au " + law.WriteDate(*on)
	}
	return respond.Download(c, title, strings.TrimPrefix(format.Extension, "."), respond.ExportKinds[name], file.Bytes())
}
