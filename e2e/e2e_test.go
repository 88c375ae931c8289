package e2e

import (
	"errors"
	"flag"
	"testing"

	"go.uber.org/goleak"

	"vigueur/e2e/stage"
)

// atOnce is how many of these tests run at once: most of the time they wait for
// leases to run out.
const atOnce = "4"

func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", atOnce); err != nil {
		panic(err) // the flag is go test's own
	}
	goleak.VerifyTestMain(m)
}

func open(t *testing.T) *stage.Stage {
	t.Helper()
	s, err := stage.Open(t.Context())
	return opened(t, s, err)
}

// opened takes over what came of opening a stage, and ends it with the test.
func opened(t *testing.T, s *stage.Stage, err error) *stage.Stage {
	t.Helper()
	if errors.Is(err, stage.ErrAbsent) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func startWorker(t *testing.T, s *stage.Stage) *stage.Process {
	t.Helper()
	p, err := s.Worker(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	logOnFailure(t, "worker", p)
	return p
}

func startAPI(t *testing.T, s *stage.Stage) *stage.Process {
	t.Helper()
	p, err := s.API(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	logOnFailure(t, "api", p)
	return p
}

func logOnFailure(t *testing.T, name string, p *stage.Process) {
	t.Cleanup(func() {
		if t.Failed() {
			log := p.Log()
			t.Logf("%s: %s", name, log[max(0, len(log)-4000):])
		}
	})
}

func ingestSample(t *testing.T, s *stage.Stage) {
	t.Helper()
	if out, code := s.Ingest(t.Context(), "", append([]string{"add"}, stage.Sample()...)...); code != 0 {
		t.Fatalf("ingest add: exit %d: %s", code, out)
	}
}

func signIn(t *testing.T, s *stage.Stage, api *stage.Process) *stage.Client {
	t.Helper()
	c, err := s.Client(t.Context(), api)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.HTTP.CloseIdleConnections)
	return c
}

// wantRefused checks that err is an HTTP answer of the given status.
func wantRefused(t *testing.T, err error, status int) *stage.Refused {
	t.Helper()
	var refused *stage.Refused
	if !errors.As(err, &refused) || refused.Status != status {
		t.Fatalf("got %v, want HTTP %d", err, status)
	}
	return refused
}
