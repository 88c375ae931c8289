package httpapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"vigueur/internal/chat"
	"vigueur/internal/errs"
)

const (
	// keepAlive is how often a silent stream says that it lives.
	keepAlive = 10 * time.Second
	// hearAgain is the pause before a lost relay is tried again.
	hearAgain = time.Second
	// rowTimeout bounds a look at the row.
	rowTimeout = 3 * time.Second
)

// deletedText tells the reader of an answer that its conversation was deleted.
const deletedText = "Cette réponse a été supprimée."

// lostText tells the reader of an answer that it can be neither heard nor read.
const lostText = "Le service est momentanément interrompu. La réponse n’est pas perdue : revenez à la conversation dans quelques instants."

// revokedText tells the reader of a stream that their session has ended.
const revokedText = "La session n’est plus valable. Connectez-vous de nouveau."

// crowdedText tells the reader of an answer that others took their place.
const crowdedText = "Cette réponse est suivie depuis trop d’endroits à la fois."

// Why a stream ended.
var (
	errEnded    = errors.New("ended")    // the answer's end was sent
	errGone     = errors.New("gone")     // the client left
	errShutdown = errors.New("shutdown") // the server was told to stop
	errLost     = errors.New("lost")     // nothing could be learned of the answer
	errRevoked  = errors.New("revoked")  // its reader would not be let in any more
	errCrowded  = errors.New("crowded")  // later streams of the answer took its place
)

// subscription is the relay's end of a stream.
type subscription interface {
	Ready() <-chan struct{}
	Take(ctx context.Context) (events []chat.Event, more bool)
	Close()
}

// follower sends one answer to one client: from the relay while the relay can
// say, else from the row.
type follower struct {
	send      func([]byte) error // writes through to the client
	subscribe func(ctx context.Context, after int64) (subscription, error)
	answer    func(ctx context.Context) (chat.Message, error)
	own       *watched        // what the look at all rows has to say of this stream
	gone      <-chan struct{} // the client left
	stop      <-chan struct{} // the server is to stop
	revoked   <-chan struct{} // the session has ended

	last   int64 // number of the last event sent
	events int   // sent so far
	first  time.Time
}

// run follows until the stream is over and says why. sub may be nil: the answer
// has ended, and the row is looked at. run closes it.
func (f *follower) run(ctx context.Context, sub subscription) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	alive := time.NewTicker(keepAlive)
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
		// The relay has no more to say: it was lost, or has forgotten what was missed.
		if err == nil {
			sub, err = f.resubscribe(ctx, alive.C)
		}
		if err != nil {
			return err
		}
	}
}

// followRelay passes on what the relay says, until it says no more (nil) or the stream
// is over.
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
			return f.end(revokedText, errRevoked)
		case <-f.own.crowded:
			return f.end(crowdedText, errCrowded)
		case <-f.gone:
			return errGone
		case <-f.stop:
			return f.askToResume()
		}
	}
}

// resubscribe tries for the relay again, after a pause each time. What the relay's log
// no longer holds only the row can tell, by its draft and once it has ended.
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
			return nil, f.end(revokedText, errRevoked)
		case <-f.own.crowded:
			return nil, f.end(crowdedText, errCrowded)
		case <-f.gone:
			return nil, errGone
		case <-f.stop:
			return nil, f.askToResume()
		}
	}
}

// sendEvents sends one event; errEnded after the answer's end.
func (f *follower) sendEvents(events ...chat.Event) error {
	var out bytes.Buffer
	ended := false
	for _, e := range events {
		if e.Seq <= f.last {
			continue
		}
		writeEvent(&out, e)
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
		return errEnded
	}
	return nil
}

// applyNews does what the row's news is to a stream: the draft goes on where the
// relay has left off, the end is read whole.
func (f *follower) applyNews(ctx context.Context, n news) error {
	switch {
	case n.lost:
		return f.end(lostText, errLost)
	case n.row.Ended:
		return f.catchUp(ctx)
	}
	return f.sendEvents(chat.Written(n.row.Attempt, n.row.Draft, n.row.Ends, f.last)...)
}

// end ends a stream, for a reason, before its answer's end. The event has no
// number: it is none of the answer's, which may be resumed after the last that is.
func (f *follower) end(text string, why error) error { return endEarly(f.send, text, why) }

func endEarly(send func([]byte) error, text string, why error) error {
	if err := send([]byte("event: error\ndata: " + string(chat.ErrorData(text)) + "\n\n")); err != nil {
		return err
	}
	return why
}

// catchUp looks at the row: when the answer has ended, the client gets the rest
// of it from there. A row that cannot be read now is looked at again later.
func (f *follower) catchUp(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, rowTimeout)
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
	return errEnded // the client had seen it all
}

// keepAlive sends a comment, so that no proxy takes the connection for an idle one.
func (f *follower) keepAlive() error { return f.send([]byte(": keep-alive\n\n")) }

// askToResume ends the stream of a server that shuts down: the client is told to come
// back after a random delay, so that not all clients resume at the same moment.
func (f *follower) askToResume() error {
	if err := f.send(fmt.Appendf(nil, "retry: %d\n\n", 250+rand.IntN(1750))); err != nil {
		return err
	}
	return errShutdown
}

// writeEvent spells one server-sent event. Its data is JSON on one line.
func writeEvent(out *bytes.Buffer, e chat.Event) {
	out.WriteString("id: ")
	out.WriteString(strconv.FormatInt(e.Seq, 10))
	out.WriteString("\nevent: ")
	out.WriteString(string(e.Kind))
	out.WriteString("\ndata: ")
	out.Write(e.Data)
	out.WriteString("\n\n")
}

// lastEventID reads where a client stopped. What was never one of our numbers
// reads as the start.
func lastEventID(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 {
		return 0
	}
	return n
}
