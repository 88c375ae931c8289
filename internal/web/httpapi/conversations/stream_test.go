package conversations

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/chat"
	"vigueur/internal/web/httpapi/transport"
)

// script is a follower's environment: the state of the relay and the row, and what the
// client received.
type script struct {
	*follower
	got     strings.Builder
	mu      sync.Mutex // guards the following fields
	row     chat.Message
	rowErr  error
	looks   int     // reads of the row
	after   []int64 // position of each requested subscription
	subs    []*scriptedSub
	refuse  bool // the relay is down
	slow    bool // the row is not read in time
	goneC   chan struct{}
	endC    chan struct{} // the session's end
	stopC   chan struct{}
	sendErr error
}

// scriptedSub is a subscription whose events are sent one by one.
type scriptedSub struct {
	ready  chan struct{}
	events chan chat.Event // closed: there are no more
	closed bool
}

func (s *scriptedSub) Ready() <-chan struct{} { return s.ready }

func (s *scriptedSub) Close() { s.closed = true }

func (s *scriptedSub) Take(context.Context) ([]chat.Event, bool) {
	e, more := <-s.events
	if !more {
		return nil, false
	}
	return []chat.Event{e}, true
}

func (s *scriptedSub) say(e chat.Event) {
	s.ready <- struct{}{}
	s.events <- e
}

func (s *scriptedSub) end() {
	close(s.events)
	s.ready <- struct{}{}
}

func newScript() *script {
	s := &script{goneC: make(chan struct{}), endC: make(chan struct{}), stopC: make(chan struct{}), row: chat.Message{State: chat.Running, Attempt: 1}}
	s.follower = &follower{
		wire: transport.Wire{},
		gone: s.goneC, stop: s.stopC, revoked: s.endC,
		send: func(b []byte) error { s.got.Write(b); return s.sendErr },
		answer: func(ctx context.Context) (chat.Message, error) {
			if s.slow {
				<-ctx.Done()
				return chat.Message{}, ctx.Err()
			}
			s.mu.Lock()
			defer s.mu.Unlock()
			s.looks++
			return s.row, s.rowErr
		},
		subscribe: func(_ context.Context, cursor int64) (subscription, error) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.after = append(s.after, cursor)
			if s.refuse {
				return nil, errs.New(errs.Unavailable, "")
			}
			return s.join(), nil
		},
	}
	return s
}

// set changes the state of the relay and the row.
func (s *script) set(refuse bool, row chat.Message, rowErr error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuse, s.row, s.rowErr = refuse, row, rowErr
}

// seen returns the requests to the row and the relay so far.
func (s *script) seen() (looks int, after []int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.looks, slices.Clone(s.after)
}

// second returns the subscription that is made after the first was lost.
func (s *script) second() *scriptedSub {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.subs[1]
}

func (s *script) join() *scriptedSub {
	sub := &scriptedSub{ready: make(chan struct{}), events: make(chan chat.Event)}
	s.subs = append(s.subs, sub)
	return sub
}

// follow runs the follower; wait returns why it ended.
func (s *script) follow(t *testing.T, sub subscription) (wait func() error) {
	ended := make(chan error, 1)
	go func() { ended <- s.run(t.Context(), sub) }()
	return func() error { return <-ended }
}

// wants checks what the client received: "seq kind" per event, comments unchanged.
func (s *script) wants(t *testing.T, want ...string) {
	t.Helper()
	var got []string
	for _, block := range strings.Split(strings.TrimSuffix(s.got.String(), "\n\n"), "\n\n") {
		lines := strings.Split(block, "\n")
		if len(lines) != 3 {
			got = append(got, block)
			continue
		}
		got = append(got, strings.TrimPrefix(lines[0], "id: ")+" "+strings.TrimPrefix(lines[1], "event: "))
	}
	if !slices.Equal(got, want) {
		t.Errorf("the client got %q, want %q", got, want)
	}
	for i, sub := range s.subs {
		if !sub.closed {
			t.Errorf("subscription %d is left open", i)
		}
	}
}

func chunk(seq int64, text string) chat.Event {
	return chat.Event{Seq: seq, Kind: chat.Chunk, Data: chat.ChunkData(text)}
}

// done is an ended answer "abc" of three chunks.
func done(attempt int) chat.Message {
	return chat.Message{State: chat.Done, Attempt: attempt, Content: "abc", ChunkEnds: []int{1, 2, 3}, Validation: &chat.Validation{OK: true}}
}

func TestFollowerPassesOnWhatTheRelaySays(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newScript()
		sub := s.join()
		wait := s.follow(t, sub)
		sub.say(chunk(1, "a"))
		sub.say(chunk(1, "a")) // a duplicate is dropped
		sub.say(chunk(2, "b"))
		sub.say(chat.Event{Seq: 3, Kind: chat.Final, Data: []byte("{}")})
		if err := wait(); !errors.Is(err, transport.ErrEnded) {
			t.Errorf("ended with %v", err)
		}
		s.wants(t, "1 chunk", "2 chunk", "3 final")
		if s.looks != 0 || s.events != 3 {
			t.Errorf("%d looks at the row, %d events", s.looks, s.events)
		}
	})
	s := newScript()
	ok(t, s.sendEvents(chunk(7, "été\n")))
	equal(t, "an event", s.got.String(), "id: 7\nevent: chunk\ndata: {\"text\":\"été\\n\"}\n\n")
}

func TestFollowerKeepsTheConnectionAlive(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newScript()
		sub := s.join()
		wait := s.follow(t, sub)
		time.Sleep(transport.KeepAlive + time.Millisecond)
		sub.say(chunk(1, "a"))
		time.Sleep(transport.KeepAlive)
		synctest.Wait()
		close(s.goneC)
		if err := wait(); !errors.Is(err, transport.ErrGone) {
			t.Errorf("ended with %v", err)
		}
		s.wants(t, ": keep-alive", "1 chunk", ": keep-alive")
	})
}

// While events come the row is not read. An end that the relay missed is found in the row,
// also after the row could not be read for a while.
func TestFollowerFindsAnEndInTheRow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newScript()
		sub := s.join()
		wait := s.follow(t, sub)
		for seq := range int64(3) {
			sub.say(chunk(seq+1, "abc"[seq:seq+1]))
			time.Sleep(rowEvery / 2) // so that no look coincides with a keep-alive
		}
		synctest.Wait()
		looks, _ := s.seen()
		equal(t, "looks at the row while events come", looks, 0)
		s.set(false, chat.Message{}, errs.New(errs.Unavailable, ""))
		time.Sleep(rowEvery)
		synctest.Wait()
		s.set(false, done(1), nil)
		if err := wait(); !errors.Is(err, transport.ErrEnded) {
			t.Errorf("ended with %v", err)
		}
		s.wants(t, "1 chunk", "2 chunk", "3 chunk", "4 final")
	})
}

func TestFollowerSurvivesTheLossOfTheRelay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newScript()
		sub := s.join()
		wait := s.follow(t, sub)
		sub.say(chunk(1, "a"))
		synctest.Wait()
		s.set(true, chat.Message{}, errs.New(errs.Unavailable, "")) // both stores are down
		sub.end()
		time.Sleep(2*rowEvery + time.Millisecond)
		synctest.Wait()
		_, after := s.seen()
		equal(t, "tries", after, []int64{1, 1})
		s.set(false, chat.Message{State: chat.Running, Attempt: 1}, nil)
		time.Sleep(rowEvery)
		synctest.Wait()
		again := s.second()
		again.say(chunk(2, "b"))
		again.say(chat.Event{Seq: 3, Kind: chat.ErrorKind, Data: chat.ErrorData("x")})
		if err := wait(); !errors.Is(err, transport.ErrEnded) {
			t.Errorf("ended with %v", err)
		}
		s.wants(t, "1 chunk", "2 chunk", "3 error")
	})
}

// While the relay is away the whole answer is sent from the row once, after its end.
func TestFollowerFillsAGapFromTheRow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newScript()
		sub := s.join()
		wait := s.follow(t, sub)
		s.set(true, chat.Message{State: chat.Running, Attempt: 2}, nil)
		sub.end()
		time.Sleep(10 * blindTime) // its row can be read: it is not blind
		synctest.Wait()
		s.set(true, done(2), nil) // a later attempt; the client has seen no attempt, so it gets no reset
		if err := wait(); !errors.Is(err, transport.ErrEnded) {
			t.Errorf("ended with %v", err)
		}
		first := chat.FirstSeq(2)
		want := []string{fmt.Sprint(first, " chunk"), fmt.Sprint(first+1, " chunk"), fmt.Sprint(first+2, " chunk"), fmt.Sprint(first+3, " final")}
		if got := s.got.String(); strings.Count(got, ": keep-alive") == 0 {
			t.Error("no keep-alive")
		}
		s.wants(t, slices.Concat(slices.Repeat([]string{": keep-alive"}, strings.Count(s.got.String(), ": keep-alive")), want)...)
	})
}

// A stream whose answer's state is unknown ends with an event without a number: the client
// may resume after the last number.
func TestFollowerThatIsBlindSaysSo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newScript()
		sub := s.join()
		wait := s.follow(t, sub)
		sub.say(chunk(1, "a"))
		s.set(true, chat.Message{}, errs.New(errs.Unavailable, ""))
		sub.end()
		began := time.Now()
		if err := wait(); !errors.Is(err, transport.ErrLost) || time.Since(began) > 10*time.Second {
			t.Errorf("ended with %v after %v", err, time.Since(began))
		}
		s.wants(t, "1 chunk", "event: error\ndata: "+string(chat.ErrorData(lostText)))
	})
}

// A store that does not give the row in time ends no stream while the relay is there, and delays
// neither its events nor the end of the session.
func TestFollowerOfASlowStore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newScript()
		s.slow = true
		sub := s.join()
		wait := s.follow(t, sub)
		time.Sleep(2*blindTime + 500*time.Millisecond) // the row is being read
		began := time.Now()
		sub.say(chunk(1, "a"))
		synctest.Wait()
		close(s.endC)
		if err := wait(); !errors.Is(err, transport.ErrRevoked) || time.Since(began) > 0 {
			t.Errorf("ended with %v after %v", err, time.Since(began))
		}
		s.wants(t, ": keep-alive", "1 chunk", "event: error\ndata: "+string(chat.ErrorData(transport.RevokedText)))
	})
}

func TestFollowerOfAnAnswerThatHasEnded(t *testing.T) {
	t.Parallel()
	failed := done(1)
	failed.State, failed.Error, failed.Content, failed.ChunkEnds = chat.Failed, "Panne.", "", nil
	second := chat.FirstSeq(2)
	for name, c := range map[string]struct {
		row  chat.Message
		last int64
		want []string
	}{
		"from the start":           {done(1), 0, []string{"1 chunk", "2 chunk", "3 chunk", "4 final"}},
		"from the middle":          {done(1), 2, []string{"3 chunk", "4 final"}},
		"the end alone":            {done(1), 3, []string{"4 final"}},
		"with the end's own id":    {done(1), 4, []string{""}},
		"beyond the end":           {done(1), 99, []string{""}},
		"failed":                   {failed, 0, []string{"1 error"}},
		"seen of an older attempt": {done(2), 2, []string{fmt.Sprint(second-1, " reset"), fmt.Sprint(second, " chunk"), fmt.Sprint(second+1, " chunk"), fmt.Sprint(second+2, " chunk"), fmt.Sprint(second+3, " final")}},
		"seen the reset":           {done(2), second - 1, []string{fmt.Sprint(second, " chunk"), fmt.Sprint(second+1, " chunk"), fmt.Sprint(second+2, " chunk"), fmt.Sprint(second+3, " final")}},
	} {
		s := newScript()
		s.row, s.last = c.row, c.last
		if err := s.run(t.Context(), nil); !errors.Is(err, transport.ErrEnded) {
			t.Errorf("%s: ended with %v", name, err)
		}
		t.Log(name)
		s.wants(t, c.want...)
	}
}

func TestFollowerIsToldToStop(t *testing.T) {
	t.Parallel()
	for _, lost := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s := newScript()
			sub := s.join()
			wait := s.follow(t, sub)
			if lost {
				sub.end()
				synctest.Wait()
			}
			close(s.stopC)
			if err := wait(); !errors.Is(err, transport.ErrShutdown) {
				t.Errorf("ended with %v", err)
			}
			var pause int
			if n, err := fmt.Sscanf(s.got.String(), "retry: %d\n\n", &pause); n != 1 || err != nil || pause < 250 || pause >= 2000 {
				t.Errorf("the client got %q", s.got.String())
			}
		})
	}
}

func TestFollowerOfADeletedAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newScript()
		sub := s.join()
		wait := s.follow(t, sub)
		sub.say(chunk(1, "a"))
		synctest.Wait()
		s.set(false, chat.Message{}, errs.New(errs.NotFound, ""))
		if err := wait(); !errors.Is(err, transport.ErrEnded) {
			t.Errorf("ended with %v", err)
		}
		s.wants(t, "1 chunk", "2 error")
	})
}

func TestFollowerOfAClientThatDoesNotRead(t *testing.T) {
	t.Parallel()
	s := newScript()
	s.sendErr = errors.New("i/o timeout")
	s.row = done(1)
	if err := s.run(t.Context(), nil); !errors.Is(err, s.sendErr) {
		t.Errorf("ended with %v", err)
	}
}

func TestLastEventID(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]int64{
		"": 0, "3": 3, "1000002": 1000002, "-1": 0, "x": 0, "3.5": 0, "\t3": 0, "9223372036854775808": 0, "9223372036854775807": 9223372036854775807,
	} {
		equal(t, fmt.Sprintf("%q", given), lastEventID(given), want)
	}
}
