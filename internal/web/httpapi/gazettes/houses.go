package gazettes

import (
	"encoding/json"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/gazette"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
	"vigueur/internal/work/ingestion"
)

// ProposalBody is a decision about another file of the house that would apply here.
type ProposalBody struct {
	Field    string     `json:"field"`
	Value    *string    `json:"value"`
	Document *uuid.UUID `json:"for_document_id"`
	Page     *int       `json:"page"`
	Rect     *law.Rect  `json:"rect"`
	Words    string     `json:"words"`
	From     uuid.UUID  `json:"from_ingestion_id"`
	Filename string     `json:"from_filename"`
	At       string     `json:"settled_at"`
}

func showProposal(p ingestion.Proposal) ProposalBody {
	body := ProposalBody{Field: p.Field, Value: respond.NonEmpty(p.Value), Document: p.Document, Words: p.Words,
		From: p.From.ID, Filename: p.From.Filename, At: respond.ShowTime(p.From.At)}
	if p.Page > 0 {
		body.Page, body.Rect = &p.Page, &p.Rect
	}
	return body
}

// listProposals serves GET /admin/ingestions/:id/proposals. It shows what persons have said of the file, and what they have
// decided about others of its house that would apply to it.
func (s *Handlers) listProposals(c *fiber.Ctx, _ postgres.User, i postgres.Ingestion) error {
	said, err := s.DB.SaidOfFile(c.UserContext(), i.ID)
	if err != nil {
		return err
	}
	list, err := ingestion.Proposals(c.UserContext(), s.DB, i.ID)
	if err != nil {
		return err
	}
	return c.JSON(struct {
		Kind    *string        `json:"kind"`
		Country *string        `json:"pays"`
		Items   []ProposalBody `json:"items"`
	}{respond.NonEmpty(said.Kind), respond.NonEmpty(said.Country), respond.ShowAll(list, showProposal)})
}

// sayOfIngestion serves PATCH /admin/ingestions/:id. It records what a person says of a whole file, and queues it to be
// segmented again; null takes back what was said.
func (s *Handlers) sayOfIngestion(c *fiber.Ctx, _ postgres.User, i postgres.Ingestion) error {
	body := transport.ReadBody(c)
	said := func(name string, value string) *string {
		if _, given := body.Fields[name]; !given {
			return nil
		}
		return &value
	}
	kind := said("kind", body.One("kind", form.Strings(gazette.FileKinds())))
	country := said("pays", body.Country("pays"))
	if err := body.Err(); err != nil {
		return err
	}
	if err := s.DB.SayOfFile(c.UserContext(), i.ID, kind, country, kind != nil && *kind == string(gazette.FileOfNoLaw)); err != nil {
		return err
	}
	s.hintIngestion(c.UserContext(), i.ID)
	return s.acceptedIngestion(c)
}

// exportReviewed serves GET /admin/reviews/truth. It sends the files of which persons have settled something and nothing
// waits any more, as the laboratory reads the truth about gazettes.
func (s *Handlers) exportReviewed(c *fiber.Ctx, _ postgres.User) error {
	truth := map[string]ingestion.Truth{}
	err := s.DB.ReviewedFiles(c.UserContext(), func(f postgres.ReviewedFile) error {
		name, entry := ingestion.TruthOf(f)
		truth[name] = entry
		return nil
	})
	if err != nil {
		return err
	}
	raw, err := json.MarshalIndent(truth, "", " ")
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, fiber.MIMEApplicationJSON)
	c.Set(fiber.HeaderContentDisposition, `attachment; filename="groundtruth.json"`)
	return c.Send(raw)
}
