package account

import (
	"cmp"
	"context"
	"time"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/ratelimit"
	"vigueur/internal/web/httpapi/guard"
	"vigueur/internal/web/httpapi/transport"
)

// LoginLimits are the limits on sign-ins. A network is an IPv4 address or an IPv6 /64; wider
// ones have wider limits (networks).
//
// Nobody can lock somebody else's account: a network is refused only because of its own
// failures. If an account, or all together, see more failures than people cause, each
// network gets fewer tries, except those from which the account was recently signed in to.
type LoginLimits struct {
	Pair    *ratelimit.Limiter // failures of one account from one network
	Network *ratelimit.Limiter // failures of all accounts from one network
	Right   *ratelimit.Ceiling // sign-ins of one account from everywhere: each adds a session and a line to the audit log
	Account *ratelimit.Ceiling // of one account from everywhere
	All     *ratelimit.Ceiling // of all accounts from everywhere
	Narrow  *ratelimit.Limiter // of one account from one network, while a ceiling is reached
	Known   *ratelimit.Ceiling // sign-ins to one account from one network, which one makes a known one
}

// NewLoginLimits returns the limits; prefix separates their keys from others.
func NewLoginLimits(store *ratelimit.Store, prefix string) LoginLimits {
	return LoginLimits{
		Pair:    &ratelimit.Limiter{Store: store, Name: prefix, Limit: 5, Window: 5 * time.Minute},
		Network: &ratelimit.Limiter{Store: store, Name: prefix + "-network", Limit: 50, Window: 5 * time.Minute},
		Right:   &ratelimit.Ceiling{Store: store, Name: prefix + "-right", Limit: 100, Window: 5 * time.Minute},
		Account: &ratelimit.Ceiling{Store: store, Name: prefix + "-account", Limit: 30, Window: time.Hour},
		All:     &ratelimit.Ceiling{Store: store, Name: prefix + "-all", Limit: 1000, Window: 10 * time.Minute},
		Narrow:  &ratelimit.Limiter{Store: store, Name: prefix + "-narrow", Limit: 1, Window: time.Hour},
		Known:   &ratelimit.Ceiling{Store: store, Name: prefix + "-known", Limit: 1, Window: 90 * 24 * time.Hour},
	}
}

// passwordTry is a check of a password in progress.
type passwordTry struct {
	*Handlers
	pair, account string             // keys
	own           *ratelimit.Event   // of the pair
	others        []*ratelimit.Event // of the wider limits
}

// beginTry begins a check of an account's password, or refuses it.
func (s *Handlers) beginTry(c *fiber.Ctx, email string) (_ *passwordTry, err error) {
	ctx, address := c.UserContext(), s.Address(c)
	if err := s.checkSignIns(ctx, email); err != nil {
		return nil, err
	}
	t := &passwordTry{Handlers: s, pair: s.Key(email, transport.Network(address).String()), account: s.Key(email, "")}
	if t.own, err = s.Logins.Pair.Begin(ctx, t.pair); err != nil {
		return nil, err
	}
	begin := func(l *ratelimit.Limiter, key string) error {
		e, err := l.Begin(ctx, key)
		if err == nil {
			t.others = append(t.others, e)
		}
		return err
	}
	if !address.IsLoopback() { // loopback may be an undeclared proxy with all its clients
		var v *guard.Visit
		if v, err = s.BeginVisit(c, s.Logins.Network, ""); err == nil {
			t.others = v.Events
		}
	}
	if err == nil {
		var narrow bool
		if narrow, err = t.isNarrowed(ctx); narrow {
			err = begin(s.Logins.Narrow, t.pair)
		}
	}
	if err != nil {
		t.forget(ctx)
		return nil, err
	}
	return t, nil
}

// isNarrowed reports whether the account is under attack and the network is not one of its
// known ones.
func (t *passwordTry) isNarrowed(ctx context.Context) (bool, error) {
	for _, c := range []struct {
		ceiling *ratelimit.Ceiling
		key     string
	}{{t.Logins.Account, t.account}, {t.Logins.All, guard.AllKey}} {
		if reached, err := c.ceiling.Reached(ctx, c.key); err != nil || reached {
			known, failed := t.Logins.Known.Reached(ctx, t.pair)
			return reached && !known, cmp.Or(err, failed)
		}
	}
	return false, nil
}

// checkSignIns checks that an account has not had too many sign-ins. It comes before the check of
// the password, which is expensive. The error is TooMany.
func (s *Handlers) checkSignIns(ctx context.Context, email string) error {
	reached, err := s.Logins.Right.Reached(ctx, s.Key(email, ""))
	if err != nil || !reached {
		return err
	}
	return ratelimit.Refuse(ratelimit.Quota{Limit: s.Logins.Right.Limit, Reset: s.Logins.Right.Window}, "Trop de connexions à ce compte. Réessayez dans quelques minutes.")
}

// signIn opens a session of an account, or of a program that it allows, unless the account has had too many.
func (s *Handlers) signIn(ctx context.Context, email string, session postgres.SignIn) error {
	if err := s.checkSignIns(ctx, email); err != nil {
		return err
	}
	if err := s.DB.CreateRefreshToken(ctx, session); err != nil {
		return err
	}
	if err := s.Logins.Right.Record(ctx, s.Key(email, "")); err != nil {
		s.Log.WarnContext(ctx, "limit: record a sign-in", "error", err)
	}
	return nil
}

// succeed ends a try with the right password; known means that it completes the sign-in.
func (t *passwordTry) succeed(ctx context.Context, known bool) {
	t.forget(ctx)
	if !known {
		return
	}
	if err := t.Logins.Known.Record(ctx, t.pair); err != nil {
		t.Log.WarnContext(ctx, "limit: remember a network", "error", err)
	}
}

// knowNetwork records the caller's network as one of the account's own, after a sign-in
// without a password.
func (s *Handlers) knowNetwork(c *fiber.Ctx, email string) {
	pair := s.Key(email, transport.Network(s.Address(c)).String())
	if err := s.Logins.Known.Record(c.UserContext(), pair); err != nil {
		s.Log.WarnContext(c.UserContext(), "limit: remember a network", "error", err)
	}
}

// countFailures runs one step of a sign-in at a provider: refusals count as failures of
// the network, like wrong passwords.
func (s *Handlers) countFailures(c *fiber.Ctx, step func() error) error {
	ctx := c.UserContext()
	if s.Address(c).IsLoopback() { // loopback may be an undeclared proxy with all its clients
		return step()
	}
	try, err := s.BeginVisit(c, s.Logins.Network, "")
	if err != nil {
		return err
	}
	quota := try.Quota()
	done := step()
	switch errs.KindOf(done) {
	case errs.Invalid, errs.Unauthorized, errs.Forbidden:
		if quota, err = try.Count(ctx); err != nil {
			return err
		}
	default:
		try.Forget(ctx)
	}
	transport.SetQuota(c, quota)
	return done
}

// forget ends a try without a result.
func (t *passwordTry) forget(ctx context.Context) {
	for _, e := range append(t.others, t.own) {
		t.Handlers.TakeBack(ctx, e.Forget)
	}
}

// fail ends a try with a wrong password and returns the tightest quota.
func (t *passwordTry) fail(ctx context.Context) (least ratelimit.Quota, err error) {
	err = cmp.Or(t.Logins.Account.Record(ctx, t.account), t.Logins.All.Record(ctx, guard.AllKey))
	if err != nil {
		return least, err
	}
	if least, err = t.own.Count(ctx); err != nil {
		return least, err
	}
	for _, e := range t.others {
		q, err := e.Count(ctx)
		if err != nil {
			return least, err
		}
		if q.Remaining < least.Remaining {
			least = q
		}
	}
	return least, nil
}
