package httpapi

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
	"vigueur/internal/web/idp"
)

// Providers holds the identity providers, and what is needed to sign in at them. The zero
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
	attemptPath   = prefix + "/auth/providers"
)

// ReturnPage returns the path to which the provider with an id redirects.
func ReturnPage(id string) string { return "/connexion/retour/" + id }

// Limits of a provider's redirect.
const (
	codeOfProviderLimit = 4096
	stateLimit          = 128
	returnLimit         = 512
)

// providerRoutes are the routes for signing in at providers.
func (s *Server) providerRoutes(api fiber.Router) {
	api.Get("/auth/methods", s.listMethods)
	api.Post("/auth/providers/:provider", s.beginAtProvider)
	api.Post("/auth/providers/:provider/callback", s.finishAtProvider)
	api.Post("/auth/providers/:provider/fresh", s.enrolling(s.beginFresh))
	api.Post("/auth/providers/:provider/fresh/callback", s.enrolling(s.finishFresh))
	api.Delete("/admin/users/:id/identities", s.atLeast("admin", s.unlinkIdentities))
}

// provider returns the provider that the path names.
func (s *Server) provider(c *fiber.Ctx) (*idp.Provider, error) {
	for _, p := range s.Providers.List {
		if p.ID == c.Params("provider") {
			return p, nil
		}
	}
	return nil, errs.New(errs.NotFound, "Ce fournisseur d’identité n’est pas proposé ici.")
}

// returnTo reads a path of the page, "" if absent; it rejects anything that a browser would
// resolve to another site.
func (o *object) returnTo(name string) string {
	raw, given := o.optional(name)
	if !given {
		return ""
	}
	path, is := o.str(name, raw, raw)
	o.length(name, raw, path, 0, returnLimit)
	odd := func(r rune) bool { return r <= ' ' || r == '\\' || r == 0x7f }
	if is && path != "" && (!strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.ContainsFunc(path, odd)) {
		o.faults.add("value_error", o.at(name), nil, "Un chemin de cette page est attendu, comme /textes.")
	}
	return path
}

// beginAtProvider begins a sign-in at a provider: it returns the URL to open, and sets a
// cookie that binds the attempt to the browser.
func (s *Server) beginAtProvider(c *fiber.Ctx) error { return s.sendToProvider(c, uuid.Nil) }

// beginFresh does what beginAtProvider does, for a signed-in user who has to sign in once
// more as a proof.
func (s *Server) beginFresh(c *fiber.Ctx, user postgres.User) error {
	return s.sendToProvider(c, user.ID)
}

func (s *Server) sendToProvider(c *fiber.Ctx, again uuid.UUID) error {
	p, err := s.provider(c)
	if err != nil {
		return err
	}
	body, err := readBody(c)
	if err != nil {
		return err
	}
	to := body.returnTo("return_to")
	if err := body.err(); err != nil {
		return err
	}
	address, attempt, err := p.Begin(c.UserContext(), again)
	if err != nil {
		return s.providerAway(c, p, err)
	}
	attempt.ReturnTo = to
	s.keepAttempt(c, s.Providers.Attempts.Seal(attempt), s.Providers.Attempts.Life)
	return c.JSON(struct {
		Address   string `json:"authorization_url"`
		ExpiresIn int    `json:"expires_in"` // seconds
	}{address, int(s.Providers.Attempts.Life / time.Second)})
}

// keepAttempt sets the attempt's cookie for life; a life of 0 deletes it.
func (s *Server) keepAttempt(c *fiber.Ctx, sealed string, life time.Duration) {
	s.setCookie(c, attemptCookie, attemptPath, sealed, life)
}

// providerAway adds the name of the provider to the error for an unreachable provider. It
// returns other errors unchanged.
func (s *Server) providerAway(c *fiber.Ctx, p *idp.Provider, err error) error {
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
func (s *Server) readReturn(c *fiber.Ctx, again uuid.UUID) (r returned, err error) {
	if r.provider, err = s.provider(c); err != nil {
		return r, err
	}
	body, err := readBody(c)
	if err != nil {
		return r, err
	}
	r.code = body.secret("code", 1, codeOfProviderLimit)
	state := body.secret("state", 1, stateLimit)
	r.cookie = body.flag("cookie")
	if err := body.err(); err != nil {
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
func (s *Server) useUp(c *fiber.Ctx, state string) error {
	once, err := s.Providers.Used.Begin(c.UserContext(), s.loginKey("state|"+state, ""))
	if errs.Is(err, errs.TooMany) {
		return errs.New(errs.Invalid, "Cette connexion a déjà servi. Recommencez.")
	}
	if err != nil {
		return err
	}
	_, err = once.Count(c.UserContext())
	return err
}

// finishAtProvider finishes a sign-in at a provider: it opens a session of the identity's
// account, or asks for a code if the account has a second factor.
func (s *Server) finishAtProvider(c *fiber.Ctx) error {
	return s.countingFailures(c, func() error {
		r, err := s.readReturn(c, uuid.Nil)
		if err != nil {
			return err
		}
		user, err := s.arrive(c, r)
		if err != nil {
			return err
		}
		note(c, slog.String("user_id", user.ID.String()))
		if user.SecondFactor {
			token, err := s.pendingCode(user)
			if err != nil {
				return err
			}
			return c.Status(fiber.StatusAccepted).JSON(struct {
				pendingBody
				ReturnTo string `json:"return_to"`
			}{token, r.attempt.ReturnTo})
		}
		refresh, in := s.newSignIn(user)
		in.Provider = r.provider.ID
		body, err := s.begunSession(c, user, refresh, in, r.cookie)
		if err != nil {
			return err
		}
		s.knowNetwork(c, user.Email)
		return c.JSON(struct {
			sessionBody
			ReturnTo string `json:"return_to"`
		}{body, r.attempt.ReturnTo})
	})
}

// arrive returns the account of an identity. Refusals are recorded in the audit log.
func (s *Server) arrive(c *fiber.Ctx, r returned) (user postgres.User, err error) {
	who, err := r.provider.Finish(c.UserContext(), r.attempt, r.code)
	if err != nil {
		return user, s.notArrived(c, r, s.providerAway(c, r.provider, err))
	}
	user, err = s.DB.UserOfIdentity(c.UserContext(), postgres.Identity{
		Provider: r.provider.ID, Issuer: who.Issuer, Subject: who.Subject, Email: seenEmail(who), Name: nameOf(who),
	}, s.Providers.Signup.takes)
	return user, s.notArrived(c, r, err)
}

// notArrived records that an identity was refused.
func (s *Server) notArrived(c *fiber.Ctx, r returned, err error) error {
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
	if email := strings.TrimSpace(who.Email); who.Verified && likeEmail(email) && utf8.ValidString(email) {
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
	return string(runes[:min(len(runes), fullNameLimit)])
}

// finishFresh issues a token that is accepted in place of the password, to a user who has
// just signed in at a provider again. The identity must be linked to the account.
func (s *Server) finishFresh(c *fiber.Ctx, user postgres.User) error {
	return s.countingFailures(c, func() error {
		r, err := s.readReturn(c, user.ID)
		if err != nil {
			return err
		}
		who, err := r.provider.Finish(c.UserContext(), r.attempt, r.code)
		if err != nil {
			if errs.Is(err, errs.Unauthorized) { // the session stays valid: another person's identity proves nothing about it
				err = errs.Wrap(errs.Forbidden, errs.Public(err), err)
			}
			return s.notArrived(c, r, s.providerAway(c, r.provider, err))
		}
		own, err := s.DB.IsIdentityOf(c.UserContext(), who.Issuer, who.Subject, user.ID)
		if err != nil {
			return err
		}
		if !own {
			return s.notArrived(c, r, errs.New(errs.Forbidden, "Vous vous êtes identifié sous un autre nom que celui de ce compte."))
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

// unlinkIdentities unlinks an account from its identities.
func (s *Server) unlinkIdentities(c *fiber.Ctx, _ postgres.User) error {
	id, err := pathID(c, "id")
	if err != nil {
		return err
	}
	if _, err := s.DB.UserByID(c.UserContext(), id); err != nil {
		return noAccount(err)
	}
	err = s.DB.UnlinkIdentities(c.UserContext(), id)
	if errs.Is(err, errs.NotFound) {
		return errs.Wrap(errs.NotFound, "Ce compte n’est lié à aucun fournisseur d’identité.", err)
	}
	if err != nil {
		return err
	}
	return c.SendStatus(fiber.StatusNoContent)
}
