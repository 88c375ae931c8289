// Package httpapi is the service over HTTP: it reads requests, calls the
// stores, and writes what the contract promises. It decides nothing about law,
// answers or gazettes.
//
// Handlers return errors; respond alone writes them, with the status and the
// French sentence of the error's kind, and nothing internal. A handler behind
// protected is given the account that the token speaks for, as the database has
// it at that moment: there is no other way to reach a user's data. Faults of a
// request's shape are collected and told all at once (422).
//
// An answer is streamed from the relay and, whenever the relay cannot say, from
// the row: a stream ends with the answer's one end event, unless the client
// leaves or the server is told to stop, and then the client may resume on any
// server. What a client does not read within sendLimit costs it the connection,
// never the server a goroutine. Connections are bounded, in all and for each
// network, and one whose client neither sends nor reads is closed (gate).
//
// The server is Fiber's. Its traps are met here: strings are copied out of its
// buffers (Immutable), a stream writer recovers from its own panics, write
// deadlines are set before each write because a general one would cut streams,
// a new connection has its first deadline from us, and no body is decompressed.
package httpapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"net"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"
	"github.com/valyala/fasthttp"

	"vigueur/internal/auth"
	"vigueur/internal/blobs"
	"vigueur/internal/postgres"
	"vigueur/internal/queue"
	"vigueur/internal/ratelimit"
	"vigueur/internal/relay"
	"vigueur/internal/webpage"
)

// Server is the HTTP side of the service. Every field but Page is needed. It is not copied
// once it serves.
type Server struct {
	DB        *postgres.DB
	Relay     *relay.Relay // being Run by the caller
	Queue     Queue
	Workers   func(class string) (int, error) // processes that read a queue
	Blobs     blobs.Store
	Tokens    *auth.Tokens
	Passwords *auth.Passwords
	Logins    LoginLimits
	Inquiries *ratelimit.Limiter // accepted inquiries from one network
	Letters   *ratelimit.Limiter // messages with links that anybody has sent, and links that are tried, from one network
	Mailbox   *ratelimit.Limiter // such messages to one address
	Exports   *ratelimit.Limiter // of all that is kept of one account
	Signup    Signup
	Lives     Lives
	Keys      *ratelimit.Allowance // calls of each API key
	Factors   Factors
	Providers Providers
	Guests    *ratelimit.Limiter // titles for nobody in particular, from one network; nil: none

	AddressSecret []byte         // key under which addresses are hashed
	Proxies       []netip.Prefix // whose X-Forwarded-For is believed; may be empty
	Origins       []string       // whose pages may call from a browser; may be empty
	BaseURL       string         // public address, before url_source
	Models        []Model        // one of them the default
	Page          *webpage.Site  // nil: the API alone
	Checks        []Check
	Backlog       postgres.Backlog // beyond it, questions are refused
	OpenPDF       func(ctx context.Context, path string) (PDF, error)
	Connections   Connections
	Uploads       int // files that arrive at once; further ones are refused

	Log *slog.Logger
	Now func() time.Time

	limits  limits
	drawing drawSlots

	rows  rowWatch
	ready readiness
	open  atomic.Int64 // streams

	uploads atomic.Int64 // files that arrive

	unbelieved atomic.Int64 // when a proxy that is not known was told of, ns since 1970
}

// Queue hints to the workers that a row waits. An error costs a few seconds: the
// workers' sweep finds the row.
type Queue interface {
	Enqueue(ctx context.Context, class queue.Class, id uuid.UUID) error
}

// Model is one that a question may name.
type Model struct {
	ID      string `json:"id"`
	Label   string `json:"label"`
	Default bool   `json:"default"`
}

// Check looks at a store for /readyz.
type Check struct {
	Name     string
	Required bool // the server takes no requests without it
	Ping     func(ctx context.Context) error
}

// Limits of one request.
const (
	bodyLimit    = 1 << 20          // bytes of a JSON body
	readLimit    = 4 << 20          // bytes read before the connection is given up: a body somewhat too large gets a whole reply
	headerLimit  = 16 << 10         // bytes of the request line and headers
	readTimeout  = 30 * time.Second // for the whole request to arrive
	idleTimeout  = 75 * time.Second // between two requests of a connection
	workTimeout  = 10 * time.Second // for a handler, streams excepted
	drainTimeout = 8 * time.Second  // for what runs when the server is told to stop; a supervisor kills after 10
)

// Serve answers on ln until ctx ends; then it takes no more connections, tells
// the streams to resume elsewhere, and waits for what runs. It closes ln.
func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	app := s.app()
	s.rows.news, s.rows.relayDown, s.rows.log = s.DB.News, s.Relay.DownServers, s.Log
	s.rows.sessions.ended, s.rows.sessions.log = s.DB.EndedSessions, s.Log
	var beside sync.WaitGroup
	looking, stop := context.WithCancel(context.WithoutCancel(ctx))
	beside.Go(func() { s.rows.run(looking) })
	defer beside.Wait()
	defer stop()
	served := make(chan error, 1)
	go func() { served <- app.Listener(s.gate(ln)) }()
	select {
	case err := <-served:
		return fmt.Errorf("httpapi: serve %s: %w", ln.Addr(), err)
	case <-ctx.Done():
	}
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTimeout)
	defer cancel()
	err := errors.Join(app.ShutdownWithContext(drain), s.streamsEnded(drain))
	if closed := ln.Close(); closed != nil && !errors.Is(closed, net.ErrClosed) {
		err = errors.Join(err, closed)
	}
	if failed := <-served; failed != nil && !errors.Is(failed, net.ErrClosed) {
		err = errors.Join(err, failed)
	}
	if err != nil {
		return fmt.Errorf("httpapi: shut down: %w", err)
	}
	return nil
}

// streamsEnded waits until the last stream has ended: the HTTP server knows of
// none.
func (s *Server) streamsEnded(ctx context.Context) error {
	for tick := time.NewTicker(5 * time.Millisecond); ; {
		if s.open.Load() == 0 {
			tick.Stop()
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			tick.Stop()
			return ctx.Err()
		}
	}
}

// limits are others than the usual ones, where they are not zero: tests wait for
// no clock, and a busy machine fails none of them.
type limits struct {
	read   time.Duration // readTimeout
	pace   time.Duration // readTimeout, for clients that read slowly
	work   time.Duration // workTimeout
	check  time.Duration // checkTimeout
	linger time.Duration // lingerTime and lingerIdle
	send   time.Duration // sendLimit
}

// gate is ln within the server's bounds.
func (s *Server) gate(ln net.Listener) *gate {
	return &gate{
		Listener: ln, bounds: s.Connections, first: s.waits(), pace: cmp.Or(s.limits.pace, readTimeout), log: s.Log,
		shared: func(a netip.Addr) bool { return a.IsLoopback() || isTrusted(a, s.Proxies) }, spread: s.spread(),
	}
}

// spread tells each connection's share of longer waiting: up to half as long again.
func (s *Server) spread() func() float64 {
	if s.limits.read > 0 {
		return func() float64 { return 0 }
	}
	return func() float64 { return rand.Float64() / 2 }
}

// waits is how long a request may take to arrive.
func (s *Server) waits() time.Duration { return cmp.Or(s.limits.read, readTimeout) }

// app builds the Fiber application.
func (s *Server) app() *fiber.App {
	app := fiber.New(fiber.Config{
		AppName:               "vigueur",
		Immutable:             true,
		CaseSensitive:         true,
		StreamRequestBody:     true,        // gather holds the limits
		BodyLimit:             math.MaxInt, // beyond it, Fiber waits for more than it needs before the handler runs
		ReadBufferSize:        headerLimit,
		Concurrency:           s.Connections.All + 1, // the gate refuses before
		ReadTimeout:           s.waits(),
		IdleTimeout:           idleTimeout,
		ReduceMemoryUsage:     true, // a stream does not keep the buffer that its request was read with
		DisableStartupMessage: true,

		DisablePreParseMultipartForm: true,
		ErrorHandler:                 s.unrouted,
	})
	app.Use(s.observe)
	if len(s.Origins) > 0 {
		app.Use(s.crossOrigin())
	}
	app.Use(admit)
	app.Use(s.site)
	s.routes(app)
	app.Server().Handler = knownMethods(app.Handler())
	app.Server().KeepHijackedConns = true // a stream closes its own
	return app
}

// knownMethods lets a method that Fiber has never heard of be refused like one
// that the route does not take: Fiber alone would answer with plain text.
func knownMethods(next fasthttp.RequestHandler) fasthttp.RequestHandler {
	return func(ctx *fasthttp.RequestCtx) {
		if !slices.Contains(fiber.DefaultMethods, string(ctx.Method())) {
			ctx.Request.Header.SetMethod(fiber.MethodTrace) // no route takes it
		}
		next(ctx)
	}
}
