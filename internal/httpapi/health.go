package httpapi

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
)

// checkTimeout is how long a store has to answer a check.
const checkTimeout = time.Second

// What a check says of a store, and readyz of the server.
const (
	stateOK   = "ok"
	stateDown = "down"
)

type stateBody struct {
	Status string `json:"status"`
	Detail string `json:"detail,omitempty"`
}

// Degraded is what a check says of a store without which the service goes on in
// another way: Detail is for everybody.
type Degraded struct {
	Detail string
	Err    error
}

func (d *Degraded) Error() string { return d.Detail + ": " + d.Err.Error() }

func (d *Degraded) Unwrap() error { return d.Err }

// healthz says that the process lives, whatever its stores do.
func (s *Server) healthz(c *fiber.Ctx) error { return c.JSON(stateBody{Status: stateOK}) }

// readyz says whether the server can do its work, store by store, and what it does
// without one. It tells strangers no more than that: why a store is down is in the log.
func (s *Server) readyz(c *fiber.Ctx) error {
	states := s.states()
	body := struct {
		Status string               `json:"status"`
		Stores map[string]stateBody `json:"stores"`
	}{stateOK, map[string]stateBody{}}
	for i, check := range s.Checks {
		body.Stores[check.Name] = states[i]
		if check.Required && states[i].Status == stateDown {
			body.Status = stateDown
		}
	}
	if body.Status == stateDown {
		c.Set(fiber.HeaderRetryAfter, strconv.Itoa(retryAfter))
		c.Status(fiber.StatusServiceUnavailable)
	}
	return c.JSON(body)
}

// readyFor is how long what was found of the stores is told again: how often they
// are asked is not for strangers to say.
const readyFor = time.Second

// readiness is what was found of the stores last.
type readiness struct {
	mu     sync.Mutex
	at     time.Time
	states []stateBody
}

// states gives what the stores' states are, or were within readyFor. Requests
// that come meanwhile wait for the one look.
func (s *Server) states() []stateBody {
	s.ready.mu.Lock()
	defer s.ready.mu.Unlock()
	if now := s.Now(); s.ready.states == nil || now.Sub(s.ready.at) >= readyFor {
		s.ready.states = s.look(context.Background())
		s.ready.at = s.Now()
	}
	return s.ready.states
}

// look asks every store at once; one that does not answer in time is down.
func (s *Server) look(ctx context.Context) []stateBody {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(s.limits.check, checkTimeout))
	defer cancel()
	states := make([]stateBody, len(s.Checks))
	var all sync.WaitGroup
	for i, check := range s.Checks {
		all.Go(func() {
			states[i].Status = stateOK
			if err := check.Ping(ctx); err != nil {
				states[i].Status = stateDown
				if d, ok := errors.AsType[*Degraded](err); ok {
					states[i].Detail = d.Detail
				}
				s.Log.LogAttrs(ctx, slog.LevelWarn, "store down", slog.String("store", check.Name), slog.Any("error", err))
			}
		})
	}
	all.Wait()
	return states
}
