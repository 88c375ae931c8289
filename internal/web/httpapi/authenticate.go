package httpapi

import (
	"log/slog"
	"strings"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/auth"
)

// protected returns a handler that passes the account of the request's token to handler.
// Without a valid token it does not call handler.
func (s *Server) protected(handler func(c *fiber.Ctx, user postgres.User) error) fiber.Handler {
	return func(c *fiber.Ctx) error {
		user, err := s.authenticate(c)
		if err != nil {
			return err
		}
		note(c, slog.String("user_id", user.ID.String()))
		c.SetUserContext(postgres.By(c.UserContext(), user.ID))
		if s.lacksFactor(user) && c.Locals(enrollingKey{}) == nil {
			return errLacksFactor()
		}
		return handler(c, user)
	}
}

// authenticate reads the account from the database at each request, so that closing it or
// changing its token version takes effect at once, and a token is never valid for another
// account that takes over the address.
func (s *Server) authenticate(c *fiber.Ctx) (postgres.User, error) {
	scheme, token, _ := strings.Cut(c.Get(fiber.HeaderAuthorization), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return postgres.User{}, errs.New(errs.Unauthorized, "")
	}
	if token = strings.TrimSpace(token); strings.HasPrefix(token, auth.KeyPrefix) {
		return s.authenticateKey(c, token)
	}
	bearer, err := s.Tokens.Read(token)
	if err != nil && c.Path() == toolsRoute {
		bearer, err = s.Programs.Tokens.Read(token)
	}
	if err != nil {
		return postgres.User{}, err
	}
	user, err := s.DB.UserByEmail(c.UserContext(), bearer.Email)
	if errs.Is(err, errs.NotFound) || (err == nil && (user.ID != bearer.User || !user.Active || user.TokenVersion != bearer.Version)) {
		return postgres.User{}, errs.New(errs.Unauthorized, "La session n’est plus valable. Connectez-vous de nouveau.")
	}
	return user, err
}
