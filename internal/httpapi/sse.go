package httpapi

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"runtime/debug"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/chat"
)

// sendLimit is how long a client may take to read what was sent.
const sendLimit = 10 * time.Second

// streamOf says which answer is streamed to whom, and from where.
type streamOf struct {
	user         uuid.UUID
	conversation uuid.UUID
	message      uuid.UUID
	after        int64        // number of the event that the client saw last
	sub          subscription // nil: the row is read first
}

// stream makes the response an event stream. It is written by a goroutine of
// the server's after the handler has returned, when c is no longer ours.
func (s *Server) stream(c *fiber.Ctx, of streamOf) {
	for name, value := range map[string]string{
		fiber.HeaderContentType:  "text/event-stream; charset=utf-8",
		fiber.HeaderCacheControl: "no-store, no-transform",
		"X-Accel-Buffering":      "no",
		"X-Conversation-Id":      of.conversation.String(),
		"X-Message-Id":           of.message.String(),
		// What the client sends while it listens is swallowed by watch: no request
		// may follow on the connection.
		fiber.HeaderConnection: "close",
	} {
		c.Set(name, value)
	}
	note(c, slog.String("route", c.Route().Path), slog.String("message_id", of.message.String()))
	event := eventOf(c).take(fiber.StatusOK)
	conn, stop := c.Context().Conn(), c.Context().Done()
	c.Response().ImmediateHeaderFlush = true
	_ = conn.SetWriteDeadline(time.Now().Add(sendLimit)) // a connection that takes none is gone: the write will tell
	c.Context().SetBodyStreamWriter(func(w *bufio.Writer) { s.write(w, conn, stop, event, of) })
}

// write is the life of a stream. A panic in it would end the process.
func (s *Server) write(w *bufio.Writer, conn net.Conn, stop <-chan struct{}, e *event, of streamOf) {
	ctx := context.Background()
	f := s.follow(w, conn, of)
	s.streamOpen()
	defer func() {
		if cause := recover(); cause != nil {
			e.attrs = append(e.attrs, slog.String("outcome", outcomePanic))
			e.err = fmt.Errorf("httpapi: panic in a stream: %v\n%s", cause, debug.Stack())
		}
		e.attrs = append(e.attrs, slog.Int("events", f.events))
		if !f.first.IsZero() {
			e.attrs = append(e.attrs, slog.Float64("first_ms", float64(f.first.Sub(e.start).Microseconds())/1000))
		}
		s.record(ctx, e)
	}()
	gone, unwatch := watch(conn)
	defer unwatch()
	own, leave := s.rows.join(of.message, of.after)
	defer leave()
	f.gone, f.stop, f.own = gone, stop, own
	e.attrs = append(e.attrs, slog.String("outcome", outcome(f.run(ctx, of.sub))))
}

// outcomePanic is the outcome of a stream that a defect ended.
const outcomePanic = "panic"

// streamOpen tells of a stream that begins; its request's event tells of its end.
func (s *Server) streamOpen() {
	s.Log.LogAttrs(context.Background(), slog.LevelDebug, "stream open")
}

// follow wires a follower to the stores and to the client.
func (s *Server) follow(w *bufio.Writer, conn net.Conn, of streamOf) *follower {
	return &follower{
		last: of.after,
		send: func(b []byte) error {
			if err := conn.SetWriteDeadline(time.Now().Add(sendLimit)); err != nil {
				return err
			}
			if _, err := w.Write(b); err != nil {
				return err
			}
			return w.Flush()
		},
		subscribe: func(ctx context.Context, after int64) (subscription, error) {
			return s.subscribe(ctx, of.message, after)
		},
		answer: func(ctx context.Context) (chat.Message, error) { return s.DB.Answer(ctx, of.user, of.message) },
	}
}

// outcome names why a stream ended, for the log.
func outcome(err error) string {
	for _, known := range []error{errEnded, errGone, errShutdown, errLost} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	return "unread" // a write failed: the client does not read, or is gone
}

// watch closes gone when the client closes the connection, which nothing else
// notices before the third write. Call unwatch when the stream is over. A client
// that sends something instead is no longer watched.
func watch(conn net.Conn) (gone <-chan struct{}, unwatch func()) {
	left, done := make(chan struct{}), make(chan struct{})
	_ = conn.SetReadDeadline(time.Time{}) // the request's is still set; without a connection Read tells
	go func() {
		defer close(done)
		if n, err := conn.Read(make([]byte, 1)); n == 0 && err != nil {
			close(left)
		}
	}()
	return left, func() {
		_ = conn.SetReadDeadline(time.Unix(1, 0)) // ends the Read
		<-done
	}
}
