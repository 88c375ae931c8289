// Package transport carries requests and responses: it limits connections, requests and bytes of
// each network, reads bodies, writes errors and event streams, and logs each request once. It
// knows no route and no account.
//
// Handlers return errors; only respond writes them, with the status and the French sentence of
// the error's kind, and nothing internal.
//
// A client that does not read a stream within sendLimit loses its connection, and never blocks a
// goroutine for longer. Connections are limited, in total and per network, and one whose client
// neither sends nor reads is closed (gate).
//
// The server is Fiber's. Its pitfalls are handled here: strings are copied out of its buffers
// (Immutable), a stream writer recovers from its own panics, write deadlines are set before each
// write because a general one would cut streams, and no body is decompressed.
package transport

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/middleware/cors"
	"github.com/valyala/fasthttp"
)

// ToolsRoute is the address of the tools for programs.
const ToolsRoute = "/mcp"

// Prefix is the prefix of all API paths except those of the service itself and of protocols
// that have addresses of their own.
const Prefix = "/api/v1"

// Limits of one request.
const (
	HeaderLimit  = 16 << 10         // bytes of the request line and headers
	readTimeout  = 30 * time.Second // for the whole request to arrive
	idleTimeout  = 75 * time.Second // between two requests of a connection
	WorkTimeout  = 10 * time.Second // for a handler, except streams
	drainTimeout = 8 * time.Second  // for running requests at shutdown; a supervisor kills after 10

	preflightLife = 600 // seconds for which a browser may cache a preflight
)

// Limits override the defaults unless zero, so that tests do not wait, nor fail on a busy
// machine.
type Limits struct {
	Read   time.Duration // readTimeout
	Pace   time.Duration // readTimeout, for clients that read slowly
	Work   time.Duration // workTimeout
	Check  time.Duration // checkTimeout
	Linger time.Duration // lingerTime and lingerIdle
	Send   time.Duration // sendLimit

	Patience time.Duration // patience
}

// Transport carries requests and responses. It must not be copied once it serves.
type Transport struct {
	Log         *slog.Logger
	Now         func() time.Time
	Proxies     []netip.Prefix // whose X-Forwarded-For is trusted; may be empty
	Origins     []string       // pages that may call from a browser; may be empty
	BaseURL     string         // public address of the service
	Connections Connections
	Bodies      ByteRoom // of requests
	Replies     ByteRoom // of responses that clients have not taken yet
	Limits      Limits
	Plain       bool // clients are told what a store said that is down

	ErrorForms []ErrorForm
	IsUpload   func(c *fiber.Ctx) bool // whether the handler reads the body itself, piece by piece; nil: none does
	MostUpload int                     // bytes of such a body that are dropped

	clients    clients
	bodies     room
	replies    room
	open       atomic.Int64 // streams
	unbelieved atomic.Int64 // when it last warned about an unknown proxy, ns since 1970
}

// Base is the address of the service without a slash at the end.
func (s *Transport) Base() string { return strings.TrimRight(s.BaseURL, "/") }

// ServeApp serves an application on ln until ctx ends, and runs beside it what ends with a
// context of its own after the last request.
func (s *Transport) ServeApp(ctx context.Context, ln net.Listener, app *fiber.App, beside ...func(ctx context.Context)) error {
	gate := s.gate(ln)
	app.Server().ConnState = gate.follow
	var all sync.WaitGroup
	looking, stop := context.WithCancel(context.WithoutCancel(ctx))
	for _, run := range beside {
		all.Go(func() { run(looking) })
	}
	defer all.Wait()
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

// ServeWithin serves an application within the process until stop is called. dial opens a connection that no other
// process can reach.
func ServeWithin(app *fiber.App) (dial func(context.Context, string, string) (net.Conn, error), stop func() error) {
	line, served := &pipes{conns: make(chan net.Conn), closed: make(chan struct{})}, make(chan error, 1)
	go func() { served <- app.Listener(line) }()
	return line.dial, func() error {
		// An application that does not serve yet knows no listener to close.
		return errors.Join(app.Shutdown(), line.Close(), <-served)
	}
}

// pipes listens for connections of the process itself. Unlike those of fasthttputil, a deadline ends a read that has
// begun, which hangup.Watch needs.
type pipes struct {
	conns  chan net.Conn
	once   sync.Once
	closed chan struct{}
}

// dial opens a connection.
func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case p.conns <- theirs:
		return ours, nil
	case <-p.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept implements net.Listener. The error is io.EOF once it is closed, which the HTTP server takes for its end.
func (p *pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.conns:
		return conn, nil
	case <-p.closed:
		return nil, io.EOF
	}
}

// Close implements net.Listener.
func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

// Addr implements net.Listener.
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "within", Net: "unix"} }

// streamsEnded waits until the last stream has ended, because the HTTP server does not know
// of hijacked connections.
func (s *Transport) streamsEnded(ctx context.Context) error {
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

// NewApp builds the Fiber application with the routes that mount adds.
func (s *Transport) NewApp(mount func(app *fiber.App)) *fiber.App {
	app := fiber.New(fiber.Config{
		AppName:               "vigueur",
		Immutable:             true,
		CaseSensitive:         true,
		StreamRequestBody:     true, // gather enforces the limits
		BodyLimit:             1,    // bytes that the HTTP server waits for before the handler runs
		ReadBufferSize:        HeaderLimit,
		Concurrency:           s.Connections.All + 1, // the gate refuses earlier
		ReadTimeout:           cmp.Or(s.Limits.Read, readTimeout),
		IdleTimeout:           idleTimeout,
		ReduceMemoryUsage:     true, // a stream does not keep its request's read buffer
		DisableStartupMessage: true,

		DisablePreParseMultipartForm: true,
		ErrorHandler:                 s.respondUnparsed,
	})
	app.Use(s.observe)
	if len(s.Origins) > 0 {
		app.Use(s.crossOrigin())
	}
	mount(app)
	app.Server().Handler = knownMethods(app.Handler())
	app.Server().HeaderReceived = func(*fasthttp.RequestHeader) fasthttp.RequestConfig {
		return fasthttp.RequestConfig{ReadTimeout: cmp.Or(s.Limits.Read, firstByte)}
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

// crossOrigin allows pages of the configured origins to call from a browser, with the
// session's cookie. Only listed origins are allowed to send credentials. Without configured
// origins this handler is not installed, and browsers block all pages of other origins.
func (s *Transport) crossOrigin() fiber.Handler {
	return cors.New(cors.Config{
		AllowOrigins:     strings.Join(s.Origins, ","),
		AllowCredentials: true,
		AllowMethods:     "GET,HEAD,POST,PATCH,DELETE",
		AllowHeaders:     "Authorization,Content-Type,Last-Event-ID,X-Request-Id,Idempotency-Key,Range,If-Range,If-None-Match",
		ExposeHeaders: "X-Request-Id,X-Conversation-Id,X-Message-Id,Retry-After,RateLimit-Limit,RateLimit-Remaining,RateLimit-Reset,RateLimit-Policy,Idempotency-Replayed," +
			"Content-Disposition,Content-Range,Accept-Ranges,ETag,X-Page-Width",
		MaxAge: preflightLife,
	})
}

// SetCookie sets a cookie for life, sent only to routes below path; a life of 0 deletes it.
func (s *Transport) SetCookie(c *fiber.Ctx, name, path, value string, life time.Duration) {
	var expires time.Time
	if life == 0 {
		expires = time.Unix(1, 0) // Fiber writes no Max-Age below 1
	}
	c.Cookie(&fiber.Cookie{
		Name: name, Value: value, Path: path, MaxAge: int(life / time.Second), Expires: expires,
		HTTPOnly: true, Secure: s.secureCookies(), SameSite: fiber.CookieSameSiteStrictMode,
	})
}

// secureCookies reports whether cookies are sent over TLS only: unless the service's own
// address is the local machine, which has no TLS. The request's host is not used, because
// the client chooses it.
func (s *Transport) secureCookies() bool {
	u, err := url.Parse(s.BaseURL)
	if err != nil || u.Scheme == "https" {
		return true
	}
	a, err := netip.ParseAddr(u.Hostname())
	return !strings.EqualFold(u.Hostname(), "localhost") && (err != nil || !a.IsLoopback())
}

// isProbe reports whether a request asks whether the service lives. Probes hold nothing, and
// an attack must not make a supervisor take the service for dead.
func isProbe(c *fiber.Ctx) bool { return c.Path() == "/healthz" || c.Path() == "/readyz" }
