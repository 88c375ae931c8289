package relay

import (
	"context"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// pipelines is how many round trips with events are under way at once: while
// Redis works at one, the next is made up.
const pipelines = 2

// committer lets all that is to be written at a moment share a round trip: the
// answers of a process are many, and each event small. Nothing waits for others
// to come; what comes while all pipelines are under way goes with the next. It has
// no goroutine of its own: one of those who wait sends for all of them.
type committer struct {
	redis redis.UniversalClient
	limit time.Duration // of a round trip

	mu      sync.Mutex
	sending int       // pipelines under way
	waiting []*commit // for the next
}

// commit is what one caller has written.
type commit struct {
	add  func(redis.Pipeliner) // puts the commands in
	turn chan bool             // true: send it, with what waits; false: it was sent
}

// send puts the commands that add adds into a pipeline and returns when it was
// executed: each command then has its result or error. Those of others may stand
// before or behind them, never between. One caller's end is not the others', so
// that only limit bounds it.
func (c *committer) send(add func(redis.Pipeliner)) {
	own := &commit{add: add, turn: make(chan bool, 1)}
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

func (c *committer) execute(own *commit, others []*commit) {
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
