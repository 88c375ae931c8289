package account

import (
	"context"
	"time"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/kit/sealed"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
)

// The refresh token's cookie is sent only to the routes that read it.
const (
	refreshCookie = "vigueur_refresh"
	cookiePath    = transport.Prefix + "/auth"
)

// Lives are the lifetimes of tokens and sessions.
type Lives struct {
	Refresh time.Duration // lifetime of an unused refresh token
	Session time.Duration // lifetime of a session
	Grace   time.Duration // time in which a refresh may be repeated after a lost reply; 0: it may not be repeated
}

// refresh serves POST /auth/refresh. It exchanges a refresh token for a new pair of tokens. Reuse
// ends the session, unless the reply to the first use was lost.
func (s *Handlers) refresh(c *fiber.Ctx) error {
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

// logout serves POST /auth/logout. It ends the session of a refresh token.
func (s *Handlers) logout(c *fiber.Ctx) error {
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
	raw, err := transport.ReadJSON(c)
	if err != nil {
		return "", false, err
	}
	kept := c.Cookies(refreshCookie)
	if len(raw) == 0 && kept != "" {
		return kept, true, nil
	}
	var f form.Faults
	body := form.ParseObject(raw, &f)
	if body == nil {
		return "", false, f
	}
	if _, given := body.Optional("refresh_token"); !given && kept != "" {
		return kept, true, nil
	}
	token = body.Secret("refresh_token", 1, form.TokenLimit)
	return token, false, body.Err()
}

// setRefreshCookie sets the token's cookie for life; a life of 0 deletes it.
func (s *Handlers) setRefreshCookie(c *fiber.Ctx, token string, life time.Duration) {
	s.SetCookie(c, refreshCookie, cookiePath, token, life)
}

// me serves GET /auth/me. It shows the caller's account.
func (s *Handlers) me(c *fiber.Ctx, user postgres.User) error { return c.JSON(showUser(user)) }

// changePassword serves POST /auth/password. It replaces the caller's password, or sets the
// account's first; all earlier tokens become invalid.
func (s *Handlers) changePassword(c *fiber.Ctx, user postgres.User) error {
	body := transport.ReadBody(c)
	proof := readProof(body, "current_password")
	fresh := ReadNewPassword(body, "new_password")
	if err := body.Err(); err != nil {
		return err
	}
	ctx := c.UserContext()
	if err := s.prove(c, user, func(ctx context.Context) (bool, error) { return s.owns(ctx, user, proof) },
		wrongProof(proof, user, "Le mot de passe actuel est incorrect.")); err != nil {
		return err
	}
	if err := CheckStrength(body, "new_password", fresh, user.Email, user.FullName); err != nil {
		return err
	}
	hash, err := s.Passwords.Hash(ctx, fresh)
	if err != nil {
		return err
	}
	return respond.NoContent(c, s.DB.ChangePassword(ctx, ownerOf(user), hash))
}
