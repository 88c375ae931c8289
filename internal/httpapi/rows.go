package httpapi

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"
)

const (
	// rowsEvery is how often the rows of all streams are looked at, in case an end
	// went by unheard.
	rowsEvery = 2 * time.Second
	// rowsBatch is how many rows one statement looks at.
	rowsBatch = 5000
)

// rowWatch looks at the rows of all the streams of the process at once: one
// statement for thousands of streams, where each by itself would ask as often.
// Its zero value is ready; run must be going for anything to be told.
type rowWatch struct {
	ended func(ctx context.Context, ids []uuid.UUID) ([]uuid.UUID, error)
	log   *slog.Logger

	mu      sync.Mutex
	streams map[uuid.UUID]map[chan struct{}]struct{} // by answer
}

// join gives a channel that holds a token whenever the answer was seen to have
// ended, or to be gone; leave must be called once.
func (r *rowWatch) join(answer uuid.UUID) (over <-chan struct{}, leave func()) {
	c := make(chan struct{}, 1)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.streams == nil {
		r.streams = map[uuid.UUID]map[chan struct{}]struct{}{}
	}
	if r.streams[answer] == nil {
		r.streams[answer] = map[chan struct{}]struct{}{}
	}
	r.streams[answer][c] = struct{}{}
	return c, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if delete(r.streams[answer], c); len(r.streams[answer]) == 0 {
			delete(r.streams, answer)
		}
	}
}

// run looks until ctx ends.
func (r *rowWatch) run(ctx context.Context) {
	tick := time.NewTicker(rowsEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			r.look(ctx)
		}
	}
}

// look tells the streams whose answers have ended. A store that is down is asked
// again at the next look.
func (r *rowWatch) look(ctx context.Context) {
	for ids := r.answers(); len(ids) > 0; {
		batch := ids[:min(rowsBatch, len(ids))]
		ids = ids[len(batch):]
		limited, cancel := context.WithTimeout(ctx, rowTimeout)
		ended, err := r.ended(limited, batch)
		cancel()
		if err != nil {
			if ctx.Err() == nil {
				r.log.WarnContext(ctx, "look at the rows of streams", "streams", len(batch), "error", err)
			}
			return
		}
		r.tell(ended)
	}
}

func (r *rowWatch) answers() []uuid.UUID {
	r.mu.Lock()
	defer r.mu.Unlock()
	ids := make([]uuid.UUID, 0, len(r.streams))
	for id := range r.streams {
		ids = append(ids, id)
	}
	return ids
}

func (r *rowWatch) tell(ended []uuid.UUID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, id := range ended {
		for c := range r.streams[id] {
			select {
			case c <- struct{}{}:
			default: // it was told before
			}
		}
	}
}
