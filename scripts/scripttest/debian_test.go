package scripttest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestDebianFromNothing runs the lines of docs/operating/install.md, « Debian, from nothing », in a clean Debian, then an
// upgrade, the nightly backup and a question. A script starts what systemd would start, and certbot is another that makes a
// certificate of its own.
func TestDebianFromNothing(t *testing.T) {
	t.Parallel()
	r := newCleanRoot(t)
	if _, err := exec.LookPath("ip"); err != nil {
		t.Skip("ip (iproute2) is not installed: the root has a network of its own")
	}
	lines := readLines(t)
	r.must(t, "mkdir", "-p", "/srv/here", "/srv/gazettes", "/etc/apt/apt.conf.d")
	copyFile(t, filepath.Join(r.dir, "new.deb"), filepath.Join(r.dir, "srv/here/vigueur_1.0.0_amd64.deb"))
	copyFile(t, absolute(t, "../sample/gazettes/jo-2023-07.pdf"), filepath.Join(r.dir, "srv/gazettes/jo-2023-07.pdf"))
	r.must(t, "chmod", "-R", "a+rX", "/srv")
	// The way to the mirror is this machine's.
	for _, file := range []string{"/etc/resolv.conf", "/etc/apt/apt.conf.d/99artifact-registry"} {
		if content, err := os.ReadFile(file); err == nil {
			r.write(t, file, string(content))
		}
	}
	if said, err := r.run("apt-get", "update", "-o", "APT::Update::Error-Mode=any"); err != nil {
		t.Skipf("no Debian mirror is reached from here: %s", said)
	}
	r.must(t, "apt-get", "install", "-y", "--no-install-recommends", "curl", "procps") // the test's own
	install, rest := lines[0], lines[1:]
	r.must(t, "rmdir", "/run/systemd/system") // apt calls the real systemctl, which finds no systemd
	r.must(t, "bash", "-euc", "cd /srv/here\n"+install)
	r.must(t, "mkdir", "/run/systemd/system")

	r.write(t, "/usr/local/bin/systemctl", instead(t, "systemctl"))
	r.write(t, "/usr/local/bin/certbot", instead(t, "certbot"))
	r.write(t, "/etc/hosts", "127.0.0.1 localhost droit.example\n")
	r.must(t, "chmod", "0755", "/usr/local/bin/systemctl", "/usr/local/bin/certbot")
	script := []string{"set -euo pipefail", "cd /srv/here", "trap 'systemctl stop-all' EXIT", "systemctl start postgresql redis-server nginx"}
	for _, line := range rest {
		script = append(script, "echo '>>> "+strings.ReplaceAll(line, "'", `'\''`)+"'", line)
	}
	script = append(script,
		"echo '>>> nightly backup'", "systemctl start vigueur-backup.service", "test -d /backups/snapshots",
		"echo '>>> upgrade'", "dpkg --install /new.deb", "systemctl await vigueur-api",
		"echo '>>> question'", "vigueur ask 'Que dit l’article 2 de la loi n° 2023-07 ?'", "curl -fsS https://droit.example/readyz",
		"echo '>>> end'")
	r.write(t, "/run/lines", strings.Join(script, "\n")+"\n")
	said, err := r.runAlone("bash", "/run/lines")
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	for _, want := range []string{"terminé", "chaque file a un worker", "Est salarié", `"status":"ok"`, ">>> end"} {
		if !strings.Contains(said, want) {
			t.Errorf("nowhere is said %q", want)
		}
	}
	if strings.Contains(said, "échec") {
		t.Error("something failed")
	}
	t.Log(said)
}

// readLines returns the commands of the section, the first of which installs the packages.
func readLines(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(absolute(t, "../../docs/operating/install.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## Debian, from nothing\n")
	_, block, _ := strings.Cut(section, "```sh\n")
	block, _, found := strings.Cut(block, "\n```")
	lines := strings.Split(block, "\n")
	if !found || len(lines) < 10 || !strings.HasPrefix(lines[0], "apt-get install ") {
		t.Fatalf("the lines are %q", lines)
	}
	return lines
}

// runAlone is run with a network of its own, whose only device is the loopback.
func (r *cleanRoot) runAlone(command ...string) (string, error) {
	args := append([]string{"--mount", "--pid", "--net", "--fork", "--kill-child", "--mount-proc=" + r.dir + "/proc", "sh", "-c", `ip link set lo up && exec chroot "$@"`, "sh", r.dir}, command...)
	cmd := exec.Command("unshare", args...)
	cmd.Env = []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive"}
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

// instead returns the script that stands for a program of the clean root.
func instead(t *testing.T, program string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "instead", program))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
