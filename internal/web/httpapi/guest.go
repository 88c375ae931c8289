package httpapi

import (
	"errors"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/answer/llm/extractive"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law/address"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/ratelimit"
)

// askAsGuest streams the answer to a question of somebody without an account, by quotations, where
// the operator allows it. The question belongs to no account and to no conversation: nobody can
// read it again, and it is deleted after postgres.GuestLife.
func (s *Server) askAsGuest(c *fiber.Ctx) error {
	if c.Get(fiber.HeaderAuthorization) != "" {
		return s.protected(func(*fiber.Ctx, postgres.User) error {
			return errs.New(errs.Conflict, "Vous avez un compte : posez votre question par POST /api/v1/chat-rag/stream.")
		})(c)
	}
	if s.GuestQuestions == nil {
		return errs.New(errs.Unauthorized, "Connectez-vous pour poser une question.")
	}
	event, err := s.beginIn(c.UserContext(), s.GuestQuestions, "", s.address(c))
	var full *ratelimit.Refused
	if errors.As(err, &full) {
		return ratelimit.Refuse(full.Quota, "Les questions du jour de votre réseau sont posées. Connectez-vous pour en poser d’autres.")
	}
	if err != nil {
		return err
	}
	turn, err := s.readGuest(c)
	if err != nil {
		// Reading it took time: what is wrong with a request counts as a question.
		if _, failed := event.Count(c.UserContext()); failed != nil {
			return failed
		}
		return err
	}
	of, err := s.begin(c.UserContext(), turn)
	if err != nil {
		event.forget(c.UserContext(), s)
		return err
	}
	of.guest = true
	// A question that was accepted and cannot be counted is answered: the place stays reserved for a while.
	if quota, err := event.Count(c.UserContext()); err == nil {
		setQuota(c, quota)
	}
	s.stream(c, of)
	return nil
}

// readGuest reads the question of a guest.
func (s *Server) readGuest(c *fiber.Ctx) (turn postgres.Turn, err error) {
	body, err := readBody(c)
	if err != nil {
		return turn, err
	}
	body.only("question", "filters")
	turn = postgres.Turn{Guest: true, Question: body.text("question", 1, questionLimit), Model: extractive.Model, Backlog: s.Backlog}
	turn.Filters, _ = readFilters(body)
	return turn, body.err()
}

// longestNumber bounds the number of an article in an address.
const longestNumber = 100

// openPublicText leads to the address of a text of which only the id is known, and to the article
// with the number that the query names, if the page has it.
func (s *Server) openPublicText(c *fiber.Ctx) error {
	id, err := uuid.Parse(c.Params("id"))
	if err != nil {
		return asPage(c, errs.New(errs.NotFound, "Ce texte n’existe pas."))
	}
	addresses, err := s.addressesOf(c.UserContext(), []uuid.UUID{id})
	if err != nil {
		return asPage(c, err)
	}
	to, public := addresses[id]
	if !public {
		return asPage(c, errs.New(errs.NotFound, "Ce texte n’existe pas."))
	}
	if number := c.Query("article"); number != "" && len(number) <= longestNumber {
		to += "#art_" + address.Slug(number)
	}
	c.Set(fiber.HeaderCacheControl, publicCache)
	return c.Redirect(to, fiber.StatusFound)
}
