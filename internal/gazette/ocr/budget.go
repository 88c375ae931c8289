package ocr

import (
	"context"
	"errors"
	"sync"
	"time"
)

// ErrSpent is the error of a recognition that did not start because its budget was spent, or that
// was ended because the budget ran out.
var ErrSpent = errors.New("the time for recognizing this file is spent")

// Budget limits the time for recognizing the pages of one file, summed over pages: two pages that
// are recognized at the same time for one second use two seconds. A nil *Budget sets no limit. A
// Budget is safe for use by many goroutines.
type Budget struct {
	limit time.Duration

	mu      sync.Mutex
	used    time.Duration                   // time spent until since
	since   time.Time                       // time of the last call of count
	running map[int]context.CancelCauseFunc // the recognitions in progress
	next    int                             // key of the next recognition
	end     *time.Timer                     // fires when the recognitions in progress will have spent the budget
}

// NewBudget returns a budget of the given limit, of which the time used is already spent.
func NewBudget(limit, used time.Duration) *Budget {
	return &Budget{limit: limit, used: used, running: map[int]context.CancelCauseFunc{}}
}

// Used returns the time spent so far, including the time of recognitions in progress.
func (b *Budget) Used() time.Duration {
	if b == nil {
		return 0
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.count()
	return b.used
}

// Start begins to count time for a recognition, until the caller calls done. When the budget runs
// out, it cancels the returned context with ErrSpent. If the budget is already spent, it returns the
// error ErrSpent.
func (b *Budget) Start(ctx context.Context) (_ context.Context, done func(), err error) {
	if b == nil {
		return ctx, func() {}, nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.count()
	if b.used >= b.limit {
		return ctx, func() {}, ErrSpent
	}
	ctx, cancel := context.WithCancelCause(ctx)
	key := b.next
	b.next++
	b.running[key] = cancel
	b.watch()
	return ctx, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.count()
		delete(b.running, key)
		b.watch()
		cancel(nil)
	}, nil
}

// count adds the time since the last call, once for each recognition in progress.
func (b *Budget) count() {
	now := time.Now()
	b.used += time.Duration(len(b.running)) * now.Sub(b.since)
	b.since = now
}

// watch sets the timer to the time at which the recognitions in progress will have spent the budget.
func (b *Budget) watch() {
	if b.end != nil {
		b.end.Stop()
	}
	if n := len(b.running); n > 0 {
		b.end = time.AfterFunc((b.limit-b.used)/time.Duration(n), b.expire)
	}
}

// expire cancels the recognitions in progress if the budget is spent.
func (b *Budget) expire() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.count()
	if b.used < b.limit {
		b.watch() // a recognition has ended since the timer was set
		return
	}
	for _, cancel := range b.running {
		cancel(ErrSpent)
	}
}
