package httpapi

import (
	"context"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/auth"
	"vigueur/internal/postgres"
)

// The refresh token's cookie goes only to the routes that read it.
const (
	refreshCookie = "vigueur_refresh"
	cookiePath    = prefix + "/auth"
)

// tokenLimit is longer than any refresh token.
const tokenLimit = 512

// Lives are for how long what a sign-in gives is good.
type Lives struct {
	Refresh time.Duration // a refresh token that is not used
	Session time.Duration // all of one sign-in
	Grace   time.Duration // the reply to a refresh may be asked for once more; 0: it may not
}

// refresh changes a refresh token for a new pair. One that was used before ends
// the whole sign-in, unless the reply to its use was lost.
func (s *Server) refresh(c *fiber.Ctx) error {
	token, cookie, err := refreshToken(c)
	if err != nil {
		return err
	}
	next, hash := auth.NewRefresh()
	// The account is the one of that moment: a password that changes right after
	// leaves neither token good.
	account, life, err := s.DB.RotateRefreshToken(c.UserContext(), postgres.Renewal{
		Old: auth.HashRefresh(token), Fresh: hash, Expires: s.Now().Add(s.Lives.Refresh), Grace: s.Lives.Grace,
	})
	if err != nil {
		return err
	}
	return s.openSession(c, account, next, cookie, life)
}

// logout ends the sign-in that a refresh token belongs to.
func (s *Server) logout(c *fiber.Ctx) error {
	token, cookie, err := refreshToken(c)
	if err != nil {
		return err
	}
	if err := s.DB.RevokeFamily(c.UserContext(), auth.HashRefresh(token)); err != nil {
		return err
	}
	if cookie {
		s.setRefreshCookie(c, "", 0)
	}
	return c.SendStatus(fiber.StatusNoContent)
}

// refreshToken reads the token of the body, or else of the cookie. Either way
// the request must be declared JSON, which no form of another site can be.
func refreshToken(c *fiber.Ctx) (token string, fromCookie bool, err error) {
	raw, err := jsonBody(c)
	if err != nil {
		return "", false, err
	}
	kept := c.Cookies(refreshCookie)
	if len(raw) == 0 && kept != "" {
		return kept, true, nil
	}
	var f faults
	body := parseObject(raw, &f)
	if body == nil {
		return "", false, f
	}
	if _, given := body.optional("refresh_token"); !given && kept != "" {
		return kept, true, nil
	}
	token = body.secret("refresh_token", 1, tokenLimit)
	return token, false, body.err()
}

// setRefreshCookie keeps token in the browser for life; a life of 0 forgets it.
func (s *Server) setRefreshCookie(c *fiber.Ctx, token string, life time.Duration) {
	s.setCookie(c, refreshCookie, cookiePath, token, life)
}

// setCookie keeps a value in the browser for life, for the routes below a path alone.
func (s *Server) setCookie(c *fiber.Ctx, name, path, value string, life time.Duration) {
	var expires time.Time
	if life == 0 {
		expires = time.Unix(1, 0) // Fiber writes no Max-Age below 1
	}
	c.Cookie(&fiber.Cookie{
		Name: name, Value: value, Path: path, MaxAge: int(life / time.Second), Expires: expires,
		HTTPOnly: true, Secure: s.secureCookies(), SameSite: fiber.CookieSameSiteStrictMode,
	})
}

// secureCookies tells whether cookies travel by TLS alone: where the service's own
// address is not the machine's, which has none. What the request says of its host
// is the client's to choose.
func (s *Server) secureCookies() bool {
	u, err := url.Parse(s.BaseURL)
	if err != nil || u.Scheme == "https" {
		return true
	}
	a, err := netip.ParseAddr(u.Hostname())
	return !strings.EqualFold(u.Hostname(), "localhost") && (err != nil || !a.IsLoopback())
}

// me shows the caller's account.
func (s *Server) me(c *fiber.Ctx, user postgres.User) error { return c.JSON(showUser(user)) }

// changePassword replaces the caller's password, or gives the account its first; every
// token issued before stops working.
func (s *Server) changePassword(c *fiber.Ctx, user postgres.User) error {
	body, err := readBody(c)
	if err != nil {
		return err
	}
	proof := body.ownerProof("current_password")
	fresh := body.freshPassword("new_password")
	if err := body.err(); err != nil {
		return err
	}
	ctx := c.UserContext()
	if err := s.prove(c, user, func(ctx context.Context) (bool, error) { return s.owns(ctx, user, proof) },
		wrongProof(proof, user, "Le mot de passe actuel est incorrect.")); err != nil {
		return err
	}
	if err := body.strong("new_password", fresh, user.Email, user.FullName); err != nil {
		return err
	}
	hash, err := s.Passwords.Hash(ctx, fresh)
	if err != nil {
		return err
	}
	if err := s.DB.SetPassword(ctx, user.ID, hash); err != nil {
		return err
	}
	return c.SendStatus(fiber.StatusNoContent)
}
