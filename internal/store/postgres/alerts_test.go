package postgres_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/law/journal"
	"vigueur/internal/store/postgres"
)

// account adds an account and returns its id.
func (b bundle) account(t *testing.T, email string) uuid.UUID {
	t.Helper()
	id := postgres.NewID()
	ok(t, b.Exec(t.Context(), `INSERT INTO users (id, email, full_name, role, password_hash) VALUES ($1, $2, 'A', 'user', '')`, id, email))
	return id
}

func (b bundle) follow(t *testing.T, user uuid.UUID, f postgres.Follow) postgres.Follow {
	t.Helper()
	made, _, err := b.AddFollow(t.Context(), user, f)
	ok(t, err)
	return made
}

// match runs the matching until the end of the journal, and returns the number of
// transactions and of alerts.
func (b bundle) match(t *testing.T) (batches, alerts int) {
	t.Helper()
	ids, err := b.DueMatching(t.Context())
	ok(t, err)
	if len(ids) == 0 {
		return 0, 0
	}
	m, err := b.LeaseMatching(t.Context(), ids[0])
	ok(t, err)
	for {
		n, more, err := b.MatchAlerts(t.Context(), m)
		ok(t, err)
		if alerts += n; !more {
			ok(t, m.Finish(t.Context()))
			return batches, alerts
		}
		batches++
	}
}

// amend adds an act that changes article 14 of the code 2023-04.
func (b bundle) amend(t *testing.T, file, number string) {
	t.Helper()
	act := text("Loi n° "+number+" modifiant le code du travail", number, day("2025-01-15"), "1er")
	act.Relations = []law.Relation{{ID: postgres.NewID(), SourceArticle: act.Articles[0].ID, Kind: law.Amends, TargetNumber: "2023-04", TargetType: law.Loi, TargetArticles: []string{"14"}, Effective: day("2025-02-01")}}
	b.save(t, b.addGazette(t, file), act)
}

func TestAlertsOfEachKindOfFollow(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	code := text("Loi n° 2023-04 portant Code du travail", "2023-04", day("2023-03-01"), "1er", "14")
	b.save(t, b.addGazette(t, "a1"), code)
	id := code.Document.ID
	kinds := map[string]postgres.Follow{
		"text":            {Kind: postgres.FollowText, Document: &id},
		"article":         {Kind: postgres.FollowArticle, Document: &id, Article: &code.Articles[1].ID},
		"another article": {Kind: postgres.FollowArticle, Document: &id, Article: &code.Articles[0].ID},
		"search":          {Kind: postgres.FollowSearch, Words: "portant code"},
		"other search":    {Kind: postgres.FollowSearch, Words: "douanes"},
		"domain":          {Kind: postgres.FollowScope, Domain: code.Document.Domain},
		"other domain":    {Kind: postgres.FollowScope, Domain: "douanes"},
	}
	users := map[string]uuid.UUID{}
	for name, f := range kinds {
		users[name] = b.account(t, fmt.Sprintf("%s@example.org", uuid.NewSHA1(id, []byte(name))))
		b.follow(t, users[name], f)
	}
	b.match(t)
	b.amend(t, "b2", "2025-02")
	b.match(t)
	for name, want := range map[string]int{"text": 1, "article": 1, "another article": 0, "search": 1, "other search": 0, "domain": 2, "other domain": 0} {
		list, err := b.Alerts(ctx, users[name], 0, 10)
		if err != nil || len(list) != want {
			t.Errorf("%s: %d alerts, %v; want %d", name, len(list), err, want)
		}
	}
	_, err := b.DeleteDocument(ctx, id)
	ok(t, err)
	b.match(t)
	for name, want := range map[string]string{"text": journal.Withdrawn, "another article": journal.Withdrawn} {
		list, err := b.Alerts(ctx, users[name], 0, 10)
		if err != nil || len(list) == 0 || list[0].Change.Kind != want {
			t.Errorf("%s: %+v, %v; want %s", name, list, err, want)
		}
	}
	if batches, alerts := b.match(t); batches+alerts != 0 {
		t.Errorf("at the end of the journal: %d transactions, %d alerts", batches, alerts)
	}
}

// A change of several articles leads whoever follows one of them to that one, and others to
// the first that the text has.
func TestAlertsLeadToTheArticle(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	code := text("Loi n° 2023-04 portant Code du travail", "2023-04", day("2023-03-01"), "1er", "14", "20")
	b.save(t, b.addGazette(t, "a1"), code)
	id := code.Document.ID
	ofText, ofArticle := b.account(t, "a@example.org"), b.account(t, "b@example.org")
	b.follow(t, ofText, postgres.Follow{Kind: postgres.FollowText, Document: &id})
	b.follow(t, ofArticle, postgres.Follow{Kind: postgres.FollowArticle, Document: &id, Article: &code.Articles[2].ID})
	hook, err := b.CreateWebhook(ctx, ofArticle, "https://example.org/", []byte("secret"))
	ok(t, err)
	act := text("Loi n° 2025-02 modifiant le code du travail", "2025-02", day("2025-01-15"), "1er")
	act.Relations = []law.Relation{{ID: postgres.NewID(), SourceArticle: act.Articles[0].ID, Kind: law.Amends, TargetNumber: "2023-04", TargetType: law.Loi, TargetArticles: []string{"13 bis", "14", "20"}, Effective: day("2025-02-01")}}
	b.save(t, b.addGazette(t, "b2"), act)
	b.match(t)
	for user, article := range map[uuid.UUID]law.Article{ofText: code.Articles[1], ofArticle: code.Articles[2]} {
		list, err := b.Alerts(ctx, user, 0, 10)
		if err != nil || len(list) != 1 || list[0].Change.Path() != "/textes/"+id.String()+"?article="+article.ID.String() {
			t.Errorf("article %s: %+v, %v", article.Number, list, err)
		}
	}
	sent, err := b.Deliveries(ctx, ofArticle, hook.ID, 10)
	ok(t, err)
	ok(t, b.Exec(ctx, `UPDATE webhook_deliveries SET lease_until = now() - interval '1 second'`))
	s, err := b.LeaseDelivery(ctx, sent[0].ID)
	if err != nil || s.Change.Article == nil || *s.Change.Article != code.Articles[2].ID || len(s.Labels) != 1 {
		t.Errorf("shipment %+v, %v", s, err)
	}
}

func TestPathOfAChange(t *testing.T) {
	t.Parallel()
	text, other, article, start := uuid.New(), uuid.New(), uuid.New(), day("2025-02-01")
	owner := "/textes/" + text.String()
	for _, c := range []struct {
		change journal.Change
		want   string
	}{
		{journal.Change{Kind: journal.Added}, owner},
		{journal.Change{Kind: journal.Replaced, Act: &other}, "/textes/" + other.String()},
		{journal.Change{Kind: journal.Modified, From: &start}, owner},
		{journal.Change{Kind: journal.Modified, From: &start, Act: &other, Article: &article}, owner + "?article=" + article.String()},
		{journal.Change{Kind: journal.Wording, From: &start, Act: &other, Article: &article}, owner + "?article=" + article.String() + "&date=2025-02-01"},
		{journal.Change{Kind: journal.Wording, From: &start, Act: &other, Article: &article, Gone: true}, owner + "?article=" + article.String()},
		{journal.Change{Kind: journal.Wording, Article: &article}, owner + "?article=" + article.String()},
	} {
		c.change.Document = text
		if got := c.change.Path(); got != c.want {
			t.Errorf("%+v: %s, want %s", c.change, got, c.want)
		}
	}
}

func TestAnAccountIsToldOnceWhateverItFollows(t *testing.T) {
	b := setup(t)
	code := text("Loi n° 2023-04 portant Code du travail", "2023-04", day("2023-03-01"), "1er", "14")
	b.save(t, b.addGazette(t, "a1"), code)
	id, user := code.Document.ID, b.account(t, "a@example.org")
	first := b.follow(t, user, postgres.Follow{Kind: postgres.FollowText, Document: &id})
	b.follow(t, user, postgres.Follow{Kind: postgres.FollowArticle, Document: &id, Article: &code.Articles[1].ID})
	again, added, err := b.AddFollow(t.Context(), user, postgres.Follow{Kind: postgres.FollowText, Document: &id})
	if err != nil || added || again.ID != first.ID {
		t.Errorf("followed twice: %v, added %v, %v", again, added, err)
	}
	hook, err := b.CreateWebhook(t.Context(), user, "https://example.org/", []byte("secret"))
	ok(t, err)
	b.amend(t, "b2", "2025-02")
	b.match(t)
	list, err := b.Alerts(t.Context(), user, 0, 10)
	ok(t, err)
	sent, err := b.Deliveries(t.Context(), user, hook.ID, 10)
	ok(t, err)
	if len(list) != 1 || len(sent) != 1 {
		t.Errorf("%d alerts and %d deliveries, want one of each", len(list), len(sent))
	}
	ghost := postgres.NewID()
	_, _, err = b.AddFollow(t.Context(), user, postgres.Follow{Kind: postgres.FollowText, Document: &ghost})
	wantKind(t, err, errs.NotFound)
	wantKind(t, b.DeleteFollow(t.Context(), b.account(t, "b@example.org"), first.ID), errs.NotFound)
}

// An amendment is told once: the wording that it gives is no second news, but for who follows only since.
func TestAnAmendmentIsToldOnce(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	code := text("Loi n° 2023-04 portant Code du travail", "2023-04", day("2023-03-01"), "14", "20")
	b.save(t, b.addGazette(t, "a1"), code)
	id, user := code.Document.ID, b.account(t, "a@example.org")
	b.follow(t, user, postgres.Follow{Kind: postgres.FollowText, Document: &id})
	hook, err := b.CreateWebhook(ctx, user, "https://example.org/", []byte("secret"))
	ok(t, err)
	act := text("Loi n° 2025-02 modifiant le code du travail", "2025-02", day("2025-01-15"), "1er")
	act.Relations = []law.Relation{{ID: postgres.NewID(), SourceArticle: act.Articles[0].ID, Kind: law.Amends, TargetNumber: "2023-04", TargetType: law.Loi, TargetArticles: []string{"1"}, Effective: day("2025-02-01")}}
	b.save(t, b.addGazette(t, "b2"), act)
	b.match(t)
	later := b.account(t, "b@example.org")
	b.follow(t, later, postgres.Follow{Kind: postgres.FollowText, Document: &id})
	ok(t, b.Exec(ctx, `INSERT INTO amendment_operations (act_id, ordinal, words, operation, target_id) VALUES ($1, 0, '', '{}', $2)`, act.Document.ID, id))
	ok(t, b.RebuildVersions(ctx, id, wordings(id, act.Document.ID, "new words", "words of another article")))
	b.match(t)
	kinds := func(user uuid.UUID) (out []string) {
		list, err := b.Alerts(ctx, user, 0, 10)
		ok(t, err)
		for _, a := range list {
			out = append(out, a.Change.Kind+" "+strings.Join(a.Change.Articles, ","))
		}
		slices.Sort(out)
		return out
	}
	if got := kinds(user); !slices.Equal(got, []string{"modified 1", "wording 2"}) { // the act was not said to change article 2
		t.Errorf("told %q", got)
	}
	if got := kinds(later); !slices.Equal(got, []string{"wording 1", "wording 2"}) {
		t.Errorf("who follows later was told %q", got)
	}
	sent, err := b.Deliveries(ctx, user, hook.ID, 10)
	if err != nil || len(sent) != 2 {
		t.Errorf("%d deliveries, %v", len(sent), err)
	}
}

// A change with many followers is matched in batches, and a worker that takes the row over in
// the middle goes on where the first one was.
func TestMatchingIsBoundedAndGoesOn(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	code := text("Loi n° 2023-04 portant Code du travail", "2023-04", day("2023-03-01"), "1er", "14")
	b.save(t, b.addGazette(t, "a1"), code)
	b.match(t)
	const followers = 2*postgres.MatchBatch + 17
	ok(t, b.Exec(ctx, `INSERT INTO users (id, email, full_name, role, password_hash) SELECT gen_random_uuid(), 'f' || i || '@example.org', 'F', 'user', '' FROM generate_series(1, $1::int) i`, followers))
	ok(t, b.Exec(ctx, `INSERT INTO follows (id, user_id, kind, subject, label, document_id) SELECT gen_random_uuid(), id, 'text', '', 'Code', $1 FROM users WHERE email LIKE 'f%'`, code.Document.ID))
	ok(t, b.Exec(ctx, `INSERT INTO follow_targets (document_id, follow_id) SELECT document_id, id FROM follows`))
	b.amend(t, "b2", "2025-02")
	ids, err := b.DueMatching(ctx)
	ok(t, err)
	m, err := b.LeaseMatching(ctx, ids[0])
	ok(t, err)
	if n, more, err := b.MatchAlerts(ctx, m); err != nil || !more || n > postgres.MatchBatch {
		t.Fatalf("the first batch has %d alerts, more %v, %v", n, more, err)
	}
	ok(t, b.Exec(ctx, `UPDATE alert_matching SET lease_until = now() - interval '1 second'`)) // the worker is gone
	batches, alerts := b.match(t)
	_, _, err = b.MatchAlerts(ctx, m)
	wantKind(t, err, errs.LeaseLost)
	var total int
	ok(t, b.QueryRow(ctx, `SELECT count(*) FROM alerts`).Scan(&total))
	if total != followers || batches < 3 || alerts >= followers+1 {
		t.Errorf("%d alerts for %d followers, %d in %d more batches", total, followers, alerts, batches)
	}
}

func TestFollowsGoOnWithTheNextEdition(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	code := text("Loi n° 2023-04 portant Code du travail", "2023-04", day("2023-03-01"), "1er", "14")
	other := text("Loi n° 2023-05 portant Code minier", "2023-05", day("2023-03-01"), "1er")
	b.save(t, b.addGazette(t, "a1"), code)
	b.save(t, b.addGazette(t, "b2"), other)
	id, user := code.Document.ID, b.account(t, "a@example.org")
	b.follow(t, user, postgres.Follow{Kind: postgres.FollowText, Document: &id})
	_, err := b.ChangeDocument(ctx, other.Document.ID, postgres.DocumentChange{Supersedes: &id}, postgres.StatusChange{})
	ok(t, err)
	b.match(t)
	list, err := b.Follows(ctx, user)
	if err != nil || len(list) != 1 || *list[0].Document != other.Document.ID {
		t.Fatalf("follows %+v, %v", list, err)
	}
	_, err = b.DeleteDocument(ctx, other.Document.ID)
	ok(t, err)
	b.match(t)
	if list, err = b.Follows(ctx, user); err != nil || *list[0].Document != id {
		t.Errorf("after the edition is gone: %+v, %v", list, err)
	}
	if told, err := b.Alerts(ctx, user, 0, 10); err != nil || len(told) != 0 {
		t.Errorf("an edition was told as news: %+v, %v", told, err)
	}
}

func TestDigestsOnceAnInterval(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	code := text("Loi n° 2023-04 portant Code du travail", "2023-04", day("2023-03-01"), "1er", "14")
	b.save(t, b.addGazette(t, "a1"), code)
	id, user := code.Document.ID, b.account(t, "a@example.org")
	b.follow(t, user, postgres.Follow{Kind: postgres.FollowText, Document: &id})
	due := func(want int) []uuid.UUID {
		t.Helper()
		ok(t, b.Exec(ctx, `UPDATE alert_mails SET lease_until = now() - interval '1 second' WHERE state = 'queued'`))
		ids, err := b.DueAlertMails(ctx, 10, 24*time.Hour)
		if ok(t, err); len(ids) != want {
			t.Fatalf("%d messages are due, want %d", len(ids), want)
		}
		return ids
	}
	b.amend(t, "b2", "2025-02")
	b.match(t)
	_, err := b.DueAlertMails(ctx, 10, 24*time.Hour)
	ok(t, err)
	first := due(1)
	m, err := b.LeaseAlertMail(ctx, first[0])
	if err != nil || m.Email != "a@example.org" || len(m.Alerts) != 1 || m.Stop == "" {
		t.Fatalf("%+v, %v", m, err)
	}
	ok(t, m.Finish(ctx))
	b.amend(t, "c3", "2025-03")
	b.match(t)
	due(0) // the day is not over
	ok(t, b.Exec(ctx, `UPDATE alert_settings SET digest_at = now()`))
	_, err = b.DueAlertMails(ctx, 10, 24*time.Hour)
	ok(t, err)
	due(1)
	wantKind(t, b.StopAlertMail(ctx, []byte("unknown")), errs.Invalid)
}
