package transport

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/netip"
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

// Event is the one log record of a request: what it was, its outcome and its duration. It
// contains no personal data.
type Event struct {
	Start time.Time
	attrs []slog.Attr
	err   error
	span  *trace.Span
	taken bool             // the stream that the request opened logs it when it ends
	page  func(detail any) // rewrites an error that respond has written, nil: it stays

	server *Transport
	client netip.Addr // of the request
	body   int        // bytes of the body held in memory
	// refused reports that nothing more of the request is read: the client has too many, or its end is not known.
	refused bool
	place   func() // gives the client's place back when the request, and the stream that it opened, is over
	cancel  func() // ends the context of restart
}

// leave gives back what the request, or its stream, holds.
func (e *Event) leave() {
	for _, f := range []func(){e.place, e.cancel} {
		if f != nil {
			f()
		}
	}
}

// eventKey is the context key of a request's event.
type eventKey struct{}

func eventOf(c *fiber.Ctx) *Event {
	e, _ := c.Locals(eventKey{}).(*Event)
	return e
}

// Note adds attributes to the request's log record.
func Note(c *fiber.Ctx, attrs ...slog.Attr) {
	if e := eventOf(c); e != nil {
		e.Add(attrs...)
	}
}

// OnError has an error of the request rewritten after respond has written it.
func OnError(c *fiber.Ctx, rewrite func(detail any)) {
	if e := eventOf(c); e != nil {
		e.page = rewrite
	}
}

// Add adds attributes to the request's log record.
func (e *Event) Add(attrs ...slog.Attr) { e.attrs = append(e.attrs, attrs...) }

// take hands the event over to a stream, which logs it when it ends.
func (e *Event) take(status int) *Event {
	e.taken = true
	attrs := append(slices.Clone(e.attrs), slog.Int("status", status))
	stream := &Event{Start: e.Start, attrs: attrs, span: e.span, place: e.place}
	e.place = nil
	return stream
}

// observe wraps every request: it counts the request for its client, assigns an id and a
// timeout, recovers panics, writes the error and logs the request.
func (s *Transport) observe(c *fiber.Ctx) error {
	e := &Event{server: s, client: s.Address(c)}
	defer e.leave()
	markComplete(c.Context().Conn())
	ctx, cancel := context.WithTimeout(context.Background(), s.WorkTime())
	defer cancel()
	if strings.HasPrefix(c.Path(), "/api/") || strings.HasPrefix(c.Path(), "/v1/") || c.Path() == ToolsRoute { // not for files of the page and health checks
		ctx, e.span = trace.Start(ctx, "request")
	}
	c.SetUserContext(ctx)
	e.Start = s.Now()
	c.Locals(eventKey{}, e)
	decorate(c)
	Note(c, slog.String("request_id", c.GetRespHeader(fiber.HeaderXRequestID)), slog.String("method", c.Method()))

	err := s.checkFraming(c, e)
	if err == nil {
		err = s.countRequest(c, e)
	}
	if err == nil {
		err = s.proceed(c)
	}
	if err != nil {
		s.respond(c, err)
	}
	if full := s.holdReply(c, e); full != nil {
		err = full
		s.respond(c, err)
	}
	if !e.refused { // a refused client holds nothing that is not counted
		s.discardRest(c)
	}
	s.bodies.give(e.client, e.body)
	if e.taken {
		return nil
	}
	e.err = err
	e.attrs = append(e.attrs, slog.String("route", c.Route().Path), slog.Int("status", c.Response().StatusCode()))
	s.record(ctx, e)
	return nil
}

// checkFraming refuses a request with an ambiguous end: one that has both a length and chunks, or
// chunks in a version of HTTP that has none. A proxy may read its end differently. The
// connection is closed, so that the rest of the body is not read as a request.
func (s *Transport) checkFraming(c *fiber.Ctx, e *Event) error {
	length, coded := false, false
	for line := range bytes.Lines(c.Request().Header.RawHeaders()) {
		name, _, _ := bytes.Cut(line, []byte{':'})
		length = length || bytes.EqualFold(name, []byte(fiber.HeaderContentLength))
		coded = coded || bytes.EqualFold(name, []byte(fiber.HeaderTransferEncoding))
	}
	if !coded || !length && c.Request().Header.IsHTTP11() {
		return nil
	}
	c.Context().SetConnectionClose()
	e.refused = true
	return fiber.ErrBadRequest
}

// WorkTime is how long a handler may take.
func (s *Transport) WorkTime() time.Duration { return cmp.Or(s.Limits.Work, WorkTimeout) }

// countRequest counts a request for its client, in progress until it is over. Loopback may be an
// undeclared proxy with all its clients, so its requests are not counted, nor are probes.
func (s *Transport) countRequest(c *fiber.Ctx, e *Event) error {
	if e.client.IsLoopback() || isProbe(c) {
		return nil
	}
	place, err := s.clients.enter(e.client, s.Connections.each())
	if err != nil {
		c.Context().SetConnectionClose()
		e.refused = true
		return err
	}
	e.place = place
	return nil
}

// proceed runs the route; a panic becomes an internal error.
func (s *Transport) proceed(c *fiber.Ctx) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("httpapi: panic: %v\n%s", cause, debug.Stack())
		}
	}()
	return c.Next()
}

// record logs a request that has ended.
func (s *Transport) record(ctx context.Context, e *Event) {
	level := slog.LevelInfo
	attrs := append(slices.Clip(e.attrs), slog.Float64("ms", float64(s.Now().Sub(e.Start).Microseconds())/1000))
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
func (e *Event) trace() {
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

// respondUnparsed responds to requests that could not be parsed.
func (s *Transport) respondUnparsed(c *fiber.Ctx, err error) error {
	decorate(c)
	s.respond(c, err)
	s.record(c.Context(), &Event{Start: s.Now(), err: err, attrs: []slog.Attr{
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
