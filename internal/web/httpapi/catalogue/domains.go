package catalogue

import (
	"github.com/gofiber/fiber/v2"

	"vigueur/internal/law"
	"vigueur/internal/web/httpapi/contract"
)

// DomainBody is a domain of law with the number of its texts.
type DomainBody = law.Domain

// listDomains serves GET /domaines. It shows the active domains in their configured order.
func (s *Handlers) listDomains(c *fiber.Ctx, _ contract.None) ([]law.Domain, error) {
	return s.DB.Domains(c.UserContext())
}
