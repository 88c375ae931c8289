package pdftext

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"vigueur/internal/kit/confine"
)

// process is one running child.
type process struct {
	cmd  *exec.Cmd
	in   *os.File
	out  *os.File
	read *bufio.Reader
	said *tail
	dead chan struct{} // closed once the child was reaped

	files, pages int // files opened, and pages read or painted, so far
}

// childProgram returns the path of the program that is started as a child. Tests replace it.
var childProgram = confine.Self

// spawn starts a child, in a network namespace without interfaces where the kernel allows this.
func spawn(r Reader) (*process, error) {
	p, err := spawnWith(r, true)
	if err != nil {
		p, err = spawnWith(r, false)
	}
	return p, err
}

func spawnWith(r Reader, alone bool) (*process, error) {
	exe, err := childProgram()
	if err != nil {
		return nil, err
	}
	childIn, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, childOut, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, childIn.Close(), in.Close())
	}
	widen(out)
	p := &process{in: in, out: out, read: bufio.NewReaderSize(out, 1<<16), said: &tail{}, dead: make(chan struct{})}
	p.cmd = &exec.Cmd{
		Path: exe, Args: []string{"vigueur-pdftext"}, Dir: "/",
		Env: []string{envChild + "=1", envCache + "=" + r.CacheDir,
			"GOMAXPROCS=" + threads(), "GOGC=400", "GOMEMLIMIT=1GiB", "GOTRACEBACK=single"},
		Stdin: childIn, Stdout: childOut, Stderr: p.said,
		SysProcAttr: confine.Attributes(alone), WaitDelay: 5 * time.Second,
	}
	err = p.cmd.Start()
	err = errors.Join(err, childIn.Close(), childOut.Close())
	if err != nil {
		return nil, errors.Join(err, in.Close(), out.Close())
	}
	go func() {
		_ = p.cmd.Wait() // how it ended is in cmd.ProcessState
		close(p.dead)
	}()
	return p, nil
}

// threads is the child's GOMAXPROCS.
func threads() string { return strconv.Itoa(min(2, runtime.NumCPU())) }

// kill ends the child at once and waits until it is gone. It may be called again.
func (p *process) kill() {
	confine.KillGroup(p.cmd)
	_ = p.in.Close()
	_ = p.out.Close()
	<-p.dead
}

// ask sends a request.
func (p *process) ask(q request) error { return writeJSON(p.in, q) }

// open sends a file to the child and returns the child's report of what is in the
// file. After an error the child cannot be used any more.
func (p *process) open(ctx context.Context, limit time.Duration, file *os.File) (hello reply, err error) {
	info, err := file.Stat()
	if err != nil {
		return hello, err
	}
	p.files++
	err = p.guard(ctx, limit, func() error {
		if err := p.ask(request{Op: "open", Size: info.Size()}); err != nil {
			return err
		}
		// By position: the children of one document share the descriptor's offset.
		if _, err := io.CopyN(p.in, io.NewSectionReader(file, 0, info.Size()), info.Size()); err != nil {
			return err
		}
		return readJSON(p.read, &hello)
	})
	return hello, err
}

// guard runs f, which talks to the child, for at most limit or until ctx ends. If f
// failed for one of these two, guard returns a *stall or the cause of ctx's end.
func (p *process) guard(ctx context.Context, limit time.Duration, f func() error) error {
	deadline := time.Now().Add(limit)
	if err := errors.Join(p.out.SetReadDeadline(deadline), p.in.SetWriteDeadline(deadline)); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() {
		_ = errors.Join(p.out.SetReadDeadline(time.Unix(1, 0)), p.in.SetWriteDeadline(time.Unix(1, 0)))
	})
	defer stop()
	err := f()
	// A later request that is sent outside of guard has no deadline.
	_ = errors.Join(p.out.SetReadDeadline(time.Time{}), p.in.SetWriteDeadline(time.Time{}))
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &stall{limit}
	}
	return err
}

// stall says that the child did not answer in time.
type stall struct{ limit time.Duration }

func (s *stall) Error() string { return fmt.Sprintf("no answer in %s", s.limit) }

// lastWords kills the child and describes its end for the log.
func (p *process) lastWords(cause error) error {
	p.kill()
	return fmt.Errorf("%w (child: %s; %s)", cause, p.cmd.ProcessState, p.said)
}

// starved reports whether the child, which is dead by now, ran out of memory.
func (p *process) starved() bool {
	s := p.said.String()
	return strings.Contains(s, "out of memory") || strings.Contains(s, "cannot allocate memory")
}

// tail keeps the first and the last kilobyte written to it. The first one is kept
// because the report of a Go crash begins with its reason.
type tail struct {
	mu    sync.Mutex
	first []byte
	last  []byte
}

const tailBytes = 1 << 10

// Write never fails.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(b)
	if room := tailBytes - len(t.first); room > 0 {
		k := min(room, len(b))
		t.first, b = append(t.first, b[:k]...), b[k:]
	}
	t.last = append(t.last, b...)
	if over := len(t.last) - tailBytes; over > 0 {
		t.last = append(t.last[:0], t.last[over:]...)
	}
	return n, nil
}

// String returns the kept text on one line.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := strings.Join(strings.Fields(string(t.first)+" … "+string(t.last)), " ")
	return strings.TrimSuffix(s, " …")
}
