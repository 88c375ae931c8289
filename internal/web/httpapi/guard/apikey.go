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
