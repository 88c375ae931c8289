package relay

import (
	"context"
	"errors"
	"sync"

	"github.com/google/uuid"

	"vigueur/internal/chat"
)

// errGap says that the log no longer holds what a reader has missed.
var errGap = errors.New("relay: events are missing from the log")

// Subscription is one reader of one answer. Its events are had by Ready and
// Take, or by Events; Take is for one goroutine.
type Subscription struct {
	home   *home
	id     uuid.UUID
	reader *reader
	last   int64 // number of the last event given
	heard  int64 // number of the last event that the log must have
	over   bool

	closed context.Context // ends with Close
	cancel context.CancelFunc
	tasks  sync.WaitGroup
	once   sync.Once
	events chan chat.Event // of Events
}

// subscribe follows the answer id after event number after.
func (r *home) subscribe(ctx context.Context, id uuid.UUID, after int64) (*Subscription, error) {
	who, err := r.join(ctx, liveChannel(id))
	if err != nil {
		return nil, err
	}
	who.fallBehind() // what was before is in the log
	closed, cancel := context.WithCancel(context.WithoutCancel(ctx))
	return &Subscription{home: r, id: id, reader: who, last: after, closed: closed, cancel: cancel}, nil
}

// Ready holds a token when there is something to take.
func (s *Subscription) Ready() <-chan struct{} { return s.reader.wake }

// Close ends the subscription; it may be called twice.
func (s *Subscription) Close() {
	if s.closed.Err() != nil {
		return
	}
	s.cancel()
	s.tasks.Wait()
	s.home.leave(liveChannel(s.id), s.reader)
}

// Take gives the events that have come since, in order, each once, and whether
// there may be more: not after the answer's end, and not when events were lost:
// then the row tells. It waits for nobody but Redis.
func (s *Subscription) Take(ctx context.Context) (events []chat.Event, more bool) {
	if s.over {
		return nil, false
	}
	events, err := s.take(ctx)
	if err != nil {
		s.over = true
		if !errors.Is(err, errEnd) && ctx.Err() == nil {
			s.home.log.WarnContext(ctx, "relay: reader ended", "message_id", s.id, "error", err)
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
			// The log has what is missing, and what comes after.
			s.heard = e.Seq
			s.reader.fallBehind()
			return events, nil
		}
		if events, err = s.give(events, e); err != nil {
			return events, err
		}
	}
	return events, nil
}

// logPage is how many entries of a log are read at once: a reader who is far
// behind takes the memory of a page, not of the log.
const logPage = 256

// readLog gives a page of what the log holds after the last event. When it is
// full there may be more, to be taken next.
func (s *Subscription) readLog(ctx context.Context) (events []chat.Event, err error) {
	entries, err := s.home.redis.XRangeN(ctx, logKey(s.id), "("+streamID(s.last), "+", logPage).Result()
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
		s.reader.fallBehind()
	case s.last < s.heard:
		return events, errGap
	}
	return events, nil
}

// errEnd says that the answer's last event was given.
var errEnd = errors.New("relay: end of the answer")

// give adds e to the events, unless it was given before; errEnd at the answer's end.
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

// follows tells whether nothing is missing between last and e: e is the next
// number, or it makes what came before void.
func follows(e chat.Event, last int64) bool {
	return e.Seq == last+1 || e.Kind == chat.Reset
}

// Events gives the answer's events one by one, to one reader, in the place of
// Take. It is closed when there are no more, and after Close.
func (s *Subscription) Events() <-chan chat.Event {
	s.once.Do(func() {
		s.events = make(chan chat.Event)
		s.tasks.Go(s.pump)
	})
	return s.events
}

func (s *Subscription) pump() {
	defer close(s.events)
	for more := true; more; {
		select {
		case <-s.closed.Done():
			return
		case <-s.Ready():
		}
		var taken []chat.Event
		taken, more = s.Take(s.closed)
		for _, e := range taken {
			select {
			case <-s.closed.Done():
				return
			case s.events <- e:
			}
		}
	}
}
