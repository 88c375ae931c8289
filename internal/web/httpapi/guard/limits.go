package guard

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/netip"
	"strings"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/ratelimit"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/transport"
)

// Visit is an event of an address that has begun in a limit for each of the address's
// networks, the narrowest first.
type Visit struct {
	server *Guard
	Events []*ratelimit.Event
}

// BeginVisit begins an event of the client in a limit and, for each wider network, in the wider
// limit. The error is that of ratelimit.Limiter.Begin, or Forbidden if a page of another site sent
// the request, which must not use up what its visitor's network may do; then nothing has begun.
func (s *Guard) BeginVisit(c *fiber.Ctx, l *ratelimit.Limiter, what string) (*Visit, error) {
	if s.IsOfAnotherSite(c) {
		return nil, errs.New(errs.Forbidden, "Une page d’un autre site a envoyé cette requête. Ouvrez le service lui-même.")
	}
	v, ctx := &Visit{server: s}, c.UserContext()
	for steps, network := range transport.Networks(s.Address(c)) {
		e, err := l.Wider(steps).Begin(ctx, s.Key(what, network.String()))
		if err != nil {
			v.Forget(ctx)
			return nil, err
		}
		v.Add(e)
	}
	return v, nil
}

// Add adds an event that counts and is forgotten with the others.
func (v *Visit) Add(e *ratelimit.Event) { v.Events = append(v.Events, e) }

// Count counts the event everywhere and returns the tightest quota.
func (v *Visit) Count(ctx context.Context) (least ratelimit.Quota, err error) {
	for i, e := range v.Events {
		q, err := e.Count(ctx)
		if err != nil {
			return least, err
		}
		if i == 0 || q.Remaining < least.Remaining {
			least = q
		}
	}
	return least, nil
}

// Quota returns the tightest quota when the event began.
func (v *Visit) Quota() (least ratelimit.Quota) {
	for i, e := range v.Events {
		if q := e.Quota(); i == 0 || q.Remaining < least.Remaining {
			least = q
		}
	}
	return least
}

// Forget takes the event back.
func (v *Visit) Forget(ctx context.Context) {
	for _, e := range v.Events {
		v.server.TakeBack(ctx, e.Forget)
	}
}

// Key is a keyed hash of an account, a network or both.
func (s *Guard) Key(email, network string) string {
	mac := hmac.New(sha256.New, s.AddressSecret)
	mac.Write([]byte(strings.ToLower(email) + "|" + network))
	return hex.EncodeToString(mac.Sum(nil))
}

// HashAddress returns the keyed hash of an address; for IPv6, that of its /64 network.
func (s *Guard) HashAddress(a netip.Addr) []byte {
	mac := hmac.New(sha256.New, s.AddressSecret)
	if a.Is4() {
		mac.Write([]byte(a.String()))
	} else {
		mac.Write([]byte(transport.Network(a).String()))
	}
	return mac.Sum(nil)
}

// TakeBack takes an event back from a limit. If that fails, the event expires by itself.
func (s *Guard) TakeBack(ctx context.Context, forget func(context.Context) error) {
	if err := forget(context.WithoutCancel(ctx)); err != nil {
		s.Log.WarnContext(ctx, "limit: forget", "error", err)
	}
}

// AddressMark returns the keyed hash of the caller's address.
func (s *Guard) AddressMark(c *fiber.Ctx) string {
	return hex.EncodeToString(s.HashAddress(s.Address(c))[:8])
}

// AllKey is the key of limits that have only one.
const AllKey = "all"

const (
	// readsAtOnce is how many reads of its own conversations an account may have in progress
	// in one process. Each may search a long history, and holds a connection of the database
	// meanwhile; a page needs two.
	readsAtOnce = 4
	// readsWaiting is how many more may wait for their turn.
	readsWaiting = 16
)

// InTurn lets an account run a handler readsAtOnce times at the same time; further calls wait.
// The error is TooMany if too many wait, and that of the request's context.
func (s *Guard) InTurn(h contract.Handler) contract.Handler {
	serve := h.Serve
	h.Serve = func(c *fiber.Ctx, user postgres.User) error {
		release, err := s.reads.Take(c.UserContext(), transport.Turn{Who: user.ID.String(), Each: readsAtOnce, Queue: readsWaiting, Patience: transport.Patient})
		if err != nil {
			return err
		}
		defer release()
		return serve(c, user)
	}
	return h
}
