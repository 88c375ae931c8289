package scripttest

import (
	"bufio"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestServices walks through the life of the stores: started, found, kept over a stop and over a kill.
func TestServices(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]clone{"an open folder": newClone(t).open(t), "a closed folder": newClone(t)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if out, code := c.call(t, "services", "status"); code != 1 || strings.Count(out, "stopped") != 2 {
				t.Errorf("before the start: exit code %d\n%s", code, out)
			}
			c.mustCall(t, "services", "start")
			first := c.settings(t)
			checkStores(t, c)

			c.sql(t, "CREATE EXTENSION pg_trgm; CREATE EXTENSION unaccent; CREATE TABLE kept AS SELECT 42 AS n")
			c.redis(t, "SET", "kept", "42")
			c.mustCall(t, "services", "start") // a second time: nothing happens
			c.mustCall(t, "services", "stop")
			if out, code := c.call(t, "services", "status"); code != 1 || strings.Count(out, "stopped") != 2 {
				t.Errorf("after the stop: exit code %d\n%s", code, out)
			}
			c.mustCall(t, "services", "start")
			if second := c.settings(t); !maps.Equal(first, second) {
				t.Errorf("the settings changed from\n%v to\n%v", first, second)
			}
			checkKept(t, c)

			c.kill(t, "postgres")
			c.kill(t, "redis")
			c.mustCall(t, "services", "start")
			checkKept(t, c)
		})
	}
}

// checkStores checks what the stores are set to and that only their password opens them.
func checkStores(t *testing.T, c clone) {
	t.Helper()
	for _, setting := range []string{"fsync", "full_page_writes", "synchronous_commit"} {
		if got := c.sql(t, "SHOW "+setting); got != "on" {
			t.Errorf("%s is %s", setting, got)
		}
	}
	if got := c.sql(t, "SELECT rolsuper::text || rolcreatedb FROM pg_roles WHERE rolname = current_user"); got != "falsetrue" {
		t.Errorf("the product's role is superuser and creates databases: %s", got)
	}
	if got := c.redis(t, "CONFIG", "GET", "maxmemory-policy"); !strings.Contains(got, "noeviction") {
		t.Errorf("maxmemory-policy: %s", got)
	}
	if got := c.redis(t, "CONFIG", "GET", "appendonly"); !strings.Contains(got, "yes") {
		t.Errorf("appendonly: %s", got)
	}
	settings := c.settings(t)
	_, address, _ := strings.Cut(settings["VIGUEUR_DATABASE_URL"], "@")
	if out, err := exec.Command("psql", "-w", "postgres://vigueur:wrong@"+address, "-c", "SELECT 1").CombinedOutput(); err == nil {
		t.Errorf("a wrong password opens PostgreSQL: %s", out)
	}
	_, address, _ = strings.Cut(settings["VIGUEUR_REDIS_URL"], "@")
	if got := c.ask(t, "redis-cli", "-u", "redis://"+address, "PING"); !strings.Contains(got, "NOAUTH") {
		t.Errorf("Redis without a password answers %q", got)
	}
}

func checkKept(t *testing.T, c clone) {
	t.Helper()
	if got := c.sql(t, "SELECT n FROM kept"); got != "42" {
		t.Errorf("the row is %q", got)
	}
	if got := c.redis(t, "GET", "kept"); got != "42" {
		t.Errorf("the key is %q", got)
	}
}

// TestCopiedState copies a clone with its .state/ while its stores run: the copy must find its own.
func TestCopiedState(t *testing.T) {
	t.Parallel()
	c := newClone(t).open(t)
	c.mustCall(t, "services", "start")
	c.sql(t, "CREATE TABLE mine AS SELECT 1 AS n")
	other := clone{dir: c.dir + " copied"}
	// Files of a running PostgreSQL may vanish under cp, which then complains and copies the rest.
	c.ask(t, "sh", "-c", `cp -a "$0" "$1" 2>/dev/null || true`, c.dir, other.dir)
	other.stopAtEnd(t)
	if out := other.mustCall(t, "services", "start"); !strings.Contains(out, "copied from") {
		t.Errorf("it does not say that the state was copied:\n%s", out)
	}
	for key, value := range other.settings(t) {
		if key != "VIGUEUR_PROFILE" && value == c.settings(t)[key] { // both work on this machine
			t.Errorf("%s is the same in both: %s", key, value)
		}
	}
	if got := other.sql(t, "SELECT count(*) FROM pg_tables WHERE tablename = 'mine'"); got != "0" {
		t.Errorf("the copy sees the table of the original")
	}
	other.mustCall(t, "services", "stop")
	c.mustCall(t, "services", "status")
}

// TestEnvironmentWins starts with settings of the caller's own.
func TestEnvironmentWins(t *testing.T) {
	t.Parallel()
	c := newClone(t).open(t)
	cmd := c.command("services", "start")
	cmd.Env = append(cmd.Env, "VIGUEUR_BASE_URL=https://droit.example")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := c.settings(t)["VIGUEUR_BASE_URL"]; got != "https://droit.example" {
		t.Errorf("VIGUEUR_BASE_URL is %s", got)
	}
}

// user starts a shell that uses the stores, waiting for the disk (fsync is on) as scripts/run does or not (off) as
// scripts/test does, and returns once it has them.
func (c clone) user(t *testing.T, fsync string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("bash", "-euc", `. "$1/scripts/lib/all.sh"; prepare_state; use_stores "$2"; echo ready; exec sleep 600`, "bash", c.dir, fsync)
	cmd.Env = c.environ()
	output, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(output).ReadString('\n')
	if err != nil || line != "ready\n" {
		t.Fatalf("it said %q: %v", line, err)
	}
	return cmd
}

// awaitWatcher waits until nobody watches the users of the stores any more.
func (c clone) awaitWatcher(t *testing.T) {
	t.Helper()
	c.ask(t, "flock", filepath.Join(c.dir, ".state/locks/watch"), "true")
}

// TestLastUserStops kills the users of the stores one after the other: the last one takes the stores along. PostgreSQL
// waits for the disk unless all of them are tests.
func TestLastUserStops(t *testing.T) {
	t.Parallel()
	c := newClone(t).open(t)
	one := c.user(t, "off")
	if got := c.sql(t, "SHOW fsync"); got != "off" {
		t.Errorf("for tests alone fsync is %s", got)
	}
	two, three := c.user(t, "on"), c.user(t, "off")
	if got := c.sql(t, "SHOW fsync"); got != "on" {
		t.Errorf("for more than tests fsync is %s", got)
	}
	die(t, one)
	die(t, three)
	c.mustCall(t, "services", "status")
	die(t, two)
	c.awaitWatcher(t)
	if left := c.left(t); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}

	c.mustCall(t, "services", "start") // by hand: they outlive their users
	die(t, c.user(t, "off"))
	c.awaitWatcher(t)
	c.mustCall(t, "services", "status")
}
