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

	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/transport"
)

// checkTimeout is the time limit of a check.
const checkTimeout = time.Second

// The states of a store, and of the server in readyz.
const (
	stateOK   = "ok"
	stateDown = "down"
)

// storeState is the state of a store, or of the server.
type storeState struct {
	Status string `json:"status" enum:"ok,down"`
	Detail string `json:"detail,omitempty" doc:"Comment le service fait sans ce dont il manque."`
}

type readinessBody struct {
	Status string                `json:"status" enum:"ok,down"`
	Stores map[string]storeState `json:"stores"`
}

// Degraded is the error of a check if the service works without the store, in another way.
// Detail is public.
type Degraded struct {
	Detail string
	Err    error
}

func (d *Degraded) Error() string { return d.Detail + ": " + d.Err.Error() }

func (d *Degraded) Unwrap() error { return d.Err }

// healthz serves GET /healthz. It reports that the process runs, whatever the state of its stores.
func (s *Server) healthz(*fiber.Ctx, contract.None) (storeState, error) {
	return storeState{Status: stateOK}, nil
}

// readyz serves GET /readyz. It reports whether the server can work, store by store, and how it
// works without one. It shows no more to the public: why a store is down is in the log.
func (s *Server) readyz(c *fiber.Ctx, _ contract.None) (readinessBody, error) {
	states := s.states()
	body := readinessBody{stateOK, map[string]storeState{}}
	for i, check := range s.Checks {
		body.Stores[check.Name] = states[i]
		if check.Required && states[i].Status == stateDown {
			body.Status = stateDown
		}
	}
	if body.Status == stateDown {
		c.Set(fiber.HeaderRetryAfter, strconv.Itoa(transport.RetryAfter))
		return body, contract.Written(c.Status(fiber.StatusServiceUnavailable).JSON(body))
	}
	return body, nil
}

// Ready reports whether the server can work: every store that is required answers.
func (s *Server) Ready() bool {
	for i, state := range s.states() {
		if s.Checks[i].Required && state.Status == stateDown {
			return false
		}
	}
	return true
}

// readyFor is how long the result is cached, so that clients cannot make the server query
// its stores more often.
const readyFor = time.Second

// readiness is the cached result of the checks.
type readiness struct {
	mu     sync.Mutex
	at     time.Time
	states []storeState
}

// states returns the stores' states, at most readyFor old. Concurrent requests share one
// check.
func (s *Server) states() []storeState {
	s.ready.mu.Lock()
	defer s.ready.mu.Unlock()
	if now := s.Now(); s.ready.states == nil || now.Sub(s.ready.at) >= readyFor {
		s.ready.states = s.look(context.Background())
		s.ready.at = s.Now()
	}
	return s.ready.states
}

// look checks all stores concurrently; one that does not respond in time is down.
func (s *Server) look(ctx context.Context) []storeState {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(s.limits.Check, checkTimeout))
	defer cancel()
	states := make([]storeState, len(s.Checks))
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
