package gazettes

import (
	"context"
	"errors"
	"slices"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/catalogue"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
)

// ReviewBody is a text in review with its doubts.
type ReviewBody struct {
	law.Record
	FirstPage int            `json:"first_page"`
	LastPage  int            `json:"last_page"`
	Articles  int            `json:"articles_count"`
	Doubts    []law.Doubt    `json:"doubts"`
	Evidence  []law.Evidence `json:"evidence"`
	Version   string         `json:"version"`
}

// listReviews serves GET /admin/ingestions/:id/review. It shows the texts of a file that wait in
// review, on one page.
func (s *Handlers) listReviews(c *fiber.Ctx, _ postgres.User, i postgres.Ingestion) error {
	reviews, err := s.DB.Reviews(c.UserContext(), i.ID)
	if err != nil {
		return err
	}
	return respond.List(c, reviews, nil, func(r postgres.Review) ReviewBody {
		return s.showReview(r)
	})
}

// ReadReviewBody is a text in review with its file and its articles.
type ReadReviewBody struct {
	WaitingBody
	Articles []WaitingArticleBody `json:"articles"`
}

// WaitingArticleBody is an article of a text in review.
type WaitingArticleBody struct {
	Number  string   `json:"number"`
	Heading string   `json:"heading"`
	Path    []string `json:"path"`
	Page    int      `json:"page"`
	Text    string   `json:"text"`
}

// readReview serves GET /admin/reviews/:document_id. It shows one text in review with its articles.
func (s *Handlers) readReview(c *fiber.Ctx, _ postgres.User) error {
	document, err := form.PathID(c, "document_id")
	if err != nil {
		return err
	}
	r, err := s.DB.Review(c.UserContext(), document)
	if err != nil {
		return nameReview(err)
	}
	text, err := s.DB.WholeText(c.UserContext(), document)
	if err != nil {
		return nameReview(err)
	}
	return c.JSON(ReadReviewBody{s.showWaiting(r), respond.ShowAll(text.Articles, func(a law.Article) WaitingArticleBody {
		return WaitingArticleBody{a.Number, a.Heading, append([]string{}, a.Path...), a.Page, a.Text}
	})})
}

func (s *Handlers) showReview(r postgres.Review) ReviewBody {
	return ReviewBody{catalogue.ShowRecord(s.Base(), r.Document), r.Document.FirstPage, r.Document.LastPage, r.Articles, r.Doubts, r.Evidence, r.Version}
}

// review serves POST /admin/ingestions/:id/review/:document_id. It settles one text: if accepted,
// with the reviewer's corrections, the response is the document of the catalogue; if rejected, it
// is empty. A person can also reopen an accepted text, which then waits in review as before.
func (s *Handlers) review(c *fiber.Ctx, _ postgres.User, ingestion uuid.UUID) error {
	document, err := form.PathID(c, "document_id")
	if err != nil {
		return err
	}
	body := transport.ReadBody(c)
	ctx := c.UserContext()
	decision := body.MustOne("decision", []string{"accept", "reject", "reopen"})
	change, err := s.readDecided(ctx, body)
	if err != nil {
		return err
	}
	if decision == "reopen" {
		return s.reopen(c, ingestion, document)
	}
	if decision == "reject" {
		if err := s.DB.RejectText(ctx, ingestion, document, change.Version); err != nil {
			return nameReview(err)
		}
		return c.SendStatus(fiber.StatusNoContent)
	}
	d, err := s.DB.AcceptText(ctx, ingestion, document, change)
	if err != nil {
		return nameReview(err)
	}
	return c.JSON(catalogue.ShowRecord(s.Base(), d))
}

// reopen undoes the acceptance of a text.
func (s *Handlers) reopen(c *fiber.Ctx, ingestion, document uuid.UUID) error {
	d, err := s.DB.ReopenText(c.UserContext(), ingestion, document)
	if err != nil {
		return respond.NotFound(err, notAccepted)
	}
	return c.JSON(catalogue.ShowRecord(s.Base(), d))
}

// lackingText is the message for each required field that is missing.
var lackingText = map[string]string{
	"doc_type":          "La nature du texte n’a pas été reconnue : elle doit être donnée.",
	"date_promulgation": "La date de promulgation n’a pas été trouvée dans le texte : elle doit être donnée.",
}

// lackingFaults returns the faults for missing fields that a reviewer must give.
func lackingFaults(fields []string) error {
	var f form.Faults
	for _, field := range fields {
		f.Add("missing", []any{"body", field}, nil, "%s", lackingText[field])
	}
	return f.Err()
}

const notAccepted = "Aucun texte du catalogue sous cet identifiant dans ce fichier."

const noReview = "Aucun texte à relire sous cet identifiant."

func nameReview(err error) error {
	var lacking *postgres.Lacking
	if errors.As(err, &lacking) {
		return lackingFaults(lacking.Fields)
	}
	return respond.NotFound(err, noReview)
}

// readDecided reads what a decision about a text in review changes, and the version that it
// is for; the error contains all faults.
func (s *Handlers) readDecided(ctx context.Context, body *form.Object) (postgres.DocumentChange, error) {
	version, group := body.MaybeText("version", 0, versionLimit), body.MaybeText("group", 0, groupLimit)
	change, err := s.readChange(ctx, body)
	if version != nil {
		change.Version = *version
	}
	if group != nil {
		change.Group = *group
	}
	return change, err
}

// readChange reads the metadata of a text from a body; the error contains all faults.
func (s *Handlers) readChange(ctx context.Context, body *form.Object) (postgres.DocumentChange, error) {
	change := postgres.DocumentChange{
		Title:          body.MaybeText("title", 1, titleLimit),
		Nature:         body.MaybeText("nature", 0, law.NatureLimit),
		OfficialNumber: body.MaybeText("numero_officiel", 0, numberLimit),
		Promulgated:    body.Day("date_promulgation"),
		EntersInForce:  body.Day("date_entree_vigueur"),
		Supersedes:     body.ID("remplace"),
	}
	if kind := body.MaybeOne("doc_type", form.Strings(law.DocTypes())); kind != nil {
		change.Type = (*law.DocType)(kind)
	}
	if _, given := body.Optional("domaine"); given {
		codes, err := s.domainCodes(ctx)
		if err != nil {
			return change, err
		}
		change.Domain = body.MaybeOne("domaine", codes)
	}
	return change, body.Err()
}

// domainCodes lists the codes of every domain.
func (s *Handlers) domainCodes(ctx context.Context) ([]string, error) {
	domains, err := s.DB.AllDomains(ctx)
	codes := make([]string, 0, len(domains))
	for _, d := range domains {
		codes = append(codes, d.Code)
	}
	return slices.Clip(codes), err
}
