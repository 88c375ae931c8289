package httpapi

import (
	"context"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/kit/sealed"
	"vigueur/internal/store/postgres"
)

// The refresh token's cookie is sent only to the routes that read it.
const (
	refreshCookie = "vigueur_refresh"
	cookiePath    = prefix + "/auth"
)

// tokenLimit is the maximum length of a refresh token in a request: longer than any that
// was issued.
const tokenLimit = 512

// Lives are the lifetimes of tokens and sessions.
type Lives struct {
	Refresh time.Duration // lifetime of an unused refresh token
	Session time.Duration // lifetime of a session
	Grace   time.Duration // time in which a refresh may be repeated after a lost reply; 0: it may not be repeated
}

// refresh exchanges a refresh token for a new pair of tokens. Reuse ends the session,
// unless the reply to the first use was lost.
func (s *Server) refresh(c *fiber.Ctx) error {
	token, cookie, err := refreshToken(c)
	if err != nil {
		return err
	}
	next, hash := sealed.NewToken()
	// The account is read in the same transaction: a password change right after it
	// invalidates both tokens.
	account, life, err := s.DB.RotateRefreshToken(c.UserContext(), postgres.Renewal{
		Old: sealed.HashToken(token), Fresh: hash, Expires: s.Now().Add(s.Lives.Refresh), Grace: s.Lives.Grace,
	})
	if err != nil {
		return err
	}
	return s.openSession(c, account, next, cookie, life)
}

// logout ends the session of a refresh token.
func (s *Server) logout(c *fiber.Ctx) error {
	token, cookie, err := refreshToken(c)
	if err != nil {
		return err
	}
	if err := s.DB.RevokeFamily(c.UserContext(), sealed.HashToken(token), nil); err != nil {
		return err
	}
	if cookie {
		s.setRefreshCookie(c, "", 0)
	}
	return c.SendStatus(fiber.StatusNoContent)
}

// refreshToken reads the token from the body, or else from the cookie. In both cases the
// content type must be JSON, which a form of another site cannot send.
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

// setRefreshCookie sets the token's cookie for life; a life of 0 deletes it.
func (s *Server) setRefreshCookie(c *fiber.Ctx, token string, life time.Duration) {
	s.setCookie(c, refreshCookie, cookiePath, token, life)
}

// setCookie sets a cookie for life, sent only to routes below path.
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

// secureCookies reports whether cookies are sent over TLS only: unless the service's own
// address is the local machine, which has no TLS. The request's host is not used, because
// the client chooses it.
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

// changePassword replaces the caller's password, or sets the account's first; all earlier
// tokens become invalid.
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
	if err := s.DB.ChangePassword(ctx, verified(user), hash); err != nil {
		return err
	}
	return c.SendStatus(fiber.StatusNoContent)
}
