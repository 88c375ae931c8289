// Package redistest starts a private Redis for a test: a redis-server on a free loopback
// port, which the test can flush, stop and start again, and which stops when the test ends.
// It also starts a Redis with TLS. If the machine has no redis-server, the test is skipped with a message.
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
	flags func(port int) []string // arguments of redis-server
	cli   []string                // arguments of redis-cli
	tls   bool
	query string // query string of the address
}

// longWait is an option of the address: clients wait up to a minute for the server, so that
// a busy machine fails no test.
const longWait = "dial_timeout=1m&read_timeout=1m&write_timeout=1m"

// New starts a Redis, which stops when the test ends.
func New(t testing.TB) *Server {
	t.Helper()
	return begin(t, &Server{dir: t.TempDir(), flags: plain, query: longWait})
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

// plain returns the arguments of a Redis without a password. It keeps an append-only file,
// so that its data survives a restart of the process. It does not sync the file, because
// the machine itself does not fail in a test and a slow disk would delay it.
func plain(port int) []string {
	return []string{"--port", strconv.Itoa(port), "--appendonly", "yes", "--appendfsync", "no"}
}

// Open starts a Redis whose clients have the default timeouts. It keeps an append-only file
// in dir, so that no data is lost when it is stopped and started again. The caller must
// call Stop.
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

// URL returns the address of the server.
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

// Process returns the process id of the server, for tests that suspend or slow down the
// process; 0 if it does not run.
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
	_ = s.cmd.Process.Kill() // the process may have ended already
	_ = s.cmd.Wait()         // the error is that the process was killed
	s.cmd = nil
}

// Start starts the server. After Stop it has the same port and the same data.
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

// Flush deletes all keys.
func (s *Server) Flush() error {
	out, err := s.command(context.Background(), "flushall").CombinedOutput()
	if err != nil {
		return fmt.Errorf("redistest: flush: %w: %s", err, out)
	}
	return nil
}

// Write writes a key, and returns an error if the server refuses writes, as it does when
// its disk is full.
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

// await waits up to a minute until the server responds.
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
