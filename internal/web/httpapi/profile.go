package httpapi

import (
	"slices"
	"strings"
	"unicode"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/sealed"
	"vigueur/internal/store/postgres"
)

// profileBody is an account as its owner sees it.
type profileBody struct {
	accountBody
	HasPassword bool     `json:"has_password"`
	Providers   []string `json:"providers"` // ids of the configured providers that are linked to the account
	Country     string   `json:"pays"`      // whose law answers a question that names no country; "": any
}

// showProfile shows the caller's account.
func (s *Server) showProfile(c *fiber.Ctx, user postgres.User) error {
	body, err := s.profile(c, user)
	if err != nil {
		return err
	}
	return c.JSON(body)
}

func (s *Server) profile(c *fiber.Ctx, user postgres.User) (body profileBody, err error) {
	issuers, err := s.DB.IssuersOf(c.UserContext(), user.ID)
	if err != nil {
		return body, err
	}
	body = profileBody{accountBody: showAccount(user), HasPassword: user.PasswordHash != "", Providers: []string{}, Country: user.Country}
	for _, p := range s.Providers.List {
		if slices.Contains(issuers, p.Issuer) {
			body.Providers = append(body.Providers, p.ID)
		}
	}
	return body, nil
}

// changeProfile changes those fields of an account that its owner may change.
func (s *Server) changeProfile(c *fiber.Ctx, user postgres.User) error {
	body, err := readBody(c)
	if err != nil {
		return err
	}
	change := postgres.UserChange{FullName: body.maybeText("full_name", 1, fullNameLimit), Country: body.maybeCountry("pays")}
	if err := body.err(); err != nil {
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

// openSessionBody is a session as its owner sees it.
type openSessionBody struct {
	ID      uuid.UUID `json:"id"`
	Client  *string   `json:"client"`
	Started string    `json:"started_at"`
	Renewed string    `json:"renewed_at"`
	Ends    string    `json:"ends_at"`
	Current bool      `json:"current"`
}

func showSession(s postgres.OpenSession) openSessionBody {
	body := openSessionBody{ID: s.ID, Started: showTime(s.Started), Renewed: showTime(s.Renewed), Ends: showTime(s.Ends), Current: s.Current}
	if s.Client != "" {
		body.Client = &s.Client
	}
	return body
}

// listSessions lists the caller's sessions. The current session is only known if the
// request has its cookie.
func (s *Server) listSessions(c *fiber.Ctx, user postgres.User) error {
	var current []byte
	if kept := c.Cookies(refreshCookie); kept != "" {
		current = sealed.HashToken(kept)
	}
	sessions, err := s.DB.OpenSessions(c.UserContext(), user.ID, current)
	if err != nil {
		return err
	}
	return c.JSON(struct {
		Items []openSessionBody `json:"items"`
	}{showAll(sessions, showSession)})
}

// endSession ends one of the caller's sessions.
func (s *Server) endSession(c *fiber.Ctx, user postgres.User) error {
	id, err := pathID(c, "id")
	if err != nil {
		return err
	}
	err = s.DB.EndSession(c.UserContext(), user.ID, id)
	if errs.Is(err, errs.NotFound) {
		return errs.Wrap(errs.NotFound, "Session introuvable.", err)
	}
	if err != nil {
		return err
	}
	return c.SendStatus(fiber.StatusNoContent)
}

// endSessions ends all of the caller's sessions and invalidates every token.
func (s *Server) endSessions(c *fiber.Ctx, user postgres.User) error {
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

// clientLimit is the maximum length of a stored program name, in code points.
const clientLimit = 200

// clientName returns the printable part of the client's User-Agent.
func clientName(c *fiber.Ctx) string {
	name := strings.Map(printable, strings.ToValidUTF8(c.Get(fiber.HeaderUserAgent), ""))
	runes := []rune(strings.TrimSpace(name))
	return string(runes[:min(len(runes), clientLimit)])
}
