package config

import (
	"strings"
	"testing"

	"vigueur/internal/kit/errs"
)

// programs load the settings of each program and return only the error.
var programs = map[string]func(map[string]string) error{
	"api":    func(e map[string]string) error { _, err := LoadAPI(e); return err },
	"worker": func(e map[string]string) error { _, err := LoadWorker(e); return err },
	"ingest": func(e map[string]string) error { _, err := LoadIngest(e); return err },
}

// TestLimitsOfSettings loads each setting at its limits, and just beyond them.
func TestLimitsOfSettings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ program, name, good, bad string }{
		{"api", "VIGUEUR_ANSWER_WAIT", "1s 1h", "999ms 0s -1s"},
		{"api", "VIGUEUR_ANSWER_QUEUE", "1 100000", "0 -1"},
		{"api", "VIGUEUR_CONNECTIONS", "0 1", "-1"},
		{"api", "VIGUEUR_DATABASE_CONNECTIONS", "5 100", "4 0 -1"},
		{"api", "VIGUEUR_LISTEN", "127.0.0.1:8080 :8080 [::1]:8080", "127.0.0.1 ::1 8080"},
		{"api", "VIGUEUR_METRICS_LISTEN", "127.0.0.1:9090", "9090"},
		{"api", "VIGUEUR_BASE_URL", "https://exemple.sn http://127.0.0.1:8080 https://exemple.sn/", "ftp://exemple.sn exemple.sn https://exemple.sn/droit https://exemple.sn/?a https://exemple.sn/#a https:///x"},
		{"api", "VIGUEUR_TRUSTED_PROXIES", "10.0.0.0/8 10.0.0.0/8,fd00::/8", "10.0.0.1 10.0.0.0/33 10.0.0.0/8,non"},
		{"api", "VIGUEUR_ADDRESS_SECRET", strings.Repeat("x", 32), strings.Repeat("x", 31)},
		{"api", "VIGUEUR_LOG_LEVEL", "debug info warn error", "INFO trace"},
		{"worker", "VIGUEUR_WORKER_ANSWERS", "1 64", "0 -1"},
		{"worker", "VIGUEUR_DATABASE_CONNECTIONS", "5 100", "4 0 -1"},
		{"worker", "VIGUEUR_WORKER_INGESTIONS", "1", "0"},
		{"worker", "VIGUEUR_WORKER_OCR_PAGES", "1", "0"},
		{"worker", "VIGUEUR_WORKER_FILE_PAGES", "1", "0"},
		{"worker", "VIGUEUR_WORKER_FILE_WORDS", "1", "0"},
		{"worker", "VIGUEUR_WORKER_FILE_OCR", "1m 5h 168h", "59s 0 -1h 169h 5 beaucoup"},
		{"worker", "VIGUEUR_WORKER_POLL", "1ms 10s", "999us 10001ms"},
		{"worker", "VIGUEUR_KEEP_CONVERSATIONS_DAYS", "0 1 36500", "-1 36501"},
		{"worker", "VIGUEUR_BLOBS_URL", "file:///srv s3://seau", "/srv https://seau"},
		{"worker", "VIGUEUR_REDIS_URL", "redis://127.0.0.1:6379/0 rediss://r:6379", "http://127.0.0.1 127.0.0.1:6379"},
		{"ingest", "VIGUEUR_KEEP_AUDIT_DAYS", "0 62 36500", "1 61 36501"},
		{"ingest", "VIGUEUR_DATABASE_OWNER_URL", "postgresql://o@h/d", "mysql://o@h/d"},
	} {
		load := programs[c.program]
		for _, value := range strings.Fields(c.good) {
			t.Run(c.program+"/"+c.name+"="+value, func(t *testing.T) {
				t.Parallel()
				environ := good()
				environ[c.name] = value
				if err := load(environ); err != nil {
					t.Errorf("refused: %v", err)
				}
			})
		}
		for _, value := range strings.Fields(c.bad) {
			t.Run(c.program+"/"+c.name+"="+value+" is refused", func(t *testing.T) {
				t.Parallel()
				environ := good()
				environ[c.name] = value
				if err := load(environ); !errs.Is(err, errs.Invalid) || !strings.Contains(errs.Public(err), c.name) {
					t.Errorf("error %v", err)
				}
			})
		}
	}
}

func TestStateFileIsReadLineByLine(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 1<<20)
	got := parseState("# comment = none\n\n A=1\nB=x=y \r\nC=\nno setting\n#D=2\nLONG=" + long + "\nA=3\nE=last")
	for name, want := range map[string]string{"A": "3", "B": "x=y", "C": "", "LONG": long, "E": "last"} {
		if value, ok := got[name]; !ok || value != want {
			t.Errorf("%s=%q, want %q", name, value, want)
		}
	}
	if len(got) != 5 {
		t.Errorf("%d settings", len(got))
	}
}

// TestGuestsAskOfAPublicCatalogue: their questions need it, and nothing in it that is hidden.
func TestGuestsAskOfAPublicCatalogue(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		questions, catalogue, individual string
		refused                          bool
	}{
		{"0", "false", "noindex", false}, {"0", "true", "hidden", false}, {"10", "true", "noindex", false}, {"1000", "true", "noindex", false},
		{"10", "false", "noindex", true}, {"10", "true", "hidden", true}, {"-1", "true", "noindex", true}, {"1001", "true", "noindex", true},
	} {
		environ := good()
		environ["VIGUEUR_GUEST_QUESTIONS"], environ["VIGUEUR_PUBLIC_CATALOGUE"], environ["VIGUEUR_PUBLIC_INDIVIDUAL"] = c.questions, c.catalogue, c.individual
		_, err := LoadAPI(environ)
		if refused := errs.Is(err, errs.Invalid) && strings.Contains(errs.Public(err), "VIGUEUR_GUEST_QUESTIONS"); refused != c.refused || err != nil && !c.refused {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
