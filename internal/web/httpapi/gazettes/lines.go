package gazettes

import (
	"github.com/gofiber/fiber/v2"

	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/respond"
)

// LinesBody is a page's lines with their labels.
type LinesBody = postgres.PageLines

// listLines serves GET /admin/ingestions/:id/pages/:page/lines. It shows the lines of a page in
// reading order.
func (s *Handlers) listLines(c *fiber.Ctx, _ postgres.User) error {
	i, n, err := s.filePage(c)
	if err != nil {
		return err
	}
	p, err := s.DB.PageLines(c.UserContext(), i.ID, n)
	if err != nil {
		return respond.NotFound(err, "Les lignes de cette page ne sont pas connues : elle n’a pas été lue, ou le fichier n’a pas été découpé depuis qu’elles sont gardées (POST …/recut le découpe de nouveau).")
	}
	return c.JSON(p)
}

// recutIngestion serves POST /admin/ingestions/:id/recut. It queues a file to be segmented again
// from its saved pages.
func (s *Handlers) recutIngestion(c *fiber.Ctx, _ postgres.User, i postgres.Ingestion) error {
	if err := s.DB.ResegmentIngestion(c.UserContext(), i.ID); err != nil {
		return err
	}
	s.hintIngestion(c.UserContext(), i.ID)
	return s.acceptedIngestion(c)
}
