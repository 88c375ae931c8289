package e2e

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"vigueur/e2e/stage"
)

// atOnce is how many of these tests run at once, unless VIGUEUR_TEST_AT_ONCE says otherwise: most of the time
// they wait for leases to run out.
const atOnce = "6"

func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", cmp.Or(os.Getenv("VIGUEUR_TEST_AT_ONCE"), atOnce)); err != nil {
		panic(err) // the flag is go test's own
	}
	// The proxy between programs and stores, when a link is cut at the wrong moment,
	// leaves one of its own goroutines behind that passes bytes on to nobody.
	passing := goleak.IgnoreAnyFunction("github.com/Shopify/toxiproxy/v2/toxics.(*ToxicStub).Run")
	goleak.VerifyTestMain(m, passing, goleak.Cleanup(func(code int) {
		if err := errors.Join(sample.close(), blank.close()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
		os.Exit(code)
	}))
}

// model is a stage that tests copy: made when the first of them asks for it.
type model struct {
	fill func(context.Context, *stage.Stage) error // puts into a new stage what is to be there; nil for nothing

	mu        sync.Mutex
	stage     *stage.Stage
	documents string // of its catalogue, as the command lists them
}

// The stages that tests begin with: one that was just migrated, and one with the
// sample in its catalogue.
var (
	blank  model
	sample = model{fill: func(ctx context.Context, s *stage.Stage) error {
		if err := s.IngestSample(ctx); err != nil {
			return err
		}
		return s.ComputeVectors(ctx)
	}}
)

// copy returns a stage of its own that is like the model.
func (m *model) copy(ctx context.Context) (*stage.Stage, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.make(ctx); err != nil {
		return nil, err
	}
	return m.stage.Copy(ctx)
}

func (m *model) make(ctx context.Context) error {
	if m.stage != nil {
		return nil
	}
	s, err := stage.Open(ctx)
	if err != nil {
		return err
	}
	if m.fill != nil {
		if err := m.fill(ctx, s); err != nil {
			return errors.Join(err, s.Close())
		}
	}
	out, code := s.Ingest(ctx, "", "documents", "--json")
	if code != 0 {
		return errors.Join(fmt.Errorf("ingest documents: exit %d: %s", code, out), s.Close())
	}
	s.Redis.Stop()
	m.stage, m.documents = s, out
	return nil
}

func (m *model) close() error {
	if m.stage == nil {
		return nil
	}
	return m.stage.Close()
}

// openSample returns a stage with the sample ingested, and no process.
func openSample(t *testing.T) *stage.Stage {
	t.Helper()
	s, err := sample.copy(t.Context())
	return opened(t, s, err)
}

// sampleDocuments is the sample's catalogue as the command lists it.
func sampleDocuments(t *testing.T) string {
	t.Helper()
	sample.mu.Lock()
	defer sample.mu.Unlock()
	if err := sample.make(t.Context()); err != nil {
		t.Fatal(err)
	}
	return sample.documents
}

// open returns a stage with an empty catalogue, and no process. Migrating its database
// anew would take PostgreSQL ten times as long as a copy.
func open(t *testing.T) *stage.Stage {
	t.Helper()
	s, err := blank.copy(t.Context())
	s = opened(t, s, err)
	// What these tests ingest needs no vectors of sentences, which take longer than all else; the model with the sample has them.
	s.Set("VIGUEUR_SENTENCES", "false")
	return s
}

// poll is how often the idle workers of these tests look into the queue. At the default of 4 ms a dozen of them
// take half a core, and nothing here depends on how soon a question is taken up; TestTwoHundredQuestionsWhileAllIsKilled keeps the default.
const poll = "25ms"

// opened takes over what came of opening a stage, and ends it with the test.
func opened(t *testing.T, s *stage.Stage, err error) *stage.Stage {
	t.Helper()
	if errors.Is(err, stage.ErrAbsent) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	s.Set("VIGUEUR_WORKER_POLL", poll)
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
