package account

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
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/transport"
)

// UserBody is an account as its owner sees it.
type UserBody struct {
	ID       uuid.UUID `json:"id"`
	Email    string    `json:"email"`
	FullName string    `json:"full_name"`
	Role     string    `json:"role" enum:"user,editor,admin"`
}

func showUser(u postgres.User) UserBody {
	return UserBody{ID: u.ID, Email: u.Email, FullName: u.FullName, Role: u.Role}
}

// SessionBody is the response to a sign-in and a refresh.
type SessionBody struct {
	AccessToken  string   `json:"access_token"`
	TokenType    string   `json:"token_type"`
	ExpiresIn    int      `json:"expires_in"`              // seconds
	RefreshToken string   `json:"refresh_token,omitempty"` // absent if it is in the cookie
	User         UserBody `json:"user"`
	MustEnroll   bool     `json:"must_enroll,omitempty"` // the account can do nothing but set up a second factor
}

// login serves POST /auth/login. It signs in with e-mail and password; an account with a second
// factor must then send a code.
func (s *Handlers) login(c *fiber.Ctx) error {
	body := transport.ReadBody(c)
	email := body.Text("email", 1, form.EmailLimit)
	password := body.Secret("password", 1, auth.MaxPassword)
	cookie := body.Flag("cookie")
	if err := body.Err(); err != nil {
		return err
	}
	user, err := s.checkLogin(c, email, password)
	if err != nil {
		return err
	}
	transport.Note(c, slog.String("user_id", user.ID.String()))
	if user.SecondFactor {
		return s.askCode(c, user)
	}
	return s.beginSession(c, user, cookie)
}

// newSignIn generates the first refresh token of a session: for the client, and as the
// database stores it.
func (s *Handlers) newSignIn(user postgres.User) (refresh string, signIn postgres.SignIn) {
	refresh, hash := sealed.NewToken()
	now := s.Now()
	return refresh, postgres.SignIn{
		Hash: hash, User: user.ID, Version: user.TokenVersion, Expires: now.Add(s.Lives.Refresh), Ends: now.Add(s.Lives.Session),
	}
}

// beginSession opens a session of an authenticated account and responds with it.
func (s *Handlers) beginSession(c *fiber.Ctx, user postgres.User, cookie bool) error {
	refresh, signIn := s.newSignIn(user)
	body, err := s.createSession(c, user, refresh, signIn, cookie)
	if err != nil {
		return err
	}
	return c.JSON(body)
}

// createSession opens the session in of an authenticated account and returns the response.
func (s *Handlers) createSession(c *fiber.Ctx, user postgres.User, refresh string, signIn postgres.SignIn, cookie bool) (body SessionBody, err error) {
	if err := s.checkSignIns(c.UserContext(), user.Email); err != nil {
		return body, err
	}
	if err := s.DB.CreateRefreshToken(c.UserContext(), signIn); err != nil {
		return body, err
	}
	s.recordSignIn(c.UserContext(), user.Email)
	s.nameSession(c, signIn.Hash)
	return s.sessionOf(c, user, refresh, cookie, s.Lives.Refresh)
}

// nameSession records the client program of a session.
func (s *Handlers) nameSession(c *fiber.Ctx, hash []byte) {
	if err := s.DB.NameSession(c.UserContext(), hash, clientName(c)); err != nil {
		s.Log.WarnContext(c.UserContext(), "session without a name", "error", err) // only a label in the list of sessions is missing
	}
}

// checkLogin returns the account of an e-mail and password. Unauthorized, with the same
// text and timing, for a wrong password, an unknown account and a closed one; TooMany after
// too many of these, even with the right password.
func (s *Handlers) checkLogin(c *fiber.Ctx, email, password string) (user postgres.User, err error) {
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
func (s *Handlers) checkPassword(c *fiber.Ctx, email string, check func(ctx context.Context) (bool, error)) (right bool, err error) {
	return s.checkStep(c, email, check, func() bool { return true })
}

// checkStep is checkPassword for one step of several: a network is recorded as the
// account's own only once the last step succeeds.
func (s *Handlers) checkStep(c *fiber.Ctx, email string, check func(ctx context.Context) (bool, error), last func() bool) (right bool, err error) {
	ctx := c.UserContext()
	try, err := s.beginTry(ctx, email, s.Address(c))
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
		try.succeed(ctx, last())
	} else if quota, err = try.fail(ctx); err != nil {
		return false, err
	}
	transport.SetQuota(c, quota)
	return right, nil
}

// verify checks an e-mail and password. Without an account the hash is empty, and the check
// takes the same time.
func (s *Handlers) verify(ctx context.Context, email, password string) (user postgres.User, right bool, err error) {
	user, err = s.DB.UserByEmail(ctx, email)
	if err != nil && !errs.Is(err, errs.NotFound) {
		return user, false, err
	}
	right, err = s.Passwords.Verify(ctx, password, user.PasswordHash)
	return user, right && user.Active, err
}

// openSession responds with an access token and the refresh token, valid for life, which is
// set as a cookie if the client asked for that.
func (s *Handlers) openSession(c *fiber.Ctx, user postgres.User, refresh string, cookie bool, life time.Duration) error {
	body, err := s.sessionOf(c, user, refresh, cookie, life)
	if err != nil {
		return err
	}
	return c.JSON(body)
}

// sessionOf is the response of openSession.
func (s *Handlers) sessionOf(c *fiber.Ctx, user postgres.User, refresh string, cookie bool, life time.Duration) (body SessionBody, err error) {
	access, err := s.Tokens.Issue(bearerOf(user))
	if err != nil {
		return body, err
	}
	body = SessionBody{
		AccessToken: access, TokenType: "bearer", ExpiresIn: int(s.Tokens.Life / time.Second), User: showUser(user), MustEnroll: s.LacksFactor(user),
	}
	if cookie {
		s.setRefreshCookie(c, refresh, life)
	} else {
		body.RefreshToken = refresh
	}
	return body, nil
}
