package account

import (
	"context"
	"log/slog"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/transport"
)

// askCode responds to the first step of a sign-in with a token that opens a session only
// together with a code.
func (s *Handlers) askCode(c *fiber.Ctx, user postgres.User) error {
	body, err := s.pendingCode(user)
	if err != nil {
		return err
	}
	return c.Status(fiber.StatusAccepted).JSON(body)
}

// PendingBody is a sign-in that requires a code.
type PendingBody struct {
	Token     string `json:"pending_token"`
	ExpiresIn int    `json:"expires_in"` // seconds
}

func (s *Handlers) pendingCode(user postgres.User) (PendingBody, error) {
	token, err := s.Factors.Pending.Issue(bearerOf(user))
	return PendingBody{token, int(s.Factors.Pending.Life.Seconds())}, err
}

// loginCode serves POST /auth/login/code. It is the second step of a sign-in: the token of the
// first step and a code.
func (s *Handlers) loginCode(c *fiber.Ctx) error {
	body := transport.ReadBody(c)
	token, code, cookie := body.Secret("pending_token", 1, pendingLimit), body.Text("code", 1, codeLimit), body.Flag("cookie")
	if err := body.Err(); err != nil {
		return err
	}
	user, err := s.readPending(c.UserContext(), token)
	if err != nil {
		return err
	}
	transport.Note(c, slog.String("user_id", user.ID.String()))
	right, err := s.checkPassword(c, user.Email, func(ctx context.Context) (bool, error) { return s.spend(ctx, user, code) })
	if err != nil {
		return err
	}
	if !right {
		if err := s.noteFailure(c, user); err != nil {
			return err
		}
		return errs.New(errs.Unauthorized, "Le code est incorrect ou a déjà servi.")
	}
	return s.beginSession(c, user, cookie)
}

// readPending returns the account that sent its password in the first step; Unauthorized if the
// token has expired or the account has changed since.
func (s *Handlers) readPending(ctx context.Context, token string) (postgres.User, error) {
	over := errs.New(errs.Unauthorized, "La connexion a trop duré, ou le compte a changé. Recommencez la connexion.")
	bearer, err := s.Factors.Pending.Read(token)
	if err != nil {
		return postgres.User{}, over
	}
	user, err := s.DB.UserByID(ctx, bearer.User)
	if errs.Is(err, errs.NotFound) || (err == nil && (!user.Active || user.TokenVersion != bearer.Version || !user.SecondFactor)) {
		return postgres.User{}, over
	}
	return user, err
}
