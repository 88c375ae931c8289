package httpapi

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
)

// rows is a store in which some answers have ended. It notes how many answers
// each question was about.
type rows struct {
	mu    sync.Mutex
	ended []uuid.UUID
	asked []int
	down  bool
}

func (r *rows) watch() *rowWatch {
	return &rowWatch{log: slog.New(slog.DiscardHandler), ended: r.over}
}

func (r *rows) over(_ context.Context, ids []uuid.UUID) (over []uuid.UUID, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked = append(r.asked, len(ids))
	if r.down {
		return nil, errors.New("down")
	}
	for _, id := range ids {
		if slices.Contains(r.ended, id) {
			over = append(over, id)
		}
	}
	return over, nil
}

// looks gives what was asked so far.
func (r *rows) looks() []int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.asked)
}

func (r *rows) setDown(down bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.down = down
}

func told(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func TestRowsOfAllStreamsAreLookedAtTogether(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		over, running := uuid.New(), uuid.New()
		store := &rows{ended: []uuid.UUID{over}}
		r := store.watch()
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { r.run(ctx); close(ended) }()
		time.Sleep(3*rowsEvery + rowsEvery/2) // from here on between two looks
		equal(t, "looks without a stream", len(store.looks()), 0)

		first, leaveFirst := r.join(over)
		second, leaveSecond := r.join(over)
		other, leaveOther := r.join(running)
		time.Sleep(rowsEvery)
		synctest.Wait()
		if !told(first) || !told(second) || told(other) {
			t.Error("not the streams of the answer that has ended were told")
		}
		equal(t, "looks", store.looks(), []int{2})

		store.setDown(true) // and later up again: what nobody heard is told once more
		time.Sleep(rowsEvery)
		store.setDown(false)
		time.Sleep(rowsEvery)
		synctest.Wait()
		if !told(first) {
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
		r.join(uuid.New())
	}
	r.look(t.Context())
	equal(t, "batches", store.looks(), []int{rowsBatch, rowsBatch, 1})
	store.setDown(true)
	r.look(t.Context())
	equal(t, "batches when the store is down", len(store.looks()), 4)
}
