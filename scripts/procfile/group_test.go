package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The test binary becomes the command itself when it is started with this in its environment, so that the
// tests can kill a real one.
const asCommand = "PROCFILE_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
	}
	os.Exit(m.Run())
}

// fixture is a Procfile and a named pipe that its processes hold open for as long as they live.
type fixture struct {
	dir, alive string
}

func newFixture(t *testing.T, procfile string) fixture {
	t.Helper()
	f := fixture{dir: t.TempDir()}
	f.alive = filepath.Join(f.dir, "alive")
	if err := syscall.Mkfifo(f.alive, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(f.dir, "Procfile"), []byte(procfile), 0o600); err != nil {
		t.Fatal(err)
	}
	return f
}

// command is the runner as a process of its own, to be ended with the test.
func (f fixture) command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Dir = f.dir
	cmd.Env = append(os.Environ(), asCommand+"=1")
	return cmd
}

// awaitReady reads the pipe until n processes have written their line. What it returns reads on until the
// last process that holds the pipe is gone.
func (f fixture) awaitReady(t *testing.T, n int) *os.File {
	t.Helper()
	pipe, err := os.Open(f.alive) // returns when a first process has opened it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pipe.Close() })
	// The test writes, too, until all are there: else the pipe ends when one process ends before another has opened it.
	held, err := os.OpenFile(f.alive, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	for one := make([]byte, 1); n > 0; {
		if _, err := pipe.Read(one); err != nil {
			t.Fatalf("%d processes never came: %v", n, err)
		}
		if one[0] == '\n' {
			n--
		}
	}
	return pipe
}

func awaitGone(t *testing.T, pipe *os.File) {
	t.Helper()
	if _, err := io.Copy(io.Discard, pipe); err != nil {
		t.Fatal(err)
	}
}

// A process that says it is there through the pipe, has a child in the same state, and waits.
const waiting = `sh -c 'exec 3>alive; sh -c "exec sleep 300" & echo here >&3; wait'` + "\n"

// One that does not listen to SIGTERM, nor does its child.
const stubborn = `sh -c 'trap "" TERM; exec 3>alive; echo here >&3; exec sleep 300'` + "\n"

func TestEndsAllOnSignal(t *testing.T) {
	t.Parallel()
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			f := newFixture(t, "one: "+waiting+"two: "+waiting)
			cmd := f.command(t, "-c", "two=2")
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			pipe := f.awaitReady(t, 3)
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			awaitGone(t, pipe)
			if err := cmd.Wait(); err != nil {
				t.Errorf("told to end, it answered %v", err)
			}
		})
	}
}

func TestNothingOutlivesKill(t *testing.T) {
	t.Parallel()
	f := newFixture(t, "one: "+stubborn+"two: "+stubborn)
	cmd := f.command(t)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pipe := f.awaitReady(t, 2)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	awaitGone(t, pipe)
	if err := cmd.Wait(); err == nil {
		t.Error("killed, yet it ended well")
	}
}

func TestKillsAfterGrace(t *testing.T) {
	t.Parallel()
	f := newFixture(t, "one: "+stubborn)
	cmd := f.command(t, "-grace", "50ms")
	var log bytes.Buffer
	cmd.Stderr = &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pipe := f.awaitReady(t, 1)
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	awaitGone(t, pipe)
	if err := cmd.Wait(); err != nil {
		t.Errorf("it answered %v", err)
	}
	if !strings.Contains(log.String(), "killed") {
		t.Errorf("it does not say that it killed: %q", log.String())
	}
}

// TestFailedStartEndsAll ends a process by itself before it has settled.
func TestFailedStartEndsAll(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]int{"exit 7": 7, "exit 0": 1, "./not-there": 127} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			// The second ends only when the first has said that it is there.
			f := newFixture(t, "stays: "+waiting+"ends: sh -c 'read x <go; "+command+"'\n")
			gate := filepath.Join(f.dir, "go")
			if err := syscall.Mkfifo(gate, 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := f.command(t)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			pipe := f.awaitReady(t, 1)
			if err := os.WriteFile(gate, []byte("\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			awaitGone(t, pipe)
			_ = cmd.Wait()
			if got := cmd.ProcessState.ExitCode(); got != want {
				t.Errorf("exit code %d, want %d", got, want)
			}
		})
	}
}

// TestRestarts ends one process in each way after which it is started again; the other stays.
func TestRestarts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ command, settled string }{
		"killed at once":         {"kill -9 $$", "1h"},
		"ended once it had come": {"exit 7", "1ns"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// The process ends twice, and stays when the file « fell » has two lines.
			f := newFixture(t, "stays: "+waiting+`falls: sh -c 'exec 3>alive; echo here >&3; if [ "$(wc -l <fell)" -ge 2 ]; then exec sleep 300; fi; echo x >>fell; `+c.command+"'\n")
			if err := os.WriteFile(filepath.Join(f.dir, "fell"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := f.command(t, "-delay", "1ms", "-settled", c.settled)
			var log bytes.Buffer
			cmd.Stderr = &log
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			pipe := f.awaitReady(t, 4) // one line of the process that stays, three of the other
			if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			awaitGone(t, pipe)
			if err := cmd.Wait(); err != nil {
				t.Errorf("told to end, it answered %v: %s", err, log.String())
			}
			want := 1 // a series of failures is logged once
			if c.settled == "1ns" {
				want = 2
			}
			if n := strings.Count(log.String(), "falls ended"); n != want || strings.Contains(log.String(), "stays ended") {
				t.Errorf("%d restarts are logged, want %d:\n%s", n, want, log.String())
			}
		})
	}
}

func TestOutputCarriesNames(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	procfile := filepath.Join(dir, "Procfile")
	settings := filepath.Join(dir, "env")
	text := `short: sh -c 'printf "one\n$GREETING"; sleep 300'` + "\n" + `a-longer-name: sh -c 'echo loud >&2; sleep 300'` + "\n"
	if err := os.WriteFile(procfile, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(settings, []byte("GREETING=from the file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	out := &untilSeen{cancel: cancel, wanted: []string{"short         | one", "a-longer-name | loud"}}
	if code := run(ctx, []string{"-f", procfile, "-env", settings}, os.Environ(), out, io.Discard); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if !strings.Contains(out.text.String(), "short         | from the file\n") {
		t.Errorf("the last line without an end is missing:\n%s", out.text.String())
	}
}

// untilSeen ends the run once all that is wanted has been written.
type untilSeen struct {
	text   bytes.Buffer
	wanted []string
	cancel func()
}

func (u *untilSeen) Write(p []byte) (int, error) {
	n, err := u.text.Write(p)
	for _, w := range u.wanted {
		if !strings.Contains(u.text.String(), w+"\n") {
			return n, err
		}
	}
	u.cancel()
	return n, err
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"no such Procfile": {"-f", "/nonexistent/Procfile"},
		"a bad count":      {"-c", "api"},
		"an argument":      {"start"},
		"no such settings": {"-f", "../../Procfile", "-env", "/nonexistent/env"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var log bytes.Buffer
			if code := run(t.Context(), args, nil, io.Discard, &log); code != 2 || log.Len() == 0 {
				t.Errorf("exit code %d, said %q", code, log.String())
			}
		})
	}
}
