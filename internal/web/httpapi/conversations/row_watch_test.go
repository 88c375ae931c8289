package conversations

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
)

// rows is a fake store with news of some answers, and a fake relay. It records how many
// answers each query was for.
type rows struct {
	mu     sync.Mutex
	has    map[uuid.UUID]postgres.News
	asked  []int
	deaf   bool      // the relay is down
	deafOf uuid.UUID // the relay of this answer is down
	down   bool      // the rows cannot be read
}

func (r *rows) watch() *rowWatch {
	return &rowWatch{log: slog.New(slog.DiscardHandler), news: r.news, relayDown: r.hears}
}

func (r *rows) hears(context.Context) func(uuid.UUID) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	all, one := r.deaf, r.deafOf
	return func(answer uuid.UUID) bool { return all || answer == one }
}

func (r *rows) news(_ context.Context, readers []postgres.Reader, idle bool) (found []postgres.News, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked = append(r.asked, len(readers))
	if r.down {
		return nil, errors.New("down")
	}
	for _, reader := range readers {
		n, has := r.has[reader.Answer]
		if has && (n.Ended || n.Idle && idle || n.Attempt > 0 && chat.FirstSeq(n.Attempt)+int64(len(n.Ends)) > reader.After+1) {
			n.Answer = reader.Answer
			found = append(found, n)
		}
	}
	return found, nil
}

// looks returns the queries so far.
func (r *rows) looks() []int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.asked)
}

func (r *rows) set(deaf, down bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.deaf, r.down = deaf, down
}

// told receives the news of a stream; any is false if there is none.
func told(w *watched) (n news, any bool) {
	select {
	case n = <-w.news:
		return n, true
	default:
		return n, false
	}
}

func wasTold(w *watched) bool {
	n, any := told(w)
	return any && n.row.Ended && !n.lost
}

func TestRowsOfAllStreamsAreLookedAtTogether(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		over, running := uuid.New(), uuid.New()
		store := &rows{has: map[uuid.UUID]postgres.News{over: {Ended: true}}}
		r := store.watch()
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { r.run(ctx); close(ended) }()
		time.Sleep(3*rowsEvery + rowsEvery/2) // now is between two looks
		equal(t, "looks without a stream", len(store.looks()), 0)

		first, leaveFirst := r.join(over, 0)
		second, leaveSecond := r.join(over, 0)
		other, leaveOther := r.join(running, 0)
		time.Sleep(rowsEvery)
		synctest.Wait()
		if !wasTold(first) || !wasTold(second) || wasTold(other) {
			t.Error("not the streams of the answer that has ended were told")
		}
		equal(t, "looks", store.looks(), []int{2})

		store.set(false, true) // the database works again later: news that was not received is sent again
		time.Sleep(rowsEvery)
		store.set(false, false)
		time.Sleep(rowsEvery)
		synctest.Wait()
		if !wasTold(first) {
			t.Error("not told after the store was down")
		}
		leaveFirst()
		leaveSecond()
		leaveOther()
		seen := len(store.looks())
		time.Sleep(3 * rowsEvery)
		equal(t, "looks after all have left", len(store.looks()), seen)
		equal(t, "streams left", len(r.streams), 0)
		stop()
		<-ended
	})
}

func TestManyRowsAreLookedAtInBatches(t *testing.T) {
	t.Parallel()
	store := &rows{}
	r := store.watch()
	for range 2*rowsBatch + 1 {
		r.join(uuid.New(), 0)
	}
	r.look(t.Context())
	equal(t, "batches", store.looks(), []int{rowsBatch, rowsBatch, 1})
	store.set(false, true)
	r.look(t.Context())
	equal(t, "batches when the store is down", len(store.looks()), 4)
}

func TestDraftIsToldToWhoIsBehind(t *testing.T) {
	t.Parallel()
	id := uuid.New()
	draft := postgres.News{Answer: id, Attempt: 1, Draft: "ab", Ends: []int{1, 2}}
	store := &rows{has: map[uuid.UUID]postgres.News{id: draft}}
	r := store.watch()
	w, leave := r.join(id, 1)
	defer leave()
	r.look(t.Context())
	if n, any := told(w); !any || n.row.Draft != "ab" || n.lost {
		t.Errorf("told %v %+v", any, n)
	}
	w.after.Store(2)
	r.look(t.Context())
	if n, any := told(w); any {
		t.Errorf("told what it has: %+v", n)
	}
}

// A stream ends soon if the state of its answer is unknown, and not while the state is
// known.
func TestBlindStreamsAreTold(t *testing.T) {
	t.Parallel()
	waiting, held := uuid.New(), uuid.New()
	for _, c := range []struct {
		name          string
		deaf, down    bool
		waits, worked bool // whether the stream of such an answer ends
		deafOf        uuid.UUID
	}{
		{"all is well", false, false, false, false, uuid.Nil},
		{"the relay is down", true, false, true, false, uuid.Nil},
		{"the server of the answer that waits is down", false, false, true, false, waiting},
		{"another server of the relay is down", false, false, false, false, held},
		{"the rows cannot be read", false, true, true, true, uuid.Nil},
		{"both are down", true, true, true, true, uuid.Nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				store := &rows{has: map[uuid.UUID]postgres.News{waiting: {Idle: true}}}
				store.set(c.deaf, c.down)
				store.deafOf = c.deafOf
				r := store.watch()
				w, _ := r.join(waiting, 0)
				h, _ := r.join(held, 0)
				lively, _ := r.join(uuid.New(), 0)
				ctx, stop := context.WithCancel(t.Context())
				ended := make(chan struct{})
				go func() { r.run(ctx); close(ended) }()
				for range 10 {
					time.Sleep(time.Second)
					lively.after.Add(1)
				}
				for name, s := range map[string]struct {
					w    *watched
					want bool
				}{"waits": {w, c.waits}, "is worked at": {h, c.worked}, "is heard": {lively, false}} {
					if n, _ := told(s.w); n.lost != s.want {
						t.Errorf("the answer %s: lost %v after 10 s", name, n.lost)
					}
				}
				stop()
				<-ended
			})
		})
	}
}
