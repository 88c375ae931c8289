// Package milvustest starts a Milvus for a test: Milvus Lite, from the environment that
// scripts/setup --milvus installs. Without it, the test is skipped.
package milvustest

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"vigueur/internal/kit/testkit/port"
)

// program is relative to the root of the repository.
const program = ".state/milvus/venv/bin/milvus-lite"

// Server is a Milvus with its own folder and address, which it keeps over restarts.
type Server struct {
	Address         string
	program, folder string
	process         *exec.Cmd
	said            *bytes.Buffer
}

// Start returns a server that runs until the test ends.
func Start(t testing.TB) *Server {
	t.Helper()
	path, ok := find()
	if !ok {
		t.Skip("Milvus Lite is not installed: scripts/setup --milvus does it")
	}
	address, err := port.Address()
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{program: path, folder: t.TempDir(), Address: address}
	s.Start(t)
	t.Cleanup(func() { s.Stop(t) })
	return s
}

// find searches the program from the working directory upward.
func find() (path string, ok bool) {
	dir, err := os.Getwd()
	for ; err == nil; dir = filepath.Dir(dir) {
		path = filepath.Join(dir, program)
		if _, err := os.Stat(path); err == nil {
			return path, true
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return "", false
}

// Start starts a stopped server and waits until it responds.
func (s *Server) Start(t testing.TB) {
	t.Helper()
	_, port, err := net.SplitHostPort(s.Address)
	if err != nil {
		t.Fatal(err)
	}
	s.said = &bytes.Buffer{}
	s.process = exec.Command(s.program, "server", "--data-dir", s.folder, "--host", "127.0.0.1", "--port", port)
	s.process.Stdout, s.process.Stderr = s.said, s.said
	s.process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := s.process.Start(); err != nil {
		t.Fatal(err)
	}
	for range 3000 { // five minutes, because it loads a lot of Python
		c, err := net.Dial("tcp", s.Address)
		if err == nil {
			_ = c.Close()
			return
		}
		<-time.After(100 * time.Millisecond)
	}
	t.Fatalf("Milvus Lite does not start: %s", s.said)
}

// Stop stops the server; it may be called in any state.
func (s *Server) Stop(t testing.TB) {
	t.Helper()
	if s.process == nil {
		return
	}
	_ = syscall.Kill(-s.process.Process.Pid, syscall.SIGCONT) // a paused process handles no other signal
	if err := syscall.Kill(-s.process.Process.Pid, syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	_ = s.process.Wait() // the error is the signal that ended it
	s.process = nil
}

// Signal pauses or resumes the server.
func (s *Server) Signal(t testing.TB, signal syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(-s.process.Process.Pid, signal); err != nil {
		t.Fatal(err)
	}
}
