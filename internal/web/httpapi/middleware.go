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

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/trace"
)

// event is the one log record of a request: what it was, its outcome and its duration. It
// contains no personal data.
type event struct {
	start time.Time
	attrs []slog.Attr
	err   error
	span  *trace.Span
	taken bool // the stream that the request opened logs it when it ends

	arrived error // nil: the request's body was read
}

// eventKey is the context key of a request's event.
type eventKey struct{}

func eventOf(c *fiber.Ctx) *event {
	e, _ := c.Locals(eventKey{}).(*event)
	return e
}

// note adds attributes to the request's log record.
func note(c *fiber.Ctx, attrs ...slog.Attr) {
	if e := eventOf(c); e != nil {
		e.attrs = append(e.attrs, attrs...)
	}
}

// take hands the event over to a stream, which logs it when it ends.
func (e *event) take(status int) *event {
	e.taken = true
	attrs := append(slices.Clone(e.attrs), slog.Int("status", status))
	return &event{start: e.start, attrs: attrs, span: e.span}
}

// observe wraps every request: it assigns an id and a timeout, recovers panics, writes the
// error and logs the request.
func (s *Server) observe(c *fiber.Ctx) error {
	e := &event{arrived: gather(c)} // not within the handler's timeout
	ctx, cancel := context.WithTimeout(context.Background(), cmp.Or(s.limits.work, workTimeout))
	defer cancel()
	if strings.HasPrefix(c.Path(), "/api/") { // not for files of the page and health checks
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

// admit rejects a request whose body did not arrive, after the headers that every response
// of the route has were set.
func admit(c *fiber.Ctx) error {
	if e := eventOf(c); e != nil && e.arrived != nil {
		return e.arrived
	}
	return c.Next()
}

// proceed runs the route; a panic becomes an internal error.
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

// traced are the attributes of a request in traces; the others are only logged.
var traced = []string{"request_id", "message_id", "route", "method", "status", "outcome"}

// trace ends the request's span.
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

// unrouted responds to requests that could not be parsed.
func (s *Server) unrouted(c *fiber.Ctx, err error) error {
	decorate(c)
	s.respond(c, err)
	s.record(c.Context(), &event{start: s.Now(), err: err, attrs: []slog.Attr{
		slog.String("request_id", c.GetRespHeader(fiber.HeaderXRequestID)), slog.Int("status", c.Response().StatusCode()),
	}})
	return nil
}

var requestID = regexp.MustCompile(`^[A-Za-z0-9._-]{1,128}$`)

// decorate sets the headers of every response.
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
