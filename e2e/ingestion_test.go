package e2e

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"vigueur/e2e/stage"
)

// scanEnds is the state in which the scanned issue ends, as the command and its JSON call it: a number is read without its
// slash, which the other numbers of the issue show.
const (
	scanEnds  = "en revue"
	scanState = "review"
)

// scan is the sample's scanned issue: each of its pages takes a second or more.
func scan() string {
	return filepath.Join(stage.Root(), "scripts", "sample", "gazettes", "jo-2025-05-scan.pdf")
}

// ingestion is a file as « ingest status --json » tells of it.
type ingestion struct {
	ID         string `json:"id"`
	State      string `json:"state"`
	PagesDone  int    `json:"pages_done"`
	PagesTotal int    `json:"pages_total"`
	Attempts   int    `json:"attempts"`
}

// status returns the one file of a stage.
func status(t *testing.T, s *stage.Stage) ingestion {
	t.Helper()
	out, code := s.Ingest(t.Context(), "", "status", "--json")
	var all struct{ Items []ingestion }
	if err := json.Unmarshal([]byte(out), &all); code != 0 || err != nil || len(all.Items) != 1 {
		t.Fatalf("ingest status: exit %d, %v: %s", code, err, out)
	}
	return all.Items[0]
}

// seen waits until the worker's log has the words, or fails the test.
func seen(t *testing.T, p *stage.Process, words string) {
	t.Helper()
	await(t, "the worker's word of "+words, func() bool { return strings.Contains(p.Log(), words) })
}

// TestKilledAtEachStageAndResumed walks the stages of an ingestion: at each of
// them the worker is killed, and the next one takes the file up. No page is read
// twice, and the catalogue is that of a file that was never interrupted. Two kills
// a file: one that is lost three times is given up.
func TestKilledAtEachStageAndResumed(t *testing.T) {
	t.Parallel()
	path := stage.Sample()[0]
	want := open(t)
	startWorker(t, want)
	if out, code := want.Ingest(t.Context(), "", "add", path); code != 0 {
		t.Fatalf("without kills: exit %d: %s", code, out)
	}
	for _, names := range [][]string{{"pages", "texts"}, {"save"}} {
		s := open(t)
		if out, code := s.Ingest(t.Context(), "", "add", "--no-wait", path); code != 0 {
			t.Fatalf("ingest add --no-wait: exit %d: %s", code, out)
		}
		for _, name := range names {
			kill(t, s, name)
		}
		before := status(t, s)
		last := debugged(t, s)
		if out, code := s.Ingest(t.Context(), "", "add", path); code != 0 {
			t.Fatalf("after the kills: exit %d: %s", code, out)
		}
		// A worker may have ended the file in the moment before it was killed. An attempt that read pages counts no more.
		ended := before.State == "done"
		if row := status(t, s); row.State != "done" || !ended && row.Attempts < 2 || row.PagesDone != row.PagesTotal || before.PagesDone != row.PagesTotal {
			t.Errorf("after kills at %v: %+v, before the last attempt %+v", names, row, before)
		}
		if !ended {
			seen(t, last, `"pages_read":`) // told after the row has ended
			if !strings.Contains(last.Log(), `"pages_read":0`) {
				t.Errorf("pages were read again: %s", last.Log())
			}
		}
		if got, expected := documents(t, s), documents(t, want); got != expected {
			t.Errorf("the catalogue after kills is\n%s\nwithout kills it is\n%s", got, expected)
		}
	}
}

// kill runs a worker until it is at a stage, and ends it there.
func kill(t *testing.T, s *stage.Stage, name string) {
	t.Helper()
	worker := debugged(t, s)
	seen(t, worker, `"stage":"`+name+`"`)
	worker.Kill()
	row := status(t, s)
	t.Logf("killed at %s: %s, attempt %d, %d of %d pages", name, row.State, row.Attempts, row.PagesDone, row.PagesTotal)
}

// debugged starts a worker that tells each stage.
func debugged(t *testing.T, s *stage.Stage) *stage.Process {
	t.Helper()
	p, err := s.Worker(t.Context(), map[string]string{"VIGUEUR_LOG_LEVEL": "debug"})
	if err != nil {
		t.Fatal(err)
	}
	logOnFailure(t, "worker", p)
	return p
}

func TestCancelEndsAnIngestionSoon(t *testing.T) {
	t.Parallel()
	s := open(t)
	worker := debugged(t, s)
	if out, code := s.Ingest(t.Context(), "", "add", "--no-wait", scan()); code != 0 {
		t.Fatalf("ingest add --no-wait: exit %d: %s", code, out)
	}
	seen(t, worker, `"stage":"pages"`)
	id := status(t, s).ID
	if out, code := s.Ingest(t.Context(), "", "cancel", id); code != 0 {
		t.Fatalf("ingest cancel: exit %d: %s", code, out)
	}
	asked := time.Now()
	seen(t, worker, `"outcome":"cancelled"`)
	t.Logf("cancelled %v after it was asked for", time.Since(asked).Round(time.Millisecond))
	if row := status(t, s); row.State != "cancelled" || row.PagesDone >= row.PagesTotal && row.PagesTotal > 0 {
		t.Errorf("row %+v", row)
	}
	if out, code := s.Ingest(t.Context(), "", "retry", id); code != 0 || !strings.Contains(out, scanEnds) {
		t.Errorf("taken up again: exit %d: %s\n%s", code, out, worker.Log())
	}
}

// TestStoresRestartInMidIngestion takes Redis away and ends every connection to
// the database while pages are recognized: the file goes in all the same.
func TestStoresRestartInMidIngestion(t *testing.T) {
	t.Parallel()
	s := open(t)
	worker := debugged(t, s)
	if out, code := s.Ingest(t.Context(), "", "add", "--no-wait", scan()); code != 0 {
		t.Fatalf("ingest add --no-wait: exit %d: %s", code, out)
	}
	seen(t, worker, `"stage":"pages"`)
	s.Redis.Stop()
	if err := s.EndConnections(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.Redis.Start(); err != nil {
		t.Fatal(err)
	}
	out, code := s.Ingest(t.Context(), "", "add", scan())
	if code != 0 || !strings.Contains(out, scanEnds) {
		t.Errorf("exit %d: %s\n%s", code, out, worker.Log())
	}
	if row := status(t, s); row.State != scanState || row.PagesDone != row.PagesTotal {
		t.Errorf("row %+v", row)
	}
}

// TestTwoOperatorsAddTheSameFile adds one file by several commands at the
// same time: it is read once.
func TestTwoOperatorsAddTheSameFile(t *testing.T) {
	t.Parallel()
	s := open(t)
	worker := startWorker(t, s)
	sample := stage.Sample()
	path := sample[len(sample)-1]
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			if out, code := s.Ingest(t.Context(), "", "add", path); code != 0 || !strings.Contains(out, "terminé") {
				t.Errorf("exit %d: %s", code, out)
			}
		})
	}
	all.Wait()
	row := status(t, s)
	read := fmt.Sprintf(`"pages_read":%d,`, row.PagesTotal)
	seen(t, worker, read) // told after the row has ended
	if row.State != "done" || strings.Count(worker.Log(), read) != 1 {
		t.Errorf("row %+v", row)
	}
}

// TestScanAndDigitalIssueAreOneEdition adds the sample's issue and its scan: the
// catalogue has each of its texts once, from the digital file.
func TestScanAndDigitalIssueAreOneEdition(t *testing.T) {
	t.Parallel()
	s := open(t)
	startWorker(t, s)
	digital := strings.Replace(scan(), "-scan", "", 1)
	var lists []string
	for _, path := range []string{scan(), digital} {
		if out, code := s.Ingest(t.Context(), "", "add", path); code != 0 {
			t.Fatalf("exit %d: %s", code, out)
		}
		lists = append(lists, documents(t, s))
	}
	alone := open(t)
	startWorker(t, alone)
	if out, code := alone.Ingest(t.Context(), "", "add", digital); code != 0 {
		t.Fatalf("exit %d: %s", code, out)
	}
	if got, want := lists[1], documents(t, alone); got != want {
		t.Errorf("with the scan the catalogue is\n%s\nwithout it is\n%s", got, want)
	}
	if lists[0] == lists[1] {
		t.Error("the scan stayed in its place")
	}
}
