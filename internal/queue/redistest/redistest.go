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
	dir  string
	port int
	cmd  *exec.Cmd
}

// New starts a Redis for a test, which it ends with.
func New(t testing.TB) *Server {
	t.Helper()
	if _, err := exec.LookPath("redis-server"); err != nil {
		t.Skip("no redis-server on this machine: scripts/setup installs it")
	}
	s, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	return s
}

// Open starts a Redis that keeps an append-only file in dir, so that stopping
// and starting it loses nothing. Stop must be called.
func Open(dir string) (*Server, error) {
	s := &Server{dir: dir}
	var err error
	// A free port may be taken by another between the look and the start.
	for range 5 {
		if s.port, err = freePort(); err != nil {
			return nil, err
		}
		if err = s.Start(); err == nil {
			return s, nil
		}
	}
	return nil, fmt.Errorf("redistest: redis-server does not start: %w", err)
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

// Start starts it, again on the same port with the same data when it was
// stopped.
func (s *Server) Start() error {
	cmd := exec.Command("redis-server", "--port", strconv.Itoa(s.port), "--bind", "127.0.0.1", "--dir", s.dir,
		"--appendonly", "yes", "--appendfsync", "everysec", "--save", "", "--logfile", filepath.Join(s.dir, "log"))
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
	out, err := exec.Command("redis-cli", "-p", strconv.Itoa(s.port), "flushall").CombinedOutput()
	if err != nil {
		return fmt.Errorf("redistest: flush: %w: %s", err, out)
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

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	address, closed := l.Addr(), l.Close()
	tcp, ok := address.(*net.TCPAddr)
	if closed != nil || !ok {
		return 0, fmt.Errorf("redistest: no port in %v: %w", address, closed)
	}
	return tcp.Port, nil
}
