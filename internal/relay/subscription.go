package relay

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"vigueur/internal/chat"
)

// errGap says that the log no longer holds what a reader has missed.
var errGap = errors.New("relay: events are missing from the log")

// Subscription is one reader of one answer.
type Subscription struct {
	relay  *Relay
	id     uuid.UUID
	reader *reader
	events chan chat.Event
	cancel context.CancelFunc
	done   chan struct{}
}

// Subscribe follows the answer id after event number after (0: from the
// start). It returns when Redis has confirmed the subscription: what is published
// from then on is heard. Unavailable when Redis is down. Close must be called.
func (r *Relay) Subscribe(ctx context.Context, id uuid.UUID, after int64) (*Subscription, error) {
	who, err := r.join(ctx, liveChannel(id))
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	s := &Subscription{relay: r, id: id, reader: who, events: make(chan chat.Event), cancel: cancel, done: make(chan struct{})}
	go s.pump(ctx, after)
	return s, nil
}

// Events gives the answer's events in order, each once. It is closed after the
// answer's end, after Close, and when events were lost: then the row tells.
func (s *Subscription) Events() <-chan chat.Event { return s.events }

// Close ends the subscription and waits until it has ended.
func (s *Subscription) Close() {
	s.cancel()
	<-s.done
}

func (s *Subscription) pump(ctx context.Context, last int64) {
	defer close(s.done)
	defer close(s.events)
	defer s.relay.leave(liveChannel(s.id), s.reader)
	last, err := s.readLog(ctx, last)
	for err == nil && ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-s.reader.behind:
			last, err = s.readLog(ctx, last)
		case payload := <-s.reader.messages:
			last, err = s.follow(ctx, payload, last)
		}
	}
	if err != nil && !errors.Is(err, errEnd) && ctx.Err() == nil {
		s.relay.log.WarnContext(ctx, "relay: reader ended", "message_id", s.id, "error", err)
	}
}

// errEnd says that the answer's last event was passed on.
var errEnd = errors.New("relay: end of the answer")

// follow passes on a live event: what was seen is dropped, and before one that
// does not follow the last, the log is read.
func (s *Subscription) follow(ctx context.Context, payload string, last int64) (int64, error) {
	e, err := decode(payload)
	if err != nil {
		return last, err
	}
	if e.Seq > last && !follows(e, last) {
		if last, err = s.readLog(ctx, last); err != nil {
			return last, err
		}
	}
	if e.Seq <= last {
		return last, nil
	}
	return s.pass(ctx, e, last)
}

// logPage is how many entries of a log are read at once: a reader who is far
// behind takes the memory of a page, not of the log.
const logPage = 256

// readLog passes on what the log holds after last.
func (s *Subscription) readLog(ctx context.Context, last int64) (int64, error) {
	for {
		entries, err := s.relay.redis.XRangeN(ctx, logKey(s.id), "("+streamID(last), "+", logPage).Result()
		if err != nil {
			return last, unavailable(err)
		}
		for _, entry := range entries {
			e, err := fromLog(entry)
			if err != nil {
				return last, err
			}
			if last, err = s.pass(ctx, e, last); err != nil {
				return last, err
			}
		}
		if len(entries) < logPage {
			return last, nil
		}
	}
}

// pass hands e to the reader, if it follows last; errEnd after the answer's end.
func (s *Subscription) pass(ctx context.Context, e chat.Event, last int64) (int64, error) {
	if !follows(e, last) {
		return last, errGap
	}
	select {
	case <-ctx.Done():
		return last, ctx.Err()
	case s.events <- e:
	}
	if e.Last() {
		return e.Seq, errEnd
	}
	return e.Seq, nil
}

// follows tells whether nothing is missing between last and e: e is the next
// number, or it makes what came before void.
func follows(e chat.Event, last int64) bool {
	return e.Seq == last+1 || e.Kind == chat.Reset
}
