package catalogue

import (
	"math"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/answer/llm/extractive"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/respond"
)

// ExampleBody is a question about an article of the catalogue.
type ExampleBody struct {
	Question string    `json:"question"`
	Domain   string    `json:"domaine"`
	Document uuid.UUID `json:"document_id"`
	Title    string    `json:"title"`
	Article  uuid.UUID `json:"article_id"`
	Number   string    `json:"number"`
}

// listExamples serves GET /examples. It lists questions for readers who have none yet: to
// signed-in users and, where the catalogue is public, to anybody.
func (s *Handlers) listExamples(c *fiber.Ctx) error {
	if c.Get(fiber.HeaderAuthorization) != "" || s.Public == nil {
		return s.Protect(s.WithETag(func(c *fiber.Ctx, _ postgres.User) error { return s.showExamples(c, false) }))(c)
	}
	release, err := s.Public.AdmitReader(c)
	if err != nil {
		return err
	}
	defer release()
	if err := s.showExamples(c, true); err != nil {
		return err
	}
	return respond.Revalidate(c)
}

// showExamples shows questions about articles in force, of the domains with most texts.
func (s *Handlers) showExamples(c *fiber.Ctx, guest bool) error {
	named, err := s.DB.Examples(c.UserContext(), examplesShown)
	if err != nil {
		return err
	}
	items := []ExampleBody{}
	for _, e := range named {
		if !(guest && s.Public.HideIndividual && law.Individual(e.Title)) {
			items = append(items, ExampleBody{"Que dit l’article " + e.Number + " " + extractive.OfText(e.Title) + " ?", e.Domain, e.Document, e.Title, e.Article, e.Number})
		}
	}
	left, _, err := s.DB.Refining(c.UserContext(), nil)
	if err != nil {
		return err
	}
	return c.JSON(fiber.Map{"items": items, "refined_in_minutes": int(math.Ceil(left.Minutes()))})
}
