package postgres

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/sealed"
	"vigueur/internal/law"
	"vigueur/internal/law/fulltext"
	"vigueur/internal/law/journal"
)

// The kinds of follows.
const (
	FollowText    = "text"
	FollowArticle = "article"
	FollowAnswer  = "answer" // the articles that an answer cites
	FollowSearch  = "search" // texts that have words
	FollowScope   = "scope"  // texts of a domain, a country, a type or a nature
)

// FollowsMost is the number of follows that an account may have.
const FollowsMost = 200

// followLabel is the maximum length of a label, in characters.
const followLabel = 300

// Follow is what an account follows.
type Follow struct {
	ID        uuid.UUID   `json:"id"`
	Kind      string      `json:"kind" enum:"text,article,answer,search,scope"`
	Label     string      `json:"label"`       // for people
	Document  *uuid.UUID  `json:"document_id"` // of a text or an article
	Article   *uuid.UUID  `json:"article_id"`
	Message   *uuid.UUID  `json:"message_id"` // of an answer
	Words     string      `json:"q"`          // of a search
	Type      law.DocType `json:"doc_type"`   // of a search or a scope, like the next three; "": any
	Nature    string      `json:"nature"`
	Domain    string      `json:"domaine"`
	Country   string      `json:"pays"`
	CreatedAt time.Time   `json:"-"`
}

const followColumns = `f.id, f.kind, f.label, f.document_id, f.article_id, f.message_id, f.words, f.doc_type, f.nature, f.domaine, f.country, f.created_at`

// subject identifies the object of a follow among the follows of its kind.
func (f Follow) subject() string {
	id := func(u *uuid.UUID) string {
		if u == nil {
			return ""
		}
		return u.String()
	}
	return strings.Join([]string{id(f.Document), id(f.Article), id(f.Message), law.Fold(f.Words), string(f.Type), f.Nature, f.Domain, f.Country}, "\x1f")
}

// followTarget is a text, or an article of it, that a follow is about.
type followTarget struct {
	document uuid.UUID
	key      string
}

// AddFollow stores what an account follows, and returns it with its ID, Label and CreatedAt. If
// the account follows it already, that follow is returned and added is false. NotFound if there
// is no such text, article, domain or answer of the account; Unprocessable if the answer cites nothing;
// Conflict if the account has FollowsMost follows.
func (db *DB) AddFollow(ctx context.Context, user uuid.UUID, f Follow) (made Follow, added bool, err error) {
	err = db.inTx(ctx, "add a follow of "+user.String(), func(tx pgx.Tx) error {
		if _, err := holdUser(ctx, tx, user); err != nil { // so that the number of follows is exact
			return err
		}
		targets, err := f.resolve(ctx, tx, user)
		if err != nil {
			return err
		}
		there, err := collect(ctx, tx, pgx.RowToStructByPos[Follow], `SELECT `+followColumns+` FROM follows f WHERE user_id = $1 AND kind = $2 AND subject = $3`, user, f.Kind, f.subject())
		if err != nil {
			return err
		}
		if len(there) > 0 {
			made = there[0]
			return nil
		}
		var n int
		if err := tx.QueryRow(ctx, `SELECT count(*) FROM follows WHERE user_id = $1`, user).Scan(&n); err != nil {
			return err
		}
		if n >= FollowsMost {
			return errs.Newf(errs.Conflict, "Vous suivez déjà %d sujets, autant qu’un compte peut en suivre : cessez d’en suivre un.", n)
		}
		added = true
		made, err = insertFollow(ctx, tx, user, f, targets)
		return err
	})
	return made, added, err
}

func insertFollow(ctx context.Context, tx pgx.Tx, user uuid.UUID, f Follow, targets []followTarget) (made Follow, err error) {
	made, err = one[Follow](ctx, tx, `INSERT INTO follows AS f (id, user_id, kind, subject, label, document_id, article_id, message_id, words, doc_type, nature, domaine, country)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) RETURNING `+followColumns,
		NewID(), user, f.Kind, f.subject(), law.Clip(f.Label, followLabel), f.Document, f.Article, f.Message, f.Words, f.Type, f.Nature, f.Domain, f.Country)
	if err != nil {
		return made, err
	}
	batch := &pgx.Batch{}
	for _, t := range targets {
		batch.Queue(`INSERT INTO follow_targets (document_id, follow_id, article_key) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`, t.document, made.ID, t.key)
	}
	batch.Queue(`INSERT INTO alert_settings (user_id) VALUES ($1) ON CONFLICT DO NOTHING`, user)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return made, err
	}
	return made, audit(ctx, tx, FollowAdded, made.ID.String(), details{"kind": f.Kind})
}

// resolve finds the texts and articles that the follow is about, and sets its label.
func (f *Follow) resolve(ctx context.Context, tx pgx.Tx, user uuid.UUID) (targets []followTarget, err error) {
	switch f.Kind {
	case FollowText:
		err = tx.QueryRow(ctx, `SELECT title FROM documents WHERE id = $1 AND NOT in_review`, f.Document).Scan(&f.Label)
		if err == nil {
			targets = []followTarget{{*f.Document, ""}}
		}
		return targets, err
	case FollowArticle:
		var number, title string
		err = tx.QueryRow(ctx, `SELECT a.number, d.title FROM documents d CROSS JOIN LATERAL (
				SELECT number FROM articles WHERE id = $2 AND document_id = d.id
				UNION ALL SELECT number FROM article_versions WHERE article_id = $2 AND document_id = d.id LIMIT 1) a
			WHERE d.id = $1 AND NOT d.in_review`, f.Document, f.Article).Scan(&number, &title)
		f.Label = "Article " + number + " – " + title
		if err == nil {
			targets = []followTarget{{*f.Document, law.ArticleKey(number)}}
		}
		return targets, err
	case FollowAnswer:
		return f.resolveAnswer(ctx, tx, user)
	}
	var domain string
	if f.Domain != "" {
		if err := tx.QueryRow(ctx, `SELECT label FROM domaines WHERE code = $1`, f.Domain).Scan(&domain); err != nil {
			return nil, err
		}
	}
	words := ""
	if f.Words != "" {
		words = "« " + f.Words + " »"
	}
	parts := []string{words, string(f.Type), f.Nature, domain, strings.ToUpper(f.Country)}
	f.Label = strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), ", ")
	return nil, nil
}

// resolveAnswer finds the articles that an answer cites. A citation of a new wording is about
// the article that it replaces too.
func (f *Follow) resolveAnswer(ctx context.Context, tx pgx.Tx, user uuid.UUID) (targets []followTarget, err error) {
	var question string
	err = tx.QueryRow(ctx, `SELECT coalesce((SELECT q.content FROM messages q WHERE q.conversation_id = m.conversation_id AND q.position = m.position - 1), '')
		FROM messages m JOIN conversations c ON c.id = m.conversation_id
		WHERE m.id = $1 AND c.user_id = $2 AND m.role = 'assistant' AND m.state = 'done'`, f.Message, user).Scan(&question)
	if err != nil {
		return nil, err
	}
	f.Label = "Réponse à : " + question
	citations, err := collect(ctx, tx, pgx.RowTo[law.Citation], `SELECT citation FROM citations WHERE message_id = $1 ORDER BY index`, f.Message)
	if err != nil {
		return nil, err
	}
	for _, c := range citations {
		t := followTarget{document: c.DocumentID}
		if c.Article != nil {
			t.key = law.ArticleKey(*c.Article)
		}
		targets = append(targets, t)
		if c.Replaces != nil && c.Replaces.DocumentID != nil {
			targets = append(targets, followTarget{*c.Replaces.DocumentID, law.ArticleKey(c.Replaces.Article)})
		}
	}
	if len(targets) == 0 {
		return nil, errs.New(errs.Unprocessable, "Cette réponse ne cite aucun article : il n’y a rien à suivre.")
	}
	return targets, nil
}

// Follows lists what an account follows, the last added first.
func (db *DB) Follows(ctx context.Context, user uuid.UUID) ([]Follow, error) {
	list, err := collect(ctx, db.pool, pgx.RowToStructByPos[Follow], `SELECT `+followColumns+` FROM follows f WHERE user_id = $1 ORDER BY id DESC`, user)
	return list, classify("follows", err)
}

// FollowOwner returns the account that follows. NotFound if there is no such follow.
func (db *DB) FollowOwner(ctx context.Context, id uuid.UUID) (user uuid.UUID, err error) {
	err = db.pool.QueryRow(ctx, `SELECT user_id FROM follows WHERE id = $1`, id).Scan(&user)
	return user, classify("owner of a follow", err)
}

// DeleteFollow deletes a follow of an account, with its alerts. NotFound if there is none.
func (db *DB) DeleteFollow(ctx context.Context, user, id uuid.UUID) error {
	return db.inTx(ctx, "delete follow "+id.String(), func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, `DELETE FROM follows WHERE id = $1 AND user_id = $2 RETURNING id`, id, user).Scan(new(uuid.UUID)); err != nil {
			return err
		}
		return audit(ctx, tx, FollowDeleted, id.String(), nil)
	})
}

// Alert is a change of the law that concerns an account.
type Alert struct {
	ID     int64
	At     time.Time
	Change journal.Change
	Follow uuid.UUID // the follow that the change concerns
	Label  string    // of that
}

func scanAlert(row pgx.CollectableRow) (a Alert, err error) {
	var own *uuid.UUID
	err = row.Scan(append([]any{&a.ID, &a.At, &a.Follow, &a.Label, &own}, changeFields(&a.Change)...)...)
	if own != nil {
		a.Change.Article = own
	}
	return a, err
}

// followedArticle is the followed article, if the change concerns several articles and an article is followed; else
// NULL.
const followedArticle = `(SELECT x.id FROM articles x WHERE x.id = f.article_id AND x.document_id = c.document_id AND c.kind = 'modified' AND cardinality(c.articles) > 1)`

const alertQuery = `SELECT a.id, a.at, a.follow_id, f.label, ` + followedArticle + `, ` + lawChangeColumns + ` FROM alerts a JOIN law_changes c ON c.id = a.change_id JOIN follows f ON f.id = a.follow_id `

// Alerts lists at most limit alerts of an account, the newest first, those before a number if
// it is not 0.
func (db *DB) Alerts(ctx context.Context, user uuid.UUID, previous int64, limit int) ([]Alert, error) {
	list, err := collect(ctx, db.pool, scanAlert, alertQuery+`WHERE a.user_id = $1 AND ($2::bigint = 0 OR a.id < $2) ORDER BY a.id DESC LIMIT $3`, user, previous, limit)
	return list, classify("alerts", err)
}

// AlertMail reports whether an account gets digests by mail.
func (db *DB) AlertMail(ctx context.Context, user uuid.UUID) (mail bool, err error) {
	err = db.pool.QueryRow(ctx, `SELECT coalesce((SELECT mail FROM alert_settings WHERE user_id = $1), true)`, user).Scan(&mail)
	return mail, classify("alert settings", err)
}

// SetAlertMail sets whether an account gets digests by mail. Alerts that came while it got none
// are in no later digest.
func (db *DB) SetAlertMail(ctx context.Context, user uuid.UUID, mail bool) error {
	return db.inTx(ctx, "set alert settings", func(tx pgx.Tx) error { return setAlertMail(ctx, tx, user, mail) })
}

func setAlertMail(ctx context.Context, tx pgx.Tx, user uuid.UUID, mail bool) error {
	if _, err := tx.Exec(ctx, `INSERT INTO alert_settings (user_id, mail) VALUES ($1, $2) ON CONFLICT (user_id) DO UPDATE SET mail = $2`, user, mail); err != nil {
		return err
	}
	if !mail {
		if _, err := tx.Exec(ctx, `UPDATE alerts SET mailed = true WHERE user_id = $1 AND NOT mailed`, user); err != nil {
			return err
		}
	}
	return audit(ctx, tx, AlertMailSet, user.String(), details{"mail": mail})
}

// StopAlertMail ends the digests of the account that got a message with the token. A repeated
// call succeeds too. Invalid if no message had the token.
func (db *DB) StopAlertMail(ctx context.Context, token []byte) error {
	err := db.inTx(ctx, "stop alert mail", func(tx pgx.Tx) error {
		var user uuid.UUID
		if err := tx.QueryRow(ctx, `SELECT user_id FROM alert_mails WHERE stop_hash = $1`, token).Scan(&user); err != nil {
			return err
		}
		return setAlertMail(By(ctx, user), tx, user, false)
	})
	if errs.Is(err, errs.NotFound) {
		return errs.New(errs.Invalid, "Ce lien n’est plus valable : réglez vos alertes dans votre compte.")
	}
	return err
}

// Follower accesses the row of an index that follows the catalogue. The row is a job whenever the index lacks changes of
// the catalogue. The service retries that job without limit.
type Follower struct {
	db   *DB
	name string // the key of its row
}

// TitleIndex is the row of the title index in Meilisearch.
func (db *DB) TitleIndex() Follower { return Follower{db, "titles"} }

// PassageIndex is the row of the passage index in Milvus.
func (db *DB) PassageIndex() Follower { return Follower{db, "passages"} }

// VersionIndex is the row of the versions of articles, which are stored in PostgreSQL itself.
func (db *DB) VersionIndex() Follower { return Follower{db, "versions"} }

// followerJobs are the rows of all followers.
var followerJobs = &jobs{table: "followers", wake: `rebuild OR version < (SELECT coalesce(max(version), 0) FROM catalogue_changes)`}

// Following is the state of an index that follows the catalogue. Its methods act on the attempt that holds the row.
type Following struct {
	Leased
	Version int64 // version of the catalogue that the index contains
	Rebuild bool  // whether the index must be rebuilt
	State   string
	Error   string
}

// Now returns the state of the index.
func (f Follower) Now(ctx context.Context) (row Following, err error) {
	row.db, row.jobs = f.db, followerJobs
	err = f.db.pool.QueryRow(ctx, `SELECT id, attempt, failures, version, rebuild, state, error FROM followers WHERE name = $1`, f.name).
		Scan(&row.ID, &row.Attempt, &row.Failures, &row.Version, &row.Rebuild, &row.State, &row.Error)
	return row, classify(f.name, err)
}

// Due returns the id of the index if it lacks changes of the catalogue and no worker holds it.
func (f Follower) Due(ctx context.Context, limit int) ([]uuid.UUID, error) {
	return followerJobs.due(ctx, f.db, limit, `name = '`+f.name+`'`)
}

// Lease leases the index and counts an attempt. LeaseLost if another worker holds the index, or if it is up to date.
func (f Follower) Lease(ctx context.Context, id uuid.UUID) (row Following, err error) {
	err = f.db.inTx(ctx, "lease "+f.name, func(tx pgx.Tx) error {
		l, err := followerJobs.lease(ctx, f.db, tx, id)
		if err != nil {
			return err
		}
		row = Following{Leased: l, State: "running"}
		return tx.QueryRow(ctx, `SELECT version, rebuild, error FROM followers WHERE id = $1`, id).Scan(&row.Version, &row.Rebuild, &row.Error)
	})
	return row, err
}

// Advance records that the index contains the catalogue at version. It is the checkpoint of an attempt.
func (f Following) Advance(ctx context.Context, version int64) error {
	return f.advance(ctx, f.db.pool, version)
}

func (f Following) advance(ctx context.Context, q querier, version int64) error {
	return f.set(ctx, q, `version = $3, rebuild = false, failures = 0, error = '', attempt_floor = attempt`, version)
}

// Remake requests a rebuild of the index.
func (f Follower) Remake(ctx context.Context) error {
	_, err := f.db.pool.Exec(ctx, `UPDATE followers SET rebuild = true, not_before = '-infinity', updated_at = now(),
		lease_until = CASE WHEN state = 'running' THEN lease_until ELSE now() END WHERE name = $1`, f.name)
	return classify("remake "+f.name, err)
}

// Miss requests a rebuild because a search found no index on the server, unless an attempt
// is running.
func (f Follower) Miss(ctx context.Context) error {
	_, err := f.db.pool.Exec(ctx, `UPDATE followers SET rebuild = true, updated_at = now() WHERE name = $1 AND state = 'done' AND NOT rebuild`, f.name)
	return classify("miss "+f.name, err)
}

// Behind counts the changed texts of the catalogue that the index lacks, and stops at
// limit.
func (f Follower) Behind(ctx context.Context, limit int) (texts int, err error) {
	err = f.db.pool.QueryRow(ctx, `SELECT count(*) FROM (SELECT DISTINCT c.document_id FROM catalogue_changes c, followers t
		WHERE t.name = $2 AND c.version > t.version LIMIT $1) behind`, limit, f.name).Scan(&texts)
	return texts, classify("behind "+f.name, err)
}

// MatchBatch is the maximum number of follows that one transaction compares with a change of
// the law, so that ten thousand followers of one text do not hold up other writers.
const MatchBatch = 500

// matchingJobs is the row of the matching.
var matchingJobs = &jobs{table: "alert_matching", wake: `change_id < (SELECT coalesce(max(id), 0) FROM law_changes)`}

// DueMatching returns the row of the matching if the journal is ahead of it and no worker
// holds it.
func (db *DB) DueMatching(ctx context.Context) ([]uuid.UUID, error) {
	return matchingJobs.due(ctx, db, 1)
}

// LeaseMatching leases the row of the matching. LeaseLost if another worker holds it, or if
// there is nothing to do.
func (db *DB) LeaseMatching(ctx context.Context, id uuid.UUID) (Leased, error) {
	return matchingJobs.lease(ctx, db, db.pool, id)
}

// candidate is a follow that a change may concern.
type candidate struct {
	ID, User uuid.UUID
	Kind     string
	Words    string
	Since    time.Time
}

// MatchAlerts compares the next change of the journal with up to MatchBatch follows, and stores
// the alerts and the deliveries to webhooks that follow from it, with how far it came, in one
// transaction. more is false at the end of the journal. LeaseLost if the attempt has lost the
// row.
func (db *DB) MatchAlerts(ctx context.Context, l Leased) (alerts int, more bool, err error) {
	err = db.inTx(ctx, "match alerts", func(tx pgx.Tx) error {
		var done int64
		var cursor uuid.UUID
		err := tx.QueryRow(ctx, `SELECT change_id, follow_id FROM alert_matching`+held+` FOR NO KEY UPDATE`, l.ID, l.Attempt).Scan(&done, &cursor)
		if err != nil {
			return leaseError("match alerts", err)
		}
		var c journal.Change
		var keys []string
		err = tx.QueryRow(ctx, `SELECT c.keys, `+lawChangeColumns+` FROM law_changes c WHERE c.id > $1 ORDER BY c.id LIMIT 1`, done).Scan(append([]any{&keys}, changeFields(&c)...)...)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		more = true
		list, err := candidates(ctx, tx, c, keys, cursor)
		if err != nil {
			return err
		}
		if alerts, err = alertOn(ctx, tx, c, list); err != nil {
			return err
		}
		if len(list) == MatchBatch {
			return l.set(ctx, tx, `follow_id = $3`, list[len(list)-1].ID)
		}
		return l.set(ctx, tx, `change_id = $3, follow_id = $4`, c.ID, uuid.Nil)
	})
	return alerts, more, err
}

// candidates returns up to MatchBatch follows after an id, in the order of their ids, that the
// change may concern. The words of searches are not compared yet.
func candidates(ctx context.Context, tx pgx.Tx, c journal.Change, keys []string, cursor uuid.UUID) ([]candidate, error) {
	return collect(ctx, tx, pgx.RowToStructByPos[candidate], `SELECT f.id, f.user_id, f.kind, f.words, f.created_at FROM (
			(SELECT DISTINCT follow_id AS id FROM follow_targets WHERE document_id = $1 AND follow_id > $3
				AND (article_key = '' OR $2 = '{}'::text[] OR article_key = ANY($2)) ORDER BY follow_id LIMIT $4)
			UNION
			(SELECT id FROM follows WHERE kind IN ('search', 'scope') AND id > $3 AND (doc_type = '' OR doc_type = $5)
				AND (domaine = '' OR domaine = $6) AND (country = '' OR country = ANY($7))
				AND (nature = '' OR nature = (SELECT nature FROM documents WHERE id = $1)) ORDER BY id LIMIT $4)) x
		JOIN follows f USING (id) ORDER BY f.id LIMIT $4`, c.Document, keys, cursor, MatchBatch, c.Type, c.Domain, texts(c.Countries))
}

// alertOn stores the alerts and deliveries for the follows that a change concerns. A new wording of an article is not
// announced to an account that was told of the act's change to that article. An edition that replaces a text is not
// announced: follows of the text become follows of the edition.
func alertOn(ctx context.Context, tx pgx.Tx, c journal.Change, list []candidate) (int, error) {
	ids := make([]uuid.UUID, len(list))
	for i, f := range list {
		ids[i] = f.ID
	}
	if c.Kind == journal.Replaced {
		_, err := tx.Exec(ctx, `WITH old AS (DELETE FROM follow_targets WHERE document_id = $1 AND follow_id = ANY($3) RETURNING follow_id, article_key),
				moved AS (UPDATE follows SET document_id = $2 WHERE id = ANY($3) AND document_id = $1)
			INSERT INTO follow_targets (document_id, follow_id, article_key) SELECT $2, follow_id, article_key FROM old ON CONFLICT DO NOTHING`, c.Document, c.Act, ids)
		return 0, err
	}
	found, err := matchingSearches(ctx, tx, c, list)
	if err != nil {
		return 0, err
	}
	var follows []uuid.UUID
	for _, f := range list {
		if f.Since.Before(c.At) && (f.Kind != FollowSearch || found[f.ID]) {
			follows = append(follows, f.ID)
		}
	}
	if len(follows) == 0 {
		return 0, nil
	}
	tag, err := tx.Exec(ctx, `WITH told AS MATERIALIZED (SELECT m.id FROM law_changes m, law_changes w
			WHERE w.id = $2 AND w.kind = 'wording' AND m.document_id = w.document_id AND m.id < w.id AND m.kind = 'modified' AND m.act_id = w.act_id
				AND (m.keys = '{}' OR m.keys @> w.keys))
		INSERT INTO alerts (user_id, change_id, follow_id, mailed)
		SELECT DISTINCT ON (f.user_id) f.user_id, $2, f.id, NOT coalesce(s.mail, true) FROM follows f JOIN users u ON u.id = f.user_id AND u.active
			LEFT JOIN alert_settings s ON s.user_id = f.user_id
		WHERE f.id = ANY($1) AND NOT EXISTS (SELECT FROM alerts a WHERE a.user_id = f.user_id AND a.change_id IN (SELECT id FROM told))
		ORDER BY f.user_id, f.id ON CONFLICT (user_id, change_id) DO NOTHING`, follows, c.ID)
	if err != nil {
		return 0, err
	}
	_, err = tx.Exec(ctx, `INSERT INTO webhook_deliveries (id, webhook_id, change_id, lease_until)
		SELECT gen_random_uuid(), w.id, $2, now() FROM webhooks w
		WHERE w.active AND w.created_at < $3 AND w.user_id IN (SELECT a.user_id FROM alerts a WHERE a.change_id = $2 AND a.follow_id = ANY($1))
		ON CONFLICT (webhook_id, change_id) DO NOTHING`, follows, c.ID, c.At)
	return int(tag.RowsAffected()), err
}

// matchingSearches returns the follows of searches whose words are in the text. A text that is
// gone has none.
func matchingSearches(ctx context.Context, tx pgx.Tx, c journal.Change, list []candidate) (map[uuid.UUID]bool, error) {
	var ids []uuid.UUID
	var words []string
	for _, f := range list {
		if q := fulltext.Parse(f.Words); f.Kind == FollowSearch && !q.Empty() {
			ids, words = append(ids, f.ID), append(words, q.All())
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	found, err := collect(ctx, tx, pgx.RowTo[uuid.UUID], `SELECT q.id FROM unnest($1::uuid[], $2::text[]) q (id, words)
		WHERE EXISTS (SELECT FROM search_units u WHERE u.document_id = $3 AND u.words @@ q.words::tsquery)`, ids, words, c.Document)
	matched := map[uuid.UUID]bool{}
	for _, id := range found {
		matched[id] = true
	}
	return matched, err
}

// AlertFigures counts alerts for administrators.
type AlertFigures struct {
	Follows     int `json:"follows"`
	Followers   int `json:"followers"`
	Webhooks    int `json:"webhooks"`
	Disabled    int `json:"webhooks_off"`       // webhooks that are off
	Failing     int `json:"webhooks_failing"`   // webhooks that are on and whose last delivery failed
	Changes     int `json:"changes"`            // entries of the journal in the last thirty days
	Alerts      int `json:"alerts"`             // of the same days
	Failed      int `json:"deliveries_failed"`  // deliveries of the same days that were given up
	Unmatched   int `json:"changes_pending"`    // entries of the journal that were not compared with the follows yet
	Unmailed    int `json:"alerts_pending"`     // alerts that wait for a digest
	Undelivered int `json:"deliveries_pending"` // deliveries that wait or are under way
}

// AlertFigures counts follows, alerts and deliveries.
func (db *DB) AlertFigures(ctx context.Context) (f AlertFigures, err error) {
	err = db.pool.QueryRow(ctx, `SELECT (SELECT count(*) FROM follows), (SELECT count(DISTINCT user_id) FROM follows), (SELECT count(*) FROM webhooks WHERE active),
		(SELECT count(*) FROM webhooks WHERE NOT active), (SELECT count(*) FROM law_changes WHERE at > now() - interval '30 days'),
		(SELECT count(*) FROM alerts WHERE at > now() - interval '30 days'),
		(SELECT count(*) FROM webhook_deliveries WHERE state = 'failed' AND created_at > now() - interval '30 days'),
		(SELECT count(*) FROM webhooks WHERE active AND failing_since IS NOT NULL), (SELECT count(*) FROM law_changes WHERE id > (SELECT change_id FROM alert_matching)),
		(SELECT count(*) FROM alerts WHERE NOT mailed), (SELECT count(*) FROM webhook_deliveries WHERE state IN ('queued', 'running'))`).
		Scan(&f.Follows, &f.Followers, &f.Webhooks, &f.Disabled, &f.Changes, &f.Alerts, &f.Failed, &f.Failing, &f.Unmatched, &f.Unmailed, &f.Undelivered)
	return f, classify("figures of alerts", err)
}

// errNoWebhook is the error for a webhook that the account does not have.
func errNoWebhook(err error) error {
	if errs.Is(err, errs.NotFound) {
		return errs.Wrap(errs.NotFound, "Webhook introuvable.", err)
	}
	return err
}

const (
	// digestBatch is the number of digests that one call of DueAlertMails begins.
	digestBatch = 100
	// DigestMost is the maximum number of alerts in one digest. The page has the others.
	DigestMost = 200
)

// The kinds of messages about alerts.
const (
	DigestMail  = "digest"
	WebhookMail = "webhook" // a webhook was turned off
)

// AlertMail is a message to the owner of an account about alerts, in the course of being sent.
type AlertMail struct {
	Leased
	Kind      string
	Email     string // "": the account was closed, and nothing is sent
	About     string // address of the webhook
	Stop      string // token that ends the digests
	Alerts    []Alert
	More      int // alerts of the digest that are not in Alerts
	CreatedAt time.Time
}

// alertMailJobs are the messages about alerts. The token is forgotten once the message is sent.
var alertMailJobs = &jobs{table: "alert_mails", finished: `, stop_token = ''`, pause: crashPause}

// queueAlertMail queues a message. The token is stored until the message is sent, so that a
// second copy, after a worker crashed, equals the first.
func queueAlertMail(ctx context.Context, tx pgx.Tx, user uuid.UUID, kind, subject string) error {
	token, hash := sealed.NewToken()
	_, err := tx.Exec(ctx, `INSERT INTO alert_mails (id, user_id, kind, about, stop_hash, stop_token) VALUES ($1, $2, $3, $4, $5, $6)`, NewID(), user, kind, subject, hash, token)
	return err
}

// beginDigests begins the digests of accounts whose alerts are in none, each at most once per
// interval. It works on at most digestBatch accounts.
func (db *DB) beginDigests(ctx context.Context, interval time.Duration) error {
	return db.inTx(ctx, "begin digests", func(tx pgx.Tx) error {
		users, err := collect(ctx, tx, pgx.RowTo[uuid.UUID], `SELECT s.user_id FROM alert_settings s WHERE s.mail AND s.digest_at <= now()
			AND EXISTS (SELECT FROM alerts a WHERE a.user_id = s.user_id AND NOT a.mailed)
			ORDER BY s.digest_at, s.user_id LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED`, digestBatch)
		if err != nil {
			return err
		}
		batch := &pgx.Batch{}
		for _, user := range users {
			token, hash := sealed.NewToken()
			id := NewID()
			batch.Queue(`INSERT INTO alert_mails (id, user_id, kind, stop_hash, stop_token) VALUES ($1, $2, 'digest', $3, $4)`, id, user, hash, token)
			batch.Queue(`UPDATE alerts SET mail_id = $2, mailed = true WHERE user_id = $1 AND NOT mailed`, user, id)
			batch.Queue(`UPDATE alert_settings SET digest_at = now() + $2::interval WHERE user_id = $1`, user, interval)
		}
		return tx.SendBatch(ctx, batch).Close()
	})
}

// DueAlertMails begins the digests that are due, and selects messages that no worker holds. A
// message that has lost MaxAttempts attempts rests for crashPause.
func (db *DB) DueAlertMails(ctx context.Context, limit int, interval time.Duration) ([]uuid.UUID, error) {
	if err := db.beginDigests(ctx, interval); err != nil {
		return nil, err
	}
	return alertMailJobs.due(ctx, db, limit)
}

// LeaseAlertMail leases a message. LeaseLost if another worker holds it, or if it is not due.
func (db *DB) LeaseAlertMail(ctx context.Context, id uuid.UUID) (m AlertMail, err error) {
	err = db.inTx(ctx, "lease alert mail "+id.String(), func(tx pgx.Tx) (err error) {
		if m.Leased, err = alertMailJobs.lease(ctx, db, tx, id); err != nil {
			return err
		}
		err = tx.QueryRow(ctx, `SELECT m.kind, CASE WHEN u.active AND (m.kind <> 'digest' OR coalesce((SELECT s.mail FROM alert_settings s WHERE s.user_id = u.id), true)) THEN u.email ELSE '' END,
				m.about, m.stop_token, m.created_at FROM alert_mails m JOIN users u ON u.id = m.user_id WHERE m.id = $1`, id).
			Scan(&m.Kind, &m.Email, &m.About, &m.Stop, &m.CreatedAt)
		if err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, `SELECT greatest(count(*) - $2, 0) FROM alerts WHERE mail_id = $1`, id, DigestMost).Scan(&m.More); err != nil {
			return err
		}
		m.Alerts, err = collect(ctx, tx, scanAlert, alertQuery+`WHERE a.mail_id = $1 ORDER BY c.title, c.document_id, c.id LIMIT $2`, id, DigestMost)
		return err
	})
	return m, err
}
