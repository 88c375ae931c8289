package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"vigueur/internal/web/httpapi/admin"
)

func TestAuditVerify(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.run(t, "audit", "verify").want(t, exitDone, "Le journal est vide.")
	d.user(t, good, "create", "--email", "awa@vigueur.local", "--name", "Awa", "--password-stdin").want(t, exitDone)
	d.run(t, "audit", "verify").want(t, exitDone, "1 ligne, fin de la chaîne : 1:")
	var told struct {
		Head   string
		Faults []struct{ Reason string }
	}
	if err := json.Unmarshal([]byte(d.run(t, "audit", "verify", "--json").out), &told); err != nil || len(told.Faults) != 0 {
		t.Fatalf("told %+v, error %v", told, err)
	}
	d.run(t, "audit", "verify", "--head", told.Head).want(t, exitDone)
	for _, bad := range []string{"x", "1", "1:zz", "0:" + strings.Repeat("0", 64), "1:" + strings.Repeat("0", 62)} {
		d.run(t, "audit", "verify", "--head", bad).want(t, exitUsage, "fin de chaîne")
	}
	d.run(t, "audit", "verify", "--head", "1:"+strings.Repeat("0", 64)).want(t, exitFailed, "réécrite ou coupée", "1 faute")
	d.sql(t, `ALTER TABLE audit DISABLE TRIGGER USER`)
	d.sql(t, `UPDATE audit SET action = 'auth.login'`)
	d.run(t, "audit", "verify").want(t, exitFailed, "la ligne a été changée", "Le journal n’est pas intact : 1 faute.")
}

func TestAuditList(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.user(t, good, "create", "--email", "awa@vigueur.local", "--name", "Awa", "--password-stdin").want(t, exitDone)
	d.user(t, "", "deactivate", "awa@vigueur.local").want(t, exitDone)
	d.run(t, "audit", "list", "--action", "user.create").want(t, exitDone, "opérateur", "user.create", "1 action.")
	// Reading accounts and the log is in the log too.
	actions := func(args ...string) (all []string) {
		t.Helper()
		for _, line := range items[admin.AuditBody](t, d.run(t, append([]string{"audit", "list", "--json"}, args...)...)) {
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
