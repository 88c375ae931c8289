package relay

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"go.uber.org/goleak"

	"vigueur/internal/chat"
	"vigueur/internal/errs"
	"vigueur/internal/queue/redistest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// open gives a running relay on the server.
func open(t *testing.T, s *redistest.Server) *Relay {
	t.Helper()
	r, err := Open(s.URL(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return r
}

// next waits for one event.
func next(t *testing.T, s *Subscription) chat.Event {
	t.Helper()
	select {
	case e, open := <-s.Events():
		if !open {
			t.Fatal("the events ended")
		}
		return e
	case <-time.After(10 * time.Second):
		t.Fatal("no event within 10 s")
	}
	return chat.Event{}
}

// rest reads until the events end.
func rest(t *testing.T, s *Subscription) (all []chat.Event) {
	t.Helper()
	limit := time.After(20 * time.Second)
	for {
		select {
		case e, open := <-s.Events():
			if !open {
				return all
			}
			all = append(all, e)
		case <-limit:
			t.Fatal("the events do not end")
		}
	}
}

func subscribe(t *testing.T, r *Relay, id uuid.UUID, after int64) *Subscription {
	t.Helper()
	s, err := r.Subscribe(t.Context(), id, after)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// textOf puts chunks end to end, beginning anew at a reset, and checks the order.
func textOf(t *testing.T, events []chat.Event) (text string) {
	t.Helper()
	last := int64(0)
	for _, e := range events {
		if e.Seq <= last {
			t.Errorf("event %d after %d", e.Seq, last)
		}
		last = e.Seq
		switch e.Kind {
		case chat.Reset:
			text = ""
		case chat.Chunk:
			text += strings.TrimSuffix(strings.TrimPrefix(string(e.Data), `{"text":"`), `"}`)
		}
	}
	return text
}

func TestReaderBeforeDuringAndAfter(t *testing.T) {
	t.Parallel()
	r := open(t, redistest.New(t))
	ctx, id := t.Context(), uuid.New()
	before := subscribe(t, r, id, 0)
	p := r.Publisher(ctx, id, 1)
	p.Text(ctx, "un ")
	if e := next(t, before); e.Seq != 1 || string(e.Data) != `{"text":"un "}` {
		t.Fatalf("first event %d %s", e.Seq, e.Data)
	}
	p.Text(ctx, "deux ")
	p.Text(ctx, "trois ")
	p.Flush(ctx)
	during := subscribe(t, r, id, 1)
	p.Text(ctx, "quatre")
	ends := p.ChunkEnds(ctx)
	p.End(ctx, chat.Final, []byte(`{}`))
	after := subscribe(t, r, id, 0)

	if got := textOf(t, rest(t, during)); got != "deux trois quatre" {
		t.Errorf("reader from the middle got %q", got)
	}
	all := rest(t, after)
	if got := textOf(t, all); got != "un deux trois quatre" {
		t.Errorf("reader from the end got %q", got)
	}
	if got := textOf(t, rest(t, before)); got != "deux trois quatre" {
		t.Errorf("reader from the start got %q after its first event", got)
	}
	if !slices.Equal(ends, []int{3, 14, 20}) || len(all) != 4 || !all[3].Last() {
		t.Errorf("chunk ends %v, events %v", ends, all)
	}
}

func TestManyReadersLoseNothing(t *testing.T) {
	t.Parallel()
	r := open(t, redistest.New(t))
	const answers, pieces = 20, 300
	texts := make(chan string, answers)
	want := ""
	for i := range pieces {
		want += fmt.Sprintf("%d.", i)
	}
	for range answers {
		go func() {
			ctx, id := context.Background(), uuid.New()
			s, err := r.Subscribe(ctx, id, 0)
			if err != nil {
				texts <- err.Error()
				return
			}
			defer s.Close()
			go func() {
				p := r.Publisher(ctx, id, 1)
				for i := range pieces {
					p.Text(ctx, fmt.Sprintf("%d.", i))
					if i%3 == 0 {
						p.Flush(ctx)
					}
				}
				p.End(ctx, chat.Final, []byte(`{}`))
			}()
			var events []chat.Event
			for e := range s.Events() {
				events = append(events, e)
			}
			texts <- textOf(t, events)
		}()
	}
	for range answers {
		if got := <-texts; got != want {
			t.Fatalf("got %q", got)
		}
	}
}

func TestSlowReaderCatchesUpFromTheLog(t *testing.T) {
	t.Parallel()
	r := open(t, redistest.New(t))
	ctx, id := t.Context(), uuid.New()
	s := subscribe(t, r, id, 0)
	p := r.Publisher(ctx, id, 1)
	const pieces = 4 * readerBuffer // nobody reads meanwhile
	for range pieces {
		p.Text(ctx, "x")
		p.Flush(ctx)
	}
	p.End(ctx, chat.Final, []byte(`{}`))
	events := rest(t, s)
	if got := textOf(t, events); len(got) != pieces || len(events) != pieces+1 {
		t.Errorf("%d characters in %d events, want %d and the end", len(got), len(events), pieces)
	}
}

func TestNextAttemptResetsAndFencesTheLast(t *testing.T) {
	t.Parallel()
	r := open(t, redistest.New(t))
	ctx, id := t.Context(), uuid.New()
	s := subscribe(t, r, id, 0)
	first := r.Publisher(ctx, id, 1)
	first.Text(ctx, "ancien")
	first.Flush(ctx)
	second := r.Publisher(ctx, id, 2)
	second.Text(ctx, "nouveau")
	first.Text(ctx, " revenant") // the worker thought dead wakes up
	first.End(ctx, chat.Final, []byte(`{}`))
	second.End(ctx, chat.Final, []byte(`{}`))
	for name, events := range map[string][]chat.Event{"live": rest(t, s), "from the log": rest(t, subscribe(t, r, id, 0))} {
		if got := textOf(t, events); got != "nouveau" {
			t.Errorf("%s: %q", name, got)
		}
	}
	resumed := rest(t, subscribe(t, r, id, 1))
	if resumed[0].Kind != chat.Reset || resumed[0].Seq != chat.ResetSeq(2) || textOf(t, resumed) != "nouveau" {
		t.Errorf("a reader of the first attempt gets %v", resumed)
	}
}

func TestRestartedRedisLosesNothing(t *testing.T) {
	t.Parallel()
	server := redistest.New(t)
	r := open(t, server)
	ctx, id := t.Context(), uuid.New()
	s := subscribe(t, r, id, 0)
	p := r.Publisher(ctx, id, 1)
	p.Text(ctx, "avant ")
	next(t, s)
	server.Stop()
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	// Published by another process before this one has reconnected.
	other := open(t, server)
	if err := other.publish(ctx, id, chat.Event{Seq: 2, Kind: chat.Chunk, Data: chat.ChunkData("pendant ")}); err != nil {
		t.Fatal(err)
	}
	if err := other.publish(ctx, id, chat.Event{Seq: 3, Kind: chat.Final, Data: []byte("{}")}); err != nil {
		t.Fatal(err)
	}
	if got := textOf(t, rest(t, s)); got != "pendant " {
		t.Errorf("after the restart: %q", got)
	}
}

func TestEmptiedRedisEndsTheEventsInsteadOfSkipping(t *testing.T) {
	t.Parallel()
	server := redistest.New(t)
	r := open(t, server)
	ctx, id := t.Context(), uuid.New()
	p := r.Publisher(ctx, id, 1)
	p.Text(ctx, "perdu ")
	p.Flush(ctx)
	if err := server.Flush(); err != nil {
		t.Fatal(err)
	}
	s := subscribe(t, r, id, 0)
	p.Text(ctx, "reste")
	p.Flush(ctx)
	if got := rest(t, s); len(got) != 0 {
		t.Errorf("got %v, want no text with a hole in it", got)
	}
}

func TestDownRedisFailsTheReaderNotTheWriter(t *testing.T) {
	t.Parallel()
	server := redistest.New(t)
	r := open(t, server)
	server.Stop()
	_, err := r.Subscribe(t.Context(), uuid.New(), 0)
	if !errs.Is(err, errs.Unavailable) {
		t.Errorf("subscribe: %v, want unavailable", err)
	}
	p := r.Publisher(t.Context(), uuid.New(), 1)
	for range 100 {
		p.Text(t.Context(), "mot ")
	}
	if ends := p.ChunkEnds(t.Context()); ends[len(ends)-1] != 400 {
		t.Errorf("chunk ends %v", ends)
	}
	if err := r.Ping(t.Context()); !errs.Is(err, errs.Unavailable) {
		t.Errorf("ping: %v", err)
	}
}

func TestCancelBeforeAndWhile(t *testing.T) {
	t.Parallel()
	r := open(t, redistest.New(t))
	for _, when := range []string{"before", "while"} {
		id := uuid.New()
		stopped := make(chan struct{})
		watch := func() { r.WatchCancel(t.Context(), id, func() { close(stopped) }) }
		cancel := func() {
			if err := r.Cancel(t.Context(), id); err != nil {
				t.Fatal(err)
			}
		}
		if when == "before" {
			cancel()
			go watch()
		} else {
			go watch()
			cancel()
		}
		select {
		case <-stopped:
		case <-time.After(5 * time.Second):
			t.Errorf("cancel %s the watch is not seen", when)
		}
	}
}

func TestCloseEndsAReaderThatNobodyReads(t *testing.T) {
	t.Parallel()
	r := open(t, redistest.New(t))
	id := uuid.New()
	s, err := r.Subscribe(t.Context(), id, 0)
	if err != nil {
		t.Fatal(err)
	}
	p := r.Publisher(t.Context(), id, 1)
	p.Text(t.Context(), "x")
	s.Close()
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.topics) != 0 {
		t.Errorf("%d topics are left", len(r.topics))
	}
}

func FuzzDecode(f *testing.F) {
	f.Add("1 chunk {}")
	f.Add("9999999999999999999 final {}")
	f.Add("  ")
	f.Fuzz(func(t *testing.T, payload string) {
		e, err := decode(payload)
		if err == nil && (e.Seq < 1 || !known(e.Kind)) {
			t.Errorf("%q read as %+v", payload, e)
		}
	})
}

func FuzzLogID(f *testing.F) {
	f.Add(int64(1))
	f.Add(int64(chat.AttemptStride))
	f.Fuzz(func(t *testing.T, seq int64) {
		if seq < 1 || seq > 1<<40 {
			return
		}
		if got, err := seqOf(streamID(seq)); err != nil || got != seq {
			t.Errorf("%d came back as %d, %v", seq, got, err)
		}
	})
}
