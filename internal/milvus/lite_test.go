package milvus

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// lite is a Milvus of one test: Milvus Lite, from the environment that
// scripts/setup makes.
type lite struct {
	program, folder, address string
	process                  *exec.Cmd
	said                     *bytes.Buffer
}

const liteProgram = "../../.state/milvus/venv/bin/milvus-lite"

func startLite(t *testing.T) *lite {
	t.Helper()
	program, err := filepath.Abs(liteProgram)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(program); err != nil {
		t.Skip("Milvus Lite is not installed; « scripts/setup --milvus » does it")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	m := &lite{program: program, folder: t.TempDir(), address: l.Addr().String()}
	_ = l.Close()
	m.start(t)
	t.Cleanup(func() { m.stop(t) })
	return m
}

func (m *lite) start(t *testing.T) {
	t.Helper()
	_, port, err := net.SplitHostPort(m.address)
	if err != nil {
		t.Fatal(err)
	}
	m.said = &bytes.Buffer{}
	m.process = exec.Command(m.program, "server", "--data-dir", m.folder, "--host", "127.0.0.1", "--port", port)
	m.process.Stdout, m.process.Stderr = m.said, m.said
	m.process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := m.process.Start(); err != nil {
		t.Fatal(err)
	}
	for range 600 { // a minute: it loads a great deal of Python
		c, err := net.Dial("tcp", m.address)
		if err == nil {
			_ = c.Close()
			return
		}
		<-time.After(100 * time.Millisecond)
	}
	t.Fatalf("Milvus Lite does not start: %s", m.said)
}

func (m *lite) stop(t *testing.T) {
	t.Helper()
	if m.process == nil {
		return
	}
	if err := syscall.Kill(-m.process.Process.Pid, syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	_ = m.process.Wait() // ended by the signal
	m.process = nil
}

// signal pauses or resumes the server.
func (m *lite) signal(t *testing.T, s syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(-m.process.Process.Pid, s); err != nil {
		t.Fatal(err)
	}
}

func (m *lite) store(t *testing.T) *Store {
	t.Helper()
	s := &Store{Address: m.address, Patience: 20 * time.Second}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(fmt.Errorf("close: %w", err))
		}
	})
	return s
}
