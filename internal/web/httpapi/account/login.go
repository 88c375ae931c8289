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
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/form"
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

// SessionBody is the response to a sign-in and a refresh.
type SessionBody struct {
	AccessToken  string   `json:"access_token"`
	TokenType    string   `json:"token_type" enum:"bearer"`
	ExpiresIn    int      `json:"expires_in" doc:"Durée du jeton d’accès en secondes."`
	RefreshToken string   `json:"refresh_token,omitempty" doc:"Absent quand il est dans le cookie."`
	User         UserBody `json:"user"`
	MustEnroll   bool     `json:"must_enroll,omitempty" doc:"Présent quand le service exige un second facteur que le compte n’a pas : tout est refusé (403) sauf de le choisir."`
}

// CookieInput says that the refresh token shall be set as a cookie.
type CookieInput struct {
	Cookie bool `json:"cookie,omitempty" doc:"Pour un navigateur : le jeton de renouvellement vient en cookie, et non dans le corps. Sans ce champ, dans le corps."`
}

type loginInput struct {
	CookieInput
	Email    string `json:"email" minLength:"1" maxLength:"254" example:"awa.sorel@justice.astrevalle.example"`
	Password string `json:"password" format:"password" minLength:"1" maxLength:"128"`
}

// login serves POST /auth/login. It signs in with e-mail and password; an account with a second
// factor must then send a code.
func (s *Handlers) login(c *fiber.Ctx, input loginInput) (reply SessionBody, _ error) {
	user, err := s.checkLogin(c, input.Email, input.Password)
	if err != nil {
		return reply, err
	}
	transport.Note(c, slog.String("user_id", user.ID.String()))
	if user.SecondFactor {
		pending, err := s.pendingCode(user)
		if err != nil {
			return reply, err
		}
		return reply, contract.Written(c.Status(fiber.StatusAccepted).JSON(pending))
	}
	return s.beginSession(c, user, input.Cookie)
}

// newSignIn generates a session and its first refresh token: for the client, and as the
// database stores it.
func (s *Handlers) newSignIn(c *fiber.Ctx, user postgres.User) (refresh string, signIn postgres.SignIn) {
	refresh, hash := sealed.NewToken()
	now := s.Now()
	return refresh, postgres.SignIn{
		Session: uuid.New(), Hash: hash, User: user.ID, Version: user.TokenVersion, Expires: now.Add(s.Lives.Refresh), Ends: now.Add(s.Lives.Session), Client: clientName(c),
	}
}

// beginSession opens a session of an authenticated account.
func (s *Handlers) beginSession(c *fiber.Ctx, user postgres.User, cookie bool) (SessionBody, error) {
	refresh, signIn := s.newSignIn(c, user)
	return s.createSession(c, user, refresh, signIn, cookie)
}

// createSession opens a session of an authenticated account and returns the response.
func (s *Handlers) createSession(c *fiber.Ctx, user postgres.User, refresh string, signIn postgres.SignIn, cookie bool) (body SessionBody, err error) {
	if err := s.signIn(c.UserContext(), user.Email, signIn); err != nil {
		return body, err
	}
	return s.sessionOf(c, user, signIn.Session, refresh, cookie, s.Lives.Refresh)
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
	try, err := s.beginTry(c, email)
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

// sessionOf returns an access token and the refresh token, valid for life, which is set as a cookie if the client asked
// for that.
func (s *Handlers) sessionOf(c *fiber.Ctx, user postgres.User, session uuid.UUID, refresh string, cookie bool, life time.Duration) (body SessionBody, err error) {
	access, err := s.Tokens.Issue(bearerOf(user, session))
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

// noteFailure records a wrong password in the audit log, with the account, if any, and the
// keyed hash of the client's address. It takes the same time with and without an account.
func (s *Handlers) noteFailure(c *fiber.Ctx, user postgres.User) error {
	object := ""
	if user.ID != uuid.Nil {
		object = user.ID.String()
	}
	return s.DB.Note(c.UserContext(), postgres.LoginFailed, object, map[string]any{"address": s.AddressMark(c)})
}

// noteProviderFailure does what noteFailure does, for a rejected sign-in at a provider.
func (s *Handlers) noteProviderFailure(c *fiber.Ctx, provider string) error {
	return s.DB.Note(c.UserContext(), postgres.LoginFailed, "", map[string]any{"address": s.AddressMark(c), "provider": provider})
}

// PendingBody is a sign-in that requires a code.
type PendingBody struct {
	Token     string `json:"pending_token"`
	ExpiresIn int    `json:"expires_in" doc:"Durée du jeton en secondes."`
}

// pendingCode returns a token that opens a session only together with a code.
func (s *Handlers) pendingCode(user postgres.User) (PendingBody, error) {
	token, err := s.Factors.Pending.Issue(bearerOf(user, uuid.Nil))
	return PendingBody{token, int(s.Factors.Pending.Life.Seconds())}, err
}

// CodeInput is a code of a second factor; blanks that people type do not count.
type CodeInput struct {
	Code string `json:"code" minLength:"1" maxLength:"64" doc:"Six chiffres, ou un code de secours ; les blancs ne comptent pas." example:"287082"`
}

type loginCodeInput struct {
	Token string `json:"pending_token" format:"password" minLength:"1" maxLength:"4096"`
	CodeInput
	CookieInput
}

// loginCode serves POST /auth/login/code. It is the second step of a sign-in: the token of the
// first step and a code.
func (s *Handlers) loginCode(c *fiber.Ctx, input loginCodeInput) (reply SessionBody, _ error) {
	user, err := s.readPending(c.UserContext(), input.Token)
	if err != nil {
		return reply, err
	}
	transport.Note(c, slog.String("user_id", user.ID.String()))
	right, err := s.checkPassword(c, user.Email, func(ctx context.Context) (bool, error) { return s.spend(ctx, user, input.Code) })
	if err != nil {
		return reply, err
	}
	if !right {
		if err := s.noteFailure(c, user); err != nil {
			return reply, err
		}
		return reply, errs.New(errs.Unauthorized, "Le code est incorrect ou a déjà servi.")
	}
	return s.beginSession(c, user, input.Cookie)
}

// readPending returns the account that sent its password in the first step; Unauthorized if the
// token has expired or the account has changed since.
func (s *Handlers) readPending(ctx context.Context, token string) (postgres.User, error) {
	expired := errs.New(errs.Unauthorized, "La connexion a trop duré, ou le compte a changé. Recommencez la connexion.")
	bearer, err := s.Factors.Pending.Read(token)
	if err != nil {
		return postgres.User{}, expired
	}
	user, err := s.DB.UserByID(ctx, bearer.User)
	if errs.Is(err, errs.NotFound) || (err == nil && (!user.Active || user.TokenVersion != bearer.Version || !user.SecondFactor)) {
		return postgres.User{}, expired
	}
	return user, err
}

// refreshInput is the refresh token, in the body or else in the cookie.
type refreshInput struct {
	Token  *string `json:"refresh_token,omitempty" format:"password" minLength:"1" maxLength:"512" doc:"Obligatoire sans le cookie."`
	Cookie string  `cookie:"vigueur_refresh" doc:"Le jeton de renouvellement d’un navigateur, mis par le serveur."`
}

// refresh serves POST /auth/refresh. It exchanges a refresh token for a new pair of tokens. Reuse
// ends the session, unless the reply to the first use was lost.
func (s *Handlers) refresh(c *fiber.Ctx, _ postgres.User) (reply SessionBody, _ error) {
	token, cookie, err := refreshToken(c)
	if err != nil {
		return reply, err
	}
	next, hash := sealed.NewToken()
	// The account is read in the same transaction: a password change right after it
	// invalidates both tokens.
	session, err := s.DB.RotateRefreshToken(c.UserContext(), postgres.Renewal{
		Old: sealed.HashToken(token), Fresh: hash, Expires: s.Now().Add(s.Lives.Refresh), Grace: s.Lives.Grace,
	})
	if err != nil {
		return reply, err
	}
	return s.sessionOf(c, session.User, session.ID, next, cookie, session.Life)
}

// logout serves POST /auth/logout. It ends the session of a refresh token.
func (s *Handlers) logout(c *fiber.Ctx, _ postgres.User) (reply contract.None, _ error) {
	token, cookie, err := refreshToken(c)
	if err != nil {
		return reply, err
	}
	if err := s.DB.RevokeFamily(c.UserContext(), sealed.HashToken(token), nil); err != nil {
		return reply, err
	}
	if cookie {
		s.setRefreshCookie(c, "", 0)
	}
	return reply, nil
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
	var input refreshInput
	err = form.Read(c, raw, &input)
	switch {
	case err != nil:
		return "", false, err
	case input.Token != nil:
		return *input.Token, false, nil
	case kept != "":
		return kept, true, nil
	}
	var f form.Faults
	f.Missing([]any{"body", "refresh_token"})
	return "", false, f
}

// setRefreshCookie sets the token's cookie for life; a life of 0 deletes it.
func (s *Handlers) setRefreshCookie(c *fiber.Ctx, token string, life time.Duration) {
	s.SetCookie(c, refreshCookie, cookiePath, token, life)
}
