package postgres_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
)

// holds lists the tables of the whole database, including the audit log, that contain text.
func (b bundle) holds(t *testing.T, text string) (tables []string) {
	t.Helper()
	var all []string
	ok(t, b.QueryRow(t.Context(), `SELECT array_agg(oid::regclass::text ORDER BY relname) FROM pg_class
		WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`).Scan(&all))
	for _, table := range all {
		var n int
		ok(t, b.QueryRow(t.Context(), `SELECT count(*) FROM `+table+` x WHERE strpos(lower(x::text), lower($1)) > 0`, text).Scan(&n))
		if n > 0 {
			tables = append(tables, table)
		}
	}
	return tables
}

func (b bundle) inquiry(t *testing.T, email string) postgres.Inquiry {
	t.Helper()
	i := postgres.Inquiry{ID: postgres.NewID(), Company: "Cabinet Zylberman", ContactName: "Zoé Zylberman", Email: email, UseCase: "Parler de Zylberman",
		AddressHash: []byte(strings.Repeat("z", 32))}
	ok(t, b.CreateInquiry(t.Context(), i, func() error { return nil }))
	return i
}

func TestErasingLeavesAPseudonym(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	gone := postgres.User{ID: postgres.NewID(), Email: "zoe@zylberman.fr", FullName: "Zoé Zylberman", Role: "admin", Active: true, PasswordHash: "hash-zylberman"}
	ok(t, b.CreateUser(ctx, gone))
	b.addUser(t, "chef@exemple.org", "admin")
	ok(t, b.CreateRefreshToken(ctx, signIn([]byte("zylberman"), gone, time.Now().Add(time.Hour))))
	home := "bf"
	_, err := b.ChangeUser(ctx, gone.ID, postgres.UserChange{Country: &home})
	ok(t, err)
	_, done, err := b.CreateTurn(ctx, postgres.NewTurn{UserID: gone.ID, Question: "Divorce de Zylberman ?"})
	ok(t, err)
	ok(t, b.Exec(ctx, `UPDATE messages SET state = 'done', content = 'Zylberman' WHERE id = $1`, done))
	ok(t, b.SetFeedback(ctx, gone.ID, done, postgres.Feedback{Rating: "up", Comment: "Merci, Zylberman"}))
	_, running, err := b.CreateTurn(ctx, postgres.NewTurn{UserID: gone.ID, Question: "Héritage de Zylberman ?"})
	ok(t, err)
	work, err := b.StartAnswer(ctx, running)
	ok(t, err)
	_, kept, err := b.CreateTurn(ctx, postgres.NewTurn{UserID: b.user.ID, Question: "À moi ?"})
	ok(t, err)
	arriving, err := b.BeginUpload(ctx, postgres.Upload{ID: postgres.NewID(), UserID: gone.ID, Filename: "Zylberman.pdf", SHA256: strings.Repeat("a", 64), Size: 9})
	ok(t, err)
	ok(t, b.AddPart(ctx, arriving, 0, []byte("%PDF-")))
	b.inquiry(t, "Zoe@zylberman.fr")
	other := b.inquiry(t, "autre@exemple.org")

	e, err := b.EraseUser(ctx, "ZOE@zylberman.fr", false)
	ok(t, err)
	if e.User != gone.ID || e.Conversations != 2 || e.Messages != 4 || e.Inquiries != 0 || len(e.Running) != 1 || e.Running[0].ID != running || e.Running[0].Attempt != work.Attempt+1 {
		t.Errorf("erased %+v", e)
	}
	if left := b.holds(t, "zylberman"); len(left) != 1 || left[0] != "inquiries" {
		t.Errorf("left in %v, want the inquiries alone", left)
	}
	var parts int
	ok(t, b.QueryRow(ctx, `SELECT count(*) FROM upload_parts`).Scan(&parts))
	if parts != 0 {
		t.Errorf("%d parts of a file that was arriving", parts)
	}
	wantKind(t, b.AddPart(ctx, arriving, 5, []byte("1.7\n")), errs.Conflict)
	_, err = b.KeepAnswer(ctx, running, work.Attempt)
	wantKind(t, err, errs.LeaseLost)
	u, err := b.UserByID(ctx, gone.ID)
	ok(t, err)
	if u.Active || u.Email != postgres.Pseudonym(gone.ID) || u.PasswordHash != "" || u.TokenVersion != 2 || u.Country != "" || u.LastSignIn != nil {
		t.Errorf("the account is %+v", u)
	}
	_, err = b.Answer(ctx, b.user.ID, kept)
	ok(t, err)
	_, _, err = b.CreateTurn(ctx, postgres.NewTurn{UserID: gone.ID, Question: "Encore ?"})
	wantKind(t, err, errs.Unauthorized)
	wantKind(t, pgtest.SetActive(ctx, b.DB, gone.ID, true), errs.NotFound)
	wantKind(t, b.SetPassword(ctx, gone.ID, "x"), errs.NotFound)
	var lines int
	ok(t, b.QueryRow(ctx, `SELECT count(*) FROM audit WHERE action = 'user.erase' AND object = $1`, gone.ID.String()).Scan(&lines))
	var questions int
	ok(t, b.QueryRow(ctx, `SELECT count(*) FROM audit WHERE action = 'chat.question' AND user_id = $1`, gone.ID).Scan(&questions))
	if lines != 1 || questions != 2 {
		t.Errorf("the log has %d lines of the erasing and %d questions", lines, questions)
	}

	again, err := b.EraseUser(ctx, "zoe@zylberman.fr", true)
	ok(t, err)
	if again.User != uuid.Nil || again.Inquiries != 1 {
		t.Errorf("erased again %+v", again)
	}
	if left := b.holds(t, "zoe@"); len(left) > 0 {
		t.Errorf("left in %v", left)
	}
	due, _, err := b.LeaseNotification(ctx, other.ID) // the inquiry from another address is still announced
	ok(t, err)
	if due.Email != "autre@exemple.org" || due.Company != other.Company {
		t.Errorf("the inquiry of another is %+v", due)
	}
	var waiting int
	ok(t, b.QueryRow(ctx, `SELECT count(*) FROM inquiries WHERE state <> 'done' AND company = 'Effacé'`).Scan(&waiting))
	if waiting != 0 {
		t.Errorf("%d erased inquiries would be told of", waiting)
	}
}

// TestTablesThatComeLater adds tables that refer to an account, to one of these, and to a message. What they hold of a
// person is exported, without secrets, and erased.
func TestTablesThatComeLater(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	conversation, answer, err := b.CreateTurn(ctx, postgres.NewTurn{UserID: b.user.ID, Question: "Divorce ?"})
	ok(t, err)
	b.inquiry(t, b.user.Email)
	for _, sql := range []string{
		`ALTER TABLE users ADD note text NOT NULL DEFAULT '';
		ALTER TABLE inquiries ADD note text;
		CREATE TABLE visits (user_id uuid NOT NULL, place text, CONSTRAINT id PRIMARY KEY (user_id, place), FOREIGN KEY (user_id) REFERENCES users);
		CREATE TABLE "Letters" (owner uuid, place text, words text, code_hash text, FOREIGN KEY (owner, place) REFERENCES visits ON DELETE CASCADE);
		CREATE TABLE marks (message uuid REFERENCES messages, words text);
		CREATE TABLE machines (account bytea, name text);
		COMMENT ON COLUMN machines.account IS 'id of an account'`,
		`UPDATE users SET note = 'zylberman 1'`,
		`UPDATE inquiries SET note = 'zylberman 6'`,
		`INSERT INTO visits SELECT id, 'zylberman 2' FROM users`,
		`INSERT INTO "Letters" SELECT id, 'zylberman 2', 'zylberman 3', 'secret' FROM users`,
		`INSERT INTO marks SELECT id, 'zylberman 4' FROM messages WHERE role = 'assistant'`,
		`INSERT INTO machines SELECT uuid_send(id), 'zylberman 5' FROM users`,
	} {
		ok(t, b.Exec(ctx, sql))
	}
	rows, err := b.OwnRows(ctx, b.user.ID, nil)
	ok(t, err)
	own, err := b.OwnRows(ctx, b.user.ID, &conversation)
	ok(t, err)
	text := fmt.Sprintf("%s %s", rows, own)
	for i := range 6 {
		if !strings.Contains(text, fmt.Sprint("zylberman ", i+1)) {
			t.Errorf("%d is missing in %s", i+1, text)
		}
	}
	if strings.Contains(text, "secret") {
		t.Errorf("a secret is in %s", text)
	}
	_, err = b.OwnRows(ctx, b.addUser(t, "autre@exemple.org", "user").ID, &conversation)
	wantKind(t, err, errs.NotFound)
	_, err = b.EraseUser(ctx, b.user.Email, true)
	ok(t, err)
	if left := append(b.holds(t, "zylberman"), b.holds(t, answer.String())...); !slices.Equal(left, []string{"audit"}) {
		t.Errorf("left in %v", left)
	}
}

// TestEveryColumnThatMayNameAPerson lists the columns that may lead to a person or to what belongs to one, in tables
// whose rows are neither exported nor erased. Whoever adds one decides whether it is to be a foreign key.
func TestEveryColumnThatMayNameAPerson(t *testing.T) {
	b := setup(t)
	tables, err := b.Belonging(t.Context())
	ok(t, err)
	var got []string
	ok(t, b.QueryRow(t.Context(), `SELECT array_agg(format('%s.%s', attrelid::regclass, attname) ORDER BY attrelid::regclass::text, attname)
		FROM pg_attribute JOIN pg_class r ON r.oid = attrelid
		WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND attnum > 0 AND NOT attisdropped AND attrelid::regclass::text <> ALL ($1)
		AND (attname ~ 'mail|phone|address|owner|user|ask|person|account'
			OR atttypid = 'uuid'::regtype AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conrelid = attrelid AND attnum = ANY (conkey) AND contype IN ('f', 'p'))
			OR EXISTS (SELECT FROM pg_constraint c WHERE c.conrelid = attrelid AND attnum = ANY (conkey) AND contype = 'f' AND confrelid::regclass::text = ANY ($1)))`, tables).Scan(&got))
	want := strings.Fields(`
		alert_matching.follow_id
		amendment_operations.article_id amendment_operations.target_id amendment_settlements.id amendment_waiting.act_id
		amendment_waiting.article_id amendment_waiting.target_id
		article_versions.act_id article_versions.article_id article_versions.person article_versions.printed_in
		audit.user_id
		catalogue_changes.document_id
		ingestion_edits.created_by ingestion_edits.undone_by ingestions.created_by
		law_changes.act_id law_changes.article_id law_changes.document_id law_states.repealed_by law_states.successor
		model_usage.message_id model_usage.user_id
		withdrawn_texts.address withdrawn_texts.document_id`)
	if !slices.Equal(got, want) {
		t.Errorf("columns %v\nwant %v", got, want)
	}
}

func TestTheLastAdministratorIsNotErased(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	one, two := b.addUser(t, "un@exemple.org", "admin"), b.addUser(t, "deux@exemple.org", "admin")
	var all sync.WaitGroup
	failures := make([]error, 2)
	for i, u := range []postgres.User{one, two} {
		all.Go(func() { _, failures[i] = b.EraseUser(ctx, u.Email, true) })
	}
	all.Wait()
	if (failures[0] == nil) == (failures[1] == nil) {
		t.Fatalf("of two at once: %v and %v, want one refused", failures[0], failures[1])
	}
	for _, err := range failures {
		if err != nil {
			wantKind(t, err, errs.Conflict)
		}
	}
}

func TestAQuestionAndErasingAtOnce(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	for range 10 {
		u := b.addUser(t, uuid.NewString()+"@exemple.org", "user")
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() {
				_, _, err := b.CreateTurn(context.WithoutCancel(ctx), postgres.NewTurn{UserID: u.ID, Question: "Vite ?"})
				if err != nil {
					wantKind(t, err, errs.Unauthorized)
				}
			})
		}
		all.Go(func() {
			if _, err := b.EraseUser(ctx, u.Email, false); err != nil {
				t.Error(err)
			}
		})
		all.Wait()
		var left int
		ok(t, b.QueryRow(ctx, `SELECT count(*) FROM conversations WHERE user_id = $1`, u.ID).Scan(&left))
		if left != 0 {
			t.Errorf("%d conversations of an erased account", left)
		}
	}
}

const aDay = 24 * time.Hour

func TestWhatWasKeptLongEnoughGoes(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	old, done, err := b.CreateTurn(ctx, postgres.NewTurn{UserID: b.user.ID, Question: "Ancienne ?"})
	ok(t, err)
	writing, _, err := b.CreateTurn(ctx, postgres.NewTurn{UserID: b.user.ID, Question: "En cours ?"})
	ok(t, err)
	fresh, _, err := b.CreateTurn(ctx, postgres.NewTurn{UserID: b.user.ID, Question: "Neuve ?"})
	ok(t, err)
	ok(t, b.Exec(ctx, `UPDATE messages SET state = 'done' WHERE id = $1`, done))
	ok(t, b.Exec(ctx, `UPDATE conversations SET last_message_at = now() - interval '31 days' + random() * interval '1 s' WHERE id IN ($1, $2)`, old, writing))
	past, waiting, recent := b.inquiry(t, "a@exemple.org"), b.inquiry(t, "b@exemple.org"), b.inquiry(t, "c@exemple.org")
	ok(t, b.Exec(ctx, `UPDATE inquiries SET created_at = now() - CASE id WHEN $1 THEN interval '11 days' ELSE interval '12 days' END WHERE id IN ($1, $2)`, past.ID, waiting.ID))
	ok(t, b.Exec(ctx, `UPDATE inquiries SET state = 'done' WHERE id IN ($1, $2)`, past.ID, recent.ID))

	// Model usage has its own retention period, whatever happens to the answer.
	ok(t, b.AddUsage(ctx, done, uuid.Nil, 1, []postgres.Usage{{Server: "a", Model: "m", Requests: 1}, {Server: "b", Model: "m", Requests: 1}}))
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
	owner, service := roleURLs(t)
	ctx := t.Context()
	tables, err := postgres.Open(ctx, owner)
	ok(t, err)
	defer tables.Close()
	ok(t, bundle{DB: tables}.Exec(ctx, `CREATE TABLE audit_2020_01 PARTITION OF audit FOR VALUES FROM ('2020-01-01 00:00:00+00') TO ('2020-02-01 00:00:00+00')`))
	_, err = postgres.GrantRole(ctx, owner, service)
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
