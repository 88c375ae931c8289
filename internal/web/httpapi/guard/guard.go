// Package guard says who sends a request and what they may do: it reads the account of a token
// or the owner of an API key, checks the role, limits what one account or network does at once,
// and records in the audit log what others' data are read for.
//
// A handler that is Signed gets the account in its current state: there is no other way to a
// user's data.
package guard

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/tick"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/ratelimit"
	"vigueur/internal/web/auth"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
)

// Guard admits requests of accounts and of networks. It must not be copied once it serves.
type Guard struct {
	*transport.Transport

	DB            *postgres.DB
	Tokens        *auth.Tokens         // of people
	ProgramTokens *auth.Tokens         // of programs, for the tools alone
	Keys          *ratelimit.Allowance // calls of each API key
	KeyScopes     map[string]string    // the routes that a key may call, with the scope that each requires
	MustEnroll    bool                 // editors and administrators need a second factor
	Operator      *postgres.User       // every request is of the operator of the machine, who may do everything; nil: nobody is admitted unseen
	AddressSecret []byte               // key under which addresses are hashed

	reads    transport.Slots // of accounts' own conversations
	refusals refusals
	sessions sessionWatch
}

// Run ends the streams of sessions that have ended, and records repeated refusals, until ctx
// ends.
func (s *Guard) Run(ctx context.Context) {
	s.sessions.ended, s.sessions.log = s.DB.EndedSessions, s.Log
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.sessions.run(ctx)
	}()
	s.noteRepeated(ctx)
	<-ended
}

// Roles are the roles of accounts, each including the rights of those before it.
var Roles = []string{"user", "editor", "admin"}

// Signed admits requests of an account.
func (s *Guard) Signed(h contract.Handler) contract.Handler { return s.signed(h, false) }

// Enrolling admits requests of an account, also of one that lacks its required second factor.
func (s *Guard) Enrolling(h contract.Handler) contract.Handler { return s.signed(h, true) }

func (s *Guard) signed(h contract.Handler, enrolling bool) contract.Handler {
	serve := h.Serve
	h.Signed, h.Serve = true, func(c *fiber.Ctx, _ postgres.User) error {
		user, err := s.admit(c, enrolling)
		if err == nil && h.Export {
			err = s.checkOpen(c, user)
		}
		if err != nil {
			return err
		}
		return serve(c, user)
	}
	return h
}

// SignedOr admits requests without a token to a second handler, if admit lets them in; release ends one that it let in.
func SignedOr(signed, guest contract.Handler, admit func(c *fiber.Ctx) (release func(), err error)) contract.Handler {
	serve := signed.Serve
	signed.Serve = func(c *fiber.Ctx, user postgres.User) error {
		if c.Get(fiber.HeaderAuthorization) != "" {
			return serve(c, user)
		}
		release, err := admit(c)
		if err != nil {
			return err
		}
		defer release()
		return guest.Serve(c, user)
	}
	return signed
}

// Role admits accounts with at least a role; others are Forbidden. The role is read from the database, not from the token.
func (s *Guard) Role(role string, h contract.Handler) contract.Handler {
	h.Role = role
	serve := h.Serve
	h.Serve = func(c *fiber.Ctx, user postgres.User) error {
		if slices.Index(Roles, user.Role) >= slices.Index(Roles, role) {
			return serve(c, user)
		}
		return cmp.Or(s.noteRefusal(c, user.ID), errs.New(errs.Forbidden, ""))
	}
	return s.Signed(h)
}

// Audited is for routes that read other users' data: it records the access in the audit log, with the id in the path if
// there is one, before the request is served. If the access cannot be recorded, nothing is read.
func (s *Guard) Audited(action postgres.Action, h contract.Handler) contract.Handler {
	serve := h.Serve
	h.Serve = func(c *fiber.Ctx, user postgres.User) error {
		object := ""
		if c.Params("id") != "" {
			id, err := form.PathID(c, "id")
			if err != nil {
				return err
			}
			object = id.String()
		}
		if err := s.DB.Note(c.UserContext(), action, object, nil); err != nil {
			return err
		}
		return serve(c, user)
	}
	return h
}

// Revalidated is for routes of the catalogue, which respond to everybody alike: it adds an ETag, and compresses long
// responses. Private ones are not compressed, because their length would reveal something about them.
func (s *Guard) Revalidated(h contract.Handler) contract.Handler {
	serve := h.Serve
	h.ETag, h.Serve = true, func(c *fiber.Ctx, user postgres.User) error {
		if err := serve(c, user); err != nil {
			return err
		}
		return respond.Revalidate(c)
	}
	return h
}

// Admit returns the account of the request's token or API key, in its current state.
func (s *Guard) Admit(c *fiber.Ctx) (postgres.User, error) { return s.admit(c, false) }

func (s *Guard) admit(c *fiber.Ctx, enrolling bool) (postgres.User, error) {
	if s.Operator != nil { // the audit log names no account
		return *s.Operator, nil
	}
	user, err := s.authenticate(c)
	if err == nil && c.Method() != fiber.MethodGet && c.Method() != fiber.MethodHead {
		err = s.checkOpen(c, user)
	}
	if err != nil {
		return user, err
	}
	transport.Note(c, slog.String("user_id", user.ID.String()))
	c.SetUserContext(postgres.By(c.UserContext(), user.ID))
	if !enrolling && s.LacksFactor(user) {
		return user, errs.New(errs.Forbidden, "Ce service demande un second facteur aux comptes de votre rôle. Choisissez le vôtre avant de continuer.")
	}
	return user, nil
}

// authenticate reads the account from the database at each request, so that closing it or
// changing its token version takes effect at once, and a token is never valid for another
// account that takes over the address.
func (s *Guard) authenticate(c *fiber.Ctx) (postgres.User, error) {
	scheme, token, _ := strings.Cut(c.Get(fiber.HeaderAuthorization), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return postgres.User{}, errs.New(errs.Unauthorized, "")
	}
	if token = strings.TrimSpace(token); strings.HasPrefix(token, auth.KeyPrefix) {
		return s.authenticateKey(c, token)
	}
	bearer, err := s.Tokens.Read(token)
	if err != nil && c.Path() == transport.ToolsRoute {
		bearer, err = s.ProgramTokens.Read(token)
	}
	if err != nil {
		return postgres.User{}, err
	}
	user, err := s.DB.UserByEmail(c.UserContext(), bearer.Email)
	if errs.Is(err, errs.NotFound) || (err == nil && (user.ID != bearer.User || !user.Active || user.TokenVersion != bearer.Version)) {
		return postgres.User{}, errSessionOver()
	}
	c.Locals(sessionKey{}, bearer.Session)
	return user, err
}

// errSessionOver returns the error for a token whose session has ended.
func errSessionOver() error {
	return errs.New(errs.Unauthorized, "La session n’est plus valable. Connectez-vous de nouveau.")
}

// checkOpen checks that the session of a request, or its key, has not ended. An access token of an ended session still
// reads until it expires: nothing can be changed, granted or taken away with it.
func (s *Guard) checkOpen(c *fiber.Ctx, user postgres.User) error {
	if s.Operator != nil {
		return nil
	}
	ended, err := s.DB.EndedSessions(c.UserContext(), []postgres.Session{SessionFor(c, user, Roles[0])})
	if err == nil && len(ended) > 0 {
		err = errSessionOver()
	}
	return err
}

// LacksFactor reports whether an account must set up a second factor first.
func (s *Guard) LacksFactor(user postgres.User) bool {
	return s.MustEnroll && !user.SecondFactor && slices.Contains(Roles[1:], user.Role)
}

// Messages of rejected keys.
const (
	badKeyText     = "Clé d’API inconnue, révoquée ou expirée."
	noKeyHereText  = "Cette adresse n’admet pas de clé d’API : connectez-vous."
	otherScopeText = "Cette clé d’API n’a pas la portée « %s », que cette adresse demande."
)

// authenticateKey returns the account of an API key, like authenticate for a token. Each
// call with a known key to a route in KeyScopes is counted and then recorded in the audit
// log before anything else; if either fails, the call is rejected.
func (s *Guard) authenticateKey(c *fiber.Ctx, sent string) (postgres.User, error) {
	hash, ok := auth.HashKey(sent)
	if !ok {
		return postgres.User{}, errs.New(errs.Unauthorized, badKeyText)
	}
	key, user, err := s.DB.UseKey(c.UserContext(), hash)
	if errs.Is(err, errs.NotFound) {
		return postgres.User{}, errs.New(errs.Unauthorized, badKeyText)
	}
	if err != nil {
		return postgres.User{}, err
	}
	transport.Note(c, slog.String("key_id", key.ID.String()))
	scope, admitted := s.KeyScopes[routeOf(c)]
	if !admitted {
		return postgres.User{}, errs.New(errs.Unauthorized, noKeyHereText)
	}
	quota, err := s.Keys.Take(c.UserContext(), key.ID.String(), key.PerMinute, key.PerDay)
	if err != nil {
		return postgres.User{}, err
	}
	transport.SetQuota(c, quota)
	c.Set("RateLimit-Policy", fmt.Sprintf("%d;w=%.0f, %d;w=%.0f", key.PerMinute, ratelimit.MinuteWindow.Seconds(), key.PerDay, ratelimit.DayWindow.Seconds()))
	c.SetUserContext(postgres.ByKey(postgres.By(c.UserContext(), user.ID), key.ID))
	if !slices.Contains(key.Scopes, scope) {
		return postgres.User{}, cmp.Or(s.noteRefusal(c, user.ID), errs.Newf(errs.Forbidden, otherScopeText, scope))
	}
	return user, s.DB.Note(c.UserContext(), postgres.KeyCalled, routeName(c), nil)
}

// routeOf returns a request's route in the form of KeyScopes; HEAD counts as GET.
func routeOf(c *fiber.Ctx) string {
	method := c.Method()
	if method == fiber.MethodHead {
		method = fiber.MethodGet
	}
	return method + " " + strings.TrimPrefix(c.Route().Path, transport.Prefix)
}

// refusalWindow is how long repeated refusals of one account on one route are counted before
// they are one more line of the audit log.
const refusalWindow = 10 * time.Minute

// mostRefusals limits the refusals that are counted at the same time. Beyond it, all are
// written at once.
const mostRefusals = 10_000

// refusal is what an account, or one of its keys, was refused.
type refusal struct {
	user, key uuid.UUID
	route     string
}

// repeats counts a refusal since its line was written.
type repeats struct {
	since time.Time
	count int
}

// refusals counts repeated refusals, so that nobody can fill the audit log by asking for what
// is not theirs: the first is a line at once, all others of refusalWindow are one more. It
// is safe for concurrent use.
type refusals struct {
	mu   sync.Mutex
	seen map[refusal]*repeats
}

// add counts a refusal; first reports whether it has to be written now.
func (r *refusals) add(refused refusal, now time.Time) (first bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if known, ok := r.seen[refused]; ok {
		known.count++
		return false
	}
	if r.seen == nil {
		r.seen = map[refusal]*repeats{}
	}
	r.seen[refused] = &repeats{since: now}
	return true
}

// take removes and returns the refusals that were first seen before a time; all of them if
// there are too many.
func (r *refusals) take(previous time.Time) map[refusal]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	all, out := len(r.seen) > mostRefusals, map[refusal]int{}
	for refused, known := range r.seen {
		if all || known.since.Before(previous) {
			if known.count > 0 {
				out[refused] = known.count
			}
			delete(r.seen, refused)
		}
	}
	return out
}

// routeName is the name of a request's route in the audit log.
func routeName(c *fiber.Ctx) string { return c.Method() + " " + c.Route().Path }

// noteRefusal records in the audit log that the caller may not use the route: at once the
// first time, later as a count.
func (s *Guard) noteRefusal(c *fiber.Ctx, user uuid.UUID) error {
	refused := refusal{user: user, key: postgres.KeyOf(c.UserContext()), route: routeName(c)}
	if !s.refusals.add(refused, s.Now()) {
		return nil
	}
	return s.DB.Note(c.UserContext(), postgres.Refused, refused.route, nil)
}

// noteRepeated writes the counts of repeated refusals until ctx ends, and then the last of
// them.
func (s *Guard) noteRepeated(ctx context.Context) {
	for range tick.Every(ctx, refusalWindow/10) {
		s.writeRepeated(ctx, s.refusals.take(s.Now().Add(-refusalWindow)))
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), transport.WorkTimeout)
	defer cancel()
	s.writeRepeated(last, s.refusals.take(s.Now().Add(refusalWindow)))
}

func (s *Guard) writeRepeated(ctx context.Context, counts map[refusal]int) {
	for refused, n := range counts {
		actor := postgres.By(ctx, refused.user)
		if refused.key != uuid.Nil {
			actor = postgres.ByKey(actor, refused.key)
		}
		if err := s.DB.Note(actor, postgres.Refused, refused.route, map[string]any{"repeated": n}); err != nil {
			s.Log.WarnContext(ctx, "repeated refusals are not in the audit log", "user_id", refused.user, "route", refused.route, "count", n, "error", err)
		}
	}
}
