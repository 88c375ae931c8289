package transport

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"runtime/debug"
	"strconv"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"vigueur/internal/kit/hangup"
	"vigueur/internal/store/chat"
)

const (
	// sendLimit is the maximum time that a client may take to read what was sent.
	sendLimit = 10 * time.Second
	// KeepAlive is the interval of comments on a silent stream.
	KeepAlive = 10 * time.Second
	// RowTimeout limits a read of the row that a stream is about.
	RowTimeout = 3 * time.Second
)

// EventConn is the connection of an event stream. It is taken from the HTTP server
// (hijacked), because the server would keep the request, the response and their buffers,
// which are most of a stream's memory, as long as the stream.
type EventConn struct {
	conn    net.Conn
	chunked bool            // HTTP/1.1: the last chunk marks the end
	Gone    <-chan struct{} // closed when the client disconnects
	Stop    <-chan struct{} // closed when the server shuts down
	Revoked <-chan struct{} // closed when the session has ended
	limit   time.Duration   // time for the client to read what was sent
}

// OpenEvents makes the response an event stream that run writes. join, unless nil, returns a
// channel that is closed when the stream's session ends. c must not be used afterwards. run adds
// attributes to the request's log event, and returns why the stream ended; for HEAD it is not
// called, and opened is false.
func (s *Transport) OpenEvents(c *fiber.Ctx, join func() (ended <-chan struct{}, leave func()), run func(w *EventConn, e *Event) error) (opened bool) {
	c.Set(fiber.HeaderContentType, "text/event-stream; charset=utf-8")
	c.Set(fiber.HeaderCacheControl, "no-store, no-transform")
	c.Set("X-Accel-Buffering", "no")
	// The connection is not given back to the server, so no request may follow on it.
	c.Set(fiber.HeaderConnection, "close")
	if c.Method() == fiber.MethodHead {
		return false
	}
	Note(c, slog.String("route", c.Route().Path))
	e, ctx := eventOf(c).take(fiber.StatusOK), c.Context()
	w := &EventConn{conn: ctx.Conn(), chunked: ctx.Request.Header.IsHTTP11(), Stop: ctx.Done(), limit: cmp.Or(s.Limits.Send, sendLimit)}
	s.open.Add(1)
	ctx.HijackSetNoResponse(true)
	ctx.Hijack(func(net.Conn) {
		head := w.head(&ctx.Response.Header)
		go func() {
			if join != nil {
				var leave func()
				w.Revoked, leave = join()
				defer leave()
			}
			s.serveEvents(w, head, e, run)
		}()
	})
	return true
}

// serveEvents runs a stream and recovers its panics, which would end the process.
func (s *Transport) serveEvents(w *EventConn, head []byte, e *Event, run func(w *EventConn, e *Event) error) {
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
	w.Gone, unwatch = hangup.Watch(w.conn)
	defer unwatch()
	err := w.write(head)
	if err == nil {
		err = run(w, e)
	}
	e.attrs = append(e.attrs, slog.String("outcome", outcome(err)))
	if w.chunked && !errors.Is(err, ErrGone) {
		_ = w.write([]byte("0\r\n\r\n")) // without the last chunk the client sees the connection close
	}
}

// head returns the head of a response of unknown length.
func (w *EventConn) head(h *fasthttp.ResponseHeader) []byte {
	length := -2 // until the connection closes
	if w.chunked {
		length = -1
	}
	h.SetContentLength(length)
	return bytes.Clone(h.Header())
}

// frames is a pool of send buffers.
var frames = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Send writes and flushes to the client.
func (w *EventConn) Send(b []byte) error {
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

func (w *EventConn) write(b []byte) error {
	if err := w.conn.SetWriteDeadline(time.Now().Add(w.limit)); err != nil {
		return err
	}
	_, err := w.conn.Write(b)
	return err
}

// outcomePanic is the outcome of a stream that a defect ended.
const outcomePanic = "panic"

// outcome names why a stream ended, for the log.
func outcome(err error) string {
	for _, known := range []error{ErrEnded, ErrGone, ErrShutdown, ErrLost, ErrRevoked} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	return "unread" // a write failed: the client does not read, or has disconnected
}

// RevokedText is the message if the session has ended.
const RevokedText = "La session n’est plus valable. Connectez-vous de nouveau."

// The reasons why a stream ended.
var (
	ErrEnded    = errors.New("ended")    // the answer's end was sent
	ErrGone     = errors.New("gone")     // the client disconnected
	ErrShutdown = errors.New("shutdown") // the server is shutting down
	ErrLost     = errors.New("lost")     // the row could not be read
	ErrRevoked  = errors.New("revoked")  // the session has ended
)

// EndEarly sends the last event of a stream that ends before its answer, and returns why.
func EndEarly(send func([]byte) error, event []byte, why error) error {
	if err := send(event); err != nil {
		return err
	}
	return why
}

// Wire is the form of the service's own streams.
type Wire struct{}

// Failed encodes the event that ends a stream early, with the text that says why.
func (Wire) Failed(text string) []byte {
	return []byte("event: error\ndata: " + string(chat.ErrorData(text)) + "\n\n")
}

// Stopped asks the client to reconnect after a random delay, so that not all clients do so at
// the same moment.
func (Wire) Stopped() []byte { return fmt.Appendf(nil, "retry: %d\n\n", 250+rand.IntN(1750)) }

// Event encodes a server-sent event. Its data is JSON on one line.
func (Wire) Event(out *bytes.Buffer, e chat.Event) {
	out.WriteString("id: ")
	out.WriteString(strconv.FormatInt(e.Seq, 10))
	out.WriteString("\nevent: ")
	out.WriteString(string(e.Kind))
	out.WriteString("\ndata: ")
	out.Write(e.Data)
	out.WriteString("\n\n")
}

// WatchClient returns a context for a handler that may take up to limit, longer than others. It
// ends when the client closes the connection and when the server shuts down. leave must be
// called before the response is written.
func WatchClient(c *fiber.Ctx, limit time.Duration) (ctx context.Context, leave func()) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.UserContext()), limit)
	gone, unwatch := hangup.Watch(c.Context().Conn())
	done := make(chan struct{})
	stopped := c.Context().Done()
	go func() {
		select {
		case <-gone:
		case <-stopped:
		case <-done:
		}
		cancel()
	}()
	return ctx, func() {
		close(done)
		if unwatch() { // a piece of a further request is lost
			c.Context().SetConnectionClose()
		}
	}
}
