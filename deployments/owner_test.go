package deployments

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestWrapperGivesTheOwnersAddress runs the operator's command of the Debian package as root would: the commands that need
// the owner of the database get its address, and no other does.
func TestWrapperGivesTheOwnersAddress(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	owner := filepath.Join(dir, "owner.env")
	for name, text := range map[string]string{
		"id": "#!/bin/sh\necho 0\n", "runuser": "#!/bin/sh\nprintf %s \"${VIGUEUR_DATABASE_OWNER_URL-none}\"\n",
		"vigueur": strings.ReplaceAll(read(t, "debian/vigueur"), "/etc/vigueur/owner.env", owner),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	given := func(words ...string) string {
		t.Helper()
		command := exec.CommandContext(t.Context(), "sh", append([]string{filepath.Join(dir, "vigueur")}, words...)...)
		command.Env = []string{"PATH=" + dir + ":" + os.Getenv("PATH")}
		said, err := command.Output()
		if err != nil {
			t.Fatal(err)
		}
		return string(said)
	}
	const address = "postgres://owner:a b'c@db.example.org/vigueur?sslmode=verify-full"
	if got := given("retention"); got != "none" {
		t.Errorf("without a file the address is %q", got)
	}
	for content, want := range map[string]string{"# its owner\nVIGUEUR_DATABASE_OWNER_URL=" + address + "\n": address, read(t, "debian/owner.env"): "none"} {
		if err := os.WriteFile(owner, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, words := range [][]string{{"migrate", "up"}, {"--json", "migrate", "status"}, {"retention"}, {"doctor"}} {
			if got := given(words...); got != want {
				t.Errorf("%q gets %q, want %q", words, got, want)
			}
		}
		for _, words := range [][]string{{"status"}, {"add", "backup"}, {"--json", "user", "list"}, {}} {
			if got := given(words...); got != "none" {
				t.Errorf("%q gets %q", words, got)
			}
		}
	}
}

// TestUnitsThatKnowTheOwner checks that the units of the migration and of the backup read the owner's address, and no other.
func TestUnitsThatKnowTheOwner(t *testing.T) {
	t.Parallel()
	units, err := filepath.Glob("*/*.service")
	if err != nil || len(units) < 4 {
		t.Fatalf("units %q, %v", units, err)
	}
	for _, path := range units {
		want := strings.Contains(path, "migrate") || strings.Contains(path, "backup")
		if got := strings.Contains(read(t, path), "\nEnvironmentFile=-/etc/vigueur/owner.env\n"); got != want {
			t.Errorf("%s reads the owner's address: %v", path, got)
		}
	}
	if install := read(t, "debian/postinst"); !strings.Contains(install, "umask 077 && cat /usr/share/vigueur/owner.env") || !strings.Contains(install, "chmod 0600 /etc/vigueur/owner.env.new") ||
		!strings.Contains(install, "chown root:root /etc/vigueur/owner.env.new") {
		t.Error("the installer does not make the owner's file for root alone")
	}
}

// TestComposeBacksUpAsOwner checks that the operator's containers know the owner, and that those of the service do not.
func TestComposeBacksUpAsOwner(t *testing.T) {
	t.Parallel()
	for name, s := range readCompose(t, filledIn(t)).Services {
		want := slices.Contains([]string{"migrate", "ingest", "doctor", "backup"}, name)
		if got := s.Environment["VIGUEUR_DATABASE_OWNER_URL_FILE"] != "" && slices.Contains(s.Secrets, "database_owner_url"); got != want {
			t.Errorf("%s knows the owner of the database: %v", name, got)
		}
	}
}

// TestAPIUnitHasItsMetrics checks that the API of the Debian package listens for Prometheus on a loopback address, which is not
// that of its clients.
func TestAPIUnitHasItsMetrics(t *testing.T) {
	t.Parallel()
	m := regexp.MustCompile(`(?m)^Environment=.*\bVIGUEUR_METRICS_LISTEN=(\S+)`).FindStringSubmatch(read(t, "systemd/vigueur-api.service"))
	if m == nil {
		t.Fatal("the API has no metrics listener")
	}
	host, _, err := net.SplitHostPort(m[1])
	if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsLoopback() || strings.Contains(read(t, "debian/vigueur.env"), "="+m[1]+"\n") {
		t.Errorf("the metrics are at %q", m[1])
	}
}
