package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"vigueur/e2e/stage"
)

// examined is what « ingest doctor » finds in an area.
func examined(t *testing.T, s *stage.Stage, area string) (found []string) {
	t.Helper()
	// Its exit code is of all areas: a server for tests fails a check.
	out, _ := s.Ingest(t.Context(), "", "doctor", "--json")
	var list struct {
		Items []struct{ Area, State, Found, Do string }
	}
	if err := json.Unmarshal([]byte(out), &list); err != nil {
		t.Fatalf("ingest doctor: %v: %s", err, out)
	}
	for _, f := range list.Items {
		if f.Area == area {
			found = append(found, strings.TrimSpace(fmt.Sprintf("%s: %s. %s", f.State, f.Found, f.Do)))
		}
	}
	return found
}

// TestDoctorSeesProcesses has the command look at processes that run: one API and two workers
// of one version, then a worker that says it is of another, then what is left of them.
func TestDoctorSeesProcesses(t *testing.T) {
	t.Parallel()
	s, err := stage.Open(t.Context())
	s = opened(t, s, err)
	holds := func(when string, wants ...string) {
		t.Helper()
		found := examined(t, s, "processus")
		if len(found) != len(wants) {
			t.Errorf("%s: %q, want %q", when, found, wants)
			return
		}
		for i, want := range wants {
			if !regexp.MustCompile(want).MatchString(found[i]) {
				t.Errorf("%s: %q, want %q", when, found[i], want)
			}
		}
	}
	holds("nothing runs", `^unseen: aucun api ni worker`)
	startAPI(t, s)
	holds("an API alone", `^warn: aucun worker ne tourne`, `1 api \S+$|1 api .*construit`)
	startWorker(t, s)
	second := startWorker(t, s)
	holds("all of one version", `1 api \S+, 2 workers \S+`)

	// A worker of the release before, as its connections tell it.
	separator := "?"
	if strings.Contains(s.DatabaseURL(), "?") {
		separator = "&"
	}
	older, err := s.Worker(t.Context(), map[string]string{
		"VIGUEUR_DATABASE_URL": s.DatabaseURL() + separator + "application_name=vigueur-worker%20100%20abcdef%20v0.0.1",
	})
	if err != nil {
		t.Fatal(err)
	}
	second.Stop()
	holds("two versions", `(^warn: des versions différentes tournent ensemble|comparés).*`)
	if found := strings.Join(examined(t, s, "processus"), "\n"); !strings.Contains(found, "1 worker v0.0.1") {
		t.Errorf("the older worker is not told: %s", found)
	}
	older.Kill()
	newer, err := s.Worker(t.Context(), map[string]string{
		"VIGUEUR_DATABASE_URL": s.DatabaseURL() + separator + "application_name=vigueur-worker%2099999%20abcdef%20v9.0.0",
	})
	if err != nil {
		t.Fatal(err)
	}
	holds("a process that waits for a migration", `^fail: un worker \(v9\.0\.0\) attend l’étape 99999.*ingest migrate up`, `1 worker v9\.0\.0`)
	newer.Kill()
}

// TestDoctorSeesSharedAddresses has sign-ins fail, first without what a proxy says of its clients, then with it: the command
// tells that the API takes a proxy for its clients, by what the API wrote to the audit log.
func TestDoctorSeesSharedAddresses(t *testing.T) {
	t.Parallel()
	s, err := stage.Open(t.Context())
	s = opened(t, s, err)
	s.Set("VIGUEUR_TRUSTED_PROXIES", "127.0.0.0/8")
	api := startAPI(t, s)
	s.Set("VIGUEUR_BASE_URL", "http://droit.invalid") // of the command; one on this machine has clients on this machine
	client := &stage.Client{URL: api.URL, HTTP: http.DefaultClient}
	fails := func(forwarded string) {
		t.Helper()
		header := http.Header{}
		if forwarded != "" {
			header.Set("X-Forwarded-For", forwarded)
		}
		r, err := client.Send(t.Context(), http.MethodPost, "/api/v1/auth/login", map[string]string{"email": "personne@exemple.org", "password": "ce n’est pas le bon"}, header)
		if err == nil {
			err = r.Body.Close()
		}
		var refused *stage.Refused
		if err != nil && (!errors.As(err, &refused) || refused.Status != http.StatusUnauthorized) {
			t.Fatal(err)
		}
	}
	holds := func(want string) {
		t.Helper()
		if found := examined(t, s, "adresses des clients"); len(found) != 1 || !strings.HasPrefix(found[0], want) {
			t.Errorf("%q, want %q", found, want)
		}
	}
	holds("unseen: aucune connexion n’a été refusée")
	fails("")
	holds("warn: 1 des 1 dernières connexions refusées viennent de 127.0.0.1,")
	fails("203.0.113.7")
	fails("2001:db8::7")
	holds("ok: l’API voit les adresses de ses clients")
}
