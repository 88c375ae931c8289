package main

import (
	"encoding/json"
	"strings"
	"testing"
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
