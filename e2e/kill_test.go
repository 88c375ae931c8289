package e2e

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"vigueur/e2e/stage"
	"vigueur/internal/store/postgres"
)

// One of two workers is killed at random moments, time and again, while six
// readers ask: every answer comes whole, begun anew where it was lost. No answer
// is killed three times in a row, which would make it poison.
func TestKilledWorkersLoseNoAnswer(t *testing.T) {
	t.Parallel()
	c := rehearse(t, stage.Pace{First: 50 * time.Millisecond, Each: 8 * time.Millisecond, Tokens: 60}, nil)
	workers := []*stage.Process{startWorker(t, c.Stage), startWorker(t, c.Stage)}
	results, over := make(chan result, 10_000), make(chan struct{})
	var readers sync.WaitGroup
	for range 6 {
		readers.Go(func() {
			for {
				select {
				case <-over:
					return
				default:
					results <- <-c.ask(t, c.client, nil)
				}
			}
		})
	}
	random := rand.New(rand.NewPCG(7, 1))
	var kills []time.Time
	for range rounds(20, 100) {
		await(t, "the end of all second attempts", func() bool { return c.attempt(t) < 2 })
		pause(moment(random, 600*time.Millisecond))
		victim := random.IntN(len(workers))
		workers[victim].Kill()
		kills = append(kills, time.Now())
		workers[victim] = startWorker(t, c.Stage)
	}
	close(over)
	readers.Wait()
	close(results)
	answers, lost, worst := 0, 0, time.Duration(0)
	for r := range results {
		c.whole(t, fmt.Sprintf("answer %d", answers), r)
		answers++
		for i, e := range r.Events {
			if e.Name == "reset" && i > 0 {
				lost++
				worst = max(worst, sinceKill(kills, r.Events[i-1].At, e.At))
			}
		}
	}
	if lost == 0 {
		t.Error("no answer was hit")
	}
	t.Logf("%d kills, %d answers, %d of them begun anew in mid-text, within %v of the kill", len(kills), answers, lost, worst.Round(time.Millisecond))
}

// sinceKill is how long a reader who had text waited, from the first kill after it.
func sinceKill(kills []time.Time, text, reset time.Time) time.Duration {
	for _, k := range kills {
		if k.After(text) {
			return reset.Sub(k)
		}
	}
	return reset.Sub(text)
}

func TestKilledAPIIsLeftForAnother(t *testing.T) {
	t.Parallel()
	c := rehearse(t, stage.Pace{First: 20 * time.Millisecond, Each: 20 * time.Millisecond, Tokens: 200}, nil)
	startWorker(t, c.Stage)
	random := rand.New(rand.NewPCG(8, 1))
	for round := range rounds(3, 20) {
		other := startAPI(t, c.Stage)              // before the question: on a busy machine it would be answered meanwhile
		release := c.HoldModel(c.pace.Tokens - 10) // on a busy machine it would be written to its end meanwhile
		end := c.askUntil(t, 1+random.IntN(8))
		c.turnTo(other).Kill()
		release()
		r := <-end
		c.whole(t, fmt.Sprintf("round %d", round), r)
		if r.Broken == 0 || resets(r) != 0 {
			t.Errorf("round %d: broken off %d times, %d resets", round, r.Broken, resets(r))
		}
	}
}

// A worker stands still for longer than its lease: another finishes the answer,
// and the first, when it wakes, changes nothing.
func TestWokenWorkerChangesNothing(t *testing.T) {
	t.Parallel()
	// Slow enough that it still writes when it is stopped.
	c := rehearse(t, stage.Pace{First: 20 * time.Millisecond, Each: 100 * time.Millisecond, Tokens: 60}, nil)
	sleeper := startWorker(t, c.Stage)
	release := c.HoldModel(c.pace.Tokens - 10)
	end := c.askUntil(t, 3)
	sleeper.Signal(syscall.SIGSTOP)
	release()
	startWorker(t, c.Stage)
	r := <-end
	c.whole(t, "finished by the other", r)
	if resets(r) != 1 {
		t.Errorf("%d resets", resets(r))
	}
	pause(time.Duration(rounds(0, 20)) * time.Second)
	sleeper.Signal(syscall.SIGCONT)
	await(t, "the woken worker's word", func() bool { return strings.Contains(sleeper.Log(), `"outcome":"lost"`) })
	c.whole(t, "after the first has woken", r)
}

// await polls for what has no signal, for five minutes: often enough to come in
// time for what passes soon, and seldom enough to leave the processor to what is
// awaited.
func await(t *testing.T, what string, there func() bool) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	limit := time.After(5 * time.Minute)
	for !there() {
		select {
		case <-tick.C:
		case <-limit:
			t.Fatalf("%s: not within five minutes", what)
		}
	}
}

// A question that kills whoever takes it up is given up after three workers, and
// its reader is told; the next question is answered.
func TestPoisonIsGivenUp(t *testing.T) {
	t.Parallel()
	c := rehearse(t, stage.Pace{First: time.Minute, Tokens: 1}, nil)
	end := c.ask(t, c.client, nil)
	for n := range postgres.MaxAttempts {
		worker := startWorker(t, c.Stage)
		await(t, "the attempt", func() bool { return c.attempt(t) == n+1 })
		worker.Kill()
	}
	startWorker(t, c.Stage)
	r := <-end
	if r.err != nil || r.Error != postgres.LostText || len(r.Events) == 0 {
		t.Errorf("%v, error %q, %d events", r.err, r.Error, len(r.Events))
	}
}

// attempt is the highest of the questions that are still open.
func (c *cast) attempt(t *testing.T) (n int) {
	t.Helper()
	if err := c.Query(t.Context(), `SELECT coalesce(max(attempt), 0) FROM messages WHERE state IN ('queued', 'running')`, &n); err != nil {
		t.Fatal(err)
	}
	return n
}
