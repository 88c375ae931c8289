package deployments

import (
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"vigueur/internal/ops/config"
)

// TestComposeHasEverySetting is that what a program can be told, its container can be told:
// what is in no environment of the file could not be set without changing the file.
func TestComposeHasEverySetting(t *testing.T) {
	t.Parallel()
	elsewhere := map[string]string{
		"VIGUEUR_JWT_ALGORITHM": "wants key files mounted beside it",
		"VIGUEUR_JWT_KEY_FILE":  "likewise",
		"VIGUEUR_INDEX_DIR":     "the image's",
		"VIGUEUR_MAIL_DIR":      "the image's",
	}
	services := readCompose(t, filledIn(t)).Services
	for name, c := range map[string]any{"api": config.API{}, "worker": config.Worker{}, "ingest": config.Ingest{}} {
		given := services[name].Environment
		for _, s := range config.Settings(c) {
			_, plain := given[s.Env]
			_, file := given[s.Env+"_FILE"]
			switch {
			case plain || file || elsewhere[s.Env] != "":
			default:
				t.Errorf("%s cannot be told %s", name, s.Env)
			}
		}
	}
}

// TestComposeSecretsAreFiles is that no program finds a secret in its environment: each setting that is secret is given as a file.
func TestComposeSecretsAreFiles(t *testing.T) {
	t.Parallel()
	secret := map[string]bool{}
	for _, c := range []any{config.API{}, config.Worker{}, config.Ingest{}} {
		for _, s := range config.Settings(c) {
			secret[s.Env] = secret[s.Env] || s.Secret
		}
	}
	for name, s := range readCompose(t, filledIn(t)).Services {
		for key := range s.Environment {
			if secret[key] {
				t.Errorf("%s has the secret %s in its environment", name, key)
			}
		}
	}
}

// TestPrometheusFindsThePrograms holds the Prometheus of the file against where API and workers show their figures.
func TestPrometheusFindsThePrograms(t *testing.T) {
	t.Parallel()
	var file struct {
		Rules  []string `yaml:"rule_files"`
		Scrape []struct {
			DNS []struct {
				Names []string `yaml:"names"`
				Port  string   `yaml:"port"`
			} `yaml:"dns_sd_configs"`
		} `yaml:"scrape_configs"`
	}
	if err := yaml.Unmarshal([]byte(read(t, "monitoring/prometheus.yaml")), &file); err != nil {
		t.Fatal(err)
	}
	services, asked := readCompose(t, filledIn(t)).Services, 0
	for _, job := range file.Scrape {
		for _, d := range job.DNS {
			for _, name := range d.Names {
				asked++
				_, port, err := net.SplitHostPort(services[name].Environment["VIGUEUR_METRICS_LISTEN"])
				if err != nil || port != d.Port {
					t.Errorf("%s is looked at on port %s and listens on %q, %v", name, d.Port, port, err)
				}
			}
		}
	}
	if asked != 2 {
		t.Errorf("%d programs are looked at, want 2", asked)
	}
	for _, rules := range file.Rules {
		if !slices.Contains(services["prometheus"].Volumes, "./monitoring/"+rules+":/etc/prometheus/"+rules+":ro") {
			t.Errorf("the container does not see %s", rules)
		}
	}
	for _, port := range services["prometheus"].Ports {
		if !strings.HasPrefix(port, "127.0.0.1:") {
			t.Errorf("whoever reaches this machine reads everything at %s", port)
		}
	}
}

// TestComposeBackupLoop runs the loop of the service « backup », word for word, with a vigueur-backup that fails once: it
// tries again after an hour, then backs up and sleeps until half past two.
func TestComposeBackupLoop(t *testing.T) {
	t.Parallel()
	s := readCompose(t, filledIn(t)).Services["backup"]
	if want := []string{"tini", "-g", "--", "bash", "-c"}; len(s.Entrypoint) != 6 || !slices.Equal(s.Entrypoint[:5], want) {
		t.Fatalf("the entrypoint is %q", s.Entrypoint)
	}
	dir := t.TempDir()
	program := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/bash\n"+text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	program("vigueur-backup", `echo "vigueur-backup $*" >>"$DID"; [[ $(grep -c vigueur-backup "$DID") != 1 ]]`)
	// It is three o'clock: half past two is tomorrow's.
	program("date", `case "$*" in "-u +%s") echo 10800 ;; "-u -d 02:30 +%s") echo 9000 ;; *) exit 9 ;; esac`)
	program("sleep", `echo "sleep $1" >>"$DID"; [[ $(grep -c sleep "$DID") != 2 ]] || kill "$PPID"`)
	program("touch", `echo "touch $1" >>"$DID"`)
	command := exec.CommandContext(t.Context(), "bash", "-c", strings.ReplaceAll(s.Entrypoint[5], "$$", "$"))
	did := filepath.Join(dir, "did")
	command.Env = []string{"PATH=" + dir + ":" + os.Getenv("PATH"), "DID=" + did}
	out, err := command.CombinedOutput()
	if err == nil || len(out) > 0 { // the second sleep ends it
		t.Errorf("%v, %s", err, out)
	}
	want := `vigueur-backup save
sleep 3600
vigueur-backup save
touch /tmp/backed-up
sleep 84600
`
	if got := read(t, did); got != want {
		t.Errorf("it did\n%s, want\n%s", got, want)
	}
	if !slices.Contains(s.Volumes, "backups:/backups") || !slices.Contains(readCompose(t, filledIn(t)).Services["ingest"].Volumes, "backups:/backups") {
		t.Error("the backups go with the container")
	}
}

// TestComposeHealth runs the checks of the file, word for word, against a server that is
// ready, one that is not, and none. Both ask the metrics listener, which is not published.
func TestComposeHealth(t *testing.T) {
	t.Parallel()
	services := readCompose(t, filledIn(t)).Services
	for _, name := range []string{"api", "worker"} {
		_, figures, err := net.SplitHostPort(services[name].Environment["VIGUEUR_METRICS_LISTEN"])
		if err != nil || slices.ContainsFunc(services[name].Ports, func(p string) bool { return strings.HasSuffix(p, ":"+figures) }) {
			t.Errorf("the metrics of %s are at %q and published: %q, %v", name, figures, services[name].Ports, err)
		}
		test := services[name].Healthcheck.Test
		if len(test) < 2 || test[0] != "CMD" {
			t.Fatalf("%s is asked by %q", name, test)
		}
		for status, want := range map[int]bool{http.StatusOK: true, http.StatusServiceUnavailable: false, 0: false} {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/readyz" {
					t.Errorf("%s is asked for %s", name, r.URL.Path)
				}
				w.WriteHeader(status)
			}))
			address := strings.TrimPrefix(server.URL, "http://")
			if status == 0 {
				server.Close()
			}
			var words []string
			for _, word := range test[1:] {
				words = append(words, strings.ReplaceAll(word, "$$", "$"))
			}
			command := exec.CommandContext(t.Context(), words[0], words[1:]...)
			command.Env = append(command.Environ(), "VIGUEUR_METRICS_LISTEN="+address)
			if out, err := command.CombinedOutput(); (err == nil) != want {
				t.Errorf("%s with status %d: %v, %s", name, status, err, out)
			}
			server.Close()
		}
	}
}
