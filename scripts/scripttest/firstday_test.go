package scripttest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// TestFirstDay replays an operator's first day on one machine in a clean clone of the last commit: scripts/run, the lines that
// it prints to paste, and every command of README.md as written, in its order. What README leaves to the reader is made: the
// folders ~/gazettes and ~/arrivals, and ID is the first eight characters of the first one that « documents » prints. What was typed and said is in
// .state/log/first-day.log. Part of the deep check: it builds everything.
func TestFirstDay(t *testing.T) {
	if os.Getenv("VIGUEUR_TEST_DEEP") != "1" {
		t.Skip("only with VIGUEUR_TEST_DEEP=1 (scripts/check --deep)")
	}
	t.Parallel()
	root := absolute(t, "../..")
	c := clone{dir: filepath.Join(t.TempDir(), "a clone")}
	if out, err := exec.Command("git", "clone", "--quiet", root, c.dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c.open(t).stopAtEnd(t)
	home := filepath.Join(t.TempDir(), "home")
	for _, file := range []string{"gazettes/jo-2025-05-scan.pdf", "arrivals/jo-2023-07.pdf"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(home, file)), 0o755); err != nil {
			t.Fatal(err)
		}
		copyFile(t, filepath.Join("..", "sample", "gazettes", filepath.Base(file)), filepath.Join(home, file))
	}
	d := day{t: t, c: c, home: home, log: &strings.Builder{}}
	defer d.keep(filepath.Join(root, ".state", "log", "first-day.log"))

	cmd, output, said := c.serve(t)
	fmt.Fprintf(d.log, "$ scripts/run\n%s\n", said)
	pasted := regexp.MustCompile(`(?m)^  (export BASE=.*|\.state/bin/ingest ask ".*")$`).FindAllStringSubmatch(said, -1)
	if len(pasted) != 2 || !strings.Contains(said, "/   (the page)") {
		t.Fatalf("not three lines to paste:\n%s", said)
	}
	d.exports = pasted[0][1]
	if said := d.types(pasted[1][1]); !strings.Contains(said, "[1]") {
		t.Errorf("the question to paste has no answer with a source:\n%s", said)
	}
	typed := 0
	for _, command := range readmeCommands(t) {
		said := d.types(command)
		typed++
		for part, want := range map[string]string{
			"ingest documents": "2023-07", "ask \"Que dit": "trente-sept heures", "--date 2024-03-01": "quarante heures", "curl -N": "event: final",
		} {
			if strings.Contains(command, part) && !strings.Contains(said, want) {
				t.Errorf("« %s » does not say %q:\n%s", command, want, said)
			}
		}
	}
	if exported, err := os.ReadFile(filepath.Join(c.dir, "loi.md")); err != nil || !strings.HasPrefix(string(exported), "# ") {
		t.Errorf("the exported text: %v, %.80q", err, exported)
	}
	if typed < 9 {
		t.Errorf("README.md has only %d commands", typed)
	}
	end(t, cmd, output, syscall.SIGINT, 130)
	if left := c.left(t); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// day is what an operator types on a day, and what is said.
type day struct {
	t       *testing.T
	c       clone
	home    string
	exports string // the line that scripts/run prints
	id      string
	log     *strings.Builder
}

// types runs a command in the clone's folder, in another terminal, and returns what it says. It must succeed;
// one that goes on until Ctrl-C gets it after some seconds.
func (d *day) types(command string) string {
	d.t.Helper()
	line := regexp.MustCompile(`\bID\b`).ReplaceAllString(command, d.id)
	run := line
	if strings.Contains(line, " watch ") {
		run = "timeout --signal=INT 8 " + line
	}
	cmd := exec.Command("bash", "-c", d.exports+"\n"+run)
	cmd.Dir, cmd.Env = d.c.dir, append(d.c.environ(), "HOME="+d.home, "COLUMNS=80")
	out, err := cmd.CombinedOutput()
	fmt.Fprintf(d.log, "$ %s\n%s\n", line, out)
	if stopped := cmd.ProcessState.ExitCode(); err != nil && (run == line || stopped != 124 && stopped != 130) {
		d.t.Errorf("« %s »: %v\n%s", line, err, out)
	}
	if strings.HasSuffix(strings.TrimSpace(command), "ingest documents") {
		id := regexp.MustCompile(`(?m) ([0-9a-f]{8})[0-9a-f-]*$`).FindStringSubmatch(string(out))
		if id == nil {
			d.t.Fatalf("no id in\n%s", out)
		}
		d.id = id[1] // the short form, which narrow tables print
	}
	return string(out)
}

// keep writes the log of the day.
func (d *day) keep(path string) {
	text := regexp.MustCompile(`vig_\w+|(Password: +)\S+`).ReplaceAllString(d.log.String(), "$1…")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		d.t.Error(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		d.t.Error(err)
	}
	d.t.Log(text)
}

// readmeCommands returns the commands of README.md for another terminal, without the comments behind them.
func readmeCommands(t *testing.T) (commands []string) {
	t.Helper()
	text, err := os.ReadFile(absolute(t, "../../README.md"))
	if err != nil {
		t.Fatal(err)
	}
	comment := regexp.MustCompile(` {2,}#.*$`)
	for i, block := range strings.Split(strings.ReplaceAll(string(text), "\\\n", ""), "\n```\n") {
		if i%2 == 0 { // text between blocks
			continue
		}
		for line := range strings.SplitSeq(block, "\n") {
			if line = comment.ReplaceAllString(line, ""); strings.HasPrefix(line, ".state/bin/ingest ") || strings.HasPrefix(line, "curl ") {
				commands = append(commands, line)
			}
		}
	}
	return commands
}
