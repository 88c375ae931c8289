package e2e

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"vigueur/e2e/stage"
)

// cluster returns a PostgreSQL of the test's own, running, and a stage on it with the
// sample ingested.
func cluster(t *testing.T, dir string, env ...string) (*stage.Cluster, *stage.Stage) {
	t.Helper()
	p, err := stage.NewCluster(t.Context(), dir)
	if errors.Is(err, stage.ErrAbsent) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	p.Env = env
	if err := p.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Stop)
	s, err := stage.OpenOn(t.Context(), p.URL())
	s = opened(t, s, err)
	if err := s.IngestSample(t.Context()); err != nil {
		t.Fatal(err)
	}
	return p, s
}

func restart(t *testing.T, p *stage.Cluster) {
	t.Helper()
	p.Stop()
	if err := p.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// PostgreSQL is restarted at once, and recovers, in mid-answer and in
// mid-ingestion: both come to their end, and the next question is answered.
func TestPostgresRestartsAtOnce(t *testing.T) {
	t.Parallel()
	server, s := cluster(t, t.TempDir())
	c := rehearseOn(t, s, stage.Pace{First: 20 * time.Millisecond, Each: 20 * time.Millisecond, Tokens: 100}, nil)
	worker := debugged(t, s)
	random := rand.New(rand.NewPCG(9, 1))
	for round := range rounds(2, 20) {
		end := c.askUntil(t, 1+random.IntN(30))
		restart(t, server)
		up := time.Now()
		c.whole(t, fmt.Sprintf("round %d", round), <-end)
		t.Logf("whole %v after the restart", time.Since(up).Round(time.Millisecond))
		c.whole(t, fmt.Sprintf("after round %d", round), <-c.ask(t, c.client, nil))
	}
	if out, code := s.Ingest(t.Context(), "", "add", "--no-wait", scan()); code != 0 {
		t.Fatalf("ingest add --no-wait: exit %d: %s", code, out)
	}
	seen(t, worker, `"stage":"pages"`)
	restart(t, server)
	if out, code := s.Ingest(t.Context(), "", "add", scan()); code != 0 || !strings.Contains(out, scanEnds) {
		t.Errorf("ingest add: exit %d: %s", code, out)
	}
}

// The disk of PostgreSQL's tables fills up: what can no longer be stored is
// refused as something that passes, and when there is room again all is well.
func TestDiskOfPostgresFills(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	if err := os.Mkdir(data, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", data, "tmpfs", 0, "size=96m"); err != nil {
		t.Skipf("no small disk can be mounted here (root can): %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(data, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	_, s := cluster(t, dir)
	c := rehearseOn(t, s, stage.Pace{Tokens: 20}, nil)
	startWorker(t, s)
	c.whole(t, "with room", <-c.ask(t, c.client, nil))
	filler := fill(t, data)
	var refused *stage.Refused
	for n := 0; refused == nil; n++ {
		if n == 300 {
			t.Fatal("300 long questions find room on a full disk")
		}
		a, err := c.client.Ask(t.Context(), unlike(n), nil)
		if err != nil && !errors.As(err, &refused) {
			t.Fatal(err)
		}
		if err == nil && !a.Ended && a.Lost == 0 {
			t.Errorf("question %d ended without an end: %+v", n, a.Events)
		}
	}
	if refused.Status != http.StatusServiceUnavailable || refused.Header.Get("Retry-After") == "" || !strings.Contains(refused.Body, "momentanément") {
		t.Errorf("refused with %d %v %s", refused.Status, refused.Header, refused.Body)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	freed := time.Now()
	c.whole(t, "with room again", <-c.ask(t, c.client, nil))
	if took := time.Since(freed); took > time.Minute {
		t.Errorf("answered %v after there was room again", took)
	}
}

// unlike is a long question that does not compress.
func unlike(n int) string {
	random := rand.New(rand.NewPCG(uint64(n), 5))
	var b strings.Builder
	for b.Len() < 3900 {
		b.WriteRune(rune('a' + random.IntN(26)))
	}
	return b.String()
}

// The workers' clock is five minutes behind the database's, or before it: leases
// are the database's, so that nobody takes another's answer, and a dead worker's
// is taken up as soon as ever.
func TestClocksMayDiffer(t *testing.T) {
	t.Parallel()
	libraries, err := filepath.Glob("/usr/lib/*/faketime/libfaketime.so.1")
	if err != nil || len(libraries) == 0 {
		t.Skip("no libfaketime on this machine (Debian's package of that name)")
	}
	library := libraries[0]
	for _, offset := range []string{"+5m", "-5m"}[:rounds(1, 2)] {
		_, s := cluster(t, t.TempDir(), "LD_PRELOAD="+library, "FAKETIME="+offset, "FAKETIME_DONT_FAKE_MONOTONIC=1")
		c := rehearseOn(t, s, stage.Pace{First: 20 * time.Millisecond, Each: 80 * time.Millisecond, Tokens: 100}, nil)
		var off float64
		if err := s.Query(t.Context(), fmt.Sprintf("SELECT abs(extract(epoch FROM clock_timestamp()) - %d)::float8", time.Now().Unix()), &off); err != nil || off < 280 {
			t.Fatalf("the database's clock is off by %v s, %v", off, err)
		}
		first := startWorker(t, s)
		end := c.askUntil(t, 2)
		startWorker(t, s) // would take what seems to have no holder
		r := <-end
		c.whole(t, "longer than a lease", r)
		if resets(r) != 0 {
			t.Errorf("database %s: taken from a living worker %d times", offset, resets(r))
		}
		end = c.askUntil(t, 2)
		first.Kill() // it may hold it, or the other
		began := time.Now()
		r = <-end
		c.whole(t, "its worker was killed, or not", r)
		if took := time.Since(began); resets(r) > 0 && took > time.Minute {
			t.Errorf("database %s: whole %v after the kill", offset, took)
		}
	}
}
