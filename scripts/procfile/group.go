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

// group keeps processes running and ends them together.
type group struct {
	environ []string
	out     *multiplexer
	log     io.Writer
	grace   time.Duration
	settled time.Duration // a process that lives this long has started
	delay   time.Duration // before the first restart; doubled after each failure
}

// longestDelay bounds the delay before a restart.
const longestDelay = 30 * time.Second

// child is one process of the group, through its restarts.
type child struct {
	process
	cmd     *exec.Cmd // nil between two starts
	began   time.Time
	started bool          // whether it once lived for the settled time, or was killed
	delay   time.Duration // before the next restart; 0 while it is well
}

// ending is what became of one process.
type ending struct {
	of   *child
	code int
}

// run starts all processes and keeps them running until ctx is done, then ends them and returns 0. A process
// that ends by itself before it has started ends the others; run then returns its exit code. run must be
// called on a locked thread that lives as long as the processes.
func (g *group) run(ctx context.Context, processes []process) int {
	endings, due := make(chan ending, len(processes)), make(chan *child, len(processes))
	children := make([]*child, len(processes))
	code := 0
	for i, p := range processes {
		children[i] = &child{process: p}
		if code == 0 && !g.begin(children[i], endings) {
			code = 1
		}
	}
	for code == 0 && ctx.Err() == nil {
		select {
		case e := <-endings:
			code = g.ended(e, due)
		case c := <-due:
			if !g.begin(c, endings) {
				code = 1
			}
		case <-ctx.Done():
		}
	}
	g.end(children, endings)
	return code
}

// begin starts a child and reports whether it could.
func (g *group) begin(c *child, endings chan<- ending) bool {
	cmd, err := g.start(c, endings)
	if err != nil {
		fmt.Fprintf(g.log, "procfile: %s does not start: %v\n", c.name, err)
		return false
	}
	c.cmd, c.began = cmd, time.Now()
	return true
}

// ended decides what follows the end of a child: a restart, which due receives when the delay is over, or the
// end of the group with the returned exit code. The first of a series of restarts is logged.
func (g *group) ended(e ending, due chan<- *child) (code int) {
	c := e.of
	signalAll([]*child{c}, syscall.SIGKILL) // what it started must not hold its port
	c.cmd = nil
	lived := time.Since(c.began) >= g.settled
	if c.started = c.started || lived || e.code > 128; !c.started {
		fmt.Fprintf(g.log, "procfile: %s ended (exit code %d): ending the others\n", c.name, e.code)
		return max(e.code, 1)
	}
	if lived {
		c.delay = 0
	}
	if c.delay == 0 {
		fmt.Fprintf(g.log, "procfile: %s ended (exit code %d): it is started again, as often as needed\n", c.name, e.code)
		c.delay = g.delay
	} else {
		c.delay = min(2*c.delay, longestDelay)
	}
	time.AfterFunc(c.delay, func() { due <- c })
	return 0
}

// start runs one command line by the shell, in a process group of its own.
func (g *group) start(c *child, endings chan<- ending) (*exec.Cmd, error) {
	cmd := exec.Command("/bin/sh", "-c", "exec "+c.command)
	cmd.Env = g.environ
	output := g.out.writer(c.name)
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
		endings <- ending{of: c, code: exitCode(cmd, err)}
	}()
	return cmd, nil
}

// end sends SIGTERM to every group, waits for the processes still running, and kills what is left of the
// groups when they have ended or the grace period is over.
func (g *group) end(children []*child, endings <-chan ending) {
	signalAll(children, syscall.SIGTERM)
	patience := time.NewTimer(g.grace)
	defer patience.Stop()
	left := 0
	for _, c := range children {
		if c.cmd != nil {
			left++
		}
	}
	for left > 0 {
		select {
		case <-endings:
			left--
		case <-patience.C:
			fmt.Fprintf(g.log, "procfile: %d still running after %s: killed\n", left, g.grace)
			signalAll(children, syscall.SIGKILL)
		}
	}
	signalAll(children, syscall.SIGKILL)
}

// signalAll signals the groups of children; one that is gone already is no matter.
func signalAll(children []*child, signal syscall.Signal) {
	for _, c := range children {
		if c.cmd != nil {
			_ = syscall.Kill(-c.cmd.Process.Pid, signal)
		}
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
