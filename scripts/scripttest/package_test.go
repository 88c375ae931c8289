package scripttest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPackageInACleanRoot installs the package of the release before on a Debian that has nothing else, upgrades it to this
// one, removes it, installs it again and purges it. scripts/check --deep makes the root and the packages.
func TestPackageInACleanRoot(t *testing.T) {
	t.Parallel()
	r := newCleanRoot(t)
	steps := []struct {
		name string
		step func(*testing.T, *cleanRoot)
	}{
		{"install", installed}, {"upgrade", upgraded}, {"upgrade while it runs", upgradedRunning}, {"half an installation", resumed},
		{"remove", removed}, {"install again", reinstalled}, {"purge", purged}, {"purge of an unused one", purgedUnused},
	}
	for _, s := range steps {
		if !t.Run(s.name, func(t *testing.T) { s.step(t, r) }) {
			return // each begins where the one before ended
		}
	}
}

// The files of an installation that the steps look at.
const (
	settingsFile = "/etc/vigueur/vigueur.env"
	ownerFile    = "/etc/vigueur/owner.env"
	keyFile      = "/etc/vigueur/backup.key"
	gazetteFile  = "/var/lib/vigueur/blobs/gazette"
	dropIn       = "/etc/systemd/system/vigueur-api.service.d/own.conf"
	workerLink   = "/etc/systemd/system/multi-user.target.wants/vigueur-worker@2.service"
)

var unitFiles = []string{"/lib/systemd/system/vigueur-api.service", "/lib/systemd/system/vigueur-worker@.service", "/lib/systemd/system/vigueur-migrate.service"}

func installed(t *testing.T, r *cleanRoot) {
	r.dpkg(t, "--install", "/old.deb")
	checkAccount(t, r)
	checkModes(t, r)
	for _, file := range unitFiles {
		r.is(t, file, "root:root 644")
	}
	settings := r.read(t, settingsFile)
	secrets := regexp.MustCompile(`(?m)^VIGUEUR_(?:JWT|ADDRESS)_SECRET=([0-9a-f]{64})$`).FindAllStringSubmatch(settings, -1)
	if len(secrets) != 2 || secrets[0][1] == secrets[1][1] || strings.Contains(settings, "@secret@") {
		t.Errorf("the secrets are not two of 32 bytes each:\n%s", settings)
	}
	if _, err := r.run("runuser", "-u", "nobody", "--", "cat", settingsFile); err == nil {
		t.Errorf("everyone may read %s", settingsFile)
	}
	if calls := r.systemctlCalls(t); strings.Contains(calls, "start") {
		t.Errorf("a service without settings is started:\n%s", calls)
	}
	if said := r.must(t, "vigueur", "version"); !strings.HasPrefix(said, "vigueur ") {
		t.Errorf("vigueur version: %q", said)
	}
	if said, err := r.run("vigueur", "status"); err == nil || !strings.Contains(said, "VIGUEUR_DATABASE_URL") {
		t.Errorf("without an address: %v, %q", err, said)
	}
	if said, err := r.run("systemd-analyze", "verify", unitFiles[0], "/lib/systemd/system/vigueur-worker@1.service", unitFiles[2]); err != nil || strings.Contains(said, "vigueur") {
		t.Errorf("systemd reads the units with: %v\n%s", err, said)
	}
}

// upgraded has what an operator changes be there after an upgrade as it was.
func upgraded(t *testing.T, r *cleanRoot) {
	own := strings.Replace(r.read(t, settingsFile), "VIGUEUR_DATABASE_URL=", "VIGUEUR_DATABASE_URL=postgres://vigueur:secret@db.example.org/vigueur", 1) + "# Ours.\nVIGUEUR_ANSWER_QUEUE=7\n"
	r.write(t, settingsFile, own)
	r.write(t, ownerFile, "VIGUEUR_DATABASE_OWNER_URL=postgres://owner:secret@db.example.org/vigueur\n")
	r.must(t, "chmod", "0600", ownerFile)
	r.write(t, keyFile, "the key of the backups\n")
	r.must(t, "chmod", "0600", keyFile)
	r.write(t, gazetteFile, "%PDF-1.7")
	r.must(t, "chown", "vigueur:vigueur", gazetteFile)
	r.must(t, "chmod", "0750", "/var/lib/vigueur") // a group of the operator's may look in
	r.must(t, "chmod", "0751", "/etc/vigueur")
	r.must(t, "mkdir", "-p", filepath.Dir(dropIn))
	r.write(t, dropIn, "[Service]\nMemoryMax=2G\n")
	r.must(t, "systemctl", "enable", "vigueur-api.service", "vigueur-worker@1.service", "vigueur-worker@2.service")
	account := r.must(t, "getent", "passwd", "vigueur")
	r.forgetCalls(t)

	r.dpkg(t, "--install", "/new.deb")
	if got := r.read(t, settingsFile); got != own {
		t.Errorf("the settings were\n%s\nand are\n%s", own, got)
	}
	if got := r.must(t, "getent", "passwd", "vigueur"); got != account {
		t.Errorf("the account was %s and is %s", account, got)
	}
	for file, want := range map[string]string{settingsFile: "root:vigueur 640", ownerFile: "root:root 600", keyFile: "root:root 600", gazetteFile: "vigueur:vigueur 644",
		"/var/lib/vigueur": "vigueur:vigueur 750", "/etc/vigueur": "root:vigueur 751", dropIn: "root:root 644"} {
		r.is(t, file, want)
	}
	for _, file := range unitFiles {
		r.is(t, file, "root:root 644")
	}
	calls := r.systemctlCalls(t)
	if !strings.Contains(calls, "daemon-reload") {
		t.Errorf("systemd is not told of the new units:\n%s", calls)
	}
	if strings.Contains(calls, "start") {
		t.Errorf("what was stopped is started:\n%s", calls)
	}
	if said := r.must(t, "dpkg-query", "--show", "--showformat=${Version} ${db:Status-Status}", "vigueur"); said != "9.9.9 installed" {
		t.Errorf("dpkg has %s", said)
	}
	if left := r.must(t, "find", "/etc/vigueur", "/usr/lib/vigueur", "/lib/systemd/system", "-name", "*.dpkg-*", "-o", "-name", "*.env.new"); left != "" {
		t.Errorf("left behind: %s", left)
	}
	if said, err := r.run("vigueur", "config"); err != nil || strings.Contains(said, "secret@db") {
		t.Errorf("vigueur config: %v\n%s", err, said)
	}
}

// upgradedRunning has the schema be migrated before the programs are replaced, and has nothing stopped on the way.
func upgradedRunning(t *testing.T, r *cleanRoot) {
	r.write(t, "/run/active", "")
	r.forgetCalls(t)
	r.dpkg(t, "--install", "/new.deb")
	calls := r.systemctlCalls(t)
	reload, migrate, restart := strings.Index(calls, "daemon-reload"), strings.Index(calls, "start vigueur-migrate.service"), strings.Index(calls, "try-restart")
	if reload < 0 || migrate < reload || restart < migrate {
		t.Errorf("wanted: reload, migrate, restart; called:\n%s", calls)
	}
	for line := range strings.Lines(calls) {
		if strings.HasPrefix(line, "stop") || strings.HasPrefix(line, "disable") || strings.HasPrefix(line, "--no-reload") {
			t.Errorf("an upgrade calls systemctl %s", line)
		}
	}
	if !strings.Contains(calls, "vigueur-api.service") || !strings.Contains(calls, "vigueur-worker@*.service") {
		t.Errorf("not all are replaced:\n%s", calls)
	}
	r.must(t, "rm", "/run/active")
}

// resumed is an installation that was cut off while the settings were written.
func resumed(t *testing.T, r *cleanRoot) {
	kept := r.read(t, settingsFile)
	r.must(t, "mv", settingsFile, settingsFile+".kept")
	r.write(t, settingsFile+".new", "VIGUEUR_JWT_SECRET=half")
	r.dpkg(t, "--install", "/new.deb")
	if got := r.read(t, settingsFile); strings.Contains(got, "half") || !strings.Contains(got, "VIGUEUR_ADDRESS_SECRET=") {
		t.Errorf("after a half installation the settings are\n%s", got)
	}
	r.is(t, settingsFile, "root:vigueur 640")
	r.must(t, "mv", settingsFile+".kept", settingsFile)
	if r.read(t, settingsFile) != kept {
		t.Error("the test lost the settings")
	}
}

// removed has the programs gone and stopped, and everything that is the operator's kept.
func removed(t *testing.T, r *cleanRoot) {
	kept := r.read(t, settingsFile)
	r.forgetCalls(t)
	r.dpkg(t, "--remove", "vigueur")
	for _, gone := range append([]string{"/usr/bin/vigueur", "/usr/lib/vigueur", "/usr/share/vigueur", "/usr/share/doc/vigueur", workerLink,
		"/etc/systemd/system/multi-user.target.wants/vigueur-api.service"}, unitFiles...) {
		r.isGone(t, gone)
	}
	if r.read(t, settingsFile) != kept || r.read(t, gazetteFile) != "%PDF-1.7" || !strings.Contains(r.read(t, ownerFile), "owner:secret@") {
		t.Error("a removal took what is the operator's")
	}
	checkAccount(t, r)
	calls := r.systemctlCalls(t)
	for _, service := range []string{"vigueur-api.service", "vigueur-worker@*.service", "vigueur-worker@2.service"} {
		if !strings.Contains(calls, service) {
			t.Errorf("%s is not stopped:\n%s", service, calls)
		}
	}
}

// reinstalled finds the settings and the account of before.
func reinstalled(t *testing.T, r *cleanRoot) {
	kept, account := r.read(t, settingsFile), r.must(t, "getent", "passwd", "vigueur")
	r.dpkg(t, "--install", "/new.deb")
	if r.read(t, settingsFile) != kept || r.must(t, "getent", "passwd", "vigueur") != account {
		t.Error("an installation after a removal begins anew")
	}
}

// purged has the settings and what can be made anew gone. The gazettes are kept, so their owner is too, and so is what the
// package did not make.
func purged(t *testing.T, r *cleanRoot) {
	r.must(t, "mkdir", "-p", "/var/lib/vigueur/index-1", "/var/lib/vigueur/.cache/vigueur")
	said := r.dpkg(t, "--purge", "vigueur")
	for _, gone := range []string{settingsFile, ownerFile, "/var/lib/vigueur/index-1", "/var/lib/vigueur/.cache", "/var/lib/vigueur/uploads", "/usr/lib/vigueur"} {
		r.isGone(t, gone)
	}
	if r.read(t, gazetteFile) != "%PDF-1.7" || r.read(t, keyFile) == "" {
		t.Error("a purge took the gazettes or the key of the backups")
	}
	r.is(t, gazetteFile, "vigueur:vigueur 644")
	checkAccount(t, r)
	for _, left := range []string{"/var/lib/vigueur", "/etc/vigueur"} {
		if !strings.Contains(said, left+" ") {
			t.Errorf("it is not said that %s is left:\n%s", left, said)
		}
	}
	if listed := r.must(t, "dpkg-query", "--list"); strings.Contains(listed, "vigueur") {
		t.Errorf("dpkg still knows it:\n%s", listed)
	}
}

// purgedUnused leaves nothing of an installation that never held anything.
func purgedUnused(t *testing.T, r *cleanRoot) {
	r.must(t, "rm", "-rf", "/etc/vigueur", "/var/lib/vigueur", filepath.Dir(dropIn))
	r.dpkg(t, "--install", "/new.deb")
	checkModes(t, r)
	r.is(t, ownerFile, "root:root 600")
	if _, err := r.run("runuser", "-u", "vigueur", "--", "cat", ownerFile); err == nil {
		t.Errorf("the service may read %s", ownerFile)
	}
	r.write(t, settingsFile, "VIGUEUR_BLOBS_URL=file:///srv/gazettes\n")
	if said := r.dpkg(t, "--purge", "vigueur"); !strings.Contains(said, "file:///srv/gazettes") {
		t.Errorf("it is not said that the account owns files elsewhere:\n%s", said)
	}
	checkAccount(t, r)
	r.dpkg(t, "--install", "/new.deb")
	r.dpkg(t, "--purge", "vigueur")
	r.isGone(t, "/var/lib/vigueur")
	r.isGone(t, "/etc/vigueur")
	for _, database := range []string{"passwd", "group"} {
		if said, err := r.run("getent", database, "vigueur"); err == nil {
			t.Errorf("%s still has %s", database, said)
		}
	}
	if left := r.must(t, "find", "/", "-xdev", "-path", "/proc", "-prune", "-o", "-name", "*vigueur*", "-print"); left != "" {
		t.Errorf("left behind:\n%s", left)
	}
}

func checkAccount(t *testing.T, r *cleanRoot) {
	t.Helper()
	users := regexp.MustCompile(`(?m)^vigueur:x:([0-9]+):[0-9]+::/var/lib/vigueur:/usr/sbin/nologin$`).FindAllStringSubmatch(r.read(t, "/etc/passwd"), -1)
	if len(users) != 1 || len(users[0][1]) > 3 {
		t.Errorf("not one system account that nobody signs in to: %v\n%s", users, r.read(t, "/etc/passwd"))
	}
}

func checkModes(t *testing.T, r *cleanRoot) {
	t.Helper()
	for file, want := range map[string]string{
		"/etc/vigueur": "root:vigueur 750", settingsFile: "root:vigueur 640", "/var/lib/vigueur": "vigueur:vigueur 700", "/var/lib/vigueur/blobs": "vigueur:vigueur 700",
		"/var/lib/vigueur/uploads": "vigueur:vigueur 700", "/var/lib/vigueur/mail": "vigueur:vigueur 700", "/usr/lib/vigueur/api": "root:root 755",
		"/usr/lib/vigueur/worker": "root:root 755", "/usr/lib/vigueur/ingest": "root:root 755", "/usr/bin/vigueur": "root:root 755",
	} {
		r.is(t, file, want)
	}
}

// cleanRoot is a Debian of its own, with a systemctl that writes down how it is called.
type cleanRoot struct {
	dir string
}

func newCleanRoot(t *testing.T) *cleanRoot {
	t.Helper()
	tree, packages := os.Getenv("VIGUEUR_TEST_CLEAN_ROOT"), strings.Fields(os.Getenv("VIGUEUR_TEST_PACKAGES"))
	if tree == "" || len(packages) != 2 {
		t.Skip("it needs a clean Debian and two packages: scripts/check --deep makes them")
	}
	if os.Geteuid() != 0 {
		t.Skip("only root installs packages")
	}
	r := &cleanRoot{dir: t.TempDir()}
	if out, err := exec.Command("tar", "-C", r.dir, "--numeric-owner", "-xpf", tree).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := r.run("true"); err != nil {
		t.Skipf("this machine does not allow a root of its own: %v %s", err, out)
	}
	copyFile(t, packages[0], filepath.Join(r.dir, "old.deb"))
	copyFile(t, packages[1], filepath.Join(r.dir, "new.deb"))
	// As where systemd runs; enabling is files alone, and is left to the real one.
	r.must(t, "mkdir", "-p", "/run/systemd/system")
	r.write(t, "/usr/local/bin/systemctl", `#!/bin/sh
echo "$*" >>/run/systemctl.calls
case " $* " in
*" is-active "*) [ -e /run/active ] ;;
*" enable "* | *" disable "*)
	for word; do
		shift
		case $word in --now | --no-reload) ;; *) set -- "$@" "$word" ;; esac
	done
	exec /usr/bin/systemctl --root=/ "$@"
	;;
esac
`)
	r.must(t, "chmod", "0755", "/usr/local/bin/systemctl")
	return r
}

// run runs a command in the root, with its own processes and no settings, and returns what it printed.
func (r *cleanRoot) run(command ...string) (string, error) {
	args := append([]string{"--mount", "--pid", "--fork", "--mount-proc=" + r.dir + "/proc", "chroot", r.dir}, command...)
	cmd := exec.Command("unshare", args...)
	cmd.Env = []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive"}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return strings.TrimSpace(out.String()), err
}

func (r *cleanRoot) must(t *testing.T, command ...string) string {
	t.Helper()
	out, err := r.run(command...)
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(command, " "), err, out)
	}
	return out
}

func (r *cleanRoot) dpkg(t *testing.T, args ...string) string {
	t.Helper()
	return r.must(t, append([]string{"dpkg"}, args...)...)
}

func (r *cleanRoot) read(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(r.dir + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func (r *cleanRoot) write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.WriteFile(r.dir+name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// is checks the owner, the group and the mode of a file.
func (r *cleanRoot) is(t *testing.T, name, want string) {
	t.Helper()
	if got := r.must(t, "stat", "--format=%U:%G %a", name); got != want {
		t.Errorf("%s is %s, want %s", name, got, want)
	}
}

func (r *cleanRoot) isGone(t *testing.T, name string) {
	t.Helper()
	if _, err := os.Lstat(r.dir + name); err == nil {
		t.Errorf("%s is still there", name)
	}
}

func (r *cleanRoot) systemctlCalls(t *testing.T) string {
	t.Helper()
	return r.read(t, "/run/systemctl.calls")
}

func (r *cleanRoot) forgetCalls(t *testing.T) {
	t.Helper()
	r.write(t, "/run/systemctl.calls", "")
}
