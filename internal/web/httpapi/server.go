// Package httpapi is the service's HTTP interface: it parses requests, calls the stores,
// and writes responses as the contract defines. It has no logic of law, answers or
// gazettes.
//
// Handlers return errors; only respond writes them, with the status and the French sentence
// of the error's kind, and nothing internal. A handler behind protected gets the account of
// the token, in its current state: there is no other way to a user's data. All faults in a
// request's form are returned together (422).
//
// An answer is streamed from the relay, or from its row if the relay is down. A stream ends
// with the answer's single end event, unless the client disconnects or the server shuts
// down; then the client may resume on any server. A client that does not read within
// sendLimit loses its connection, and never blocks a goroutine for longer. Connections are
// limited, in total and per network, and one whose client neither sends nor reads is closed
// (gate).
//
// The server is Fiber's. Its pitfalls are handled here: strings are copied out of its
// buffers (Immutable), a stream writer recovers from its own panics, write deadlines are
// set before each write because a general one would cut streams, the first deadline of a
// connection is set by the listener, and no body is decompressed.
package httpapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
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

	"vigueur/internal/store/blobs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/ratelimit"
	"vigueur/internal/store/relay"
	"vigueur/internal/web/auth"
	"vigueur/internal/web/webpage"
	"vigueur/internal/work/queue"
)

// Server is the HTTP server of the service. Every field except Page, Alerts and those marked so is
// required. It must not be copied once it serves.
type Server struct {
	DB           *postgres.DB
	Relay        *relay.Relay // run by the caller
	Queue        Queue
	Workers      func(class string) (int, error) // number of processes that read a queue
	Blobs        blobs.Store
	Tokens       *auth.Tokens
	Passwords    *auth.Passwords
	Logins       LoginLimits
	Inquiries    *ratelimit.Limiter // accepted inquiries from one network
	AllInquiries *ratelimit.Limiter // accepted inquiries from everywhere
	LinkRequests *ratelimit.Limiter // requests for messages with links, and uses of links, from one network
	Mailbox      *ratelimit.Limiter // requests for such messages to one address
	Exports      *ratelimit.Limiter // exports of one account's data
	Deliveries   *ratelimit.Limiter // deliveries to webhooks that one account asks for
	Signup       Signup
	Lives        Lives
	Keys         *ratelimit.Allowance // calls of each API key
	Factors      Factors
	Providers    Providers
	Programs     Programs
	// GuestQuestions limits the questions without an account from one network; nil: not allowed.
	GuestQuestions *ratelimit.Limiter

	Guests *ratelimit.Limiter // title suggestions without authentication, from one network; nil: not allowed

	Alerts Alerts

	Public *Public // pages of the catalogue for everybody; nil: none

	AddressSecret []byte         // key under which addresses are hashed
	Proxies       []netip.Prefix // whose X-Forwarded-For is trusted; may be empty
	Origins       []string       // pages that may call from a browser; may be empty
	BaseURL       string         // public address, prefix of url_source
	Models        []Model        // one of them is the default
	Page          *webpage.Site  // nil: no page, only the API
	Checks        []Check
	Backlog       postgres.Backlog // beyond it, questions are rejected
	OpenPDF       func(ctx context.Context, path string) (PDF, error)
	ReadFile      func(ctx context.Context, path string) (text string, err error) // of a file that is to be checked
	Connections   Connections
	Bodies        ByteRoom // of requests
	Replies       ByteRoom // of responses that clients have not taken yet
	Uploads       int      // concurrent uploads; further ones are rejected

	Log *slog.Logger
	Now func() time.Time

	limits  limits
	drawing slots // pages of gazettes that are rendered
	pages   pageImages
	papers  slots // files for reading in the making; a long one takes seconds of a core
	checks  slots // texts that are checked, which takes as long

	clients  clients
	replies  replies
	reads    turns // of accounts' own conversations
	refusals refusals

	rows  rowWatch
	ready readiness
	open  atomic.Int64 // streams

	uploads uploads // gazettes that arrive
	briefs  uploads // files to be checked that arrive

	unbelieved atomic.Int64 // when it last warned about an unknown proxy, ns since 1970
}

// Queue enqueues hints that a row waits. An error costs a few seconds: the workers' sweep
// finds the row.
type Queue interface {
	Enqueue(ctx context.Context, kind queue.Kind, id uuid.UUID) error
}

// Model is a model that a question may name.
type Model struct {
	ID      string `json:"id"`
	Label   string `json:"label"`
	Default bool   `json:"default"`
}

// Check is a check of a store for /readyz.
type Check struct {
	Name     string
	Required bool // without the store the server is not ready
	Ping     func(ctx context.Context) error
}

// BodyLimit is the maximum size of a JSON body, in bytes.
const BodyLimit = 1 << 20

// Limits of one request.
const (
	readLimit    = 4 << 20          // bytes of a body that are read and dropped: the client of a slightly too large one still gets the response
	headerLimit  = 16 << 10         // bytes of the request line and headers
	readTimeout  = 30 * time.Second // for the whole request to arrive
	idleTimeout  = 75 * time.Second // between two requests of a connection
	patience     = time.Second      // for a client that sends nothing, if all places are taken
	workTimeout  = 10 * time.Second // for a handler, except streams
	drainTimeout = 8 * time.Second  // for running requests at shutdown; a supervisor kills after 10
)

// Serve serves on ln until ctx ends; then it accepts no more connections, ends the streams
// so that clients resume elsewhere, and waits for running requests. It closes ln.
func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	app, gate := s.app(), s.gate(ln)
	app.Server().ConnState = gate.follow
	s.rows.news, s.rows.relayDown, s.rows.log = s.DB.News, s.Relay.DownServers, s.Log
	s.rows.sessions.ended, s.rows.sessions.log = s.DB.EndedSessions, s.Log
	var beside sync.WaitGroup
	looking, stop := context.WithCancel(context.WithoutCancel(ctx))
	beside.Go(func() { s.rows.run(looking) })
	beside.Go(func() { s.noteRepeated(looking) })
	defer beside.Wait()
	defer stop()
	served := make(chan error, 1)
	go func() { served <- app.Listener(gate) }()
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

// streamsEnded waits until the last stream has ended, because the HTTP server does not know
// of hijacked connections.
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

// limits override the defaults unless zero, so that tests do not wait, nor fail on a busy
// machine.
type limits struct {
	read   time.Duration // readTimeout
	pace   time.Duration // readTimeout, for clients that read slowly
	work   time.Duration // workTimeout
	check  time.Duration // checkTimeout
	linger time.Duration // lingerTime and lingerIdle
	send   time.Duration // sendLimit

	patience time.Duration // patience
}

// gate wraps ln with the server's limits.
func (s *Server) gate(ln net.Listener) *gate {
	return &gate{
		Listener: ln, bounds: s.Connections, first: s.waits(), pace: cmp.Or(s.limits.pace, readTimeout), patience: cmp.Or(s.limits.patience, patience), log: s.Log,
		shared: func(a netip.Addr) bool { return a.IsLoopback() || isTrusted(a, s.Proxies) }, spread: s.spread(),
	}
}

// spread returns random shares of additional waiting time: up to half as long again.
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
		StreamRequestBody:     true, // gather enforces the limits
		BodyLimit:             1,    // bytes that the HTTP server waits for before the handler runs
		ReadBufferSize:        headerLimit,
		Concurrency:           s.Connections.All + 1, // the gate refuses earlier
		ReadTimeout:           s.waits(),
		IdleTimeout:           idleTimeout,
		ReduceMemoryUsage:     true, // a stream does not keep its request's read buffer
		DisableStartupMessage: true,

		DisablePreParseMultipartForm: true,
		ErrorHandler:                 s.unrouted,
	})
	app.Use(s.observe)
	if len(s.Origins) > 0 {
		app.Use(s.crossOrigin())
	}
	s.publicRoutes(app)
	app.Use(s.site)
	s.routes(app)
	app.Server().Handler = knownMethods(app.Handler())
	app.Server().HeaderReceived = func(*fasthttp.RequestHeader) fasthttp.RequestConfig {
		return fasthttp.RequestConfig{ReadTimeout: cmp.Or(s.limits.read, firstByte)}
	}
	app.Server().KeepHijackedConns = true // a stream closes its own connection
	return app
}

// knownMethods makes unknown methods fail like methods that the route does not allow: Fiber
// alone would respond with plain text.
func knownMethods(next fasthttp.RequestHandler) fasthttp.RequestHandler {
	return func(ctx *fasthttp.RequestCtx) {
		if !slices.Contains(fiber.DefaultMethods, string(ctx.Method())) {
			ctx.Request.Header.SetMethod(fiber.MethodTrace) // which no route allows
		}
		next(ctx)
	}
}
