package httpapi

import (
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/store/postgres"
)

// examplesShown is the number of articles that are listed.
const examplesShown = 3

// exampleBody is an article that a question can be asked about.
type exampleBody struct {
	Domain   string    `json:"domaine"`
	Document uuid.UUID `json:"document_id"`
	Title    string    `json:"title"`
	Article  uuid.UUID `json:"article_id"`
	Number   string    `json:"number"`
}

// listExamples lists articles to ask about, for users who have no question yet.
func (s *Server) listExamples(c *fiber.Ctx, _ postgres.User) error {
	list, err := s.DB.Examples(c.UserContext(), examplesShown)
	if err != nil {
		return err
	}
	items := make([]exampleBody, 0, len(list))
	for _, e := range list {
		items = append(items, exampleBody(e))
	}
	return c.JSON(fiber.Map{"items": items})
}
