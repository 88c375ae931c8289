package catalogue

import (
	"github.com/gofiber/fiber/v2"

	"vigueur/internal/law"
	"vigueur/internal/web/httpapi/respond"
)

// DomainBody is a domain of law with the number of its texts.
type DomainBody = law.Domain

// listDomains serves GET /domaines. It shows the active domains in their configured order.
func (s *Handlers) listDomains(c *fiber.Ctx) error {
	list, err := s.DB.Domains(c.UserContext())
	if err != nil {
		return err
	}
	if err := c.JSON(list); err != nil {
		return err
	}
	return respond.Revalidate(c)
}
