package embedding

import (
	"context"
	"time"
)

const (
	// sentenceBatch is the number of passages between two pauses. The transformer takes about
	// half a second for them, which is how long a question at most has it beside itself.
	sentenceBatch = 8
	// longestPause is the maximum pause after a batch, as a multiple of the time that the batch
	// took. Where answers and files never end, vectors still get a tenth of one core's time.
	longestPause = 9
	// urgentPoll is how often a pause looks whether there still is more urgent work.
	urgentPoll = 200 * time.Millisecond
)

// Clock tells the time and waits.
type Clock interface {
	Now() time.Time
	// After returns a channel on which the time is sent after d.
	After(d time.Duration) <-chan time.Time
}

// realTime is the Clock of the machine.
type realTime struct{}

func (realTime) Now() time.Time                         { return time.Now() }
func (realTime) After(d time.Duration) <-chan time.Time { return time.After(d) }

func (r *Runner) clock() Clock {
	if r.Clock == nil {
		return realTime{}
	}
	return r.Clock
}

// yield pauses after a batch while a question waits for its answer or a file waits to be
// read, on this machine or on another. It returns at the latest after longestPause times
// the time that the batch took, so that vectors never starve.
func (r *Runner) yield(ctx context.Context, took time.Duration) error {
	if !r.Sentences {
		return nil // the searched vectors: without them, a text is found by its words alone
	}
	for end := r.clock().Now().Add(longestPause * took); ; {
		urgent, err := r.DB.UrgentWork(ctx)
		left := end.Sub(r.clock().Now())
		if err != nil || !urgent || left <= 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-r.clock().After(min(urgentPoll, left)):
		}
	}
}
