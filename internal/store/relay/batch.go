package relay

import (
	"context"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// pipelines is the maximum number of concurrent round trips: while Redis executes one, the
// next one is filled.
const pipelines = 2

// batcher sends the commands of concurrent callers in shared round trips, because a process
// writes many answers at once and each event is small. No call waits for other calls to
// arrive. Calls that arrive while all pipelines are busy share the next one. A batcher has
// no goroutine: one of the waiting callers sends for all of them.
type batcher struct {
	redis redis.UniversalClient
	limit time.Duration // timeout of a round trip

	mu      sync.Mutex
	sending int        // number of running pipelines
	waiting []*request // requests for the next pipeline
}

// request holds the commands of one caller.
type request struct {
	add  func(redis.Pipeliner) // adds the commands to a pipeline
	turn chan bool             // true: the caller must send the request with all waiting ones; false: another caller has sent it
}

// send adds commands to a pipeline and returns after the pipeline was executed: each
// command then has its result or error. Commands of other callers may run before or after
// them, never between them. Only the timeout limit ends the pipeline, not the context of a
// caller, because other callers need it, too.
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
	_, _ = c.redis.Pipelined(ctx, func(pipe redis.Pipeliner) error { // each caller checks its own commands
		own.add(pipe)
		for _, other := range others {
			other.add(pipe)
		}
		return nil
	})
}
