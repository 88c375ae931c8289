package httpapi

import (
	"github.com/gofiber/fiber/v2"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
)

// linesBody is a page's lines with their labels.
type linesBody struct {
	Page   int             `json:"page"`
	Width  float64         `json:"width"`
	Height float64         `json:"height"`
	Lines  []postgres.Line `json:"lines"`
}

// listLines shows the lines of a page in reading order.
func (s *Server) listLines(c *fiber.Ctx, _ postgres.User) error {
	i, n, err := s.filePage(c)
	if err != nil {
		return err
	}
	p, err := s.DB.PageLines(c.UserContext(), i.ID, n)
	if errs.Is(err, errs.NotFound) {
		return errs.Wrap(errs.NotFound, "Les lignes de cette page ne sont pas connues : elle n’a pas été lue, ou le fichier n’a pas été découpé depuis qu’elles sont gardées (POST …/recut le découpe de nouveau).", err)
	}
	if err != nil {
		return err
	}
	return c.JSON(linesBody{p.Page, p.Width, p.Height, p.Lines})
}

// recutIngestion queues a file to be segmented again from its saved pages.
func (s *Server) recutIngestion(c *fiber.Ctx, _ postgres.User) error {
	i, err := s.ingestion(c)
	if err != nil {
		return err
	}
	if err := s.DB.ResegmentIngestion(c.UserContext(), i.ID); err != nil {
		return err
	}
	s.hintIngestion(c.UserContext(), i.ID)
	return s.acceptedIngestion(c)
}
