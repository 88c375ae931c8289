package conversations

import (
	"context"
	"log/slog"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/transport"
)

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
func (s *Handlers) stream(c *fiber.Ctx, of streamOf) {
	c.Set("X-Conversation-Id", of.conversation.String())
	c.Set("X-Message-Id", of.message.String())
	transport.Note(c, slog.String("message_id", of.message.String()))
	opened := s.OpenEventStream(c, of.session, func(w *transport.EventConn, e *transport.Event) error {
		own, leave := s.rows.join(of.message, of.after)
		defer leave()
		f := s.follower(w, own, of)
		defer func() { e.Add(f.attrs(e.Start)...) }()
		return f.run(context.Background(), of.sub)
	})
	if !opened && of.sub != nil {
		of.sub.Close()
	}
}

func (s *Handlers) follower(w *transport.EventConn, own *watched, of streamOf) *follower {
	return &follower{
		wire: transport.Wire{}, last: of.after, send: w.Send, own: own, gone: w.Gone, stop: w.Stop, revoked: w.Revoked,
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
