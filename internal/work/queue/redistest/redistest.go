// Package redistest gives a test a Redis of its own: a redis-server on a free
// loopback port that the test may flush, stop and start again, and that ends
// with it; also one that speaks TLS, and a pair behind a Sentinel. Without
// redis-server on the machine the test is skipped, saying so.
package redistest

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"vigueur/internal/kit/testkit/port"
)

// Server is a private Redis.
type Server struct {
	dir   string
	port  int
	cmd   *exec.Cmd
	flags func(port int) []string // of redis-server
	cli   []string                // of redis-cli
	tls   bool
	query string // of the address
}

// patient keeps a client from taking a busy machine for a silent server.
const patient = "patience=1m"

// New starts a Redis for a test, which it ends with.
func New(t testing.TB) *Server {
	t.Helper()
	return begin(t, &Server{dir: t.TempDir(), flags: plain, query: patient})
}

func begin(t testing.TB, s *Server) *Server {
	t.Helper()
	if _, err := exec.LookPath("redis-server"); err != nil {
		t.Skip("no redis-server on this machine: scripts/setup installs it")
	}
	if err := s.open(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	return s
}

// plain are the flags of a Redis without password that keeps an append-only file:
// what was written outlives the process, which is all that ends here, and no slow
// disk holds a test up.
func plain(port int) []string {
	return []string{"--port", strconv.Itoa(port), "--appendonly", "yes", "--appendfsync", "no"}
}

// Open starts a Redis whose clients wait as long as the product's do, and that keeps an append-only file in dir, so that stopping
// and starting it loses nothing. Stop must be called.
func Open(dir string) (*Server, error) {
	s := &Server{dir: dir, flags: plain}
	err := s.open()
	return s, err
}

func (s *Server) open() (err error) {
	if s.port, err = port.Free(); err != nil {
		return err
	}
	if err := s.Start(); err != nil {
		return fmt.Errorf("redistest: redis-server does not start: %w", err)
	}
	return nil
}

// URL is its address.
func (s *Server) URL() string {
	address := fmt.Sprintf("redis://127.0.0.1:%d/0", s.port)
	if s.tls {
		address = fmt.Sprintf("rediss://:%s@127.0.0.1:%d/0", password, s.port)
	}
	if s.query != "" {
		address += "?" + s.query
	}
	return address
}

// Process is the server's process, for a test that stops or starves it; 0: none.
func (s *Server) Process() int {
	if s.cmd == nil {
		return 0
	}
	return s.cmd.Process.Pid
}

// Stop kills the server; it may be called twice.
func (s *Server) Stop() {
	if s.cmd == nil {
		return
	}
	_ = s.cmd.Process.Kill() // it may have ended
	_ = s.cmd.Wait()         // its exit code says that it was killed
	s.cmd = nil
}

// Start starts it, again on the same port with the same data when it was
// stopped.
func (s *Server) Start() error {
	cmd := exec.Command("redis-server", append(s.flags(s.port), "--bind", "127.0.0.1", "--dir", s.dir, "--save", "",
		"--logfile", filepath.Join(s.dir, "log"))...)
	dieWithParent(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	s.cmd = cmd
	if err := s.await(); err != nil {
		s.Stop()
		return err
	}
	return nil
}

// Flush empties it.
func (s *Server) Flush() error {
	out, err := s.command(context.Background(), "flushall").CombinedOutput()
	if err != nil {
		return fmt.Errorf("redistest: flush: %w: %s", err, out)
	}
	return nil
}

// Write reports whether the server takes writes: one whose disk is full does not.
func (s *Server) Write() error {
	out, err := s.command(context.Background(), "set", "redistest", "x").CombinedOutput()
	if err == nil && string(out) != "OK\n" {
		err = fmt.Errorf("redistest: write: %s", out)
	}
	return err
}

func (s *Server) command(ctx context.Context, words ...string) *exec.Cmd {
	return exec.CommandContext(ctx, "redis-cli", append(append([]string{"-p", strconv.Itoa(s.port)}, s.cli...), words...)...)
}

// await waits until the server answers.
func (s *Server) await() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for pause := time.NewTicker(5 * time.Millisecond); ; <-pause.C {
		out, err := s.command(ctx, "ping").Output()
		if err == nil && string(out) == "PONG\n" {
			pause.Stop()
			return nil
		}
		if ctx.Err() != nil {
			pause.Stop()
			return fmt.Errorf("no answer on port %d: %w", s.port, ctx.Err())
		}
	}
}
