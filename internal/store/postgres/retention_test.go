package postgres_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
)

const aDay = 24 * time.Hour

func TestWhatWasKeptLongEnoughGoes(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	old, done, err := b.CreateTurn(ctx, postgres.Turn{UserID: b.user.ID, Question: "Ancienne ?"})
	ok(t, err)
	writing, _, err := b.CreateTurn(ctx, postgres.Turn{UserID: b.user.ID, Question: "En cours ?"})
	ok(t, err)
	fresh, _, err := b.CreateTurn(ctx, postgres.Turn{UserID: b.user.ID, Question: "Neuve ?"})
	ok(t, err)
	ok(t, b.Exec(ctx, `UPDATE messages SET state = 'done' WHERE id = $1`, done))
	ok(t, b.Exec(ctx, `UPDATE conversations SET last_message_at = now() - interval '31 days' + random() * interval '1 s' WHERE id IN ($1, $2)`, old, writing))
	past, waiting, recent := b.inquiry(t, "a@exemple.org"), b.inquiry(t, "b@exemple.org"), b.inquiry(t, "c@exemple.org")
	ok(t, b.Exec(ctx, `UPDATE inquiries SET created_at = now() - CASE id WHEN $1 THEN interval '11 days' ELSE interval '12 days' END WHERE id IN ($1, $2)`, past.ID, waiting.ID))
	ok(t, b.Exec(ctx, `UPDATE inquiries SET state = 'done' WHERE id IN ($1, $2)`, past.ID, recent.ID))

	// Model usage has its own retention period, whatever happens to the answer.
	ok(t, b.AddUsage(ctx, done, 1, []postgres.Usage{{Server: "a", Model: "m", Requests: 1}, {Server: "b", Model: "m", Requests: 1}}))
	ok(t, b.Exec(ctx, `UPDATE model_usage SET spent_at = now() - interval '21 days' WHERE server = 'a'`))

	none, err := b.RemoveOutdated(ctx, postgres.Keeping{}, 100)
	ok(t, err)
	rules := postgres.Keeping{Conversations: 30 * aDay, Inquiries: 10 * aDay, Usage: 20 * aDay}
	seen, err := b.Outdated(ctx, rules)
	ok(t, err)
	bounded, err := b.RemoveOutdated(ctx, postgres.Keeping{Conversations: time.Second, Inquiries: time.Second, Usage: time.Second}, 0)
	ok(t, err)
	gone, err := b.RemoveOutdated(ctx, rules, 100)
	ok(t, err)
	for what, c := range map[string]struct{ got, want postgres.Outdated }{"kept for ever": {none, postgres.Outdated{}}, "seen": {seen, gone},
		"at most none": {bounded, postgres.Outdated{}}, "gone": {gone, postgres.Outdated{Conversations: 1, Inquiries: 1, Usage: 1}}} {
		if c.got.Conversations != c.want.Conversations || c.got.Inquiries != c.want.Inquiries || c.got.Usage != c.want.Usage || len(c.got.Months) > 0 {
			t.Errorf("%s: %+v, want %+v", what, c.got, c.want)
		}
	}
	list, _, err := b.Conversations(ctx, b.user.ID, nil, 10)
	ok(t, err)
	if len(list) != 2 || !slices.ContainsFunc(list, func(c chat.Conversation) bool { return c.ID == fresh }) || slices.ContainsFunc(list, func(c chat.Conversation) bool { return c.ID == old }) {
		t.Errorf("left %+v", list)
	}
	var left, lines int
	ok(t, b.QueryRow(ctx, `SELECT count(*) FROM inquiries`).Scan(&left))
	ok(t, b.QueryRow(ctx, `SELECT count(*) FROM audit WHERE action = 'retention.run' AND user_id IS NULL`).Scan(&lines))
	var spent string
	ok(t, b.QueryRow(ctx, `SELECT string_agg(server, ',') FROM model_usage`).Scan(&spent))
	if left != 2 || lines != 1 || spent != "b" {
		t.Errorf("%d inquiries, %d lines of the log, usage of %s", left, lines, spent)
	}
}

// Whole months of the log are dropped.
func TestMonthsOfTheLogGo(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	ok(t, b.Exec(ctx, `CREATE TABLE audit_2020_01 PARTITION OF audit FOR VALUES FROM ('2020-01-01 00:00:00+00') TO ('2020-02-01 00:00:00+00')`))
	ok(t, b.Exec(ctx, `INSERT INTO audit (at, action) VALUES ('2020-01-05', 'auth.login'), ('2020-01-06', 'auth.logout')`))
	ok(t, b.Note(ctx, postgres.AuditRead, "", nil))
	rules := postgres.Keeping{Audit: 365 * aDay}
	seen, err := b.Outdated(ctx, rules)
	ok(t, err)
	months, err := b.DropAuditMonths(ctx, rules)
	ok(t, err)
	if want := []string{"audit_2020_01"}; !slices.Equal(months, want) || !slices.Equal(seen.Months, want) {
		t.Errorf("dropped %v, seen %v", months, seen.Months)
	}
	again, err := b.DropAuditMonths(ctx, rules)
	ok(t, err)
	if len(again) > 0 {
		t.Errorf("dropped again %v", again)
	}
}

// The service's role gets an explanation, and no month is dropped.
func TestMonthsOfTheLogAreTheirOwnersToDrop(t *testing.T) {
	owner, service, reader := roleURLs(t)
	ctx := t.Context()
	tables, err := postgres.Open(ctx, owner)
	ok(t, err)
	defer tables.Close()
	ok(t, bundle{DB: tables}.Exec(ctx, `CREATE TABLE audit_2020_01 PARTITION OF audit FOR VALUES FROM ('2020-01-01 00:00:00+00') TO ('2020-02-01 00:00:00+00')`))
	_, err = postgres.GrantRoles(ctx, owner, service, reader)
	ok(t, err)
	db, err := postgres.Open(ctx, service)
	ok(t, err)
	defer db.Close()
	none, err := db.DropAuditMonths(ctx, postgres.Keeping{})
	ok(t, err)
	if len(none) > 0 {
		t.Errorf("dropped %v, which are kept for ever", none)
	}
	rules := postgres.Keeping{Audit: 365 * aDay}
	_, err = db.DropAuditMonths(ctx, rules)
	if said := errs.Public(err); errs.KindOf(err) != errs.Forbidden || !strings.Contains(said, "Seul le propriétaire") || !strings.Contains(said, "VIGUEUR_DATABASE_OWNER_URL") {
		t.Errorf("refused with %v, said %q", err, said)
	}
	left, err := db.Outdated(ctx, rules)
	ok(t, err)
	if want := []string{"audit_2020_01"}; !slices.Equal(left.Months, want) {
		t.Errorf("left %v, want %v", left.Months, want)
	}
}
