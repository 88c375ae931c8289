package httpapi

import (
	"maps"
	"slices"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/answer/llm/extractive"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
)

// examplesShown is the number of examples that are listed.
const examplesShown = 3

// examplesRead is the number of examples of which the first examplesShown are taken that the
// reader may see.
const examplesRead = 20

// exampleBody is a question that the catalogue answers.
type exampleBody struct {
	Question string             `json:"question"`
	Domain   string             `json:"domaine"`
	Document uuid.UUID          `json:"document_id"`
	Title    string             `json:"title"`
	Article  uuid.UUID          `json:"article_id"`
	Number   string             `json:"number"`
	Answer   *exampleAnswerBody `json:"answer"` // nil: the question only names the article
}

// exampleAnswerBody is what answers an example.
type exampleAnswerBody struct {
	Quote     string   `json:"quote"`
	Page      int      `json:"page"`
	Countries []string `json:"pays"`
	Address   *string  `json:"adresse"` // nil: nobody can read the text without an account
}

// listExamples lists questions for readers who have none yet: to signed-in users and, where the
// catalogue is public, to anybody.
func (s *Server) listExamples(c *fiber.Ctx) error {
	if c.Get(fiber.HeaderAuthorization) != "" || s.Public == nil {
		return s.protected(s.shared(func(c *fiber.Ctx, _ postgres.User) error { return s.showExamples(c, false) }))(c)
	}
	release, err := s.admitReader(c)
	if err != nil {
		return err
	}
	defer release()
	if err := s.showExamples(c, true); err != nil {
		return err
	}
	return kept(c)
}

// showExamples shows questions that the catalogue answers surely, then questions about articles of
// other texts, whose answer are these.
func (s *Server) showExamples(c *fiber.Ctx, guest bool) error {
	ctx := c.UserContext()
	answered, err := s.DB.ExampleAnswers(ctx, examplesRead)
	if err != nil {
		return err
	}
	items, of := []exampleBody{}, make(map[uuid.UUID]bool)
	add := func(e exampleBody) {
		if len(items) < examplesShown && !of[e.Document] && !(guest && s.Public.HideIndividual && law.Individual(e.Title)) {
			of[e.Document] = true
			items = append(items, e)
		}
	}
	for _, e := range answered {
		add(exampleBody{e.Question, e.Domain, e.Document, e.Title, e.Article, e.Number,
			&exampleAnswerBody{Quote: e.Quote, Page: e.Page, Countries: append([]string{}, e.Countries...)}})
	}
	var named []postgres.Example
	if len(items) < examplesShown {
		if named, err = s.DB.Examples(ctx, examplesShown); err != nil {
			return err
		}
	}
	for _, e := range named {
		add(exampleBody{"Que dit l’article " + e.Number + " " + extractive.OfText(e.Title) + " ?", e.Domain, e.Document, e.Title, e.Article, e.Number, nil})
	}
	addresses, err := s.addressesOf(ctx, slices.Collect(maps.Keys(of)))
	if err != nil {
		return err
	}
	for i := range items {
		if address, public := addresses[items[i].Document]; public && items[i].Answer != nil {
			items[i].Answer.Address = &address
		}
	}
	return c.JSON(fiber.Map{"items": items})
}
