package main

import (
	"encoding/json"
	"slices"
	"testing"

	"vigueur/internal/web/httpapi/admin"
)

func TestAuditList(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.user(t, good, "create", "--email", "awa@vigueur.local", "--name", "Awa", "--password-stdin").want(t, exitDone)
	d.user(t, "", "deactivate", "awa@vigueur.local").want(t, exitDone)
	d.run(t, "audit", "list", "--action", "user.create").want(t, exitDone, "opérateur", "user.create", "1 action.")
	// Reading accounts and the log is in the log too.
	actions := func(args ...string) (all []string) {
		t.Helper()
		for _, line := range items[admin.AuditEntryBody](t, d.run(t, append([]string{"audit", "list", "--json"}, args...)...)) {
			all = append(all, string(line.Action))
		}
		return all
	}
	if got := actions(); !slices.Equal(got, []string{"audit.read", "audit.read", "user.update", "user.read", "user.create"}) {
		t.Errorf("actions %v", got)
	}
	if got := actions("--until", "2000-01-01"); len(got) != 0 {
		t.Errorf("before 2000: %v", got)
	}
	d.run(t, "audit", "list", "--until", "2000-01-01").want(t, exitDone, "Aucune action.")
	if got := actions("--since", "2000-01-01", "--limit", "2"); len(got) != 2 {
		t.Errorf("two at most: %v", got)
	}
	if got := actions("--user", "awa@vigueur.local"); len(got) != 0 {
		t.Errorf("she did nothing: %v", got)
	}
	for _, bad := range [][]string{{"--limit", "0"}, {"--action", "mentir"}, {"--since", "hier"}, {"--until", "2026"}} {
		d.run(t, append([]string{"audit", "list"}, bad...)...).want(t, exitUsage, bad[0])
	}
	d.run(t, "audit", "list", "--user", "nul@vigueur.local").want(t, exitFailed, "Aucun compte")
}

// TestWhoHasNoAccountIsNotTheOperator in the log.
func TestWhoHasNoAccountIsNotTheOperator(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		action, details string
		want            bool
	}{{"chat.question", `{"anonymous":true}`, true}, {"auth.failed", `{}`, true}, {"user.create", `{}`, false}, {"chat.question", ``, false}, {"user.create", `[1]`, false}} {
		if got := withoutAccount(c.action, plain(json.RawMessage(c.details))); got != c.want {
			t.Errorf("%s %s: %v", c.action, c.details, got)
		}
	}
}
