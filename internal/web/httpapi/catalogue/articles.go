package catalogue

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/export"
	"vigueur/internal/search/verify"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/guard"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
)

// ArticleWithTextBody is an article with its words.
type ArticleWithTextBody struct {
	ArticleBody
	Text    string            `json:"text"`
	Regions []law.Region      `json:"regions" doc:"Où sont ses lignes dans le PDF."`
	Changes []law.RelationRef `json:"changed_by" doc:"Les textes qui l’ont abrogé ou modifié, ou tout le texte, le plus ancien d’abord. Une nouvelle rédaction n’en a pas : le texte modifié les dit."`
}

func showReadArticle(a postgres.ReadArticle) ArticleWithTextBody {
	return ArticleWithTextBody{showArticle(a.Article), a.Text, law.Regions(a.Spans, 0, len(a.Text)), a.Changes}
}

type articlesInput struct {
	contract.ByID
	Date     *time.Time `query:"date" format:"date" doc:"Seulement les articles en vigueur ce jour-là, dans leur rédaction de ce jour."`
	Text     string     `query:"text" default:"false" enum:"true,false" doc:"true : avec le texte de chaque article, par pages de 100 au plus."`
	Page     int        `query:"page" minimum:"1" doc:"Numéro de la page."`
	PageSize int        `query:"page_size" minimum:"1" maximum:"1000" doc:"Articles par page : au plus 1000, ou 100 avec leur texte."`
}

// Check bounds a page with words.
func (i *articlesInput) Check(f *form.Faults) {
	if i.Text == "true" && i.PageSize > articlesReadMost && i.PageSize <= articlesMost {
		f.Add("less_than_equal", []any{"query", "page_size"}, form.Quote(strconv.Itoa(i.PageSize)), "La valeur doit être au plus %d.", articlesReadMost)
	}
}

type articlesBody = contract.Either[respond.All[ArticleBody], contract.Either[respond.Page[ArticleBody], respond.Page[ArticleWithTextBody]]]

// listArticles serves GET /documents/:id/articles. It lists the articles of a text: all without
// their words, or a page of them, with their words on request; with a day, only those in force on
// it.
func (s *Handlers) listArticles(c *fiber.Ctx, _ postgres.User, input articlesInput) (reply articlesBody, _ error) {
	full, size := input.Text == "true", cmp.Or(input.PageSize, articlesMost)
	if full {
		size = cmp.Or(input.PageSize, articlesReadMost)
	}
	if input.Date != nil {
		return s.articlesOn(c, input, size)
	}
	if !full && input.Page == 0 && input.PageSize == 0 {
		list, err := s.DB.Articles(c.UserContext(), input.ID)
		reply.Value = respond.All[ArticleBody]{Items: respond.ShowAll(list, showArticle)}
		return reply, respond.NoDocument(err)
	}
	page := max(input.Page, 1)
	list, total, err := s.DB.ReadArticles(c.UserContext(), input.ID, min(page, form.FarthestPage), size)
	if full {
		reply.Value = respond.NewPage(respond.ShowAll(list, showReadArticle), total, page, size)
	} else {
		reply.Value = respond.NewPage(respond.ShowAll(list, func(a postgres.ReadArticle) ArticleBody { return showArticle(a.Article) }), total, page, size)
	}
	return reply, respond.NoDocument(err)
}

// showArticle serves GET /documents/:id/articles/:article_id. It shows one article of a text with
// its words.
func (s *Handlers) showArticle(c *fiber.Ctx, _ postgres.User, input articleOnInput) (reply ArticleWithTextBody, _ error) {
	a, err := s.readArticle(c.UserContext(), input.ID, input.Article, input.Date)
	if err != nil {
		return reply, respond.NotFound(err, "Article introuvable.")
	}
	if input.Date != nil || a.Assembled != nil {
		return showReadArticleOn(a), nil
	}
	return showReadArticle(a), nil
}

// readArticle reads an article in its wording of a day; as printed if on is nil.
func (s *Handlers) readArticle(ctx context.Context, document, id uuid.UUID, day *time.Time) (postgres.ReadArticle, error) {
	if day != nil {
		return s.DB.ReadArticleByID(ctx, document, id, *day)
	}
	return s.DB.ReadArticle(ctx, document, id)
}

// DocumentDetailsBody is additional information about a text, besides LegalDocument.
type DocumentDetailsBody struct {
	ID           uuid.UUID        `json:"id"`
	FirstPage    int              `json:"first_page" doc:"Première page du texte dans le fichier."`
	LastPage     int              `json:"last_page" doc:"Dernière page."`
	Countries    []string         `json:"pays" doc:"Les pays dont le texte est la loi, en deux lettres."`
	Articles     int              `json:"articles_count" doc:"Articles du texte, nouvelles rédactions non comprises."`
	RepealedOn   *string          `json:"date_abrogation" format:"date" doc:"Premier jour où le texte entier n’est plus en vigueur."`
	SupersededBy *uuid.UUID       `json:"remplace_par" doc:"L’édition qui a pris sa place au catalogue."`
	Address      *string          `json:"adresse" format:"uri" doc:"Adresse stable du texte, que chacun peut lire sans compte ; null si le catalogue n’est pas ouvert."`
	File         fileBody         `json:"file"`
	Changes      []textChangeBody `json:"changements" doc:"Ce que d’autres textes du catalogue y changent, 200 au plus."`
}

type textChangeBody struct {
	Relation uuid.UUID `json:"id" doc:"La relation, telle que POST /admin/relations/{id} la règle."`
	Act      uuid.UUID `json:"document_id" doc:"Le texte qui change celui-ci."`
	Words    string    `json:"words" doc:"La phrase qui l’ordonne ; vide si elle n’a pas été gardée."`
}

type fileBody struct {
	Name  string `json:"name"`
	Size  int64  `json:"size" doc:"En octets."`
	Pages int    `json:"pages" doc:"0 tant que c’est inconnu."`
}

// showDetails serves GET /documents/:id/details. It shows a text's place in its file and its
// countries.
func (s *Handlers) showDetails(c *fiber.Ctx, _ postgres.User, input contract.ByID) (reply DocumentDetailsBody, _ error) {
	d, err := s.DB.DocumentDetails(c.UserContext(), input.ID)
	if err != nil {
		return reply, respond.NoDocument(err)
	}
	public, err := s.Public.PublicAddress(c.UserContext(), d.Document, d.Countries)
	if err != nil {
		return reply, err
	}
	return DocumentDetailsBody{d.Document.ID, d.Document.FirstPage, d.Document.LastPage, d.Countries, d.Articles, respond.ShowDay(d.RepealedOn),
		d.Document.SupersededBy, public, fileBody{d.Filename, d.Size, d.Pages},
		respond.ShowAll(d.Changes, func(t postgres.TextChange) textChangeBody { return textChangeBody(t) })}, nil
}

type exportDocumentInput struct {
	contract.ByID
	Format string     `query:"format" default:"md" enum:"md,json,akn,docx" doc:"La forme."`
	Date   *time.Time `query:"date" format:"date" doc:"Le jour de la rédaction ; sans lui, le texte tel qu’il est imprimé."`
}

// exportDocument serves GET /documents/:id/export. It downloads a text with all its articles, as
// printed or in its wording of a day.
func (s *Handlers) exportDocument(c *fiber.Ctx, user postgres.User, input exportDocumentInput) (reply contract.Sent, _ error) {

	var names []string
	for _, f := range export.Formats() {
		names = append(names, f.Name)
	}
	id, name, day := input.ID, input.Format, input.Date
	if name == "" {
		name = names[0]
	}
	// Only editors read a text in review, which has no wording of a day.
	if _, err := s.DB.Document(c.UserContext(), id); err != nil && (!errs.Is(err, errs.NotFound) || user.Role == "user" || day != nil) {
		return reply, respond.NoDocument(err)
	}
	t, err := s.DB.ExportedText(c.UserContext(), id, day)
	if err != nil && day == nil {
		return reply, respond.NoDocument(err)
	}
	if err != nil {
		return reply, err
	}
	t.Evidence, t.Day = nil, country.Today(s.Now(), t.Countries...) // evidence is for those who ingest
	format, _ := export.ByName(name)
	if format.Binary {
		release, err := s.Papers.Take(c.UserContext(), transport.Turn{Who: user.ID.String(), Most: transport.Usual, Each: 1, Patience: transport.Brief})
		if err != nil {
			return reply, err
		}
		defer release()
	}
	var file bytes.Buffer
	if err := format.Write(&file, t); err != nil {
		return reply, fmt.Errorf("httpapi: export %s: %w", id, err)
	}
	title := t.Document.Title
	if day != nil {
		title += " au " + law.WriteDate(*day)
	}
	return reply, respond.Download(c, title, strings.TrimPrefix(format.Extension, "."), respond.ExportKinds[name], file.Bytes())
}

// articlePath is the input of a route to an article.
type articlePath struct {
	contract.ByID
	Article uuid.UUID `path:"article_id" doc:"Identifiant d’un article du texte."`
}

// articleOnInput is that of a route to an article on a day.
type articleOnInput struct {
	articlePath
	Date *time.Time `query:"date" format:"date" doc:"La rédaction de ce jour et le droit de ce jour ; sans lui, la rédaction imprimée et le droit d’aujourd’hui."`
}

// letRead serves a part of a text to signed-in users and, where the catalogue is public and has
// the text, to anybody.
func (s *Handlers) letRead(h contract.Handler) contract.Handler {
	h = s.Revalidated(h)
	if s.Public == nil {
		return s.Signed(h)
	}
	return guard.SignedOr(s.Signed(h), h, func(c *fiber.Ctx) (func(), error) {
		release, err := s.Public.AdmitReader(c)
		if id, malformed := form.PathID(c, "id"); err == nil && malformed == nil {
			var addresses map[uuid.UUID]string
			if addresses, err = s.Public.AddressesOf(c.UserContext(), []uuid.UUID{id}); err == nil && addresses[id] == "" {
				err = errs.New(errs.NotFound, "Texte introuvable.")
			}
			if err != nil {
				release()
			}
		}
		return release, err
	})
}

// listReferences serves GET /documents/:id/articles/:article_id/references. It shows where the
// references of an article lead.
func (s *Handlers) listReferences(c *fiber.Ctx, _ postgres.User, input articleOnInput) (reply respond.All[verify.Link], _ error) {
	links, err := s.references(c.UserContext(), input.ID, input.Article, input.Date)
	if err != nil {
		return reply, respond.NotFound(err, "Article introuvable.")
	}
	return respond.All[verify.Link]{Items: append([]verify.Link{}, links...)}, nil
}

// references returns the references of an article as of a day; as printed and today if on is nil.
func (s *Handlers) references(ctx context.Context, document, article uuid.UUID, date *time.Time) ([]verify.Link, error) {
	addressedText, a, day, err := s.articleOf(ctx, document, article, date)
	if err != nil {
		return nil, err
	}
	return verify.Links(ctx, s.DB, addressedText, a, day)
}

// articleOf reads an article and its text, and the day whose law is meant.
func (s *Handlers) articleOf(ctx context.Context, document, article uuid.UUID, date *time.Time) (addressedText postgres.AddressedText, a law.Article, day time.Time, err error) {
	texts, err := s.DB.AddressedTexts(ctx, []uuid.UUID{document})
	if err == nil && len(texts) == 0 {
		err = errs.New(errs.NotFound, "Texte introuvable.")
	}
	if err != nil {
		return addressedText, a, day, err
	}
	addressedText, day = texts[0], country.Today(s.Now(), texts[0].Countries...)
	if date != nil {
		day = *date
	}
	read, err := s.readArticle(ctx, document, article, date)
	return addressedText, read.Article, day, err
}

type citingListBody struct {
	Items   []verify.Citing `json:"items"`
	Answers int             `json:"answers" doc:"Combien de réponses le citent."`
}

// listCiting serves GET /documents/:id/articles/:article_id/cited-by. It shows the articles that
// refer to an article, and how many answers cite it.
func (s *Handlers) listCiting(c *fiber.Ctx, _ postgres.User, input articleOnInput) (reply citingListBody, _ error) {
	addressedText, a, day, err := s.articleOf(c.UserContext(), input.ID, input.Article, input.Date)
	if err != nil {
		return reply, respond.NotFound(err, "Article introuvable.")
	}
	citing, err := verify.CitedBy(c.UserContext(), s.DB, addressedText, a, day)
	if err != nil {
		return reply, err
	}
	answers, err := s.DB.CountAnswersCiting(c.UserContext(), input.Article)
	if err != nil {
		return reply, err
	}
	return citingListBody{append([]verify.Citing{}, citing...), answers}, nil
}
