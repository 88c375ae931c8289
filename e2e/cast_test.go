package e2e

import (
	"context"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"vigueur/e2e/stage"
)

// rounds is how often a fault is made: the long form, by VIGUEUR_TEST_DEEP=1,
// makes each as often as a release deserves.
func rounds(short, long int) int {
	if deep, err := strconv.ParseBool(os.Getenv("VIGUEUR_TEST_DEEP")); err == nil && deep {
		return long
	}
	return short
}

// cast is a stage with the sample ingested, a model that takes its time, and one
// user.
type cast struct {
	*stage.Stage
	pace      stage.Pace
	client    *stage.Client
	questions sync.WaitGroup

	mu   sync.Mutex
	apis []*stage.Process // the last one is asked
}

// rehearse sets the cast on a stage with the sample ingested; a test's own
// workers are all there are. between may put proxies before the stores.
func rehearse(t *testing.T, pace stage.Pace, between func(*stage.Stage)) *cast {
	t.Helper()
	return rehearseOn(t, openSample(t), pace, between)
}

func rehearseOn(t *testing.T, s *stage.Stage, pace stage.Pace, between func(*stage.Stage)) *cast {
	t.Helper()
	c := &cast{Stage: s, pace: pace}
	c.Model(pace)
	if between != nil {
		between(c.Stage)
	}
	c.addAPI(t)
	c.client = signIn(t, c.Stage, c.apis[0])
	return c
}

// addAPI starts an API that is asked from now on, and gives the one before.
func (c *cast) addAPI(t *testing.T) (before *stage.Process) {
	t.Helper()
	return c.turnTo(startAPI(t, c.Stage))
}

// turnTo has an API asked from now on, and gives the one before.
func (c *cast) turnTo(api *stage.Process) (before *stage.Process) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.apis) > 0 {
		before = c.apis[len(c.apis)-1]
	}
	c.apis = append(c.apis, api)
	return before
}

// url is the API that is asked now.
func (c *cast) url() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.apis[len(c.apis)-1].URL
}

// result is what came of a question.
type result struct {
	stage.Answer
	err error
}

// ask asks without giving up; the result comes when it has ended.
func (c *cast) ask(t *testing.T, client *stage.Client, seen func(stage.Event)) <-chan result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(c.questions.Wait)
	end := make(chan result, 1)
	c.questions.Go(func() {
		defer cancel()
		a, err := client.Insist(ctx, c.url, aQuestion, seen)
		end <- result{a, err}
	})
	return end
}

// askUntil asks and returns when so many chunks have come.
func (c *cast) askUntil(t *testing.T, chunks int) <-chan result {
	t.Helper()
	reached, seen := make(chan struct{}), 0
	end := c.ask(t, c.client, func(e stage.Event) {
		if e.Name == "chunk" {
			if seen++; seen == chunks {
				close(reached)
			}
		}
	})
	select {
	case <-reached:
	case <-t.Context().Done():
	case <-time.After(3 * time.Minute):
		t.Fatalf("%d chunks do not come", chunks)
	}
	return end
}

// whole holds that an answer came whole and in order, and is stored as it came.
func (c *cast) whole(t *testing.T, what string, r result) {
	t.Helper()
	if r.err != nil || !r.Ended || r.Error != "" {
		t.Errorf("%s: %v, ended %v, error %q after %d events", what, r.err, r.Ended, r.Error, len(r.Events))
		return
	}
	if want := c.pace.Text(); r.Text != want {
		t.Errorf("%s: got %d bytes of %d: …%q", what, len(r.Text), len(want), r.Text[max(0, len(r.Text)-60):])
	}
	last, ends := int64(0), 0
	for _, e := range r.Events {
		if e.ID == 0 { // the stream was given up, not the answer
			continue
		}
		if e.ID <= last || e.ID != last+1 && e.Name != "reset" {
			t.Errorf("%s: event %d %s after %d", what, e.ID, e.Name, last)
		}
		if last = e.ID; e.Name == "final" || e.Name == "error" {
			ends++
		}
	}
	if ends != 1 {
		t.Errorf("%s: %d ends", what, ends)
	}
	if stored := c.stored(t, c.client, r); stored != r.Text {
		t.Errorf("%s: %d bytes are stored, %d came", what, len(stored), len(r.Text))
	}
}

// stored is the answer as its conversation has it, which has no other.
func (c *cast) stored(t *testing.T, client *stage.Client, r result) string {
	t.Helper()
	var detail struct {
		Messages []struct{ ID, Content string }
	}
	own := *client
	own.URL = c.url()
	if err := own.JSON(t.Context(), "GET", "/api/v1/conversations/"+r.Conversation, nil, &detail); err != nil {
		t.Error(err)
		return ""
	}
	if len(detail.Messages) != 2 || detail.Messages[1].ID != r.MessageID {
		t.Errorf("the conversation has %d messages", len(detail.Messages))
		return ""
	}
	return detail.Messages[1].Content
}

// resets counts the times that an answer began anew.
func resets(r result) (n int) {
	for _, e := range r.Events {
		if e.Name == "reset" {
			n++
		}
	}
	return n
}

// pause lets time go by that a fault needs to have its effect.
func pause(d time.Duration) { <-time.After(d) }

// moment is one within a span, by chance.
func moment(r *rand.Rand, span time.Duration) time.Duration {
	return time.Duration(r.Int64N(int64(span)))
}
