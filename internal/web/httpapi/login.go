package httpapi

import (
	"context"
	"log/slog"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/sealed"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/auth"
)

// emailLimit is the longest e-mail address in characters (RFC 5321).
const emailLimit = 254

// userBody is an account as its owner sees it.
type userBody struct {
	ID       uuid.UUID `json:"id"`
	Email    string    `json:"email"`
	FullName string    `json:"full_name"`
	Role     string    `json:"role"`
}

func showUser(u postgres.User) userBody {
	return userBody{ID: u.ID, Email: u.Email, FullName: u.FullName, Role: u.Role}
}

// sessionBody is the response to a sign-in and a refresh.
type sessionBody struct {
	AccessToken  string   `json:"access_token"`
	TokenType    string   `json:"token_type"`
	ExpiresIn    int      `json:"expires_in"`              // seconds
	RefreshToken string   `json:"refresh_token,omitempty"` // absent if it is in the cookie
	User         userBody `json:"user"`
	MustEnroll   bool     `json:"must_enroll,omitempty"` // the account can do nothing but set up a second factor
}

// login signs in with e-mail and password; an account with a second factor must then send a
// code.
func (s *Server) login(c *fiber.Ctx) error {
	body, err := readBody(c)
	if err != nil {
		return err
	}
	email := body.text("email", 1, emailLimit)
	password := body.secret("password", 1, auth.MaxPassword)
	cookie := body.flag("cookie")
	if err := body.err(); err != nil {
		return err
	}
	user, err := s.checkLogin(c, email, password)
	if err != nil {
		return err
	}
	note(c, slog.String("user_id", user.ID.String()))
	if user.SecondFactor {
		return s.askCode(c, user)
	}
	return s.beginSession(c, user, cookie)
}

// newSignIn generates the first refresh token of a session: for the client, and as the
// database stores it.
func (s *Server) newSignIn(user postgres.User) (refresh string, in postgres.SignIn) {
	refresh, hash := sealed.NewToken()
	now := s.Now()
	return refresh, postgres.SignIn{
		Hash: hash, User: user.ID, Version: user.TokenVersion, Expires: now.Add(s.Lives.Refresh), Ends: now.Add(s.Lives.Session),
	}
}

// beginSession opens a session of an authenticated account and responds with it.
func (s *Server) beginSession(c *fiber.Ctx, user postgres.User, cookie bool) error {
	refresh, in := s.newSignIn(user)
	body, err := s.begunSession(c, user, refresh, in, cookie)
	if err != nil {
		return err
	}
	return c.JSON(body)
}

// begunSession opens the session in of an authenticated account and returns the response.
func (s *Server) begunSession(c *fiber.Ctx, user postgres.User, refresh string, in postgres.SignIn, cookie bool) (body sessionBody, err error) {
	if err := s.mayEnter(c.UserContext(), user.Email); err != nil {
		return body, err
	}
	if err := s.DB.CreateRefreshToken(c.UserContext(), in); err != nil {
		return body, err
	}
	s.entered(c.UserContext(), user.Email)
	s.nameSession(c, in.Hash)
	return s.sessionOf(c, user, refresh, cookie, s.Lives.Refresh)
}

// nameSession records the client program of a session.
func (s *Server) nameSession(c *fiber.Ctx, hash []byte) {
	if err := s.DB.NameSession(c.UserContext(), hash, clientName(c)); err != nil {
		s.Log.WarnContext(c.UserContext(), "session without a name", "error", err) // only a label in the list of sessions is missing
	}
}

// checkLogin returns the account of an e-mail and password. Unauthorized, with the same
// text and timing, for a wrong password, an unknown account and a closed one; TooMany after
// too many of these, even with the right password.
func (s *Server) checkLogin(c *fiber.Ctx, email, password string) (user postgres.User, err error) {
	right, err := s.checkStep(c, email, func(ctx context.Context) (right bool, err error) {
		user, right, err = s.verify(ctx, email, password)
		return right, err
	}, func() bool { return !user.SecondFactor })
	if err == nil && !right {
		err = errs.New(errs.Unauthorized, "Adresse e-mail ou mot de passe incorrect.")
		if failed := s.noteFailure(c, user); failed != nil {
			err = failed
		}
	}
	return user, err
}

// checkPassword runs a check of an account's password within the limits, and sets their
// headers.
func (s *Server) checkPassword(c *fiber.Ctx, email string, check func(ctx context.Context) (bool, error)) (right bool, err error) {
	return s.checkStep(c, email, check, func() bool { return true })
}

// checkStep is checkPassword for one step of several: a network is recorded as the
// account's own only once the last step succeeds.
func (s *Server) checkStep(c *fiber.Ctx, email string, check func(ctx context.Context) (bool, error), last func() bool) (right bool, err error) {
	ctx := c.UserContext()
	try, err := s.beginTry(ctx, email, s.address(c))
	if err != nil {
		return false, err
	}
	right, err = check(ctx)
	if err != nil {
		try.forget(ctx)
		return false, err
	}
	quota := try.own.Quota()
	if right {
		try.right(ctx, last())
	} else if quota, err = try.wrong(ctx); err != nil {
		return false, err
	}
	setQuota(c, quota)
	return right, nil
}

// verify checks an e-mail and password. Without an account the hash is empty, and the check
// takes the same time.
func (s *Server) verify(ctx context.Context, email, password string) (user postgres.User, right bool, err error) {
	user, err = s.DB.UserByEmail(ctx, email)
	if err != nil && !errs.Is(err, errs.NotFound) {
		return user, false, err
	}
	right, err = s.Passwords.Verify(ctx, password, user.PasswordHash)
	return user, right && user.Active, err
}

// forget takes an event back from a limit. If that fails, the event expires by itself.
func (s *Server) forget(ctx context.Context, forget func(context.Context) error) {
	if err := forget(context.WithoutCancel(ctx)); err != nil {
		s.Log.WarnContext(ctx, "limit: forget", "error", err)
	}
}

// openSession responds with an access token and the refresh token, valid for life, which is
// set as a cookie if the client asked for that.
func (s *Server) openSession(c *fiber.Ctx, user postgres.User, refresh string, cookie bool, life time.Duration) error {
	body, err := s.sessionOf(c, user, refresh, cookie, life)
	if err != nil {
		return err
	}
	return c.JSON(body)
}

// sessionOf is the response of openSession.
func (s *Server) sessionOf(c *fiber.Ctx, user postgres.User, refresh string, cookie bool, life time.Duration) (body sessionBody, err error) {
	access, err := s.Tokens.Issue(bearerOf(user))
	if err != nil {
		return body, err
	}
	body = sessionBody{
		AccessToken: access, TokenType: "bearer", ExpiresIn: int(s.Tokens.Life / time.Second), User: showUser(user), MustEnroll: s.lacksFactor(user),
	}
	if cookie {
		s.setRefreshCookie(c, refresh, life)
	} else {
		body.RefreshToken = refresh
	}
	return body, nil
}
