package relay

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"vigueur/internal/store/chat"
)

// errGap reports that the log no longer contains events that a reader has missed.
var errGap = errors.New("relay: events are missing from the log")

// Subscription delivers the events of one answer to one reader. The reader uses either
// Ready and Take, in one goroutine, or Events.
type Subscription struct {
	server *server
	id     uuid.UUID
	reader *reader
	last   int64 // number of the last event that was returned
	heard  int64 // number of the last event that was received live, which the log must contain
	over   bool

	closed context.Context // ends when Close is called
	cancel context.CancelFunc
}

// subscribe follows the answer id, beginning after the event with number after.
func (r *server) subscribe(ctx context.Context, id uuid.UUID, after int64) (*Subscription, error) {
	rd, err := r.join(ctx, liveChannel(id))
	if err != nil {
		return nil, err
	}
	rd.readLogNext() // the log has the earlier events
	closed, cancel := context.WithCancel(context.WithoutCancel(ctx))
	return &Subscription{server: r, id: id, reader: rd, last: after, closed: closed, cancel: cancel}, nil
}

// Ready returns a channel that receives a value when Take has something to return.
func (s *Subscription) Ready() <-chan struct{} { return s.reader.wake }

// Close ends the subscription. It may be called more than once.
func (s *Subscription) Close() {
	if s.closed.Err() != nil {
		return
	}
	s.cancel()
	s.server.leave(liveChannel(s.id), s.reader)
}

// Take returns the events since the last call, in order, each once. more reports whether
// there may be more events. It is false after the answer's end, and if events were lost:
// then the caller must read the row. Take never waits for new events, only for Redis.
func (s *Subscription) Take(ctx context.Context) (events []chat.Event, more bool) {
	if s.over {
		return nil, false
	}
	events, err := s.take(ctx)
	if err != nil {
		s.over = true
		if !errors.Is(err, errEnd) && ctx.Err() == nil {
			s.server.log.WarnContext(ctx, "relay: reader ended", "message_id", s.id, "error", err)
		}
	}
	return events, err == nil
}

func (s *Subscription) take(ctx context.Context) (events []chat.Event, err error) {
	messages, behind := s.reader.take()
	if behind {
		return s.readLog(ctx)
	}
	for _, payload := range messages {
		e, err := decode(payload)
		if err != nil {
			return events, err
		}
		if e.Seq > s.last && !follows(e, s.last) {
			// The log has the missing events and the following ones.
			s.heard = e.Seq
			s.reader.readLogNext()
			return events, nil
		}
		if events, err = s.give(events, e); err != nil {
			return events, err
		}
	}
	return events, nil
}

// logPage is the number of log entries that are read at once, so that a reader that is far
// behind needs the memory of one page, not of the whole log.
const logPage = 256

// readLog returns the next page of the log's events. After a full page, the next take reads
// on.
func (s *Subscription) readLog(ctx context.Context) (events []chat.Event, err error) {
	entries, err := s.server.redis.XRangeN(ctx, logKey(s.id), "("+streamID(s.last), "+", logPage).Result()
	if err != nil {
		return nil, unavailable(err)
	}
	for _, entry := range entries {
		e, err := fromLog(entry)
		if err != nil {
			return events, err
		}
		if !follows(e, s.last) {
			return events, errGap
		}
		if events, err = s.give(events, e); err != nil {
			return events, err
		}
	}
	switch {
	case len(entries) == logPage:
		s.reader.readLogNext()
	case s.last < s.heard:
		return events, errGap
	}
	return events, nil
}

// errEnd reports that the answer's last event was returned.
var errEnd = errors.New("relay: end of the answer")

// give appends e to events, unless it was returned before. It returns errEnd at the
// answer's end.
func (s *Subscription) give(events []chat.Event, e chat.Event) ([]chat.Event, error) {
	if e.Seq <= s.last {
		return events, nil
	}
	s.last = e.Seq
	events = append(events, e)
	if e.Last() {
		return events, errEnd
	}
	return events, nil
}

// follows reports whether no event is missing between last and e. That is the case if e has
// the next number, or if e is a reset, which makes earlier events invalid.
func follows(e chat.Event, last int64) bool {
	return e.Seq == last+1 || e.Kind == chat.Reset
}
