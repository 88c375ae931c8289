package relay

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"vigueur/internal/store/chat"
	"vigueur/internal/work/queue/redistest"
)

// trips counts the pipelines of a client.
type trips struct{ n atomic.Int64 }

func (*trips) DialHook(next redis.DialHook) redis.DialHook          { return next }
func (*trips) ProcessHook(next redis.ProcessHook) redis.ProcessHook { return next }
func (t *trips) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		t.n.Add(1)
		return next(ctx, cmds)
	}
}

// Concurrent writers share round trips. Each gets the results of its own commands in its
// own order, and no error of another writer.
func TestWritersShareRoundTrips(t *testing.T) {
	t.Parallel()
	r := open(t, redistest.New(t))
	var counted trips
	r.redis.AddHook(&counted)
	const writers, each = 40, 50
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for i := range each {
				var n *redis.IntCmd
				var wrong *redis.StatusCmd
				r.batches.send(func(pipe redis.Pipeliner) {
					n = pipe.Incr(context.Background(), fmt.Sprint("writer", w))
					if w == 0 {
						wrong = pipe.LSet(context.Background(), "no such list", 0, "x")
					}
				})
				if n.Err() != nil || n.Val() != int64(i+1) {
					t.Errorf("writer %d: %d after %d, %v", w, n.Val(), i+1, n.Err())
				}
				if w == 0 && (wrong.Err() == nil || !strings.Contains(wrong.Err().Error(), "no such key")) {
					t.Errorf("what must fail says %v", wrong.Err())
				}
			}
		})
	}
	all.Wait()
	if n := counted.n.Load(); n >= writers*each || n < each {
		t.Errorf("%d round trips for %d commits", n, writers*each)
	}
	if r.batches.sending != 0 || len(r.batches.waiting) != 0 {
		t.Errorf("left over: %d under way, %d wait", r.batches.sending, len(r.batches.waiting))
	}
}

// If a shared round trip fails, all its callers get the error.
func TestAllWritersHearOfAnOutage(t *testing.T) {
	t.Parallel()
	server := redistest.New(t)
	r := open(t, server)
	server.Stop()
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			err := r.appendLog(t.Context(), uuid.New(), []chat.Event{{Seq: 1, Kind: chat.Chunk, Data: chat.ChunkData("x")}}, true, true)
			if err == nil {
				t.Error("an event was taken by a Redis that is down")
			}
		})
	}
	all.Wait()
}

// Two concurrent writers, of which one has lost its log.
func TestOneLogThatIsGoneConcernsItsWriterAlone(t *testing.T) {
	t.Parallel()
	r := open(t, redistest.New(t))
	ctx := t.Context()
	event := func(seq int64) []chat.Event {
		return []chat.Event{{Seq: seq, Kind: chat.Chunk, Data: chat.ChunkData("x")}}
	}
	whole := uuid.New()
	if err := r.appendLog(ctx, whole, event(1), true, true); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			if err := r.appendLog(ctx, uuid.New(), event(2), false, true); !errors.Is(err, errNoLog) {
				t.Errorf("writer %d of a log that is gone: %v", i, err)
			}
		})
	}
	all.Go(func() {
		for seq := int64(2); seq < 50; seq++ {
			if err := r.appendLog(ctx, whole, event(seq), false, true); err != nil {
				t.Errorf("writer of a whole log: %v", err)
			}
		}
	})
	all.Wait()
}
