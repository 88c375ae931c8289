package guard

import (
	"cmp"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/ratelimit"
	"vigueur/internal/web/auth"
	"vigueur/internal/web/httpapi/transport"
)

// Protect returns a handler that passes the account of the request's token to handler.
// Without a valid token it does not call handler.
func (s *Guard) Protect(handler Handler) fiber.Handler {
	return func(c *fiber.Ctx) error {
		if s.Operator != nil { // the audit log names no account
			return handler(c, *s.Operator)
		}
		user, err := s.authenticate(c)
		if err != nil {
			return err
		}
		transport.Note(c, slog.String("user_id", user.ID.String()))
		c.SetUserContext(postgres.By(c.UserContext(), user.ID))
		if s.LacksFactor(user) && c.Locals(enrollingKey{}) == nil {
			return errLacksFactor()
		}
		return handler(c, user)
	}
}

// authenticate reads the account from the database at each request, so that closing it or
// changing its token version takes effect at once, and a token is never valid for another
// account that takes over the address.
func (s *Guard) authenticate(c *fiber.Ctx) (postgres.User, error) {
	scheme, token, _ := strings.Cut(c.Get(fiber.HeaderAuthorization), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return postgres.User{}, errs.New(errs.Unauthorized, "")
	}
	if token = strings.TrimSpace(token); strings.HasPrefix(token, auth.KeyPrefix) {
		return s.authenticateKey(c, token)
	}
	bearer, err := s.Tokens.Read(token)
	if err != nil && c.Path() == transport.ToolsRoute {
		bearer, err = s.ProgramTokens.Read(token)
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

// LacksFactor reports whether an account must set up a second factor first.
func (s *Guard) LacksFactor(user postgres.User) bool {
	return s.MustEnroll && !user.SecondFactor && slices.Contains(Roles[1:], user.Role)
}

func errLacksFactor() error {
	return errs.New(errs.Forbidden, "Ce service demande un second facteur aux comptes de votre rôle. Choisissez le vôtre avant de continuer.")
}

// enrollingKey marks a request that is allowed without the required second factor.
type enrollingKey struct{}

// ProtectEnrolling does what protected does, for routes that are also open to accounts that lack
// their required second factor.
func (s *Guard) ProtectEnrolling(handler Handler) fiber.Handler {
	next := s.Protect(handler)
	return func(c *fiber.Ctx) error {
		c.Locals(enrollingKey{}, true)
		return next(c)
	}
}

// Messages of rejected keys.
const (
	badKeyText     = "Clé d’API inconnue, révoquée ou expirée."
	noKeyHereText  = "Cette adresse n’admet pas de clé d’API : connectez-vous."
	otherScopeText = "Cette clé d’API n’a pas la portée « %s », que cette adresse demande."
)

// authenticateKey returns the account of an API key, like authenticate for a token. Each
// call with a known key to a route in KeyScopes is counted and then recorded in the audit
// log before anything else; if either fails, the call is rejected.
func (s *Guard) authenticateKey(c *fiber.Ctx, sent string) (postgres.User, error) {
	hash, ok := auth.HashKey(sent)
	if !ok {
		return postgres.User{}, errs.New(errs.Unauthorized, badKeyText)
	}
	key, user, err := s.DB.UseKey(c.UserContext(), hash)
	if errs.Is(err, errs.NotFound) {
		return postgres.User{}, errs.New(errs.Unauthorized, badKeyText)
	}
	if err != nil {
		return postgres.User{}, err
	}
	transport.Note(c, slog.String("key_id", key.ID.String()))
	scope, admitted := s.KeyScopes[routeOf(c)]
	if !admitted {
		return postgres.User{}, errs.New(errs.Unauthorized, noKeyHereText)
	}
	quota, err := s.Keys.Take(c.UserContext(), key.ID.String(), key.PerMinute, key.PerDay)
	if err != nil {
		return postgres.User{}, err
	}
	transport.SetQuota(c, quota)
	c.Set("RateLimit-Policy", fmt.Sprintf("%d;w=%.0f, %d;w=%.0f", key.PerMinute, ratelimit.MinuteWindow.Seconds(), key.PerDay, ratelimit.DayWindow.Seconds()))
	c.SetUserContext(postgres.ByKey(postgres.By(c.UserContext(), user.ID), key.ID))
	if !slices.Contains(key.Scopes, scope) {
		return postgres.User{}, cmp.Or(s.noteRefusal(c, user.ID), errs.Newf(errs.Forbidden, otherScopeText, scope))
	}
	return user, s.DB.Note(c.UserContext(), postgres.KeyCalled, routeName(c), nil)
}

// routeOf returns a request's route in the form of KeyScopes; HEAD counts as GET.
func routeOf(c *fiber.Ctx) string {
	method := c.Method()
	if method == fiber.MethodHead {
		method = fiber.MethodGet
	}
	return method + " " + strings.TrimPrefix(c.Route().Path, transport.Prefix)
}
