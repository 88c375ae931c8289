package account

import (
	"slices"
	"strings"
	"unicode"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/sealed"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
)

// ProfileBody is an account as its owner sees it.
type ProfileBody struct {
	Body
	HasPassword bool     `json:"has_password"`
	Providers   []string `json:"providers"` // ids of the configured providers that are linked to the account
}

// showProfile serves GET /me. It shows the caller's account.
func (s *Handlers) showProfile(c *fiber.Ctx, user postgres.User) error {
	body, err := s.Profile(c, user)
	if err != nil {
		return err
	}
	return c.JSON(body)
}

// Profile reads the account of a user as its owner sees it.
func (s *Handlers) Profile(c *fiber.Ctx, user postgres.User) (body ProfileBody, err error) {
	issuers, err := s.DB.IssuersOf(c.UserContext(), user.ID)
	if err != nil {
		return body, err
	}
	body = ProfileBody{Body: ShowAccount(user), HasPassword: user.PasswordHash != "", Providers: []string{}}
	for _, p := range s.Providers.List {
		if slices.Contains(issuers, p.Issuer) {
			body.Providers = append(body.Providers, p.ID)
		}
	}
	return body, nil
}

// changeProfile serves PATCH /me. It changes those fields of an account that its owner may change.
func (s *Handlers) changeProfile(c *fiber.Ctx, user postgres.User) error {
	body := transport.ReadBody(c)
	change := postgres.UserChange{FullName: body.MaybeName("full_name", 1, FullNameLimit), Country: body.MaybeCountry("pays")}
	if err := body.Err(); err != nil {
		return err
	}
	if change == (postgres.UserChange{}) {
		return s.showProfile(c, user)
	}
	changed, err := s.DB.ChangeUser(c.UserContext(), user.ID, change)
	if err != nil {
		return err
	}
	return s.showProfile(c, changed)
}

// OpenSessionBody is a session as its owner sees it.
type OpenSessionBody struct {
	ID      uuid.UUID `json:"id"`
	Client  *string   `json:"client"`
	Started string    `json:"started_at"`
	Renewed string    `json:"renewed_at"`
	Ends    string    `json:"ends_at"`
	Current bool      `json:"current"`
}

// ShowSession shows a session as its owner sees it.
func ShowSession(s postgres.OpenSession) OpenSessionBody {
	return OpenSessionBody{s.ID, respond.NonEmpty(s.Client), respond.ShowTime(s.Started), respond.ShowTime(s.Renewed), respond.ShowTime(s.Ends), s.Current}
}

// listSessions serves GET /auth/sessions. It lists the caller's sessions. The current session is
// only known if the request has its cookie.
func (s *Handlers) listSessions(c *fiber.Ctx, user postgres.User) error {
	var current []byte
	if kept := c.Cookies(refreshCookie); kept != "" {
		current = sealed.HashToken(kept)
	}
	sessions, err := s.DB.OpenSessions(c.UserContext(), user.ID, current)
	if err != nil {
		return err
	}
	return c.JSON(struct {
		Items []OpenSessionBody `json:"items"`
	}{respond.ShowAll(sessions, ShowSession)})
}

// endSession serves DELETE /auth/sessions/:id. It ends one of the caller's sessions.
func (s *Handlers) endSession(c *fiber.Ctx, user postgres.User, id uuid.UUID) error {
	return respond.NoContent(c, respond.NotFound(s.DB.EndSession(c.UserContext(), user.ID, id), "Session introuvable."))
}

// endSessions serves DELETE /auth/sessions. It ends all of the caller's sessions and invalidates
// every token.
func (s *Handlers) endSessions(c *fiber.Ctx, user postgres.User) error {
	if err := s.DB.EndSessions(c.UserContext(), user.ID); err != nil {
		return err
	}
	s.setRefreshCookie(c, "", 0)
	return c.SendStatus(fiber.StatusNoContent)
}

// printable maps unprintable runes to -1.
func printable(r rune) rune {
	if !unicode.IsPrint(r) {
		return -1
	}
	return r
}

// clientName returns the printable part of the client's User-Agent.
func clientName(c *fiber.Ctx) string {
	name := strings.Map(printable, strings.ToValidUTF8(c.Get(fiber.HeaderUserAgent), ""))
	runes := []rune(strings.TrimSpace(name))
	return string(runes[:min(len(runes), clientLimit)])
}
