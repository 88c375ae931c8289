// Command testsum runs "go test -json" with the arguments it is given, or with one group of arguments after the other
// where "--" stands between them, and tells people what became of it: a line for each package, failures in full, skipped
// tests with their reason, and as its last line, alone,
//
//	N passed, N failed, N skipped
//
// What is counted are leaves: a test with subtests counts only through them, unless it fails by itself. A
// test that never ended, a package that does not build or that fails outside its tests counts as failed.
// With -events the events of "go test -json" are kept in a file, which tells how long each test took.
// With -tally it first adds the results of other checks, from a file of lines "pass|fail|skip NAME[: REASON]".
//
// gotestsum does not replace it: it counts a test with subtests besides them, closes with another line, and takes no
// results of other checks. Two runs, raced and not, would be two reports.
//
// With -room it ends the tests when the file system of -dir, of temporary files or of Go's build cache has fewer MiB left:
// a full disk makes no test fail at once, and each waits its whole time.
//
// The exit code is 0 only when nothing failed and "go test" says the same. SIGINT and SIGTERM end the tests
// with their process group; what was counted until then is still told, and the exit code is 130.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("testsum", flag.ContinueOnError)
	flags.SetOutput(stderr)
	tally := flags.String("tally", "", "a `file` with the results of other checks, to be counted in")
	events := flags.String("events", "", "a `file` in which the events are kept")
	dir := flags.String("dir", "", "the `folder` to run in")
	room := flags.Int64("room", 0, "the `MiB` that have to be left on the disk")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	sum := newSummary(stdout)
	if err := sum.addTally(*tally); err != nil {
		fmt.Fprintln(stderr, "testsum:", err)
		return 2
	}
	kept, err := keep(*events)
	if err != nil {
		fmt.Fprintln(stderr, "testsum:", err)
		return 2
	}
	folders := []string{cmp.Or(*dir, "."), os.TempDir(), buildCache()}
	if err := roomIn(folders, *room<<20, freeBytes); err != nil {
		sum.count(failed, err.Error())
		sum.close(kept.Close(), false)
		return 1
	}
	watched, stop := watchRoom(ctx, folders, *room<<20, freeBytes, 2*time.Second)
	defer stop()
	var errs []error
	for _, group := range split(flags.Args()) {
		if watched.Err() == nil {
			errs = append(errs, runTests(watched, *dir, group, sum, kept, stderr))
		}
	}
	errs = append(errs, kept.Close())
	if cause := context.Cause(watched); errors.Is(cause, errNoRoom) {
		sum.count(failed, cause.Error())
	}
	sum.close(errors.Join(errs...), ctx.Err() != nil)
	switch {
	case ctx.Err() != nil:
		return 130
	case sum.failed > 0:
		return 1
	}
	return 0
}

// buildCache returns the folder of Go's build cache, or nothing when go does not say.
func buildCache() string {
	said, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(said))
}

// keep opens a file for events; without a name they go nowhere.
func keep(name string) (io.WriteCloser, error) {
	if name == "" {
		name = os.DevNull
	}
	return os.Create(name)
}

// split returns the arguments between the "--".
func split(args []string) (groups [][]string) {
	for {
		i := slices.Index(args, "--")
		if i < 0 {
			return append(groups, args)
		}
		groups, args = append(groups, args[:i]), args[i+1:]
	}
}

// runTests runs go test, feeds its events to sum and writes them to kept. The error is that of go test itself: an exit code other
// than 0, or a stream that cannot be read.
func runTests(ctx context.Context, dir string, args []string, sum *summary, kept, stderr io.Writer) error {
	runtime.LockOSThread() // the kernel ends "go test" when the thread that started it ends
	defer runtime.UnlockOSThread()
	cmd := exec.Command("go", append([]string{"test", "-json"}, args...)...)
	cmd.Dir, cmd.Stderr = dir, stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.WaitDelay = time.Second
	stream, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) })()
	readErr := sum.read(io.TeeReader(stream, kept))
	err = cmd.Wait()
	endGroup(cmd.Process.Pid)
	return errors.Join(readErr, err)
}

// endGroup waits for what is left of the group of a go test that has ended (after an interrupt, test binaries
// and what they started), and kills it when it takes longer than five seconds.
func endGroup(pid int) {
	for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if errors.Is(syscall.Kill(-pid, 0), syscall.ESRCH) {
			return
		}
	}
	_ = syscall.Kill(-pid, syscall.SIGKILL)
}
