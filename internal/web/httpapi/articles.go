package httpapi

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/export"
	"vigueur/internal/store/postgres"
)

// Page sizes of a text's articles, without and with their words.
const (
	articlesMost     = 1000
	articlesReadMost = 100
)

// readArticleBody is an article with its words.
type readArticleBody struct {
	articleBody
	Text    string            `json:"text"`
	Regions []law.Region      `json:"regions"`
	Changes []law.RelationRef `json:"changed_by"`
}

func showReadArticle(a postgres.ReadArticle) readArticleBody {
	return readArticleBody{showArticle(a.Article), a.Text, law.Regions(a.Spans, 0, len(a.Text)), a.Changes}
}

// articlesBody is a list of articles; a page of a list also has its position in the list.
type articlesBody[T any] struct {
	Items    []T  `json:"items"`
	Total    *int `json:"total,omitempty"`
	Page     *int `json:"page,omitempty"`
	PageSize *int `json:"page_size,omitempty"`
}

// listArticles lists the articles of a text: all without their words, or a page of them,
// with their words on request; with a day, only those in force on it.
func (s *Server) listArticles(c *fiber.Ctx, _ postgres.User) error {
	id, malformed := pathID(c, "id")
	q := query{c: c}
	on, full := q.day("date"), q.one("text", []string{"true", "false"}) == "true"
	_, sized := q.get("page_size")
	_, paged := q.get("page")
	most := articlesMost
	if full {
		most = articlesReadMost
	}
	page, size := q.number("page", 1, 1, 0), q.number("page_size", most, 1, most)
	if err := joinFaults(malformed, q.err()); err != nil {
		return err
	}
	if on != nil {
		return s.listArticlesOn(c, id, *on, articlesPage{page, size, full, sized || paged})
	}
	if !full && !sized && !paged {
		list, err := s.DB.Articles(c.UserContext(), id)
		if err != nil {
			return noDocument(err)
		}
		return c.JSON(articlesBody[articleBody]{Items: showAll(list, showArticle)})
	}
	list, total, err := s.DB.ReadArticles(c.UserContext(), id, min(page, farthestPage), size)
	if err != nil {
		return noDocument(err)
	}
	if full {
		return c.JSON(articlesBody[readArticleBody]{showAll(list, showReadArticle), &total, &page, &size})
	}
	short := func(a postgres.ReadArticle) articleBody { return showArticle(a.Article) }
	return c.JSON(articlesBody[articleBody]{showAll(list, short), &total, &page, &size})
}

func showAll[R, T any](list []R, show func(R) T) []T {
	items := make([]T, 0, len(list))
	for _, one := range list {
		items = append(items, show(one))
	}
	return items
}

// showArticle shows one article of a text with its words.
func (s *Server) showArticle(c *fiber.Ctx, _ postgres.User) error {
	document, malformed := pathID(c, "id")
	id, other := pathID(c, "article_id")
	if err := joinFaults(malformed, other); err != nil {
		return err
	}
	q := query{c: c}
	on := q.day("date")
	if err := q.err(); err != nil {
		return err
	}
	var a postgres.ReadArticle
	var err error
	if on != nil {
		a, err = s.DB.ReadArticleByID(c.UserContext(), document, id, *on)
	} else {
		a, err = s.DB.ReadArticle(c.UserContext(), document, id)
	}
	if errs.Is(err, errs.NotFound) {
		return errs.Wrap(errs.NotFound, "Article introuvable.", err)
	}
	if err != nil {
		return err
	}
	if on != nil || a.Assembled != nil {
		return c.JSON(showReadArticleOn(a))
	}
	return c.JSON(showReadArticle(a))
}

// detailsBody is additional information about a text, besides LegalDocument.
type detailsBody struct {
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

// showDetails shows a text's place in its file and its countries.
func (s *Server) showDetails(c *fiber.Ctx, _ postgres.User) error {
	id, err := pathID(c, "id")
	if err != nil {
		return err
	}
	d, err := s.DB.DocumentDetails(c.UserContext(), id)
	if err != nil {
		return noDocument(err)
	}
	public, err := s.publicAddress(c.UserContext(), d.Document, d.Countries)
	if err != nil {
		return err
	}
	return c.JSON(detailsBody{d.Document.ID, d.Document.FirstPage, d.Document.LastPage, d.Countries, d.Articles, showDay(d.RepealedOn),
		d.Document.SupersededBy, public, fileBody{d.Filename, d.Size, d.Pages}})
}

// The media types of files for reading.
const (
	docxKind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	pdfKind  = "application/pdf"
)

// exportKinds are the media types of a text's export formats.
var exportKinds = map[string]string{"md": "text/markdown; charset=utf-8", "json": fiber.MIMEApplicationJSON, "akn": "application/akn+xml; charset=utf-8", "docx": docxKind, "pdf": pdfKind}

// exportDocument downloads a text with all its articles, as printed or in its wording of a day.
func (s *Server) exportDocument(c *fiber.Ctx, user postgres.User) error {
	id, malformed := pathID(c, "id")
	q := query{c: c}
	var names []string
	for _, f := range export.Formats() {
		names = append(names, f.Name)
	}
	name, on := q.one("format", names), q.day("date")
	if err := joinFaults(malformed, q.err()); err != nil {
		return err
	}
	if name == "" {
		name = names[0]
	}
	// A text in review must not be exported.
	d, err := s.DB.Document(c.UserContext(), id)
	if err != nil {
		return noDocument(err)
	}
	t, err := s.DB.ExportedText(c.UserContext(), d.ID, on)
	if err != nil {
		return err
	}
	t.Evidence, t.Day = nil, country.Today(s.Now(), t.Countries...) // evidence is for those who ingest
	format, _ := export.ByName(name)
	if format.Binary {
		release, err := s.papers.take(c.UserContext(), user.ID.String(), 1, false)
		if err != nil {
			return err
		}
		defer release()
	}
	var file bytes.Buffer
	if err := format.Write(&file, t); err != nil {
		return fmt.Errorf("httpapi: export %s: %w", id, err)
	}
	title := d.Title
	if on != nil {
		title += " au " + law.WriteDate(*on)
	}
	return download(c, title, strings.TrimPrefix(format.Extension, "."), exportKinds[name], file.Bytes())
}
