package e2e

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"vigueur/e2e/stage"
)

// stores are the proxies before both stores.
type stores struct{ redis, postgres *stage.Proxy }

func (s *stores) between(t *testing.T) func(*stage.Stage) {
	return func(on *stage.Stage) {
		var err error
		if s.redis, err = on.Between("VIGUEUR_REDIS_URL"); err != nil {
			t.Fatal(err)
		}
		if s.postgres, err = on.Between("VIGUEUR_DATABASE_URL"); err != nil {
			t.Fatal(err)
		}
	}
}

func (s *stores) mend(t *testing.T, proxies ...*stage.Proxy) {
	t.Helper()
	for _, p := range proxies {
		if err := p.Restore(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// Each of the stores is emptied, restarted, cut off, slow or silent in the middle
// of an answer: the reader has all of it in the end, and the next question is
// answered as if nothing had been.
func TestStoresFailInMidAnswer(t *testing.T) {
	t.Parallel()
	// Most of each is waiting: the two run at the same time, on a stage of their own each.
	t.Run("Redis", func(t *testing.T) {
		t.Parallel()
		failing(t, func(on *stage.Stage, s *stores) []fault {
			return []fault{
				{"Redis is emptied", func() error { return on.Redis.Flush() }},
				{"Redis is restarted", func() error { on.Redis.Stop(); return on.Redis.Start() }},
				{"Redis is cut off", s.outage(t, 2*time.Second, s.redis)},
				{"Redis is slow", func() error { return s.during(t, time.Second, s.redis.Slow(40), s.redis) }},
				{"Redis is silent", func() error { return s.during(t, 4*time.Second, s.redis.Hang(), s.redis) }},
			}
		})
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		failing(t, func(_ *stage.Stage, s *stores) []fault {
			return []fault{
				{"PostgreSQL is cut off", s.outage(t, 2*time.Second, s.postgres)},
				{"PostgreSQL is silent", func() error { return s.during(t, 4*time.Second, s.postgres.Hang(), s.postgres) }},
				{"both are down", s.outage(t, time.Duration(rounds(8, 20))*time.Second, s.redis, s.postgres)},
			}
		})
	})
}

// fault is one that is made in mid-answer, and over when make returns.
type fault struct {
	name string
	make func() error
}

// outage cuts stores off for a time.
func (s *stores) outage(t *testing.T, d time.Duration, proxies ...*stage.Proxy) func() error {
	return func() error {
		for _, p := range proxies {
			p.Cut()
		}
		return s.during(t, d, nil, proxies...)
	}
}

// during lets what was done to stores last for a time, and undoes it.
func (s *stores) during(t *testing.T, d time.Duration, done error, proxies ...*stage.Proxy) error {
	if done == nil {
		pause(d)
		s.mend(t, proxies...)
	}
	return done
}

// failing makes one fault after the other, each in an answer of its own.
func failing(t *testing.T, faults func(*stage.Stage, *stores) []fault) {
	t.Helper()
	var s stores
	c := rehearse(t, stage.Pace{First: 20 * time.Millisecond, Each: 15 * time.Millisecond, Tokens: 100}, s.between(t))
	startWorker(t, c.Stage)
	for _, fault := range faults(c.Stage, &s) {
		end := c.askUntil(t, 5)
		if err := fault.make(); err != nil {
			t.Fatal(err)
		}
		made := time.Now()
		r := <-end
		t.Logf("%s: whole after %v, %d resets, broken off %d times", fault.name, time.Since(made).Round(time.Millisecond), resets(r), r.Broken)
		c.whole(t, fault.name, r)
		made = time.Now()
		c.whole(t, "after "+fault.name, <-c.ask(t, c.client, nil))
		t.Logf("%s: the next answer took %v", fault.name, time.Since(made).Round(time.Millisecond))
	}
}

// Redis goes in mid-answer and stays away: the answer is written to its end, and its reader
// gets the rest of the text once, without being broken off.
func TestRedisStaysAwayInMidAnswer(t *testing.T) {
	t.Parallel()
	c := rehearse(t, stage.Pace{First: 20 * time.Millisecond, Each: 80 * time.Millisecond, Tokens: 100}, nil)
	startWorker(t, c.Stage)
	end := c.askUntil(t, 5)
	c.Redis.Stop()
	gone := time.Now()
	r := <-end
	c.whole(t, "without Redis", r)
	if r.Broken > 0 || resets(r) > 0 {
		t.Errorf("broken off %d times, %d resets", r.Broken, resets(r))
	}
	t.Logf("whole %v after Redis went", time.Since(gone).Round(time.Millisecond))
}

func TestBothStoresDownIsSaid(t *testing.T) {
	t.Parallel()
	var s stores
	c := rehearse(t, stage.Pace{Tokens: 20}, s.between(t))
	startWorker(t, c.Stage)
	c.whole(t, "before", <-c.ask(t, c.client, nil))
	for _, down := range [][]*stage.Proxy{{s.redis}, {s.postgres}, {s.redis, s.postgres}} {
		for _, p := range down {
			p.Cut()
		}
		_, err := c.client.Ask(t.Context(), aQuestion, nil)
		refused := wantRefused(t, err, http.StatusServiceUnavailable)
		if refused.Header.Get("Retry-After") == "" {
			t.Errorf("503 without Retry-After: %v", refused.Header)
		}
		s.mend(t, down...)
		mended := time.Now()
		c.whole(t, fmt.Sprintf("%d stores were down", len(down)), <-c.ask(t, c.client, nil))
		t.Logf("whole again after %v", time.Since(mended).Round(time.Millisecond))
	}
}

// The stores go away while gazettes are read: the files go in all the same.
func TestStoresFailInMidIngestion(t *testing.T) {
	t.Parallel()
	stageOf := open(t)
	var s stores
	s.between(t)(stageOf)
	startWorker(t, stageOf)
	if out, code := stageOf.Ingest(t.Context(), "", append([]string{"add", "--no-wait"}, stage.Sample()...)...); code != 0 {
		t.Fatalf("ingest add --no-wait: exit %d: %s", code, out)
	}
	for _, down := range [][]*stage.Proxy{{s.redis}, {s.postgres}, {s.redis, s.postgres}} {
		pause(300 * time.Millisecond)
		for _, p := range down {
			p.Cut()
		}
		pause(time.Duration(rounds(1, 20)) * time.Second)
		s.mend(t, down...)
	}
	if err := stageOf.Redis.Flush(); err != nil {
		t.Fatal(err)
	}
	if out, code := stageOf.Ingest(t.Context(), "", append([]string{"add"}, stage.Sample()...)...); code != 0 {
		t.Fatalf("after the outages: exit %d: %s", code, out)
	}
	if got, expected := documents(t, stageOf), sampleDocuments(t); got != expected {
		t.Errorf("the catalogue after outages is\n%s\nwithout it is\n%s", got, expected)
	}
}
