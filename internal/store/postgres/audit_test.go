package postgres_test

import (
	"strings"
	"testing"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
)

func TestAuditIsAppendOnly(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	ok(t, b.SetPassword(ctx, b.user.ID, "y"))
	for _, sql := range []string{`UPDATE audit SET action = 'x'`, `DELETE FROM audit`, `TRUNCATE audit`} {
		if err := b.Exec(ctx, sql); err == nil || !strings.Contains(err.Error(), "append-only") {
			t.Errorf("%s: %v", sql, err)
		}
	}
	items, _, err := b.Audit(ctx, postgres.AuditQuery{Action: postgres.PasswordSet, Limit: 10})
	ok(t, err)
	if len(items) != 1 || items[0].UserID != nil || items[0].Object != b.user.ID.String() {
		t.Errorf("log %+v", items)
	}
	var partition string
	ok(t, b.QueryRow(ctx, `SELECT tableoid::regclass::text FROM audit WHERE id = $1`, items[0].ID).Scan(&partition))
	if want := "audit_" + items[0].At.UTC().Format("2006_01"); partition != want {
		t.Errorf("the line lies in %s, want %s", partition, want)
	}
}

func TestRefusedChangeLeavesNoTrace(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	u := b.user
	u.ID = postgres.NewID()
	wantKind(t, b.CreateUser(ctx, u), errs.Conflict)
	items, _, err := b.Audit(ctx, postgres.AuditQuery{Limit: 10})
	ok(t, err)
	for _, e := range items {
		if e.Object == u.ID.String() {
			t.Errorf("logged: %+v", e)
		}
	}
}

func TestAuditPagesVisitEachLineOnce(t *testing.T) {
	b := setup(t)
	ctx := postgres.By(t.Context(), b.user.ID)
	for range 5 {
		ok(t, b.SetPassword(ctx, b.user.ID, "y"))
	}
	seen := map[int64]int{}
	q := postgres.AuditQuery{User: &b.user.ID, Action: postgres.PasswordSet, Limit: 2}
	for {
		items, next, err := b.Audit(ctx, q)
		ok(t, err)
		for _, e := range items {
			seen[e.ID]++
		}
		if q.Before = next; next == nil {
			break
		}
	}
	if len(seen) != 5 {
		t.Errorf("seen %v", seen)
	}
}
