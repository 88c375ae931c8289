package gazettes

import (
	"encoding/json"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/gazette"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/transport"
	"vigueur/internal/work/ingestion"
)

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
