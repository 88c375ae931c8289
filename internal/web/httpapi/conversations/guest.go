package conversations

import (
	"errors"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/answer/llm/extractive"
	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/ratelimit"
	"vigueur/internal/web/httpapi/guard"
	"vigueur/internal/web/httpapi/transport"
)

// askAsGuest serves POST /guest/questions. It streams the answer to a question of somebody without
// an account, by quotations, where the operator allows it. The question belongs to no account and
// to no conversation: nobody can read it again, and it is deleted after postgres.GuestLife.
func (s *Handlers) askAsGuest(c *fiber.Ctx) error {
	if c.Get(fiber.HeaderAuthorization) != "" {
		return s.Protect(func(*fiber.Ctx, postgres.User) error {
			return errs.New(errs.Conflict, "Vous avez un compte : posez votre question par POST /api/v1/chat-rag/stream.")
		})(c)
	}
	if s.GuestQuestions == nil {
		return errs.New(errs.Unauthorized, "Connectez-vous pour poser une question.")
	}
	who, err := uuid.Parse(c.Cookies(guestCookie))
	if err != nil {
		who = uuid.New()
	}
	event, err := s.beginGuest(c, who)
	if err != nil {
		return err
	}
	turn, err := s.readGuest(c)
	if err != nil {
		// Reading the request took time, so a faulty one counts as a question.
		if _, failed := event.Count(c.UserContext()); failed != nil {
			return failed
		}
		return err
	}
	streamOf, err := s.begin(c.UserContext(), turn)
	if err != nil {
		event.Forget(c.UserContext())
		return err
	}
	streamOf.guest = true
	s.SetCookie(c, guestCookie, guestCookiePath, who.String(), s.GuestQuestions.Window)
	// A question that was accepted and cannot be counted is answered: the place stays reserved for a while.
	if quota, err := event.Count(c.UserContext()); err == nil {
		transport.SetQuota(c, quota)
	}
	s.stream(c, streamOf)
	return nil
}

// The cookie that tells the guests of one network apart. Its value is a random number, which
// the service keeps nowhere but as the key of a count, for as long as the count lasts.
const (
	guestCookie     = "vigueur_guest"
	guestCookiePath = transport.Prefix + "/guest"
)

// beginGuest reserves a question of the guest's own and of the network's, which has as many times
// more as a wider network has: hundreds of phones share an address, and whoever drops the cookie is
// bounded by it.
func (s *Handlers) beginGuest(c *fiber.Ctx, who uuid.UUID) (*guard.Visit, error) {
	event, err := s.BeginVisit(c.UserContext(), s.GuestQuestions.Wider(1), "", s.Address(c))
	var full *ratelimit.Refused
	if errors.As(err, &full) {
		return nil, ratelimit.Refuse(full.Quota, "Les questions du jour de votre réseau sont posées. Connectez-vous pour en poser d’autres.")
	}
	if err != nil {
		return nil, err
	}
	own, err := s.GuestQuestions.Begin(c.UserContext(), s.Key("guest", who.String()))
	if err != nil {
		event.Forget(c.UserContext())
		if errors.As(err, &full) {
			return nil, ratelimit.Refuse(full.Quota, "Vous avez posé vos questions du jour. Connectez-vous pour en poser d’autres.")
		}
		return nil, err
	}
	event.Add(own)
	return event, nil
}

// readGuest reads the question of a guest.
func (s *Handlers) readGuest(c *fiber.Ctx) (turn postgres.Turn, err error) {
	body := transport.ReadBody(c)
	body.Only("question", "filters")
	turn = postgres.Turn{Guest: true, Question: body.Text("question", 1, questionLimit), Model: extractive.Model, Backlog: s.Backlog}
	turn.Filters, _ = readFilters(body)
	return turn, body.Err()
}
