package deployments

import (
	"net"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"

	"vigueur/internal/ops/config"
)

// TestComposeHasEverySetting is that what a program can be told, its container can be told:
// what is in no environment of the file could not be set without changing the file.
func TestComposeHasEverySetting(t *testing.T) {
	t.Parallel()
	elsewhere := map[string]string{
		"VIGUEUR_JWT_ALGORITHM":         "wants key files mounted beside it",
		"VIGUEUR_JWT_KEY_FILE":          "likewise",
		"VIGUEUR_JWT_PREVIOUS_KEY_FILE": "likewise",
		"VIGUEUR_INDEX_DIR":             "the image's",
		"VIGUEUR_MAIL_DIR":              "the image's",
	}
	services := readCompose(t, filledIn(t)).Services
	for name, c := range map[string]any{"api": config.API{}, "worker": config.Worker{}, "ingest": config.Ingest{}} {
		given := services[name].Environment
		for _, s := range config.Settings(c) {
			_, plain := given[s.Env]
			_, file := given[s.Env+"_FILE"]
			switch {
			case plain || file || elsewhere[s.Env] != "":
			case name == "ingest" && s.Env == "VIGUEUR_DATABASE_READER_URL": // of migrate alone
			default:
				t.Errorf("%s cannot be told %s", name, s.Env)
			}
		}
	}
}

// TestComposeHealth runs the checks of the file, word for word, against a server that is
// ready, one that is not, and none. Both ask the metrics listener, which clients cannot reach.
func TestComposeHealth(t *testing.T) {
	t.Parallel()
	services := readCompose(t, filledIn(t)).Services
	for _, name := range []string{"api", "worker"} {
		host, _, err := net.SplitHostPort(services[name].Environment["VIGUEUR_METRICS_LISTEN"])
		if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsLoopback() {
			t.Errorf("the metrics of %s are at %q, %v", name, host, err)
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
