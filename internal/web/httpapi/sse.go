package httpapi

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"runtime/debug"
	"strconv"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"
	"github.com/valyala/fasthttp"

	"vigueur/internal/kit/hangup"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
)

// sendLimit is the maximum time that a client may take to read what was sent.
const sendLimit = 10 * time.Second

// eventConn is the connection of an event stream. It is taken from the HTTP server
// (hijacked), because the server would keep the request, the response and their buffers,
// which are most of a stream's memory, as long as the stream.
type eventConn struct {
	conn    net.Conn
	chunked bool            // HTTP/1.1: the last chunk marks the end
	gone    <-chan struct{} // closed when the client disconnects
	stop    <-chan struct{} // closed when the server shuts down
	revoked <-chan struct{} // closed when the session has ended
	limit   time.Duration   // time for the client to read what was sent
}

// openEventStream makes the response an event stream that run writes, until the session
// ends. c must not be used afterwards. run adds attributes to the request's log event, and
// returns why the stream ended; for HEAD it is not called, and opened is false.
func (s *Server) openEventStream(c *fiber.Ctx, session postgres.Session, run func(w *eventConn, e *event) error) (opened bool) {
	c.Set(fiber.HeaderContentType, "text/event-stream; charset=utf-8")
	c.Set(fiber.HeaderCacheControl, "no-store, no-transform")
	c.Set("X-Accel-Buffering", "no")
	// The connection is not given back to the server, so no request may follow on it.
	c.Set(fiber.HeaderConnection, "close")
	if c.Method() == fiber.MethodHead {
		return false
	}
	note(c, slog.String("route", c.Route().Path))
	e, ctx := eventOf(c).take(fiber.StatusOK), c.Context()
	w := &eventConn{conn: ctx.Conn(), chunked: ctx.Request.Header.IsHTTP11(), stop: ctx.Done(), limit: cmp.Or(s.limits.send, sendLimit)}
	s.open.Add(1)
	ctx.HijackSetNoResponse(true)
	ctx.Hijack(func(net.Conn) {
		head := w.head(&ctx.Response.Header)
		go func() {
			if session.User != uuid.Nil { // a guest has no session that could end
				var leave func()
				w.revoked, leave = s.rows.sessions.join(session)
				defer leave()
			}
			s.serveEvents(w, head, e, run)
		}()
	})
	return true
}

// serveEvents runs a stream and recovers its panics, which would end the process.
func (s *Server) serveEvents(w *eventConn, head []byte, e *event, run func(w *eventConn, e *event) error) {
	s.Log.LogAttrs(context.Background(), slog.LevelDebug, "stream open") // the end of the stream is logged as the request's event
	defer s.open.Add(-1)
	defer e.leave()
	defer func() {
		_ = w.conn.Close() // the connection is gone anyway
		if cause := recover(); cause != nil {
			e.attrs = append(e.attrs, slog.String("outcome", outcomePanic))
			e.err = fmt.Errorf("httpapi: panic in a stream: %v\n%s", cause, debug.Stack())
		}
		s.record(context.Background(), e)
	}()
	var unwatch func() bool
	w.gone, unwatch = hangup.Watch(w.conn)
	defer unwatch()
	err := w.write(head)
	if err == nil {
		err = run(w, e)
	}
	e.attrs = append(e.attrs, slog.String("outcome", outcome(err)))
	if w.chunked && !errors.Is(err, errGone) {
		_ = w.write([]byte("0\r\n\r\n")) // without the last chunk the client sees the connection close
	}
}

// head returns the head of a response of unknown length.
func (w *eventConn) head(h *fasthttp.ResponseHeader) []byte {
	length := -2 // until the connection closes
	if w.chunked {
		length = -1
	}
	h.SetContentLength(length)
	return bytes.Clone(h.Header())
}

// frames is a pool of send buffers.
var frames = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// send writes and flushes to the client.
func (w *eventConn) send(b []byte) error {
	if !w.chunked {
		return w.write(b)
	}
	frame, _ := frames.Get().(*bytes.Buffer)
	defer frames.Put(frame)
	frame.Reset()
	frame.Write(strconv.AppendInt(frame.AvailableBuffer(), int64(len(b)), 16))
	frame.WriteString("\r\n")
	frame.Write(b)
	frame.WriteString("\r\n")
	return w.write(frame.Bytes())
}

func (w *eventConn) write(b []byte) error {
	if err := w.conn.SetWriteDeadline(time.Now().Add(w.limit)); err != nil {
		return err
	}
	_, err := w.conn.Write(b)
	return err
}

// streamOf is the answer of a stream, its reader and its position.
type streamOf struct {
	session      postgres.Session // the zero value if guest
	guest        bool
	conversation uuid.UUID
	message      uuid.UUID
	after        int64        // number of the last event that the client received
	sub          subscription // nil: the row is read first
}

// stream makes the response the event stream of an answer, to its end.
func (s *Server) stream(c *fiber.Ctx, of streamOf) {
	c.Set("X-Conversation-Id", of.conversation.String())
	c.Set("X-Message-Id", of.message.String())
	note(c, slog.String("message_id", of.message.String()))
	opened := s.openEventStream(c, of.session, func(w *eventConn, e *event) error {
		own, leave := s.rows.join(of.message, of.after)
		defer leave()
		f := s.follower(w, own, of)
		defer func() { e.attrs = append(e.attrs, f.attrs(e.start)...) }()
		return f.run(context.Background(), of.sub)
	})
	if !opened && of.sub != nil {
		of.sub.Close()
	}
}

func (s *Server) follower(w *eventConn, own *watched, of streamOf) *follower {
	return &follower{
		wire: ownWire{}, last: of.after, send: w.send, own: own, gone: w.gone, stop: w.stop, revoked: w.revoked,
		subscribe: func(ctx context.Context, after int64) (subscription, error) {
			return s.subscribe(ctx, of.message, after)
		},
		answer: func(ctx context.Context) (chat.Message, error) {
			if of.guest {
				return s.DB.GuestAnswer(ctx, of.message)
			}
			return s.DB.Answer(ctx, of.session.User, of.message)
		},
	}
}

// attrs returns the attributes of the stream for the log record of its request, which began
// at start.
func (f *follower) attrs(start time.Time) []slog.Attr {
	attrs := []slog.Attr{slog.Int("events", f.events)}
	if !f.first.IsZero() {
		attrs = append(attrs, slog.Float64("first_ms", float64(f.first.Sub(start).Microseconds())/1000))
	}
	return attrs
}

// outcomePanic is the outcome of a stream that a defect ended.
const outcomePanic = "panic"

// outcome names why a stream ended, for the log.
func outcome(err error) string {
	for _, known := range []error{errEnded, errGone, errShutdown, errLost, errRevoked, errCrowded} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	return "unread" // a write failed: the client does not read, or has disconnected
}
