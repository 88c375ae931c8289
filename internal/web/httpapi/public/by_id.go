package public

import (
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law/address"
)

// openPublicText serves GET /akn/texte/:id. It redirects from the id of a text to its page, and
// to the article that the query names, if the page has it.
func (s *Pages) openPublicText(c *fiber.Ctx) error {
	id, err := uuid.Parse(c.Params("id"))
	if err != nil {
		return s.asPage(c, errs.New(errs.NotFound, "Ce texte n’existe pas."))
	}
	addresses, err := s.AddressesOf(c.UserContext(), []uuid.UUID{id})
	if err != nil {
		return s.asPage(c, err)
	}
	to, public := addresses[id]
	if !public {
		return s.asPage(c, errs.New(errs.NotFound, "Ce texte n’existe pas."))
	}
	if number := c.Query("article"); number != "" && len(number) <= longestNumber {
		to += "#art_" + address.Slug(number)
	}
	c.Set(fiber.HeaderCacheControl, publicCache)
	return c.Redirect(to, fiber.StatusFound)
}
