package httpapi

import (
	"log/slog"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/auth"
	"vigueur/internal/errs"
	"vigueur/internal/idp"
	"vigueur/internal/postgres"
	"vigueur/internal/ratelimit"
)

// Providers are the providers of identities at which people may sign in, and what is done
// with whom they send. Its zero value: there are none.
type Providers struct {
	List     []*idp.Provider
	Attempts *idp.Attempts      // nil when there are none
	Used     *ratelimit.Limiter // attempts that were finished: each is once
	Fresh    *auth.Tokens       // for who has just signed in at one again; of an audience of their own
	Signup   Signup             // whose addresses open an account
}

// attemptCookie keeps an attempt in the browser that has begun it.
const (
	attemptCookie = "vigueur_provider"
	attemptPath   = prefix + "/auth/providers"
)

// ReturnPage is the page that a provider sends people back to, by its id.
func ReturnPage(id string) string { return "/connexion/retour/" + id }

// Limits of what comes back from a provider.
const (
	codeOfProviderLimit = 4096
	stateLimit          = 128
	returnLimit         = 512
)

// providerRoutes are those of signing in at providers.
func (s *Server) providerRoutes(api fiber.Router) {
	api.Get("/auth/methods", s.listMethods)
	api.Post("/auth/providers/:provider", s.beginAtProvider)
	api.Post("/auth/providers/:provider/callback", s.finishAtProvider)
	api.Post("/auth/providers/:provider/fresh", s.enrolling(s.beginFresh))
	api.Post("/auth/providers/:provider/fresh/callback", s.enrolling(s.finishFresh))
	api.Delete("/admin/users/:id/identities", s.atLeast("admin", s.untieIdentities))
}

// provider gives the provider that the path names.
func (s *Server) provider(c *fiber.Ctx) (*idp.Provider, error) {
	for _, p := range s.Providers.List {
		if p.ID == c.Params("provider") {
			return p, nil
		}
	}
	return nil, errs.New(errs.NotFound, "Ce fournisseur d’identité n’est pas proposé ici.")
}

// returnTo reads a path of the page, "" when there is none: nothing that a browser would
// take for another site's address.
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

// beginAtProvider begins a sign-in at a provider: the address to go to, and a cookie that
// says who has begun.
func (s *Server) beginAtProvider(c *fiber.Ctx) error { return s.sendToProvider(c, uuid.Nil) }

// beginFresh is beginAtProvider for somebody who is there, and is to sign in once more to
// show it.
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

// keepAttempt keeps an attempt in the browser for life; a life of 0 forgets it.
func (s *Server) keepAttempt(c *fiber.Ctx, sealed string, life time.Duration) {
	s.setCookie(c, attemptCookie, attemptPath, sealed, life)
}

// providerAway says which provider it is that cannot be asked; other errors are as they
// were.
func (s *Server) providerAway(c *fiber.Ctx, p *idp.Provider, err error) error {
	if !errs.Is(err, errs.Unavailable) {
		return err
	}
	s.Log.WarnContext(c.UserContext(), "a provider of identities cannot be asked", "provider", p.ID, "error", err)
	return errs.Wrap(errs.Unavailable, "", err)
}

// returned is what came back from a provider.
type returned struct {
	provider *idp.Provider
	attempt  idp.Attempt
	code     string
	cookie   bool // the session is to be kept in a cookie
}

// readReturn reads what came back from a provider, of an attempt that this browser has
// begun for the given account. Each attempt is finished once, however it ends.
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

// useUp counts an attempt as finished; Invalid when it was before.
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

// finishAtProvider ends a sign-in at a provider: it opens a session of the account of whom
// the provider has sent, or goes on with a code where the account has a second factor.
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

// arrive gives the account of whom a provider has sent. What is refused is in the audit
// log.
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

// notArrived notes that nobody was let in whom a provider has sent.
func (s *Server) notArrived(c *fiber.Ctx, r returned, err error) error {
	if !errs.Is(err, errs.Unauthorized) && !errs.Is(err, errs.Forbidden) {
		return err
	}
	if failed := s.noteProviderFailure(c, r.provider.ID); failed != nil {
		return failed
	}
	return err
}

// seenEmail is the address of an identity that its provider has seen to be the person's,
// if it is one that an account may have.
func seenEmail(who idp.Identity) string {
	if email := strings.TrimSpace(who.Email); who.Verified && likeEmail(email) && utf8.ValidString(email) {
		return email
	}
	return ""
}

// nameOf is what an account is called that is opened for an identity.
func nameOf(who idp.Identity) string {
	name := strings.TrimSpace(strings.Map(printable, strings.ToValidUTF8(who.Name, "")))
	if name == "" {
		name, _, _ = strings.Cut(who.Email, "@")
	}
	runes := []rune(name)
	return string(runes[:min(len(runes), fullNameLimit)])
}

// finishFresh gives who has just signed in at a provider once more a token that stands in
// the password's place, where one is asked for. It must be the account's own identity.
func (s *Server) finishFresh(c *fiber.Ctx, user postgres.User) error {
	return s.countingFailures(c, func() error {
		r, err := s.readReturn(c, user.ID)
		if err != nil {
			return err
		}
		who, err := r.provider.Finish(c.UserContext(), r.attempt, r.code)
		if err != nil {
			if errs.Is(err, errs.Unauthorized) { // the session stays: it is another's word that proves nothing
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

// untieIdentities unties an account from whom providers say its owner to be.
func (s *Server) untieIdentities(c *fiber.Ctx, _ postgres.User) error {
	id, err := pathID(c, "id")
	if err != nil {
		return err
	}
	if _, err := s.DB.UserByID(c.UserContext(), id); err != nil {
		return noAccount(err)
	}
	err = s.DB.UntieIdentities(c.UserContext(), id)
	if errs.Is(err, errs.NotFound) {
		return errs.Wrap(errs.NotFound, "Ce compte n’est lié à aucun fournisseur d’identité.", err)
	}
	if err != nil {
		return err
	}
	return c.SendStatus(fiber.StatusNoContent)
}
