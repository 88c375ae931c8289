package stage

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"vigueur/internal/kit/testkit/port"
)

// Process is one running program of the stage.
type Process struct {
	URL string // of an API

	cmd  *exec.Cmd
	log  string
	done chan struct{}
}

// API starts an API on a free port and waits until it is ready.
func (s *Stage) API(ctx context.Context) (*Process, error) {
	address, err := port.Address()
	if err != nil {
		return nil, err
	}
	return s.APIAt(ctx, address)
}

// APIAt is API at an address (127.0.0.1:PORT): that of one that has ended, say.
func (s *Stage) APIAt(ctx context.Context, address string) (*Process, error) {
	p, err := s.Start("api", map[string]string{"VIGUEUR_LISTEN": address, "VIGUEUR_BASE_URL": "http://" + address})
	if err != nil {
		return nil, err
	}
	p.URL = "http://" + address
	err = p.await(ctx, func() bool {
		r, err := http.Get(p.URL + "/readyz")
		if err != nil {
			return false
		}
		_ = r.Body.Close() // the status is all
		return r.StatusCode == http.StatusOK
	})
	return p, err
}

// Worker starts a worker, with settings of its own if any, and waits until it
// is ready.
func (s *Stage) Worker(ctx context.Context, extra map[string]string) (*Process, error) {
	p, err := s.Start("worker", extra)
	if err != nil {
		return nil, err
	}
	err = p.await(ctx, func() bool { return strings.Contains(p.Log(), `"msg":"ready"`) })
	return p, err
}

// Start starts a program, with settings of its own if any, and waits for nothing.
func (s *Stage) Start(name string, extra map[string]string) (*Process, error) {
	log, err := os.CreateTemp(s.Dir, name+"-*.log")
	if err != nil {
		return nil, err
	}
	defer func() { _ = log.Close() }() // the child holds its own
	p := &Process{cmd: exec.Command(filepath.Join(s.bin, name)), log: log.Name(), done: make(chan struct{})}
	p.cmd.Env, p.cmd.Dir, p.cmd.Stdout, p.cmd.Stderr = s.environ(extra), s.Dir, log, log
	dieWithParent(p.cmd)
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	s.processes = append(s.processes, p)
	go func() {
		_ = p.cmd.Wait() // how it ended is in its log
		close(p.done)
	}()
	return p, nil
}

// await polls until ready, the process ends, or ctx does, two minutes at most.
func (p *Process) await(ctx context.Context, ready func() bool) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !ready() {
		select {
		case <-p.done:
			return fmt.Errorf("stage: %s ended at its start: %s", p.cmd.Path, p.Log())
		case <-ctx.Done():
			return fmt.Errorf("stage: %s is not ready: %w: %s", p.cmd.Path, ctx.Err(), p.Log())
		case <-tick.C:
		}
	}
	return nil
}

// PID is the number of the process.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Ended reports whether the process is gone.
func (p *Process) Ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// Code is the exit code of a process that has ended; -1 if a signal ended it.
func (p *Process) Code() int { return p.cmd.ProcessState.ExitCode() }

// Log is what the process has printed.
func (p *Process) Log() string {
	data, err := os.ReadFile(p.log)
	if err != nil {
		return err.Error()
	}
	return string(bytes.ToValidUTF8(data, nil))
}

// Signal sends a signal.
func (p *Process) Signal(s syscall.Signal) {
	_ = p.cmd.Process.Signal(s) // it may have ended
}

// Kill ends the process at once (SIGKILL) and waits until it is gone.
func (p *Process) Kill() {
	p.Signal(syscall.SIGKILL)
	<-p.done
}

// Stop asks the process to end (SIGTERM) and waits; it tells how long that took.
func (p *Process) Stop() time.Duration {
	began := time.Now()
	p.Signal(syscall.SIGTERM)
	<-p.done
	return time.Since(began)
}
