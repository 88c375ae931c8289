package httpapi

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/ratelimit"
	"vigueur/internal/web/auth"
)

// keyScopes are the routes that an API key may call, with the scope that each requires. It
// is an allow list: a key can call no other route, even if its owner can. Accounts, keys
// and the audit log are not among them.
var keyScopes = map[string]string{
	"POST /chat-rag/stream":                    "chat",
	"GET /chat-rag/stream/:message_id":         "chat",
	"POST /chat-rag/stream/:message_id/cancel": "chat",
	"GET /models":                              "chat",
	"POST /messages/:id/feedback":              "chat",
	"GET /conversations":                       "chat",
	"GET /conversations/:id":                   "chat",
	"PATCH /conversations/:id":                 "chat",
	"DELETE /conversations/:id":                "chat",
	"GET /conversations/:id/export":            "chat",

	"GET /documents":                                   "documents",
	"GET /documents/:id":                               "documents",
	"GET /documents/:id/details":                       "documents",
	"GET /documents/:id/export":                        "documents",
	"GET /documents/:id/articles":                      "documents",
	"GET /documents/:id/articles/:article_id":          "documents",
	"GET /documents/:id/articles/:article_id/versions": "documents",
	"GET /documents/:id/articles/:article_id/diff":     "documents",
	"GET /documents/:id/days":                          "documents",
	"GET /documents/:id/relations":                     "documents",
	"GET /examples":                                    "documents",
	"GET /search":                                      "documents",
	"POST /verify":                                     "documents",
	"GET /titles":                                      "documents",

	"POST " + completionsRoute: "chat",
	"GET " + modelsRoute:       "chat",

	"POST " + toolsRoute: "mcp",

	"POST /admin/documents":             "ingest",
	"GET /admin/ingestions":             "ingest",
	"GET /admin/ingestions/:id":         "ingest",
	"GET /admin/ingestions/:id/events":  "ingest",
	"POST /admin/ingestions/:id/retry":  "ingest",
	"POST /admin/ingestions/:id/cancel": "ingest",
}

// Messages of rejected keys.
const (
	badKeyText     = "Clé d’API inconnue, révoquée ou expirée."
	noKeyHereText  = "Cette adresse n’admet pas de clé d’API : connectez-vous."
	otherScopeText = "Cette clé d’API n’a pas la portée « %s », que cette adresse demande."
)

// authenticateKey returns the account of an API key, like authenticate for a token. Each
// call with a known key to a route in keyScopes is counted and then recorded in the audit
// log before anything else; if either fails, the call is rejected.
func (s *Server) authenticateKey(c *fiber.Ctx, sent string) (postgres.User, error) {
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
	note(c, slog.String("key_id", key.ID.String()))
	scope, admitted := keyScopes[routeOf(c)]
	if !admitted {
		return postgres.User{}, errs.New(errs.Unauthorized, noKeyHereText)
	}
	quota, err := s.Keys.Take(c.UserContext(), key.ID.String(), key.PerMinute, key.PerDay)
	if err != nil {
		return postgres.User{}, err
	}
	setQuota(c, quota)
	c.Set("RateLimit-Policy", fmt.Sprintf("%d;w=%.0f, %d;w=%.0f", key.PerMinute, ratelimit.MinuteWindow.Seconds(), key.PerDay, ratelimit.DayWindow.Seconds()))
	c.SetUserContext(postgres.ByKey(postgres.By(c.UserContext(), user.ID), key.ID))
	if !slices.Contains(key.Scopes, scope) {
		return postgres.User{}, firstOf(s.noteRefusal(c, user.ID), errs.Newf(errs.Forbidden, otherScopeText, scope))
	}
	return user, s.DB.Note(c.UserContext(), postgres.KeyCalled, routeName(c), nil)
}

// routeOf returns a request's route in the form of keyScopes; HEAD counts as GET.
func routeOf(c *fiber.Ctx) string {
	method := c.Method()
	if method == fiber.MethodHead {
		method = fiber.MethodGet
	}
	return method + " " + strings.TrimPrefix(c.Route().Path, prefix)
}
