// Package redistest gives a test a Redis of its own: a redis-server on a free
// loopback port that the test may flush, stop and start again, and that ends
// with it. Without redis-server on the machine the test is skipped, saying so.
package redistest

import (
	"context"
	"fmt"
	"net"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// Server is a private Redis.
type Server struct {
	t    testing.TB
	dir  string
	port int
	cmd  *exec.Cmd
}

// New starts a Redis that keeps an append-only file, so that Restart loses
// nothing.
func New(t testing.TB) *Server {
	t.Helper()
	if _, err := exec.LookPath("redis-server"); err != nil {
		t.Skip("no redis-server on this machine: scripts/setup installs it")
	}
	s := &Server{t: t, dir: t.TempDir()}
	// A free port may be taken by another between the look and the start.
	for range 5 {
		s.port = freePort(t)
		if err := s.start(); err == nil {
			t.Cleanup(s.Stop)
			return s
		}
	}
	t.Fatal("redistest: redis-server does not start")
	return nil
}

// URL is its address.
func (s *Server) URL() string { return fmt.Sprintf("redis://127.0.0.1:%d/0", s.port) }

// Stop kills the server; it may be called twice.
func (s *Server) Stop() {
	if s.cmd == nil {
		return
	}
	_ = s.cmd.Process.Kill() // it may have ended
	_ = s.cmd.Wait()         // its exit code says that it was killed
	s.cmd = nil
}

// Start starts it again on the same port with the same data.
func (s *Server) Start() {
	s.t.Helper()
	if err := s.start(); err != nil {
		s.t.Fatalf("redistest: %v", err)
	}
}

// Flush empties it.
func (s *Server) Flush() {
	s.t.Helper()
	out, err := exec.Command("redis-cli", "-p", strconv.Itoa(s.port), "flushall").CombinedOutput()
	if err != nil {
		s.t.Fatalf("redistest: flush: %v: %s", err, out)
	}
}

func (s *Server) start() error {
	cmd := exec.Command("redis-server", "--port", strconv.Itoa(s.port), "--bind", "127.0.0.1", "--dir", s.dir,
		"--appendonly", "yes", "--appendfsync", "always", "--save", "", "--logfile", filepath.Join(s.dir, "log"))
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

// await waits until the server answers.
func (s *Server) await() error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	for {
		out, err := exec.CommandContext(ctx, "redis-cli", "-p", strconv.Itoa(s.port), "ping").Output()
		if err == nil && string(out) == "PONG\n" {
			return nil
		}
		if ctx.Err() != nil {
			return fmt.Errorf("no answer on port %d: %w", s.port, ctx.Err())
		}
	}
}

func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port
}
