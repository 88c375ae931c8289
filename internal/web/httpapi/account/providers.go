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
	"vigueur/internal/web/httpapi/contract"
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

// providerPath is the input of a route to a provider.
type providerPath struct {
	Provider string `path:"provider" pattern:"^[a-z0-9-]{1,40}$" doc:"L’identifiant d’un fournisseur d’identité, de GET /api/v1/auth/methods." example:"ministere"`
}

// provider returns the provider that the path names.
func (s *Handlers) provider(path providerPath) (*idp.Provider, error) {
	for _, p := range s.Providers.List {
		if p.ID == path.Provider {
			return p, nil
		}
	}
	return nil, errs.New(errs.NotFound, "Ce fournisseur d’identité n’est pas proposé ici.")
}

type providerInput struct {
	providerPath
	ReturnTo string `json:"return_to,omitempty" maxLength:"512" format:"path" pattern:"^(/([^/\\\\\\x00-\\x20\\x7f][^\\\\\\x00-\\x20\\x7f]*)?)?$" doc:"Où la page ramène ensuite : un de ses chemins." example:"/textes"`
}

// Check rejects what a browser would resolve to another site.
func (i *providerInput) Check(f *form.Faults) {
	odd := func(r rune) bool { return r <= ' ' || r == '\\' || r == 0x7f }
	if path := i.ReturnTo; path != "" && (!strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.ContainsFunc(path, odd)) {
		f.Add("value_error", []any{"body", "return_to"}, nil, "Un chemin de cette page est attendu, comme /textes.")
	}
}

type providerAddress struct {
	Address   string `json:"authorization_url" format:"uri"`
	ExpiresIn int    `json:"expires_in" doc:"Secondes pour revenir."`
}

// beginAtProvider serves POST /auth/providers/:provider. It begins a sign-in at a provider: it
// returns the URL to open, and sets a cookie that binds the attempt to the browser.
func (s *Handlers) beginAtProvider(c *fiber.Ctx, input providerInput) (providerAddress, error) {
	return s.sendToProvider(c, uuid.Nil, input)
}

// beginFresh serves POST /auth/providers/:provider/fresh. It does what beginAtProvider does, for a
// signed-in user who has to sign in once more as a proof.
func (s *Handlers) beginFresh(c *fiber.Ctx, user postgres.User, input providerInput) (providerAddress, error) {
	return s.sendToProvider(c, user.ID, input)
}

func (s *Handlers) sendToProvider(c *fiber.Ctx, again uuid.UUID, input providerInput) (reply providerAddress, _ error) {
	p, err := s.provider(input.providerPath)
	if err != nil {
		return reply, err
	}
	address, attempt, err := p.Begin(c.UserContext(), again)
	if err != nil {
		return reply, s.providerAway(c, p, err)
	}
	attempt.ReturnTo = input.ReturnTo
	s.keepAttempt(c, s.Providers.Attempts.Seal(attempt), s.Providers.Attempts.Life)
	return providerAddress{address, int(s.Providers.Attempts.Life / time.Second)}, nil
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

type returnInput struct {
	providerPath
	CookieInput
	Code  string `json:"code" format:"password" minLength:"1" maxLength:"4096"`
	State string `json:"state" format:"password" minLength:"1" maxLength:"128"`
}

// returned is the redirect from a provider.
type returned struct {
	provider *idp.Provider
	attempt  idp.Attempt
	code     string
}

// openReturn opens the attempt of a redirect from a provider, which this browser began for the given account. Each
// attempt can be finished once, whatever the outcome.
func (s *Handlers) openReturn(c *fiber.Ctx, again uuid.UUID, input returnInput) (r returned, err error) {
	if r.provider, err = s.provider(input.providerPath); err != nil {
		return r, err
	}
	r.code = input.Code
	kept := c.Cookies(attemptCookie)
	s.keepAttempt(c, "", 0)
	if r.attempt, err = s.Providers.Attempts.Open(kept, r.provider.ID, input.State, again); err != nil {
		return r, err
	}
	return r, s.useUp(c, input.State)
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

type providerSession struct {
	SessionBody
	ReturnTo string `json:"return_to" doc:"Ce qui a été dit au début ; vide : rien."`
}

type providerPending struct {
	PendingBody
	ReturnTo string `json:"return_to"`
}

// finishAtProvider serves POST /auth/providers/:provider/callback. It finishes a sign-in at a
// provider: it opens a session of the identity's account, or asks for a code if the account has a
// second factor.
func (s *Handlers) finishAtProvider(c *fiber.Ctx, input returnInput) (reply providerSession, _ error) {
	err := s.countFailures(c, func() error {
		r, err := s.openReturn(c, uuid.Nil, input)
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
			return contract.Written(c.Status(fiber.StatusAccepted).JSON(providerPending{token, r.attempt.ReturnTo}))
		}
		refresh, signIn := s.newSignIn(c, user)
		signIn.Provider = r.provider.ID
		body, err := s.createSession(c, user, refresh, signIn, input.Cookie)
		if err != nil {
			return err
		}
		s.knowNetwork(c, user.Email)
		reply = providerSession{body, r.attempt.ReturnTo}
		return nil
	})
	return reply, err
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

type freshProof struct {
	Proof     string `json:"proof"`
	ExpiresIn int    `json:"expires_in" doc:"Durée de la preuve en secondes."`
	ReturnTo  string `json:"return_to"`
}

// finishFresh serves POST /auth/providers/:provider/fresh/callback. It issues a token that is
// accepted in place of the password, to a user who has just signed in at a provider again. The
// identity must be linked to the account.
func (s *Handlers) finishFresh(c *fiber.Ctx, user postgres.User, input returnInput) (reply freshProof, _ error) {
	err := s.countFailures(c, func() error {
		r, err := s.openReturn(c, user.ID, input)
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
		token, err := s.Providers.Fresh.Issue(bearerOf(user, uuid.Nil))
		reply = freshProof{token, int(s.Providers.Fresh.Life / time.Second), r.attempt.ReturnTo}
		return err
	})
	return reply, err
}

// unlinkIdentities serves DELETE /admin/users/:id/identities. It unlinks an account from its
// identities.
func (s *Handlers) unlinkIdentities(c *fiber.Ctx, _ postgres.User, input contract.ByID) (reply contract.None, _ error) {
	if _, err := s.DB.UserByID(c.UserContext(), input.ID); err != nil {
		return reply, NameAccount(err)
	}
	return reply, respond.NotFound(s.DB.UnlinkIdentities(c.UserContext(), input.ID), "Ce compte n’est lié à aucun fournisseur d’identité.")
}
