package relay

import (
	"context"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// pipelines is how many round trips with events run at once: while Redis executes one,
// the next is filled.
const pipelines = 2

// batcher sends the commands of concurrent callers in shared round trips: a process
// writes many answers at once, and each event is small. No call waits for others to
// arrive; those that arrive while all pipelines are busy go with the next one. It has
// no goroutine of its own: one of the waiting callers sends for all of them.
type batcher struct {
	redis redis.UniversalClient
	limit time.Duration // of a round trip

	mu      sync.Mutex
	sending int        // pipelines running
	waiting []*request // for the next
}

// request holds the commands of one caller.
type request struct {
	add  func(redis.Pipeliner) // adds the commands
	turn chan bool             // true: send it, with what waits; false: it was sent
}

// send adds the commands of add to a pipeline and returns after it was executed: each
// command then has its result or error. Other callers' commands may come before or after
// them, never between. No caller's context cancels the pipeline, since the others need it
// too: limit alone bounds it.
func (c *batcher) send(add func(redis.Pipeliner)) {
	own := &request{add: add, turn: make(chan bool, 1)}
	c.mu.Lock()
	if c.sending == pipelines {
		c.waiting = append(c.waiting, own)
		c.mu.Unlock()
		if !<-own.turn {
			return
		}
		c.mu.Lock()
	} else {
		c.sending++
	}
	others := c.waiting
	c.waiting = nil
	c.mu.Unlock()
	c.execute(own, others)
	c.mu.Lock()
	if len(c.waiting) > 0 {
		c.waiting[0].turn <- true
		c.waiting = c.waiting[1:]
	} else {
		c.sending--
	}
	c.mu.Unlock()
	for _, other := range others {
		other.turn <- false
	}
}

func (c *batcher) execute(own *request, others []*request) {
	ctx, cancel := context.WithTimeout(context.Background(), c.limit)
	defer cancel()
	_, _ = c.redis.Pipelined(ctx, func(pipe redis.Pipeliner) error { // each caller looks at its own commands
		own.add(pipe)
		for _, other := range others {
			other.add(pipe)
		}
		return nil
	})
}
