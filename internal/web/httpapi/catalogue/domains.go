package catalogue

import (
	"github.com/gofiber/fiber/v2"

	"vigueur/internal/web/httpapi/respond"
)

// DomainBody is a domain of law with the number of its texts.
type DomainBody struct {
	Code        string `json:"code"`
	Label       string `json:"label"`
	Description string `json:"description"`
	Documents   int    `json:"documents_count"`
}

// listDomains serves GET /domaines. It shows the active domains in their configured order.
func (s *Handlers) listDomains(c *fiber.Ctx) error {
	list, err := s.DB.Domains(c.UserContext())
	if err != nil {
		return err
	}
	body := make([]DomainBody, 0, len(list))
	for _, d := range list {
		body = append(body, DomainBody{Code: d.Code, Label: d.Label, Description: d.Description, Documents: d.Documents})
	}
	if err := c.JSON(body); err != nil {
		return err
	}
	return respond.Revalidate(c)
}
