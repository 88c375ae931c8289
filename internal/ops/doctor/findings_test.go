package doctor

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"vigueur/internal/answer/llm/openai"
	"vigueur/internal/kit/errs"
)

// The exit status of « ingest doctor » depends on the worst finding.
func TestWorst(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		states []State
		want   State
	}{
		{"nothing", nil, OK}, {"all well", []State{OK, OK}, OK}, {"one unseen", []State{OK, Unseen, OK}, Unseen},
		{"a warning is worse than unseen", []State{Warn, Unseen}, Warn}, {"a fault is worst, wherever it stands", []State{Fail, Warn, OK, Unseen}, Fail},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var found []Finding
			for _, s := range c.states {
				found = append(found, Finding{State: s})
			}
			if got := Worst(found); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// An error is shortened to one line, between letters.
func TestCauses(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", longestCause)
	for _, c := range []struct {
		name string
		err  error
		want string
	}{
		{"lines and tabs", errors.New("a\n\tb  c\r\n  d"), "a b c d"},
		{"a sentence for people", errs.New(errs.Invalid, "La clé est absente."), "La clé est absente."},
		{"what another kind wraps", errs.Wrap(errs.Unavailable, "Indisponible.", errors.New("refused")), "refused"},
		{"as long as may be", errors.New(strings.Repeat("x", longestCause)), strings.Repeat("x", longestCause)},
		{"too long", errors.New(long), long[:longestCause] + "…"},
		{"cut within a letter", errors.New("x" + long), "x" + long[:longestCause-2] + "…"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := cause(c.err)
			if !strings.Contains(got, c.want) || strings.ContainsAny(got, "\n\t") || !utf8.ValidString(got) || len(got) > longestCause+len("…") {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// Each error in the settings is a separate finding.
func TestFaultsOfSettings(t *testing.T) {
	t.Parallel()
	if got := faultsOf(errs.New(errs.Invalid, "Réglages :\n- A manque\n  - B est faux\nfin")); !slices.Equal(got, []string{"A manque", "B est faux"}) {
		t.Errorf("%q", got)
	}
	if got := faultsOf(errs.New(errs.Invalid, "Illisible.")); !slices.Equal(got, []string{"Illisible."}) {
		t.Errorf("%q", got)
	}
}

func TestModelsAreHeldAgainstWhatIsAsked(t *testing.T) {
	t.Parallel()
	listed := []openai.Listed{{Name: "petit", Window: 4096}, {Name: "grand:latest", Window: 32768}, {Name: "nu"}}
	for _, c := range []struct {
		name   string
		server modelServer
		want   string
	}{
		{"it is there", modelServer{name: "URL", wanted: []string{"petit"}, window: 4096}, "ok: URL répond et a : petit"},
		{"under the tag of Ollama", modelServer{name: "URL", wanted: []string{"grand"}}, "ok: URL répond et a : grand"},
		{"a window that is not told", modelServer{name: "URL", wanted: []string{"nu"}, window: 9999}, "ok: URL répond et a : nu"},
		{"a window that is too small", modelServer{name: "URL", wanted: []string{"petit"}, window: 4097}, "fail: URL : « petit » y tient 4096 jetons, et VIGUEUR_MODEL_CONTEXT en annonce 4097"},
		{"two that are not there", modelServer{name: "URL", wanted: []string{"a", "petit", "b"}}, "fail: URL n’a pas : a, b"},
		{"another tag", modelServer{name: "URL", wanted: []string{"grand:7b"}}, "fail: URL n’a pas : grand:7b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			n := &notes{}
			c.server.has(n, listed)
			if len(n.found) == 0 || !strings.HasPrefix(lines(n)[0], c.want) {
				t.Errorf("%q, want %q", lines(n), c.want)
			}
		})
	}
	if one("") != nil || !slices.Equal(one("a"), []string{"a"}) {
		t.Error("no name is a name")
	}
}

func TestAddressesOfTheInternet(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]struct{ own, public bool }{
		"localhost": {true, false}, "127.0.0.1": {true, false}, "::1": {true, false}, "127.8.8.8": {true, false},
		"10.1.2.3": {false, false}, "192.168.0.1": {false, false}, "fd00::1": {false, false}, "fe80::1": {false, false}, "0.0.0.0": {false, false}, "::": {false, false}, "": {false, false},
		"203.0.113.7": {false, true}, "2001:db8::1": {false, true}, "droit.example": {false, false}, "localhost.example": {false, false},
	} {
		t.Run(host, func(t *testing.T) {
			t.Parallel()
			if ownMachine(host) != want.own || publicAddress(host) != want.public {
				t.Errorf("own %v, public %v", ownMachine(host), publicAddress(host))
			}
		})
	}
}

// A certificate is checked as a client checks it. If the server does not respond, the
// certificate is not reported as a fault.
func TestCertificatesThatAreSeen(t *testing.T) {
	t.Parallel()
	server := httptest.NewTLSServer(http.NotFoundHandler())
	defer server.Close()
	host, port, err := net.SplitHostPort(strings.TrimPrefix(server.URL, "https://"))
	if err != nil {
		t.Fatal(err)
	}
	n := &notes{}
	certificate(t.Context(), n, host, port)
	want(t, lines(n), "fail: le certificat de 127.0.0.1 n’est d’aucune autorité")
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	n = &notes{}
	certificate(gone, n, host, port)
	want(t, lines(n), "unseen: le certificat de 127.0.0.1 : ")
	n = &notes{}
	p := newTarget(map[string]string{})
	for _, address := range []string{"http://127.0.0.1:1", "", "%zz", "ailleurs"} {
		p.checkTLS(gone, n, address)
	}
	if len(n.found) > 0 {
		t.Errorf("addresses without a certificate: %v", lines(n))
	}
	p.checkTLS(gone, n, "https://droit.example")
	want(t, lines(n), "unseen: le certificat de droit.example")
}

// The findings distinguish a server that is not the API, a server that redirects, and an
// API that is not ready. Stores that are down are listed in a fixed order.
func TestTheDoor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		status  int
		headers map[string]string
		body    string
		want    string
	}{
		{"ready", 200, map[string]string{"X-Request-Id": "1"}, `{"status":"ok","stores":{"redis":{"status":"ok"}}}`, "ok: "},
		{"not ready", 503, map[string]string{"X-Request-Id": "1"}, `{"status":"down","stores":{"redis":{"status":"down"},"postgresql":{"status":"ok"},"blobs":{"status":"down"},"a":{"status":"down"}}}`, "fail: l’API n’est pas prête : a, blobs, redis"},
		{"led elsewhere", 302, map[string]string{"Location": "https://ailleurs.example/"}, "", "warn: "},
		{"another server", 200, nil, `<html>`, "fail: "},
		{"another server with JSON", 200, map[string]string{"X-Request-Id": "1"}, `{"status":"ok"}`, "fail: "},
		{"no identifier", 200, nil, `{"status":"ok","stores":{}}`, "fail: "},
		{"an answer without an end", 200, map[string]string{"X-Request-Id": "1"}, `{"status":"` + strings.Repeat("o", 2*healthReplyLimit) + `"}`, "fail: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/readyz" {
					t.Errorf("asked for %s", r.URL.Path)
				}
				for k, v := range c.headers {
					w.Header().Set(k, v)
				}
				w.WriteHeader(c.status)
				_, _ = w.Write([]byte(c.body))
			}))
			defer server.Close()
			p := newTarget(map[string]string{})
			p.apiHere, p.apiErr, p.api.BaseURL = true, nil, server.URL+"/"
			n := &notes{}
			p.checkPublicAddress(t.Context(), n)
			if len(n.found) == 0 || !strings.HasPrefix(lines(n)[0], c.want) {
				t.Errorf("%q, want %q", lines(n), c.want)
			}
			if n.found[0].State != OK && n.found[0].Do == "" {
				t.Error("nothing to do is said")
			}
		})
	}
}

// The check of a folder does not change it and creates nothing.
func TestFolders(t *testing.T) {
	t.Parallel()
	own := t.TempDir()
	if err := os.Chmod(own, 0o700); err != nil {
		t.Fatal(err)
	}
	open := filepath.Join(own, "open")
	file := filepath.Join(own, "file")
	for _, err := range []error{os.Mkdir(open, 0o755), os.Chmod(open, 0o755), os.WriteFile(file, nil, 0o600)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	absent := filepath.Join(own, "absent")
	p := newTarget(map[string]string{})
	for _, c := range []struct {
		name, path string
		usable     bool
		want       string // "": no fault
	}{
		{"its own", own, true, ""}, {"others may enter", open, true, "warn: X : d’autres comptes"}, {"a file", file, false, "fail: X : " + file + " n’est pas un dossier"},
		{"absent", absent, false, "fail: X : le dossier " + absent + " n’existe pas"}, {"below a file", filepath.Join(file, "x"), false, "fail: X : "},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := &notes{}
			if got := p.checkFolder(n, "X", c.path); got != c.usable {
				t.Errorf("usable %v", got)
			}
			first := ""
			for _, line := range lines(n) {
				if strings.Contains(line, "X : ") {
					first = line
				}
			}
			if !strings.HasPrefix(first, c.want) || c.want == "" && first != "" {
				t.Errorf("%q, want %q", lines(n), c.want)
			}
		})
	}
	if _, err := os.Stat(absent); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder was made: %v", err)
	}
	n := &notes{}
	p.checkOwnFolder(n, "TMPDIR", own)
	p.checkOwnFolder(n, "TMPDIR", absent)
	want(t, lines(n), "fail: TMPDIR : "+absent+" ne peut pas être écrit")
	if left, err := filepath.Glob(own + "/.*"); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// Findings after the timeout are dropped, and earlier ones are kept.
func TestNotesEnd(t *testing.T) {
	t.Parallel()
	n := &notes{area: "redis"}
	n.ok("a")
	n.close()
	n.fail("b", "c")
	if len(n.found) != 1 || n.found[0] != (Finding{"redis", OK, "a", ""}) {
		t.Errorf("%+v", n.found)
	}
	n = &notes{}
	runWithin(t.Context(), time.Minute, check{"x", func(_ context.Context, n *notes) { n.warn("d", "e") }}, n)
	if len(n.found) != 1 || n.found[0].Do != "e" {
		t.Errorf("%+v", n.found)
	}
}
