package relay

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"vigueur/internal/store/chat"
	"vigueur/internal/store/redisurl"
)

// errGap reports that the log no longer contains events that a reader has missed.
var errGap = errors.New("relay: events are missing from the log")

// Subscription delivers the events of one answer to one reader. The reader uses
// Ready and Take in one goroutine.
type Subscription struct {
	relay  *Relay
	id     uuid.UUID
	reader *reader
	last   int64 // number of the last event that was returned
	heard  int64 // number of the last event that was received live, which the log must contain
	over   bool

	closed context.Context // ends when Close is called
	cancel context.CancelFunc
}

// Subscribe follows the answer id, beginning after the event with number after (0: from the
// start). It returns once Redis has confirmed the subscription: no event that is published
// later is missed. Unavailable if Redis is down. The caller must call Close.
func (r *Relay) Subscribe(ctx context.Context, id uuid.UUID, cursor int64) (*Subscription, error) {
	rd, err := r.join(ctx, liveChannel(id))
	if err != nil {
		return nil, err
	}
	rd.readLogNext() // the log has the earlier events
	closed, cancel := context.WithCancel(context.WithoutCancel(ctx))
	return &Subscription{relay: r, id: id, reader: rd, last: cursor, closed: closed, cancel: cancel}, nil
}

// Ready returns a channel that receives a value when Take has something to return.
func (s *Subscription) Ready() <-chan struct{} { return s.reader.wake }

// Close ends the subscription. It may be called more than once.
func (s *Subscription) Close() {
	if s.closed.Err() != nil {
		return
	}
	s.cancel()
	s.relay.leave(liveChannel(s.id), s.reader)
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
			s.relay.log.WarnContext(ctx, "relay: reader ended", "message_id", s.id, "error", err)
		}
	}
	return events, err == nil
}

func (s *Subscription) take(ctx context.Context) (events []chat.Event, err error) {
	messages, late := s.reader.take()
	if late {
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
	entries, err := s.relay.redis.XRangeN(ctx, logKey(s.id), "("+streamID(s.last), "+", logPage).Result()
	if err != nil {
		return nil, redisurl.Away(err)
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

// readerBuffer is the number of messages that a reader can buffer. If it lags further
// behind, it has to read the log. 64 messages are about one second of a fast model.
const readerBuffer = 64

// reader is the buffer between the dispatcher, which it never blocks, and one subscription.
// An idle reader needs no memory for messages.
type reader struct {
	wake chan struct{} // holds a token if take has something to return

	mu       sync.Mutex
	messages []string
	behind   bool // whether the log must be read, which contains all buffered messages
}

func newReader() *reader { return &reader{wake: make(chan struct{}, 1)} }

// readLogNext drops the buffered messages. The next call of take then returns behind.
func (r *reader) readLogNext() {
	r.mu.Lock()
	r.behind, r.messages = true, nil
	r.mu.Unlock()
	r.signal()
}

// push adds a message. If the buffer is full, the log has to be read instead.
func (r *reader) push(payload string) {
	r.mu.Lock()
	switch {
	case r.behind:
	case len(r.messages) == readerBuffer:
		r.behind, r.messages = true, nil
	default:
		r.messages = append(r.messages, payload)
	}
	r.mu.Unlock()
	r.signal()
}

func (r *reader) signal() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// take returns the messages since the last call. If behind is true, the caller must read
// the log instead.
func (r *reader) take() (messages []string, late bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	messages, late = r.messages, r.behind
	r.messages, r.behind = nil, false
	return messages, late
}

// The keys of one answer contain its id.
func logKey(id uuid.UUID) string        { return "vigueur:{" + id.String() + "}:log" }
func liveChannel(id uuid.UUID) string   { return "vigueur:{" + id.String() + "}:live" }
func cancelKey(id uuid.UUID) string     { return "vigueur:{" + id.String() + "}:cancel" }
func cancelChannel(id uuid.UUID) string { return "vigueur:{" + id.String() + "}:cancelled" }

// streamID returns an event's id in the log: its attempt, then its number within the
// attempt. Redis rejects an id that is not above the last one, so an attempt that lost its
// lease can no longer write to the log.
func streamID(seq int64) string {
	return strconv.Itoa(chat.AttemptOf(seq)) + "-" + strconv.FormatInt(seq%chat.AttemptStride, 10)
}

// seqOf parses an id of the log and returns the event's number.
func seqOf(id string) (int64, error) {
	attempt, number, ok := strings.Cut(id, "-")
	a, err := strconv.ParseInt(attempt, 10, 32)
	if err != nil || !ok || a < 1 {
		return 0, fmt.Errorf("relay: log id %q", id)
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 0 || n >= chat.AttemptStride {
		return 0, fmt.Errorf("relay: log id %q", id)
	}
	return (a-1)*chat.AttemptStride + n, nil
}

// encode formats an event for pub/sub: its number, kind and data, separated by spaces.
func encode(e chat.Event) string {
	return strconv.FormatInt(e.Seq, 10) + " " + string(e.Kind) + " " + string(e.Data)
}

// decode parses the output of encode.
func decode(payload string) (chat.Event, error) {
	number, rest, ok := strings.Cut(payload, " ")
	kind, data, ok2 := strings.Cut(rest, " ")
	seq, err := strconv.ParseInt(number, 10, 64)
	if err != nil || !ok || !ok2 || seq < 1 || !known(chat.EventKind(kind)) {
		return chat.Event{}, fmt.Errorf("relay: message of %d bytes is no event", len(payload))
	}
	return chat.Event{Seq: seq, Kind: chat.EventKind(kind), Data: []byte(data)}, nil
}

// fromLog parses one entry of the log.
func fromLog(m redis.XMessage) (chat.Event, error) {
	seq, err := seqOf(m.ID)
	if err != nil {
		return chat.Event{}, err
	}
	kind, _ := m.Values["k"].(string)
	data, _ := m.Values["d"].(string)
	if !known(chat.EventKind(kind)) {
		return chat.Event{}, fmt.Errorf("relay: log entry %s is no event", m.ID)
	}
	return chat.Event{Seq: seq, Kind: chat.EventKind(kind), Data: []byte(data)}, nil
}

func known(k chat.EventKind) bool {
	return k == chat.Chunk || k == chat.Reset || k == chat.Final || k == chat.ErrorKind
}
