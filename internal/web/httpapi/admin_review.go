package httpapi

import (
	"context"
	"errors"
	"slices"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work/admission"
)

// Length limits of a text's metadata, in code points.
const (
	titleLimit  = admission.MaxTitle
	numberLimit = admission.MaxNumber

	versionLimit = 64
	groupLimit   = 500
)

// reviewBody is a text in review with its doubts.
type reviewBody struct {
	law.Record
	FirstPage int            `json:"first_page"`
	LastPage  int            `json:"last_page"`
	Articles  int            `json:"articles_count"`
	Doubts    []law.Doubt    `json:"doubts"`
	Evidence  []law.Evidence `json:"evidence"`
	Version   string         `json:"version"`
}

// listReviews shows the texts of a file that wait in review, on one page.
func (s *Server) listReviews(c *fiber.Ctx, _ postgres.User) error {
	i, err := s.ingestion(c)
	if err != nil {
		return err
	}
	reviews, err := s.DB.Reviews(c.UserContext(), i.ID)
	if err != nil {
		return err
	}
	return list(c, reviews, nil, func(r postgres.Review) reviewBody {
		return s.showReview(r)
	})
}

func (s *Server) showReview(r postgres.Review) reviewBody {
	return reviewBody{s.showLegalDocument(r.Document), r.Document.FirstPage, r.Document.LastPage, r.Articles, r.Doubts, r.Evidence, r.Version}
}

// review settles one text: if accepted, with the reviewer's corrections, the response is
// the document of the catalogue; if rejected, it is empty. A person can also reopen an
// accepted text, which then waits in review as before.
func (s *Server) review(c *fiber.Ctx, _ postgres.User) error {
	ingestion, err := pathID(c, "id")
	if err != nil {
		return err
	}
	document, err := pathID(c, "document_id")
	if err != nil {
		return err
	}
	body, err := readBody(c)
	if err != nil {
		return err
	}
	ctx := c.UserContext()
	decision := body.mustOne("decision", []string{"accept", "reject", "reopen"})
	change, err := s.readDecided(ctx, body)
	if err != nil {
		return err
	}
	if decision == "reopen" {
		return s.reopen(c, ingestion, document)
	}
	if decision == "reject" {
		if err := s.DB.RejectText(ctx, ingestion, document, change.Version); err != nil {
			return noReview(err)
		}
		return c.SendStatus(fiber.StatusNoContent)
	}
	d, err := s.DB.AcceptText(ctx, ingestion, document, change)
	if err != nil {
		return noReview(err)
	}
	return c.JSON(s.showLegalDocument(d))
}

// reopen undoes the acceptance of a text.
func (s *Server) reopen(c *fiber.Ctx, ingestion, document uuid.UUID) error {
	d, err := s.DB.ReopenText(c.UserContext(), ingestion, document)
	if errs.Is(err, errs.NotFound) {
		return errs.Wrap(errs.NotFound, "Aucun texte du catalogue sous cet identifiant dans ce fichier.", err)
	}
	if err != nil {
		return err
	}
	return c.JSON(s.showLegalDocument(d))
}

// lackingText is the message for each required field that is missing.
var lackingText = map[string]string{
	"doc_type":          "La nature du texte n’a pas été reconnue : elle doit être donnée.",
	"date_promulgation": "La date de promulgation n’a pas été trouvée dans le texte : elle doit être donnée.",
}

// lackingFaults returns the faults for missing fields that a reviewer must give.
func lackingFaults(fields []string) error {
	var f faults
	for _, field := range fields {
		f.add("missing", []any{"body", field}, nil, "%s", lackingText[field])
	}
	return f.err()
}

func noReview(err error) error {
	var lacking *postgres.Lacking
	if errors.As(err, &lacking) {
		return lackingFaults(lacking.Fields)
	}
	if errs.Is(err, errs.NotFound) {
		return errs.Wrap(errs.NotFound, "Aucun texte à relire sous cet identifiant dans ce fichier.", err)
	}
	return err
}

// readDecided reads what a decision about a text in review changes, and the version that it
// is for; the error contains all faults.
func (s *Server) readDecided(ctx context.Context, body *object) (postgres.DocumentChange, error) {
	version, group := body.maybeText("version", 0, versionLimit), body.maybeText("group", 0, groupLimit)
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
func (s *Server) readChange(ctx context.Context, body *object) (postgres.DocumentChange, error) {
	change := postgres.DocumentChange{
		Title:          body.maybeText("title", 1, titleLimit),
		Nature:         body.maybeText("nature", 0, law.NatureLimit),
		OfficialNumber: body.maybeText("numero_officiel", 0, numberLimit),
		Promulgated:    body.day("date_promulgation"),
		EntersInForce:  body.day("date_entree_vigueur"),
		Supersedes:     body.id("remplace"),
	}
	if kind := body.maybeOne("doc_type", texts(law.DocTypes())); kind != nil {
		change.Type = (*law.DocType)(kind)
	}
	if _, given := body.optional("domaine"); given {
		codes, err := s.domainCodes(ctx)
		if err != nil {
			return change, err
		}
		change.Domain = body.maybeOne("domaine", codes)
	}
	return change, body.err()
}

// domainCodes lists the codes of every domain.
func (s *Server) domainCodes(ctx context.Context) ([]string, error) {
	domains, err := s.DB.AllDomains(ctx)
	codes := make([]string, 0, len(domains))
	for _, d := range domains {
		codes = append(codes, d.Code)
	}
	return slices.Clip(codes), err
}
