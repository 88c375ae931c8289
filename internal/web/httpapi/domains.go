package httpapi

import "github.com/gofiber/fiber/v2"

type domainBody struct {
	Code        string `json:"code"`
	Label       string `json:"label"`
	Description string `json:"description"`
	Documents   int    `json:"documents_count"`
}

// listDomains shows the active domains in their configured order.
func (s *Server) listDomains(c *fiber.Ctx) error {
	list, err := s.DB.Domains(c.UserContext())
	if err != nil {
		return err
	}
	body := make([]domainBody, 0, len(list))
	for _, d := range list {
		body = append(body, domainBody{Code: d.Code, Label: d.Label, Description: d.Description, Documents: d.Documents})
	}
	if err := c.JSON(body); err != nil {
		return err
	}
	return kept(c)
}
