package relay

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/testkit/leak"
	"vigueur/internal/store/chat"
	"vigueur/internal/work/queue/redistest"
)

func TestMain(m *testing.M) { leak.Main(m) }

// hang is the timeout of a test that waits for something that never comes.
const hang = 3 * time.Minute

// open returns a running relay on the server.
func open(t *testing.T, s *redistest.Server) *Relay {
	t.Helper()
	return openAt(t, s.URL())
}

func openAt(t *testing.T, url string) *Relay {
	t.Helper()
	r, err := Open(url, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	// The timeouts are long, so that no test depends on how fast a busy machine is.
	r.limits = limits{send: hang, join: hang}
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

// channels are the channels of subscriptions whose events are read one by one.
var channels sync.Map

// eventsOf returns a channel of a subscription's events, which is closed after the last event and after Close.
func eventsOf(s *Subscription) <-chan chat.Event {
	made := make(chan chat.Event)
	kept, known := channels.LoadOrStore(s, made)
	if known {
		made, _ = kept.(chan chat.Event)
		return made
	}
	go func() {
		defer close(made)
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
				case made <- e:
				}
			}
		}
	}()
	return made
}

// next waits for one event.
func next(t *testing.T, s *Subscription) chat.Event {
	t.Helper()
	select {
	case e, open := <-eventsOf(s):
		if !open {
			t.Fatal("the events ended")
		}
		return e
	case <-time.After(hang):
		t.Fatal("no event comes")
	}
	return chat.Event{}
}

// rest reads events until the subscription ends.
func rest(t *testing.T, s *Subscription) (all []chat.Event) {
	t.Helper()
	limit := time.After(hang)
	for {
		select {
		case e, open := <-eventsOf(s):
			if !open {
				return all
			}
			all = append(all, e)
		case <-limit:
			t.Fatal("the events do not end")
		}
	}
}

func subscribe(t *testing.T, r *Relay, id uuid.UUID, cursor int64) *Subscription {
	t.Helper()
	s, err := r.Subscribe(t.Context(), id, cursor)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// textOf joins the chunks, starts again at a reset, and checks the order.
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
	p.wait = time.Hour // which pieces share an event must not depend on how busy the machine is
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
			for e := range eventsOf(s) {
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
	first.Text(ctx, " revenant") // the worker that was considered dead continues
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
	// Another process publishes before this one has reconnected.
	other := open(t, server)
	during := []chat.Event{{Seq: 2, Kind: chat.Chunk, Data: chat.ChunkData("pendant ")}, {Seq: 3, Kind: chat.Final, Data: []byte("{}")}}
	if err := other.appendLog(ctx, id, during, false, true); err != nil {
		t.Fatal(err)
	}
	if got := textOf(t, rest(t, s)); got != "pendant " {
		t.Errorf("after the restart: %q", got)
	}
}

// A Redis that responds and stores nothing is not ready.
func TestAFullRedisIsDown(t *testing.T) {
	t.Parallel()
	server := redistest.New(t)
	r := open(t, server)
	if err := r.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	for setting, value := range map[string]string{"maxmemory-policy": "noeviction", "maxmemory": "1"} {
		if err := r.redis.ConfigSet(t.Context(), setting, value).Err(); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Ping(t.Context()); !errs.Is(err, errs.Unavailable) {
		t.Errorf("a full Redis: %v", err)
	}
}

// If a log is emptied while an answer is written, its writer writes the log again. A
// current reader continues. A reader that subscribes in between is ended, and gets
// everything when it subscribes again.
func TestEmptiedRedisIsFilledAgain(t *testing.T) {
	t.Parallel()
	server := redistest.New(t)
	r := open(t, server)
	ctx, id := t.Context(), uuid.New()
	there := subscribe(t, r, id, 0)
	p := r.Publisher(ctx, id, 2)
	p.Text(ctx, "avant ")
	p.Flush(ctx)
	if e := next(t, there); e.Kind != chat.Reset {
		t.Errorf("first %v", e)
	}
	next(t, there)
	if err := server.Flush(); err != nil {
		t.Fatal(err)
	}
	between := subscribe(t, r, id, 0)
	p.Text(ctx, "après")
	p.Flush(ctx)
	later := subscribe(t, r, id, 0)
	p.End(ctx, chat.Final, []byte("{}"))
	if got := textOf(t, rest(t, between)); got != "" && got != "avant après" { // the reader may have subscribed late enough to get the new log
		t.Errorf("a text with a hole in it: %q", got)
	}
	if got := textOf(t, rest(t, later)); got != "avant après" {
		t.Errorf("later reader got %q", got)
	}
	if got := textOf(t, rest(t, there)); got != "après" {
		t.Errorf("the reader who was there got %q", got)
	}
	if ttl, err := r.redis.TTL(ctx, logKey(id)).Result(); err != nil || ttl <= 0 || ttl > logLife {
		t.Errorf("the log lives %v, %v", ttl, err)
	}
}

func TestHoleInTheLogEndsTheEvents(t *testing.T) {
	t.Parallel()
	r := open(t, redistest.New(t))
	id := uuid.New()
	s := subscribe(t, r, id, 0)
	if err := r.appendLog(t.Context(), id, []chat.Event{{Seq: 7, Kind: chat.Chunk, Data: chat.ChunkData("x")}}, true, true); err != nil {
		t.Fatal(err)
	}
	if got := rest(t, s); len(got) != 0 {
		t.Errorf("got %v, want no text with a hole in it", got)
	}
}

// Events that are written while Redis is down are available when it is up again.
func TestWriterCatchesUpAfterAnOutage(t *testing.T) {
	t.Parallel()
	server := redistest.New(t)
	r := open(t, server)
	ctx, id := t.Context(), uuid.New()
	p := r.Publisher(ctx, id, 1)
	p.wait = time.Hour // the timer must not try whether Redis is down
	p.Text(ctx, "avant ")
	server.Stop()
	for range 5 {
		p.Text(ctx, "pendant ")
		p.Flush(ctx)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	p.retryAt = time.Time{} // the pause is over
	p.Text(ctx, "après")
	p.End(ctx, chat.Final, []byte("{}"))
	if got := textOf(t, rest(t, subscribe(t, r, id, 0))); got != "avant "+strings.Repeat("pendant ", 5)+"après" {
		t.Errorf("got %q", got)
	}
}

func TestLongLogIsReadInPages(t *testing.T) {
	t.Parallel()
	r := open(t, redistest.New(t))
	ctx, id := t.Context(), uuid.New()
	events := make([]chat.Event, 2*logPage, 2*logPage+1)
	for i := range events {
		events[i] = chat.Event{Seq: int64(i + 1), Kind: chat.Chunk, Data: chat.ChunkData("x")}
	}
	if err := r.appendLog(ctx, id, append(events, chat.Event{Seq: int64(len(events) + 1), Kind: chat.Final, Data: []byte("{}")}), true, true); err != nil {
		t.Fatal(err)
	}
	if got := rest(t, subscribe(t, r, id, 0)); len(got) != len(events)+1 {
		t.Errorf("%d events, want %d", len(got), len(events)+1)
	}
}

func TestEventsThatAreKeptAreBounded(t *testing.T) {
	t.Parallel()
	r := open(t, redistest.New(t))
	ctx, id := t.Context(), uuid.New()
	p := r.Publisher(ctx, id, 1)
	p.retryAt = time.Now().Add(time.Hour)
	for range 2*logLength + 5 {
		p.Text(ctx, "x")
		p.Flush(ctx)
	}
	if len(p.events) > logLength || p.logged != 0 {
		t.Errorf("%d events are kept, %d logged", len(p.events), p.logged)
	}
	if ends := p.ChunkEnds(ctx); len(ends) != 2*logLength+5 {
		t.Errorf("%d chunks", len(ends))
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
	for _, moment := range []string{"before", "while"} {
		id := uuid.New()
		stopped := make(chan struct{})
		watch := func() { r.WatchCancel(t.Context(), id, func() { close(stopped) }) }
		cancel := func() {
			if err := r.Cancel(t.Context(), id); err != nil {
				t.Fatal(err)
			}
		}
		if moment == "before" {
			cancel()
			go watch()
		} else {
			go watch()
			cancel()
		}
		select {
		case <-stopped:
		case <-time.After(hang):
			t.Errorf("cancel %s the watch is not seen", moment)
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
