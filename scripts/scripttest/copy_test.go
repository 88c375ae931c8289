package scripttest

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// clone is a copy of the scripts in a folder of its own, as another clone of the repository would have them.
type clone struct {
	dir string
}

// newClone copies scripts and go.mod. Whatever the test starts there is stopped at its end.
func newClone(t *testing.T) clone {
	t.Helper()
	for _, program := range []string{"redis-server", "redis-cli", "flock", "setpriv"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed: scripts/setup does it", program)
		}
	}
	c := clone{dir: filepath.Join(t.TempDir(), "a clone")}
	copyTree(t, "..", filepath.Join(c.dir, "scripts"))
	copyFile(t, "../../go.mod", filepath.Join(c.dir, "go.mod"))
	c.stopAtEnd(t)
	return c
}

// open lets every account into the clone's folder. Those of the tests are closed to all but their owner, as
// /root is.
func (c clone) open(t *testing.T) clone {
	t.Helper()
	for dir := c.dir; dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// stopAtEnd has a guard in a session of its own stop the clone's stores, and remove what lies outside the clone,
// when the test ends. It reads from a pipe whose other end this process holds, so it does so too when the
// tests are interrupted or killed, which no cleanup function would live to see.
func (c clone) stopAtEnd(t *testing.T) {
	t.Helper()
	const script = `read -r _; cd "$0" || exit 0; stores=$(readlink -f .state/stores); scripts/services stop && rm -rf "$stores"`
	guard := exec.Command("sh", "-c", script, c.dir)
	guard.Env = c.environ()
	guard.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	var said bytes.Buffer
	guard.Stdout, guard.Stderr = &said, &said
	test, err := guard.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := guard.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		test.Close()
		if err := guard.Wait(); err != nil {
			t.Errorf("services stop: %v\n%s", err, said.String())
		}
		if left := c.left(t); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	})
}

// command is a script of the clone, in an environment without settings.
func (c clone) command(script string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(c.dir, "scripts", script), args...)
	cmd.Env = c.environ()
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	return cmd
}

func (c clone) environ() []string {
	var kept []string
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, "VIGUEUR_") {
			kept = append(kept, entry)
		}
	}
	return kept
}

// call runs a script and returns what it prints and its exit code.
func (c clone) call(t *testing.T, script string, args ...string) (string, int) {
	t.Helper()
	var output bytes.Buffer
	cmd := c.command(script, args...)
	cmd.Stdout, cmd.Stderr = &output, &output
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return output.String(), cmd.ProcessState.ExitCode()
}

func (c clone) mustCall(t *testing.T, script string, args ...string) string {
	t.Helper()
	output, code := c.call(t, script, args...)
	if code != 0 {
		t.Fatalf("%s %s: exit code %d\n%s", script, strings.Join(args, " "), code, output)
	}
	return output
}

// settings reads .state/env.
func (c clone) settings(t *testing.T) map[string]string {
	t.Helper()
	path := filepath.Join(c.dir, ".state/env")
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("%s has mode %v", path, info.Mode())
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	settings := map[string]string{}
	for line := range strings.Lines(string(content)) {
		if key, value, found := strings.Cut(strings.TrimSpace(line), "="); found {
			settings[key] = value
		}
	}
	return settings
}

// sql runs a statement in the product's database, by the address in .state/env.
func (c clone) sql(t *testing.T, statement string) string {
	t.Helper()
	return c.ask(t, "psql", "-X", "-At", "-v", "ON_ERROR_STOP=1", c.settings(t)["VIGUEUR_DATABASE_URL"], "-c", statement)
}

func (c clone) redis(t *testing.T, args ...string) string {
	t.Helper()
	return c.ask(t, "redis-cli", append([]string{"--no-auth-warning", "-u", c.settings(t)["VIGUEUR_REDIS_URL"]}, args...)...)
}

func (c clone) ask(t *testing.T, program string, args ...string) string {
	t.Helper()
	out, err := exec.Command(program, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", program, err, out)
	}
	return strings.TrimSpace(string(out))
}

// processes are those that work in the clone's folder or in that of its stores.
func (c clone) processes(t *testing.T) []string {
	t.Helper()
	stores, err := filepath.EvalSymlinks(filepath.Join(c.dir, ".state/stores"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	links, err := filepath.Glob("/proc/[0-9]*/cwd")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, link := range links {
		dir, err := os.Readlink(link)
		if err == nil && (strings.HasPrefix(dir, c.dir) || stores != "" && strings.HasPrefix(dir, stores)) {
			found = append(found, strings.Split(link, "/")[2])
		}
	}
	return found
}

// left are the processes, with what they are, that do not end: a watcher that lets its locks go ends a moment after the
// command that it watched for.
func (c clone) left(t *testing.T) (left []string) {
	t.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for limit := time.After(3 * time.Minute); ; {
		found := c.processes(t)
		if len(found) == 0 {
			return nil
		}
		select {
		case <-tick.C:
		case <-limit:
			for _, pid := range found {
				what, _ := os.ReadFile(filepath.Join("/proc", pid, "cmdline")) // it may have ended now
				left = append(left, pid+" "+strings.ReplaceAll(string(what), "\x00", " "))
			}
			return left
		}
	}
}

// kill sends SIGKILL to the process whose number a store's pid file holds.
func (c clone) kill(t *testing.T, store string) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(c.dir, ".state/stores", store, "pid"))
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(content), "\n")
	pid, err := strconv.Atoi(first)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
}

func copyTree(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		rest, err := filepath.Rel(from, path)
		if err == nil && (filepath.Dir(rest) == "." || filepath.Dir(rest) == "lib") {
			copyFile(t, path, filepath.Join(to, rest))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	content, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, content, info.Mode()); err != nil {
		t.Fatal(err)
	}
}

// die kills a process of ours without a word and waits for it.
func die(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Error("killed, yet it ended well")
	}
}
