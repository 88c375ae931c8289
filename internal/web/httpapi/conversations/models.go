package conversations

import (
	"github.com/gofiber/fiber/v2"

	"vigueur/internal/answer/llm/extractive"
	"vigueur/internal/store/postgres"
)

func (s *Handlers) modelIDs() []string {
	ids := make([]string, len(s.Models))
	for i, m := range s.Models {
		ids[i] = m.ID
	}
	return ids
}

func (s *Handlers) defaultModel() string {
	for _, m := range s.Models {
		if m.Default {
			return m.ID
		}
	}
	return ""
}

// listModels serves GET /models. It lists the models that a question may name.
func (s *Handlers) listModels(c *fiber.Ctx, _ postgres.User) error { return c.JSON(s.Models) }

// ModelsOf returns the models that a question may name: the configured ones, of which the first is the default, and
// the extractive one.
func ModelsOf(names []string) (list []Model) {
	for i, name := range names {
		list = append(list, Model{ID: name, Label: name, Default: i == 0})
	}
	return append(list, Model{ID: extractive.Model, Label: "Extractif (passages cités, sans modèle)", Default: len(names) == 0})
}

// Model is a model that a question may name.
type Model struct {
	ID      string `json:"id"`
	Label   string `json:"label"`
	Default bool   `json:"default"`
}
