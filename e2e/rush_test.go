package e2e

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"vigueur/e2e/stage"
)

// readers signs in a number of users.
func (c *cast) readers(t *testing.T, n int) []*stage.Client {
	t.Helper()
	emails, err := c.AddUsers(t.Context(), n)
	if err != nil {
		t.Fatal(err)
	}
	clients := make([]*stage.Client, n)
	var all errgroup.Group
	all.SetLimit(8)
	for i, email := range emails {
		all.Go(func() (err error) {
			clients[i], err = c.ClientOf(t.Context(), c.apis[0], email)
			return err
		})
	}
	if err := all.Wait(); err != nil {
		t.Fatal(err)
	}
	for _, client := range clients {
		t.Cleanup(client.HTTP.CloseIdleConnections)
	}
	return clients
}

// rush has every client ask so many questions at once; meanwhile disturb runs.
// Each question has one answer in the end, whole and stored as it came.
func (c *cast) rush(t *testing.T, clients []*stage.Client, each int, disturb func()) (all []result) {
	t.Helper()
	var ends []<-chan result
	for _, client := range clients {
		for range each {
			ends = append(ends, c.ask(t, client, nil))
		}
	}
	var beside sync.WaitGroup
	beside.Go(disturb)
	ids := map[string]bool{}
	for _, end := range ends {
		r := <-end
		all = append(all, r)
		ids[r.MessageID] = true
	}
	beside.Wait()
	for i, r := range all {
		own := cast{Stage: c.Stage, pace: c.pace, apis: c.apis, client: clients[i/each]}
		own.whole(t, fmt.Sprintf("question %d", i), r)
	}
	if len(ids) != len(ends) {
		t.Errorf("%d answers for %d questions", len(ids), len(ends))
	}
	var open, answers int
	err := c.Query(t.Context(), `SELECT count(*) FILTER (WHERE state IN ('queued', 'running')), count(*) FILTER (WHERE state = 'done')
		FROM messages WHERE role = 'assistant'`, &open, &answers)
	// A question whose server was killed before it had told the id was asked again.
	if err != nil || open != 0 || answers < len(ends) {
		t.Errorf("%d answers are open and %d done of %d, %v", open, answers, len(ends), err)
	}
	return all
}

// askAll has every client ask one question.
func (c *cast) askAll(t *testing.T, clients []*stage.Client) (ends []<-chan result) {
	t.Helper()
	for _, client := range clients {
		ends = append(ends, c.ask(t, client, nil))
	}
	return ends
}

// wholeAll holds that what askAll asked is answered whole.
func (c *cast) wholeAll(t *testing.T, clients []*stage.Client, ends []<-chan result) (all []result) {
	t.Helper()
	for i, end := range ends {
		r := <-end
		own := cast{Stage: c.Stage, pace: c.pace, apis: c.apis, client: clients[i]}
		own.whole(t, fmt.Sprintf("asked before a worker stopped, %d", i), r)
		all = append(all, r)
	}
	return all
}

// underWay reports whether answers are being written, or all have been, and how many there are.
func (c *cast) underWay(t *testing.T) (writing bool, there int) {
	t.Helper()
	err := c.Query(t.Context(), `SELECT count(*) FILTER (WHERE state = 'running') > 0 OR count(*) FILTER (WHERE state = 'queued') = 0, count(*)
		FROM messages WHERE role = 'assistant'`, &writing, &there)
	if err != nil {
		t.Error(err)
	}
	return writing, there
}

func count(all []result, of func(result) int) (n int) {
	for _, r := range all {
		n += of(r)
	}
	return n
}

func TestTwoHundredQuestionsWhileAllIsKilled(t *testing.T) {
	t.Parallel()
	c := rehearse(t, stage.Pace{First: 300 * time.Millisecond, Each: 20 * time.Millisecond, Tokens: 60}, nil)
	c.Set("VIGUEUR_WORKER_POLL", "4ms") // the default
	workers := []*stage.Process{startWorker(t, c.Stage), startWorker(t, c.Stage)}
	clients := c.readers(t, 50)
	began := time.Now()
	all := c.rush(t, clients, 4, func() {
		for n := range 2 { // a third loss of one answer would make it poison
			pause(2 * time.Second)
			c.addAPI(t).Kill()
			pause(3 * time.Second)
			workers[n].Kill()
			workers[n] = startWorker(t, c.Stage)
		}
	})
	t.Logf("%d answers in %v, begun anew %d times, taken up again %d times", len(all), time.Since(began).Round(time.Millisecond),
		count(all, resets), count(all, func(r result) int { return r.Broken }))
}

// Every process is replaced in good order, twice, under load: nothing is lost nor
// doubled, and what a worker hands over goes on within seconds.
func TestRollingRestart(t *testing.T) {
	t.Parallel()
	c := rehearse(t, stage.Pace{First: 100 * time.Millisecond, Each: 25 * time.Millisecond, Tokens: 120}, nil)
	workers := []*stage.Process{startWorker(t, c.Stage), startWorker(t, c.Stage)}
	clients := c.readers(t, 10)
	var stopping []time.Duration
	var more []result
	all := c.rush(t, clients, 4, func() {
		for range 2 {
			pause(500 * time.Millisecond)
			stopping = append(stopping, c.addAPI(t).Stop())
			for n := range workers {
				fresh := startWorker(t, c.Stage)
				// On a busy machine all that was asked is answered by now.
				_, before := c.underWay(t)
				asked := c.askAll(t, clients)
				await(t, "answers under way", func() bool {
					writing, there := c.underWay(t)
					return writing && there >= before+len(asked)
				})
				stopping = append(stopping, workers[n].Stop())
				workers[n] = fresh
				more = append(more, c.wholeAll(t, clients, asked)...)
			}
		}
	})
	all = append(all, more...)
	over, worst := 0, time.Duration(0)
	for _, r := range all {
		for i, e := range r.Events {
			if e.Name != "reset" || i+1 >= len(r.Events) {
				continue
			}
			over++
			if i > 0 {
				worst = max(worst, e.At.Sub(r.Events[i-1].At))
			}
		}
	}
	if over == 0 {
		t.Error("no answer was handed over")
	}
	t.Logf("%d answers, handed over %d times, the reader waiting for %v at most, taken up again %d times; the processes took %v to stop",
		len(all), over, worst.Round(time.Millisecond), count(all, func(r result) int { return r.Broken }), stopping)
}
