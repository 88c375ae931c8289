package httpapi

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/errs"
	"vigueur/internal/trace"
)

// event is the one thing that is logged of a request: what it was, what came of
// it, and how long it took. It holds no personal data.
type event struct {
	start time.Time
	attrs []slog.Attr
	err   error
	span  *trace.Span
	taken bool // the stream that the request opened logs it at its end

	arrived error // nil: the request's body is there
}

// eventKey is where a request's event is kept.
type eventKey struct{}

func eventOf(c *fiber.Ctx) *event {
	e, _ := c.Locals(eventKey{}).(*event)
	return e
}

// note adds to what is logged of the request.
func note(c *fiber.Ctx, attrs ...slog.Attr) {
	if e := eventOf(c); e != nil {
		e.attrs = append(e.attrs, attrs...)
	}
}

// take gives the event to a stream, whose end is the end of the request.
func (e *event) take(status int) *event {
	e.taken = true
	attrs := append(slices.Clone(e.attrs), slog.Int("status", status))
	return &event{start: e.start, attrs: attrs, span: e.span}
}

// observe is around every request: it names it, bounds it, catches its panics,
// writes its error and logs it.
func (s *Server) observe(c *fiber.Ctx) error {
	e := &event{arrived: gather(c)} // not within the handler's time
	ctx, cancel := context.WithTimeout(context.Background(), cmp.Or(s.limits.work, workTimeout))
	defer cancel()
	if strings.HasPrefix(c.Path(), "/api/") { // not the page's files, nor those who look whether the server lives
		ctx, e.span = trace.Start(ctx, "request")
	}
	c.SetUserContext(ctx)
	e.start = s.Now()
	c.Locals(eventKey{}, e)
	decorate(c)
	note(c, slog.String("request_id", c.GetRespHeader(fiber.HeaderXRequestID)), slog.String("method", c.Method()))

	err := s.proceed(c)
	if err != nil {
		s.respond(c, err)
	}
	s.leave(c)
	if e.taken {
		return nil
	}
	e.err = err
	e.attrs = append(e.attrs, slog.String("route", c.Route().Path), slog.Int("status", c.Response().StatusCode()))
	s.record(ctx, e)
	return nil
}

// admit stops a request whose body did not arrive, after what every response of
// the address carries is set.
func admit(c *fiber.Ctx) error {
	if e := eventOf(c); e != nil && e.arrived != nil {
		return e.arrived
	}
	return c.Next()
}

// proceed runs the route, a panic of which is an internal error.
func (s *Server) proceed(c *fiber.Ctx) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("httpapi: panic: %v\n%s", cause, debug.Stack())
		}
	}()
	return c.Next()
}

// record logs a request that has ended.
func (s *Server) record(ctx context.Context, e *event) {
	level := slog.LevelInfo
	attrs := append(slices.Clip(e.attrs), slog.Float64("ms", float64(s.Now().Sub(e.start).Microseconds())/1000))
	if e.err != nil {
		attrs = append(attrs, slog.String("error", e.err.Error()), slog.String("kind", kindName(e.err)))
		switch errs.Describe(kindOf(e.err)).Status {
		case fiber.StatusInternalServerError:
			level = slog.LevelError
		case fiber.StatusServiceUnavailable:
			level = slog.LevelWarn
		}
	}
	s.Log.LogAttrs(ctx, level, "request", attrs...)
	e.trace()
}

// traced are what a trace tells of a request; all else of it stays in the log.
var traced = []string{"request_id", "message_id", "route", "method", "status", "outcome"}

// trace ends the request's step of its trace.
func (e *event) trace() {
	if e.span == nil {
		return
	}
	var route, method string
	for _, a := range e.attrs {
		switch a.Key {
		case "route":
			route = a.Value.String()
		case "method":
			method = a.Value.String()
		}
		if slices.Contains(traced, a.Key) {
			e.span.Text(a.Key, a.Value.String())
		}
	}
	e.span.Rename(method + " " + route)
	e.span.End(e.err)
}

// unrouted answers what never came to a route: a request that could not be read.
func (s *Server) unrouted(c *fiber.Ctx, err error) error {
	decorate(c)
	s.respond(c, err)
	s.record(c.Context(), &event{start: s.Now(), err: err, attrs: []slog.Attr{
		slog.String("request_id", c.GetRespHeader(fiber.HeaderXRequestID)), slog.Int("status", c.Response().StatusCode()),
	}})
	return nil
}

var requestID = regexp.MustCompile(`^[A-Za-z0-9._-]{1,128}$`)

// decorate sets what every response carries.
func decorate(c *fiber.Ctx) {
	id := c.Get(fiber.HeaderXRequestID)
	if !requestID.MatchString(id) {
		id = uuid.NewString()
	}
	c.Set(fiber.HeaderXRequestID, id)
	c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
	c.Set(fiber.HeaderReferrerPolicy, "no-referrer")
	c.Set(fiber.HeaderContentSecurityPolicy, "default-src 'none'; frame-ancestors 'none'")
	c.Set(fiber.HeaderCacheControl, "no-store")
}
