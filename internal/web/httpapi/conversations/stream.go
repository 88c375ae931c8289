package conversations

import (
	"bytes"
	"context"
	"log/slog"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/parallel"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/transport"
)

const (
	// rowEvery is the interval at which a stream that the relay tells nothing reads its row,
	// and at which a lost relay is tried again.
	rowEvery = 2 * time.Second
	// blindTime is how long a stream without the relay may be unable to read its row before it ends.
	blindTime = 6 * time.Second
)

// deletedText is the message if the answer's conversation was deleted.
const deletedText = "Cette réponse a été supprimée."

// lostText is the message if neither the relay nor the row of the answer can be read.
const lostText = "Le service est momentanément interrompu. La réponse n’est pas perdue : revenez à la conversation dans quelques instants."

// subscription is a stream's subscription to the relay.
type subscription interface {
	Ready() <-chan struct{}
	Take(ctx context.Context) (events []chat.Event, more bool)
	Close()
}

// follower streams one answer to one client: from the relay while it works, else from the
// row.
type follower struct {
	wire
	send      func([]byte) error // writes and flushes to the client
	subscribe func(ctx context.Context, cursor int64) (subscription, error)
	answer    func(ctx context.Context) (chat.Message, error)
	gone      <-chan struct{} // closed when the client disconnects
	stop      <-chan struct{} // closed when the server shuts down
	revoked   <-chan struct{} // closed when the session has ended

	last   int64 // number of the last event sent
	events int   // number of events sent so far
	first  time.Time
	sure   time.Time // when the answer's state was last known
}

// run streams the answer until the stream is over and returns why. Without a subscription,
// and while the relay is silent, it reads the row, which has the whole answer after its end; a
// store that is slow to give it delays nothing else. run closes sub, which may be nil.
func (f *follower) run(ctx context.Context, sub subscription) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	alive, look := time.NewTicker(transport.KeepAlive), time.NewTicker(rowEvery)
	defer alive.Stop()
	defer look.Stop()
	defer func() {
		if sub != nil {
			sub.Close()
		}
	}()
	f.sure = time.Now()
	var row *reading // nil while the row is not being read
	if sub == nil {
		row = f.read(ctx)
	}
	sent := f.last // when the row was last due
	for {
		var ready, come <-chan struct{}
		if sub != nil {
			ready = sub.Ready()
		}
		if row != nil {
			come = row.come
		}
		var err error
		select {
		case <-ready:
			events, more := sub.Take(ctx)
			if err = f.sendEvents(events...); !more {
				sub.Close() // the relay was lost, or no longer has the events that were missed
				sub, f.sure = nil, time.Now()
			}
		case <-look.C:
			if f.last == sent && row == nil {
				row = f.read(ctx)
			}
			if sent = f.last; sub == nil {
				sub = f.resubscribe(ctx)
			}
		case <-come:
			row.wait()
			err = f.catchUp(row.answer, row.err, sub == nil)
			row = nil
		case <-alive.C:
			err = f.send([]byte(": keep-alive\n\n")) // so that proxies do not close the connection as idle
		case <-f.revoked:
			err = f.end(transport.RevokedText, transport.ErrRevoked)
		case <-f.gone:
			err = transport.ErrGone
		case <-f.stop:
			err = transport.EndEarly(f.send, f.Stopped(), transport.ErrShutdown)
		}
		if err != nil {
			return err
		}
	}
}

// resubscribe returns nil while the relay is down.
func (f *follower) resubscribe(ctx context.Context) subscription {
	sub, err := f.subscribe(ctx, f.last)
	if err != nil {
		return nil
	}
	return sub
}

// sendEvents sends events. It returns errEnded after the answer's last event.
func (f *follower) sendEvents(events ...chat.Event) error {
	var out bytes.Buffer
	ended := false
	for _, e := range events {
		if e.Seq <= f.last {
			continue
		}
		f.Event(&out, e)
		f.last, ended = e.Seq, e.Last()
		f.events++
		f.sure = time.Now()
	}
	if out.Len() > 0 {
		if err := f.send(out.Bytes()); err != nil {
			return err
		}
		if f.first.IsZero() {
			f.first = time.Now()
		}
	}
	if ended {
		return transport.ErrEnded
	}
	return nil
}

// end ends a stream before the answer's end, for a reason. The event has no number, because
// it is not an event of the answer: the client may resume after the last event with a
// number.
func (f *follower) end(text string, why error) error {
	return transport.EndEarly(f.send, f.Failed(text), why)
}

// reading is a read of the row beside the stream.
type reading struct {
	come   chan struct{} // closed when it has ended
	wait   func()        // raises a panic of the read again
	answer chat.Message
	err    error
}

func (f *follower) read(ctx context.Context) *reading {
	row := &reading{come: make(chan struct{})}
	row.wait = parallel.Go(func() {
		defer close(row.come)
		ctx, cancel := context.WithTimeout(ctx, transport.RowTimeout)
		defer cancel()
		row.answer, row.err = f.answer(ctx)
	})
	return row
}

// catchUp takes what was read of the row: if the answer has ended, the client gets the rest of
// it. A row that could not be read is read again later: while the relay is there, which may
// still tell the end, and alone for blindTime.
func (f *follower) catchUp(m chat.Message, err error, alone bool) error {
	switch {
	case errs.Is(err, errs.NotFound):
		return f.sendEvents(chat.Event{Seq: f.last + 1, Kind: chat.ErrorKind, Data: chat.ErrorData(deletedText)})
	case err != nil && alone && time.Since(f.sure) >= blindTime:
		return f.end(lostText, transport.ErrLost)
	case err != nil:
		return nil
	case !m.State.Ended():
		f.sure = time.Now()
		return nil
	}
	if err := f.sendEvents(chat.Replay(m, f.last)...); err != nil {
		return err
	}
	return transport.ErrEnded // the client had received everything
}

// wire encodes what a follower sends to its client.
type wire interface {
	Event(out *bytes.Buffer, e chat.Event) // appends an event of the answer
	Failed(text string) []byte             // the stream ends before the answer, for a reason
	Stopped() []byte                       // the server is shutting down
}

// lastEventID parses the number of the last event that a client received; anything invalid
// means the start.
func lastEventID(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// streamOf is the answer of a stream, its reader and its position.
type streamOf struct {
	session      postgres.Session // the zero value if guest
	guest        bool
	conversation uuid.UUID
	message      uuid.UUID
	after        int64            // number of the last event that the client received
	sub          subscription     // nil: the row is read first
	tokens       *postgres.Tokens // of the asker; nil: the answer takes none
}

// stream makes the response the event stream of an answer, to its end.
func (s *Handlers) stream(c *fiber.Ctx, a streamOf) {
	c.Set("X-Conversation-Id", a.conversation.String())
	c.Set("X-Message-Id", a.message.String())
	transport.Note(c, slog.String("message_id", a.message.String()))
	s.showTokens(c, a)
	opened := s.OpenEventStream(c, a.session, func(w *transport.EventConn, e *transport.Event) error {
		f := s.follower(w, a)
		defer f.note(e)
		return f.run(context.Background(), a.sub)
	})
	if !opened && a.sub != nil {
		a.sub.Close()
	}
}

func (s *Handlers) follower(w *transport.EventConn, a streamOf) *follower {
	return &follower{
		wire: transport.Wire{}, last: a.after, send: w.Send, gone: w.Gone, stop: w.Stop, revoked: w.Revoked,
		subscribe: func(ctx context.Context, cursor int64) (subscription, error) {
			return s.subscribe(ctx, a.message, cursor)
		},
		answer: func(ctx context.Context) (chat.Message, error) {
			if a.guest {
				return s.DB.GuestAnswer(ctx, a.message)
			}
			return s.DB.Answer(ctx, a.session.User, a.message)
		},
	}
}

// note adds the figures of the stream to the log record of its request.
func (f *follower) note(e *transport.Event) {
	e.Add(slog.Int("events", f.events))
	if !f.first.IsZero() {
		e.Add(slog.Float64("first_ms", float64(f.first.Sub(e.Start).Microseconds())/1000))
	}
}
