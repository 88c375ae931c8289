package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"syscall"
	"time"
)

// group starts processes and ends them together.
type group struct {
	environ []string
	out     *multiplexer
	log     io.Writer
	grace   time.Duration
}

// ending is what became of one process.
type ending struct {
	name string
	code int
}

// run starts all processes, waits until one ends or ctx does, ends the rest and returns the exit code. It
// must be called on a locked thread that lives as long as the processes.
func (g *group) run(ctx context.Context, processes []process) int {
	endings := make(chan ending, len(processes))
	var started []*exec.Cmd
	code := 0
	for _, p := range processes {
		cmd, err := g.start(p, endings)
		if err != nil {
			fmt.Fprintf(g.log, "procfile: %s does not start: %v\n", p.name, err)
			code = 1
			break
		}
		started = append(started, cmd)
	}
	left := len(started)
	if code == 0 {
		select {
		case first := <-endings:
			fmt.Fprintf(g.log, "procfile: %s ended (exit code %d): ending the others\n", first.name, first.code)
			code = first.code
			left--
		case <-ctx.Done():
		}
	}
	g.end(started, endings, left)
	return code
}

// start runs one command line by the shell, in a process group of its own.
func (g *group) start(p process, endings chan<- ending) (*exec.Cmd, error) {
	cmd := exec.Command("/bin/sh", "-c", "exec "+p.command)
	cmd.Env = g.environ
	output := g.out.writer(p.name)
	cmd.Stdout, cmd.Stderr = output, output
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	// A grandchild that keeps the output open must not keep Wait from returning.
	cmd.WaitDelay = time.Second
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		err := cmd.Wait()
		output.flush()
		endings <- ending{name: p.name, code: exitCode(cmd, err)}
	}()
	return cmd, nil
}

// end sends SIGTERM to every group, waits for the processes still running, and kills what is left of the
// groups when they have ended or the grace period is over.
func (g *group) end(started []*exec.Cmd, endings <-chan ending, left int) {
	signalAll(started, syscall.SIGTERM)
	patience := time.NewTimer(g.grace)
	defer patience.Stop()
	for left > 0 {
		select {
		case <-endings:
			left--
		case <-patience.C:
			fmt.Fprintf(g.log, "procfile: %d still running after %s: killed\n", left, g.grace)
			signalAll(started, syscall.SIGKILL)
		}
	}
	signalAll(started, syscall.SIGKILL)
}

// signalAll signals the groups; one that is gone already is no matter.
func signalAll(started []*exec.Cmd, signal syscall.Signal) {
	for _, cmd := range started {
		_ = syscall.Kill(-cmd.Process.Pid, signal)
	}
}

func exitCode(cmd *exec.Cmd, err error) int {
	if cmd.ProcessState == nil {
		return 1
	}
	status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	if err != nil && !errors.Is(err, exec.ErrWaitDelay) && cmd.ProcessState.ExitCode() == 0 {
		return 1
	}
	return cmd.ProcessState.ExitCode()
}
