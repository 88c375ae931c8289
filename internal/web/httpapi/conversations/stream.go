package conversations

import (
	"bytes"
	"context"
	"strconv"
	"time"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/chat"
	"vigueur/internal/web/httpapi/transport"
)

// deletedText is the message if the answer's conversation was deleted.
const deletedText = "Cette réponse a été supprimée."

// lostText is the message if neither the relay nor the row of the answer can be read.
const lostText = "Le service est momentanément interrompu. La réponse n’est pas perdue : revenez à la conversation dans quelques instants."

// crowdedText is the message if newer streams of the answer replaced this one.
const crowdedText = "Cette réponse est suivie depuis trop d’endroits à la fois."

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
	subscribe func(ctx context.Context, after int64) (subscription, error)
	answer    func(ctx context.Context) (chat.Message, error)
	own       *watched        // the entry of this stream in rowWatch
	gone      <-chan struct{} // closed when the client disconnects
	stop      <-chan struct{} // closed when the server shuts down
	revoked   <-chan struct{} // closed when the session has ended

	last   int64 // number of the last event sent
	events int   // number of events sent so far
	first  time.Time
}

// run streams the answer until the stream is over and returns why. sub may be nil: then the
// answer has ended, and the row is read. run closes sub.
func (f *follower) run(ctx context.Context, sub subscription) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	alive := time.NewTicker(transport.KeepAlive)
	defer alive.Stop()
	leave := func() {
		if sub != nil {
			sub.Close()
			sub = nil
		}
	}
	defer leave()
	if sub == nil {
		if err := f.catchUp(ctx); err != nil {
			return err
		}
	}
	for {
		err := f.followRelay(ctx, sub, alive.C)
		leave()
		// The relay was lost, or no longer has the events that were missed.
		if err == nil {
			sub, err = f.resubscribe(ctx, alive.C)
		}
		if err != nil {
			return err
		}
	}
}

// followRelay forwards events of the relay. It returns nil when the relay has no more, or
// the reason when the stream is over.
func (f *follower) followRelay(ctx context.Context, sub subscription, alive <-chan time.Time) error {
	if sub == nil {
		return nil
	}
	for {
		select {
		case <-sub.Ready():
			events, more := sub.Take(ctx)
			if err := f.sendEvents(events...); err != nil || !more {
				return err
			}
		case n := <-f.own.news:
			if err := f.applyNews(ctx, n); err != nil {
				return err
			}
		case <-alive:
			if err := f.keepAlive(); err != nil {
				return err
			}
		case <-f.revoked:
			return f.end(transport.RevokedText, transport.ErrRevoked)
		case <-f.own.crowded:
			return f.end(crowdedText, transport.ErrCrowded)
		case <-f.gone:
			return transport.ErrGone
		case <-f.stop:
			return f.askToResume()
		}
	}
}

// resubscribe retries the relay after a delay each time. Events that the relay no longer
// has are in the row's draft, and after the end in the row's answer.
func (f *follower) resubscribe(ctx context.Context, alive <-chan time.Time) (subscription, error) {
	pause := time.NewTicker(hearAgain)
	defer pause.Stop()
	for {
		select {
		case <-pause.C:
			if sub, err := f.subscribe(ctx, f.last); err == nil {
				return sub, nil
			}
		case n := <-f.own.news:
			if err := f.applyNews(ctx, n); err != nil {
				return nil, err
			}
		case <-alive:
			if err := f.keepAlive(); err != nil {
				return nil, err
			}
		case <-f.revoked:
			return nil, f.end(transport.RevokedText, transport.ErrRevoked)
		case <-f.own.crowded:
			return nil, f.end(crowdedText, transport.ErrCrowded)
		case <-f.gone:
			return nil, transport.ErrGone
		case <-f.stop:
			return nil, f.askToResume()
		}
	}
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
	}
	f.own.after.Store(f.last)
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

// applyNews processes news from the row: a draft is sent from after the last event of the
// relay on, and an ended answer is read completely.
func (f *follower) applyNews(ctx context.Context, n news) error {
	switch {
	case n.lost:
		return f.end(lostText, transport.ErrLost)
	case n.row.Ended:
		return f.catchUp(ctx)
	}
	return f.sendEvents(chat.EventsWritten(n.row.Attempt, n.row.Draft, n.row.Ends, f.last)...)
}

// end ends a stream before the answer's end, for a reason. The event has no number, because
// it is not an event of the answer: the client may resume after the last event with a
// number.
func (f *follower) end(text string, why error) error {
	return transport.EndEarly(f.send, f.Failed(text), why)
}

// catchUp reads the row: if the answer has ended, the client gets the rest of it. If the
// row cannot be read, it is tried again later.
func (f *follower) catchUp(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, transport.RowTimeout)
	defer cancel()
	m, err := f.answer(ctx)
	switch {
	case errs.Is(err, errs.NotFound):
		return f.sendEvents(chat.Event{Seq: f.last + 1, Kind: chat.ErrorKind, Data: chat.ErrorData(deletedText)})
	case err != nil || !m.State.Ended():
		return nil
	}
	if err := f.sendEvents(chat.Replay(m, f.last)...); err != nil {
		return err
	}
	return transport.ErrEnded // the client had received everything
}

// keepAlive sends a comment, so that proxies do not close the connection as idle.
func (f *follower) keepAlive() error { return f.send([]byte(": keep-alive\n\n")) }

// askToResume ends the stream at shutdown.
func (f *follower) askToResume() error {
	return transport.EndEarly(f.send, f.Stopped(), transport.ErrShutdown)
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
