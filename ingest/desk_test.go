package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/gazette/ocr"
	"vigueur/internal/gazette/pdftext"
	"vigueur/internal/kit/terminal"
	"vigueur/internal/kit/testkit/leak"
	"vigueur/internal/kit/testkit/port"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
	"vigueur/internal/work/queue"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestMain(m *testing.M) {
	pdftext.Main()
	ocr.Main()
	// fasthttp runs one clock per process, which never stops, and the cleaners of its pools notice only after a sleep of 10 s
	// that they were stopped.
	leak.Main(m, "github.com/valyala/fasthttp.updateServerDate.func1", "github.com/valyala/fasthttp.(*workerPool).Start.func2")
}

// desk is a test environment for the command: private stores, and the command in process.
type desk struct {
	environ map[string]string
	name    string // what the program is called; empty: ingest
	dir     string // folder for files to add
	stalled time.Duration
	busy    time.Duration
	bar     bool
	width   int      // width of the terminal; 0: no terminal
	secrets []string // inputs without echo
	typed   []string // inputs with echo
}

// newDesk returns an environment with a database, a Redis and a folder of its own.
func newDesk(t *testing.T) *desk {
	t.Helper()
	return &desk{dir: t.TempDir(), stalled: time.Minute, busy: time.Minute, environ: map[string]string{
		"VIGUEUR_PROFILE":      localProfile, // not whoever runs the tests
		"VIGUEUR_DATABASE_URL": pgtest.NewURL(t),
		"VIGUEUR_REDIS_URL":    "redis://" + startRedis(t),
		"VIGUEUR_BLOBS_URL":    "file://" + filepath.Join(t.TempDir(), "blobs"),
	}}
}

// startRedis starts a Redis until the end of the test, because the queues' names are fixed
// and tests of other packages run concurrently.
func startRedis(t *testing.T) (address string) {
	t.Helper()
	binary, err := exec.LookPath("redis-server")
	if err != nil {
		t.Skip("redis-server is not installed: scripts/setup installs it")
	}
	address = freeAddress(t)
	_, port, _ := net.SplitHostPort(address)
	c := exec.Command(binary, "--port", port, "--bind", "127.0.0.1", "--save", "", "--dir", t.TempDir())
	stdout, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait() // the process was killed
	})
	// The server listens once it has written to its log.
	heard := make([]byte, 0, 4096)
	for b := make([]byte, 1024); !bytes.Contains(heard, []byte("Ready to accept connections")); {
		n, err := stdout.Read(b)
		if err != nil {
			t.Fatalf("redis-server: %v\n%s", err, heard)
		}
		heard = append(heard, b[:n]...)
	}
	return address
}

// freeAddress returns a loopback address on which nothing listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	address, err := port.Address()
	if err != nil {
		t.Fatal(err)
	}
	return address
}

// result is the outcome of a run of the command.
type result struct {
	code     int
	out, err string
}

// run runs the command until it ends.
func (d *desk) run(t *testing.T, args ...string) result {
	t.Helper()
	return d.runWith(t.Context(), "", nil, args...)
}

// runWith runs the command with an input. said receives a value each time the command
// writes to its standard error; it may be nil.
func (d *desk) runWith(ctx context.Context, in string, said chan<- string, args ...string) result {
	var out bytes.Buffer
	errOut := &heard{said: said}
	a := &app{name: d.name, in: strings.NewReader(in), out: terminal.Screen{Writer: &out, Width: func() int { return d.width }}, err: errOut, environ: d.environ, terminal: d.bar,
		poll: 5 * time.Millisecond, stalled: d.stalled, busy: d.busy, secret: d.secret, question: d.question}
	code := a.run(ctx, args)
	return result{code, out.String(), errOut.String()}
}

func (d *desk) secret(string) (string, bool, error) {
	if len(d.secrets) == 0 {
		return "", false, nil
	}
	line := d.secrets[0]
	d.secrets = d.secrets[1:]
	return line, true, nil
}

func (d *desk) question(string) (string, bool, error) {
	if len(d.typed) == 0 {
		return "", false, nil
	}
	line := d.typed[0]
	d.typed = d.typed[1:]
	return line, true, nil
}

// heard is a buffer that signals each write.
type heard struct {
	mu   sync.Mutex
	b    bytes.Buffer
	said chan<- string
}

func (h *heard) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.said != nil {
		select {
		case h.said <- string(p):
		default:
		}
	}
	return h.b.Write(p)
}

func (h *heard) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.b.String()
}

// want fails the test unless the run ended with the code and printed the words.
func (r result) want(t *testing.T, code int, words ...string) {
	t.Helper()
	if r.code != code {
		t.Errorf("exit code %d, want %d\nout: %s\nerr: %s", r.code, code, r.out, r.err)
	}
	for _, w := range words {
		if !strings.Contains(r.out+r.err, w) {
			t.Errorf("nowhere is said %q\nout: %s\nerr: %s", w, r.out, r.err)
		}
	}
}

// items decodes the run's output as a JSON list.
func items[T any](t *testing.T, r result) []T {
	t.Helper()
	var list listing[T]
	if err := json.Unmarshal([]byte(r.out), &list); err != nil || list.Items == nil || list.Total < len(list.Items) {
		t.Fatalf("no list (%v): %s%s", err, r.out, r.err)
	}
	return list.Items
}

// db opens the environment's database.
func (d *desk) db(t *testing.T) *postgres.DB {
	t.Helper()
	db, err := postgres.Open(t.Context(), d.environ["VIGUEUR_DATABASE_URL"])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	return db
}

// worker processes jobs of a kind with handle until the test ends.
func (d *desk) worker(t *testing.T, kind queue.Kind, handle func(ctx context.Context, id uuid.UUID) error) {
	t.Helper()
	s, err := queue.NewServer(queue.Options{RedisURL: d.environ["VIGUEUR_REDIS_URL"], Kind: kind, Concurrency: 1,
		Log: slog.New(slog.DiscardHandler), Shutdown: time.Second,
		Handle: func(ctx context.Context, id uuid.UUID) {
			if err := handle(ctx, id); err != nil {
				t.Errorf("worker: %v", err)
			}
		}})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
}

// file writes a file to add and returns its path.
func (d *desk) file(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(d.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// volatile are the patterns of output that differs between runs.
var volatile = []struct {
	pattern *regexp.Regexp
	name    string
}{
	{regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`), "‹id›"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d`), "‹heure›"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\dT[0-9:.]+Z`), "‹heure›"},
	{regexp.MustCompile(`([^ \n]) {2,}`), "$1  "}, // the width of columns depends on a folder's name
}

// golden compares text with the golden file of the given name.
func (d *desk) golden(t *testing.T, name, text string) {
	t.Helper()
	if d.dir != "" {
		text = strings.ReplaceAll(text, d.dir, "‹dossier›")
		for _, v := range volatile {
			text = v.pattern.ReplaceAllString(text, v.name)
		}
	}
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if text != string(want) {
		t.Errorf("%s differs (go test -update rewrites it):\n%s", path, text)
	}
}

// pdf returns the content of a file that looks like a PDF and determines the result of its
// ingestion.
func pdf(fate string) string { return fmt.Sprintf("%%PDF-1.7\n%% %s\n", fate) }
