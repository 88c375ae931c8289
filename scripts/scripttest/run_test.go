package scripttest

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// newProject is a clone in which scripts/run works: with small programs that stand in for the three real ones,
// so that what is tested is the script.
func newProject(t *testing.T) clone {
	t.Helper()
	c := newClone(t).open(t)
	write := func(name, text string) {
		path := filepath.Join(c.dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module vigueur\n\ngo 1.26\n")
	for _, module := range []string{"clients/go", "e2e", "internal/kit/testkit", "lab", "scripts"} {
		write(module+"/go.mod", "module vigueur/"+module+"\n\ngo 1.26\n")
	}
	copyFile(t, "../../go.work", filepath.Join(c.dir, "go.work"))
	for _, main := range []string{"api", "worker", "ingest"} {
		copyFile(t, filepath.Join("testdata", main, "main.go"), filepath.Join(c.dir, main, "main.go"))
	}
	for _, command := range []string{"procfile", "testsum"} {
		sources, err := filepath.Glob(filepath.Join("..", command, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, source := range sources {
			if !strings.HasSuffix(source, "_test.go") {
				copyFile(t, source, filepath.Join(c.dir, "scripts", command, filepath.Base(source)))
			}
		}
	}
	copyFile(t, "../../Procfile", filepath.Join(c.dir, "Procfile"))
	write("scripts/sample/gazettes/jo-1.pdf", "%PDF")
	write("scripts/sample/gazettes/jo-1-scan.pdf", "%PDF")
	write("scripts/sample/questions.jsonl", `{"id":"q01","question":"Qu'est-ce que « la \"loi\" » ?","documents":["2023-07"]}`+"\n{}\n")
	return c
}

func (c clone) lines(t *testing.T, name string) []string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(c.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(content)), "\n")
}

// TestRunExit runs it twice with --exit: the first time ingests the sample, the second does not.
func TestRunExit(t *testing.T) {
	t.Parallel()
	c := newProject(t)
	const question = `Qu'est-ce que « la "loi" » ?`
	for _, want := range [][]string{
		{"migrate up", "documents --json --q 2023-07", "documents --json", "add --sample scripts/sample/gazettes/jo-1.pdf", "ask " + question},
		{"migrate up", "documents --json --q 2023-07", "ask " + question},
	} {
		out := c.mustCall(t, "run", "--exit")
		if !strings.Contains(out, "\n"+question+"\n") || !strings.Contains(out, "The answer. [1]\n") {
			t.Errorf("the question or the answer is missing:\n%s", out)
		}
		if got := c.lines(t, "calls"); !slices.Equal(got, want) {
			t.Errorf("it called ingest with\n%q, want\n%q", got, want)
		}
		if left := c.left(t); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
		if err := os.Remove(filepath.Join(c.dir, "calls")); err != nil {
			t.Fatal(err)
		}
	}
}

// TestRunBesideOwnLaw checks that a catalogue with law of its own gets no sample and is not asked about it.
func TestRunBesideOwnLaw(t *testing.T) {
	t.Parallel()
	c := newProject(t)
	if err := os.WriteFile(filepath.Join(c.dir, "catalogue"), []byte(`{"numero_officiel": "2000-12"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	c.mustCall(t, "run", "--exit")
	if got, want := c.lines(t, "calls"), []string{"migrate up", "documents --json --q 2023-07", "documents --json"}; !slices.Equal(got, want) {
		t.Errorf("it called ingest with\n%q, want\n%q", got, want)
	}
}

// serve starts scripts/run and returns once it has printed all there is before the log.
func (c clone) serve(t *testing.T, args ...string) (*exec.Cmd, *bufio.Reader, string) {
	t.Helper()
	cmd := c.command("run", args...)
	output, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if signal.Ignored(os.Interrupt) {
		// As below « go test & » of a script: a child inherits an ignored signal, which bash then
		// cannot trap. Children of a process that handles the signal start with the default.
		signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	reader := bufio.NewReader(output)
	return cmd, reader, readUntil(t, reader, "Ctrl-C ends it")
}

func readUntil(t *testing.T, reader *bufio.Reader, wanted string) string {
	t.Helper()
	var all strings.Builder
	for {
		line, err := reader.ReadString('\n')
		all.WriteString(line)
		if strings.Contains(line, wanted) {
			return all.String()
		}
		if err != nil {
			t.Fatalf("%q never came: %v\n%s", wanted, err, all.String())
		}
	}
}

// TestRunServes keeps it running: it tells the address, what to paste and, once, the password; warnings are shown; a worker
// that is killed is started again; a second run is refused; it ends on a signal, and nothing is left.
func TestRunServes(t *testing.T) {
	t.Parallel()
	c := newProject(t)
	cmd, output, said := c.serve(t, "--workers", "2")
	address := c.settings(t)["VIGUEUR_BASE_URL"]
	password := c.lines(t, "passwords")[0]
	for _, want := range []string{address, "admin@vigueur.local", password, "export BASE=" + address + " TOKEN=vig_1\n", ".state/bin/ingest ask \""} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not said:\n%s", want, said)
		}
	}
	if warned := readUntil(t, output, "worker.2 | worker waits"); !strings.Contains(warned, "something is not") || strings.Contains(warned, "all is well") {
		t.Errorf("not the warnings alone are shown:\n%s", warned)
	}
	if log := strings.Join(c.lines(t, ".state/log/run.log"), "\n"); !strings.Contains(log, "all is well") {
		t.Errorf("the log is not whole:\n%s", log)
	}
	if err := os.WriteFile(filepath.Join(c.dir, "worker-dies"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	readUntil(t, output, "ended (exit code 137): it is started again")
	readUntil(t, output, "worker waits")
	if out, code := c.call(t, "run"); code == 0 || !strings.Contains(out, "already running") || !strings.Contains(out, address) {
		t.Errorf("a second run: exit code %d\n%s", code, out)
	}
	end(t, cmd, output, syscall.SIGINT, 130)
	if left := c.left(t); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}

	cmd, output, said = c.serve(t)
	if strings.Contains(said, password) || len(c.lines(t, "passwords")) != 1 {
		t.Errorf("the password is told a second time:\n%s", said)
	}
	if !strings.Contains(said, " TOKEN=vig_1\n") || len(c.lines(t, "keys")) != 1 {
		t.Errorf("the key of last time is not used again:\n%s", said)
	}
	end(t, cmd, output, syscall.SIGTERM, 143)
}

// end sends a signal to the script alone, not to its children as a terminal would, and checks its exit code.
func end(t *testing.T, cmd *exec.Cmd, output io.Reader, signal os.Signal, want int) {
	t.Helper()
	if err := cmd.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, output); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if got := cmd.ProcessState.ExitCode(); got != want {
		t.Errorf("exit code %d after %v, want %d", got, signal, want)
	}
}

// TestRunKilled kills the script without a word while it serves and starts it again at once.
func TestRunKilled(t *testing.T) {
	t.Parallel()
	c := newProject(t)
	cmd, _, _ := c.serve(t)
	die(t, cmd)
	c.mustCall(t, "run", "--exit")
	c.awaitWatcher(t)
	if left := c.left(t); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestRunFailures: a process that cannot start takes the run with it, a bad file shows in the exit code, a signal in
// mid-ingestion ends it.
func TestRunFailures(t *testing.T) {
	t.Parallel()
	c := newProject(t)
	for _, name := range []string{"bad.pdf", "slow.pdf"} {
		if err := os.WriteFile(filepath.Join(c.dir, name), []byte("%PDF"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, code := c.call(t, "run", "--exit", filepath.Join(c.dir, "bad.pdf")); code != 1 || !strings.Contains(out, "The answer.") {
		t.Errorf("with a bad file: exit code %d\n%s", code, out)
	}
	if out, code := c.call(t, "run", "/nonexistent.pdf"); code != 1 || !strings.Contains(out, "/nonexistent.pdf") {
		t.Errorf("with a file that is not there: exit code %d\n%s", code, out)
	}

	slow := c.command("run", filepath.Join(c.dir, "slow.pdf"))
	output, err := slow.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := slow.Start(); err != nil {
		t.Fatal(err)
	}
	reader := bufio.NewReader(output)
	readUntil(t, reader, "slow")
	end(t, slow, reader, syscall.SIGTERM, 143)

	cmd, reader, _ := c.serve(t)
	if err := os.WriteFile(filepath.Join(c.dir, "worker-ends"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, reader); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if got := cmd.ProcessState.ExitCode(); got != 9 {
		t.Errorf("exit code %d after its worker ended with 9", got)
	}
	c.awaitWatcher(t)
	if left := c.left(t); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
