package catalogue

import (
	"math"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/answer/llm/extractive"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/respond"
)

// ExampleBody is a question about an article of the catalogue.
type ExampleBody struct {
	Question string    `json:"question"`
	Domain   string    `json:"domaine" doc:"Code du domaine."`
	Document uuid.UUID `json:"document_id"`
	Title    string    `json:"title"`
	Article  uuid.UUID `json:"article_id"`
	Number   string    `json:"number" doc:"Numéro de l’article, comme il est imprimé."`
}

type examplesBody struct {
	Items   []ExampleBody `json:"items"`
	Refined int           `json:"refined_in_minutes" doc:"Dans combien de minutes tous les textes seront trouvés aussi précisément les uns que les autres ; 0 si c’est le cas, ou si on ne le sait pas."`
}

// letExample serves questions for readers who have none yet: to signed-in users and, where the
// catalogue is public, to anybody.
func (s *Handlers) letExample() contract.Handler {
	signed := s.Signed(s.Revalidated(contract.Do(func(c *fiber.Ctx, _ postgres.User, _ contract.None) (examplesBody, error) {
		return s.examples(c, false)
	})))
	guest := contract.Open(func(c *fiber.Ctx, _ contract.None) (examplesBody, error) { return s.examples(c, true) })
	return contract.Handler{In: guest.In, Out: guest.Out, Signed: true, ETag: true, Serve: func(c *fiber.Ctx, user postgres.User) error {
		if c.Get(fiber.HeaderAuthorization) != "" || s.Public == nil {
			return signed.Serve(c, user)
		}
		release, err := s.Public.AdmitReader(c)
		if err != nil {
			return err
		}
		defer release()
		if err := guest.Serve(c, user); err != nil {
			return err
		}
		return respond.Revalidate(c)
	}}
}

// examples returns questions about articles in force, of the domains with most texts.
func (s *Handlers) examples(c *fiber.Ctx, guest bool) (reply examplesBody, _ error) {
	named, err := s.DB.Examples(c.UserContext(), examplesShown)
	if err != nil {
		return reply, err
	}
	items := []ExampleBody{}
	for _, e := range named {
		if !(guest && s.Public.HideIndividual && law.Individual(e.Title)) {
			items = append(items, ExampleBody{"Que dit l’article " + e.Number + " " + extractive.OfText(e.Title) + " ?", e.Domain, e.Document, e.Title, e.Article, e.Number})
		}
	}
	left, _, err := s.DB.Refining(c.UserContext(), nil)
	if err != nil {
		return reply, err
	}
	return examplesBody{items, int(math.Ceil(left.Minutes()))}, nil
}
