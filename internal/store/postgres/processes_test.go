package postgres_test

import (
	"strings"
	"testing"
	"time"

	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
)

// TestProcessesAreThoseThatAreConnected checks that a process is listed while it is connected, once, however many
// connections it has.
func TestProcessesAreThoseThatAreConnected(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	command, err := postgres.Open(t.Context(), url)
	ok(t, err)
	t.Cleanup(command.Close)
	seen := func() string {
		t.Helper()
		all, err := command.Processes(t.Context())
		ok(t, err)
		var names []string
		for _, p := range all {
			if p.ID == "" || p.Version == "" || p.Newest < 100 {
				t.Errorf("half a process: %+v", p)
			}
			names = append(names, p.Program)
		}
		return strings.Join(names, " ")
	}
	if got := seen(); got != "" {
		t.Errorf("the command is a process of the service: %s", got)
	}
	api, err := postgres.OpenFor(t.Context(), url, postgres.Program{Name: "api", Connections: 8})
	ok(t, err)
	first, err := postgres.OpenFor(t.Context(), url, postgres.Program{Name: "worker", Connections: 8})
	ok(t, err)
	second, err := postgres.OpenFor(t.Context(), url, postgres.Program{Name: "worker", Connections: 8})
	ok(t, err)
	t.Cleanup(second.Close)
	if got := seen(); got != "api worker worker" {
		t.Errorf("saw « %s »", got)
	}
	api.Close()
	first.Close()
	// The server ends a session shortly after its connection is closed.
	for limit := time.Now().Add(3 * time.Minute); seen() != "worker"; {
		if time.Now().After(limit) {
			t.Fatalf("saw « %s » long after two of them ended", seen())
		}
	}
	own, err := postgres.OpenFor(t.Context(), url+"&application_name=ours", postgres.Program{Name: "worker"})
	ok(t, err)
	t.Cleanup(own.Close)
	if got := seen(); got != "worker" {
		t.Errorf("the operator's name is written over: %s", got)
	}
}
