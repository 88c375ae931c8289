package e2e

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"vigueur/e2e/stage"
)

// examined is what « ingest doctor » finds in an area.
func examined(t *testing.T, s *stage.Stage, area string) (found []string) {
	t.Helper()
	// Its exit code is of all areas.
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
