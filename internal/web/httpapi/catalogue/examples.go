package catalogue

import (
	"maps"
	"math"
	"slices"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/answer/llm/extractive"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/respond"
)

// ExampleBody is a question that the catalogue answers.
type ExampleBody struct {
	Question string             `json:"question"`
	Domain   string             `json:"domaine"`
	Document uuid.UUID          `json:"document_id"`
	Title    string             `json:"title"`
	Article  uuid.UUID          `json:"article_id"`
	Number   string             `json:"number"`
	Answer   *ExampleAnswerBody `json:"answer"` // nil: the question only names the article
}

// ExampleAnswerBody is what answers an example.
type ExampleAnswerBody struct {
	Quote     string   `json:"quote"`
	Page      int      `json:"page"`
	Countries []string `json:"pays"`
	Address   *string  `json:"adresse"` // nil: nobody can read the text without an account
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

// showExamples shows questions with a sure answer, then questions that only name an article of
// another text.
func (s *Handlers) showExamples(c *fiber.Ctx, guest bool) error {
	ctx := c.UserContext()
	answered, err := s.DB.ExampleAnswers(ctx, examplesRead)
	if err != nil {
		return err
	}
	items, of := []ExampleBody{}, make(map[uuid.UUID]bool)
	add := func(e ExampleBody) {
		if len(items) < examplesShown && !of[e.Document] && !(guest && s.Public.HideIndividual && law.Individual(e.Title)) {
			of[e.Document] = true
			items = append(items, e)
		}
	}
	for _, e := range answered {
		add(ExampleBody{e.Question, e.Domain, e.Document, e.Title, e.Article, e.Number,
			&ExampleAnswerBody{Quote: e.Quote, Page: e.Page, Countries: append([]string{}, e.Countries...)}})
	}
	var named []postgres.Example
	if len(items) < examplesShown {
		if named, err = s.DB.Examples(ctx, examplesShown); err != nil {
			return err
		}
	}
	for _, e := range named {
		add(ExampleBody{"Que dit l’article " + e.Number + " " + extractive.OfText(e.Title) + " ?", e.Domain, e.Document, e.Title, e.Article, e.Number, nil})
	}
	addresses, err := s.Public.AddressesOf(ctx, slices.Collect(maps.Keys(of)))
	if err != nil {
		return err
	}
	for i := range items {
		if address, public := addresses[items[i].Document]; public && items[i].Answer != nil {
			items[i].Answer.Address = &address
		}
	}
	left, _, err := s.DB.Refining(ctx, nil)
	if err != nil {
		return err
	}
	return c.JSON(fiber.Map{"items": items, "refined_in_minutes": int(math.Ceil(left.Minutes()))})
}
