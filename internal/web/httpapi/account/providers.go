package account

import (
	"log/slog"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/ratelimit"
	"vigueur/internal/web/auth"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
	"vigueur/internal/web/idp"
)

// Providers holds the identity providers and the state of signing in at them. The zero
// value has no providers.
type Providers struct {
	List     []*idp.Provider
	Attempts *idp.Attempts      // nil without providers
	Used     *ratelimit.Limiter // counts finished attempts, since each can be finished only once
	Fresh    *auth.Tokens       // tokens of a fresh sign-in, with an audience of their own
	Signup   Signup             // who may get an account
}

// attemptCookie stores an attempt in the browser that began it.
const (
	attemptCookie = "vigueur_provider"
	attemptPath   = transport.Prefix + "/auth/providers"
)

// ReturnPage returns the path to which the provider with an id redirects.
func ReturnPage(id string) string { return "/connexion/retour/" + id }

// provider returns the provider that the path names.
func (s *Handlers) provider(c *fiber.Ctx) (*idp.Provider, error) {
	for _, p := range s.Providers.List {
		if p.ID == c.Params("provider") {
			return p, nil
		}
	}
	return nil, errs.New(errs.NotFound, "Ce fournisseur d’identité n’est pas proposé ici.")
}

// readReturnPath reads a path of the page, "" if absent; it rejects anything that a browser would
// resolve to another site.
func readReturnPath(o *form.Object, name string) string {
	raw, given := o.Optional(name)
	if !given {
		return ""
	}
	path, ok := o.Str(name, raw, raw)
	o.Length(name, raw, path, 0, returnLimit)
	odd := func(r rune) bool { return r <= ' ' || r == '\\' || r == 0x7f }
	if ok && path != "" && (!strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.ContainsFunc(path, odd)) {
		o.Faults.Add("value_error", o.At(name), nil, "Un chemin de cette page est attendu, comme /textes.")
	}
	return path
}

// beginAtProvider serves POST /auth/providers/:provider. It begins a sign-in at a provider: it
// returns the URL to open, and sets a cookie that binds the attempt to the browser.
func (s *Handlers) beginAtProvider(c *fiber.Ctx) error { return s.sendToProvider(c, uuid.Nil) }

// beginFresh serves POST /auth/providers/:provider/fresh. It does what beginAtProvider does, for a
// signed-in user who has to sign in once more as a proof.
func (s *Handlers) beginFresh(c *fiber.Ctx, user postgres.User) error {
	return s.sendToProvider(c, user.ID)
}

func (s *Handlers) sendToProvider(c *fiber.Ctx, again uuid.UUID) error {
	p, err := s.provider(c)
	if err != nil {
		return err
	}
	body := transport.ReadBody(c)
	target := readReturnPath(body, "return_to")
	if err := body.Err(); err != nil {
		return err
	}
	address, attempt, err := p.Begin(c.UserContext(), again)
	if err != nil {
		return s.providerAway(c, p, err)
	}
	attempt.ReturnTo = target
	s.keepAttempt(c, s.Providers.Attempts.Seal(attempt), s.Providers.Attempts.Life)
	return c.JSON(struct {
		Address   string `json:"authorization_url"`
		ExpiresIn int    `json:"expires_in"` // seconds
	}{address, int(s.Providers.Attempts.Life / time.Second)})
}

// keepAttempt sets the attempt's cookie for life; a life of 0 deletes it.
func (s *Handlers) keepAttempt(c *fiber.Ctx, sealed string, life time.Duration) {
	s.SetCookie(c, attemptCookie, attemptPath, sealed, life)
}

// providerAway adds the name of the provider to the error for an unreachable provider. It
// returns other errors unchanged.
func (s *Handlers) providerAway(c *fiber.Ctx, p *idp.Provider, err error) error {
	if !errs.Is(err, errs.Unavailable) {
		return err
	}
	s.Log.WarnContext(c.UserContext(), "a provider of identities cannot be asked", "provider", p.ID, "error", err)
	return errs.Wrap(errs.Unavailable, "", err)
}

// returned is the redirect from a provider.
type returned struct {
	provider *idp.Provider
	attempt  idp.Attempt
	code     string
	cookie   bool // the refresh token must be stored in a cookie
}

// readReturn reads the redirect from a provider, for an attempt that this browser began for
// the given account. Each attempt can be finished once, whatever the outcome.
func (s *Handlers) readReturn(c *fiber.Ctx, again uuid.UUID) (r returned, err error) {
	if r.provider, err = s.provider(c); err != nil {
		return r, err
	}
	body := transport.ReadBody(c)
	r.code = body.Secret("code", 1, codeOfProviderLimit)
	state := body.Secret("state", 1, stateLimit)
	r.cookie = body.Flag("cookie")
	if err := body.Err(); err != nil {
		return r, err
	}
	kept := c.Cookies(attemptCookie)
	s.keepAttempt(c, "", 0)
	if r.attempt, err = s.Providers.Attempts.Open(kept, r.provider.ID, state, again); err != nil {
		return r, err
	}
	return r, s.useUp(c, state)
}

// useUp marks an attempt as finished; Invalid if it was finished before.
func (s *Handlers) useUp(c *fiber.Ctx, state string) error {
	once, err := s.Providers.Used.Begin(c.UserContext(), s.Key("state|"+state, ""))
	if errs.Is(err, errs.TooMany) {
		return errs.New(errs.Invalid, "Cette connexion a déjà servi. Recommencez.")
	}
	if err != nil {
		return err
	}
	_, err = once.Count(c.UserContext())
	return err
}

// finishAtProvider serves POST /auth/providers/:provider/callback. It finishes a sign-in at a
// provider: it opens a session of the identity's account, or asks for a code if the account has a
// second factor.
func (s *Handlers) finishAtProvider(c *fiber.Ctx) error {
	return s.countFailures(c, func() error {
		r, err := s.readReturn(c, uuid.Nil)
		if err != nil {
			return err
		}
		user, err := s.arrive(c, r)
		if err != nil {
			return err
		}
		transport.Note(c, slog.String("user_id", user.ID.String()))
		if user.SecondFactor {
			token, err := s.pendingCode(user)
			if err != nil {
				return err
			}
			return c.Status(fiber.StatusAccepted).JSON(struct {
				PendingBody
				ReturnTo string `json:"return_to"`
			}{token, r.attempt.ReturnTo})
		}
		refresh, signIn := s.newSignIn(user)
		signIn.Provider = r.provider.ID
		body, err := s.createSession(c, user, refresh, signIn, r.cookie)
		if err != nil {
			return err
		}
		s.knowNetwork(c, user.Email)
		return c.JSON(struct {
			SessionBody
			ReturnTo string `json:"return_to"`
		}{body, r.attempt.ReturnTo})
	})
}

// arrive returns the account of an identity. Refusals are recorded in the audit log.
func (s *Handlers) arrive(c *fiber.Ctx, r returned) (user postgres.User, err error) {
	who, err := r.provider.Finish(c.UserContext(), r.attempt, r.code)
	if err != nil {
		return user, s.noteRefusal(c, r, s.providerAway(c, r.provider, err))
	}
	user, err = s.DB.UserOfIdentity(c.UserContext(), postgres.Identity{
		Provider: r.provider.ID, Issuer: who.Issuer, Subject: who.Subject, Email: seenEmail(who), Name: nameOf(who),
	}, s.Providers.Signup.takes)
	return user, s.noteRefusal(c, r, err)
}

// noteRefusal records that an identity was refused.
func (s *Handlers) noteRefusal(c *fiber.Ctx, r returned, err error) error {
	if !errs.Is(err, errs.Unauthorized) && !errs.Is(err, errs.Forbidden) {
		return err
	}
	if failed := s.noteProviderFailure(c, r.provider.ID); failed != nil {
		return failed
	}
	return err
}

// seenEmail returns the address of an identity if the provider has verified it and an
// account may have it; else "".
func seenEmail(who idp.Identity) string {
	if email := strings.TrimSpace(who.Email); who.Verified && form.LikeEmail(email) && utf8.ValidString(email) {
		return email
	}
	return ""
}

// nameOf returns the name for a new account of an identity.
func nameOf(who idp.Identity) string {
	name := strings.TrimSpace(strings.Map(printable, strings.ToValidUTF8(who.Name, "")))
	if name == "" {
		name, _, _ = strings.Cut(who.Email, "@")
	}
	runes := []rune(name)
	return string(runes[:min(len(runes), FullNameLimit)])
}

// finishFresh serves POST /auth/providers/:provider/fresh/callback. It issues a token that is
// accepted in place of the password, to a user who has just signed in at a provider again. The
// identity must be linked to the account.
func (s *Handlers) finishFresh(c *fiber.Ctx, user postgres.User) error {
	return s.countFailures(c, func() error {
		r, err := s.readReturn(c, user.ID)
		if err != nil {
			return err
		}
		who, err := r.provider.Finish(c.UserContext(), r.attempt, r.code)
		if err != nil {
			if errs.Is(err, errs.Unauthorized) { // the session stays valid: another person's identity proves nothing about it
				err = errs.Wrap(errs.Forbidden, errs.Public(err), err)
			}
			return s.noteRefusal(c, r, s.providerAway(c, r.provider, err))
		}
		own, err := s.DB.IsIdentityOf(c.UserContext(), who.Issuer, who.Subject, user.ID)
		if err != nil {
			return err
		}
		if !own {
			return s.noteRefusal(c, r, errs.New(errs.Forbidden, "Vous vous êtes identifié sous un autre nom que celui de ce compte."))
		}
		token, err := s.Providers.Fresh.Issue(bearerOf(user))
		if err != nil {
			return err
		}
		return c.JSON(struct {
			Proof     string `json:"proof"`
			ExpiresIn int    `json:"expires_in"` // seconds
			ReturnTo  string `json:"return_to"`
		}{token, int(s.Providers.Fresh.Life / time.Second), r.attempt.ReturnTo})
	})
}

// unlinkIdentities serves DELETE /admin/users/:id/identities. It unlinks an account from its
// identities.
func (s *Handlers) unlinkIdentities(c *fiber.Ctx, _ postgres.User, id uuid.UUID) error {
	if _, err := s.DB.UserByID(c.UserContext(), id); err != nil {
		return NameAccount(err)
	}
	return respond.NoContent(c, respond.NotFound(s.DB.UnlinkIdentities(c.UserContext(), id), "Ce compte n’est lié à aucun fournisseur d’identité."))
}
