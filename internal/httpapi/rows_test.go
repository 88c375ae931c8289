package httpapi

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
)

// rowsOf is a store in which the given answers have ended; calls counts the questions.
func rowsOf(calls *[]int, down *bool, ended ...uuid.UUID) *rowWatch {
	return &rowWatch{log: slog.New(slog.DiscardHandler), ended: func(_ context.Context, ids []uuid.UUID) (over []uuid.UUID, err error) {
		*calls = append(*calls, len(ids))
		if *down {
			return nil, errors.New("down")
		}
		for _, id := range ids {
			for _, e := range ended {
				if id == e {
					over = append(over, id)
				}
			}
		}
		return over, nil
	}}
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
		var calls []int
		down := false
		r := rowsOf(&calls, &down, over)
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { r.run(ctx); close(ended) }()
		time.Sleep(3 * rowsEvery)
		equal(t, "looks without a stream", len(calls), 0)

		first, leaveFirst := r.join(over)
		second, leaveSecond := r.join(over)
		other, leaveOther := r.join(running)
		time.Sleep(rowsEvery)
		synctest.Wait()
		if !told(first) || !told(second) || told(other) {
			t.Error("not the streams of the answer that has ended were told")
		}
		equal(t, "looks", calls, []int{2})

		down = true // and later up again: what nobody heard is told once more
		time.Sleep(rowsEvery)
		down = false
		time.Sleep(rowsEvery)
		synctest.Wait()
		if !told(first) {
			t.Error("not told after the store was down")
		}
		leaveFirst()
		leaveSecond()
		leaveOther()
		seen := len(calls)
		time.Sleep(3 * rowsEvery)
		equal(t, "looks after all have left", len(calls), seen)
		equal(t, "streams left", len(r.streams), 0)
		stop()
		<-ended
	})
}

func TestManyRowsAreLookedAtInBatches(t *testing.T) {
	t.Parallel()
	var calls []int
	down := false
	r := rowsOf(&calls, &down)
	for range 2*rowsBatch + 1 {
		r.join(uuid.New())
	}
	r.look(t.Context())
	equal(t, "batches", calls, []int{rowsBatch, rowsBatch, 1})
	down = true
	r.look(t.Context())
	equal(t, "batches when the store is down", len(calls), 4)
}
