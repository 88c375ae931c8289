package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law/fulltext"
	"vigueur/internal/law/journal"
)

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
		var after uuid.UUID
		err := tx.QueryRow(ctx, `SELECT change_id, follow_id FROM alert_matching`+held+` FOR NO KEY UPDATE`, l.ID, l.Attempt).Scan(&done, &after)
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
		list, err := candidates(ctx, tx, c, keys, after)
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
func candidates(ctx context.Context, tx pgx.Tx, c journal.Change, keys []string, after uuid.UUID) ([]candidate, error) {
	return collect(ctx, tx, pgx.RowToStructByPos[candidate], `SELECT f.id, f.user_id, f.kind, f.words, f.created_at FROM (
			(SELECT DISTINCT follow_id AS id FROM follow_targets WHERE document_id = $1 AND follow_id > $3
				AND (article_key = '' OR $2 = '{}'::text[] OR article_key = ANY($2)) ORDER BY follow_id LIMIT $4)
			UNION
			(SELECT id FROM follows WHERE kind IN ('search', 'scope') AND id > $3 AND (doc_type = '' OR doc_type = $5)
				AND (domaine = '' OR domaine = $6) AND (country = '' OR country = ANY($7))
				AND (nature = '' OR nature = (SELECT nature FROM documents WHERE id = $1)) ORDER BY id LIMIT $4)) x
		JOIN follows f USING (id) ORDER BY f.id LIMIT $4`, c.Document, keys, after, MatchBatch, c.Type, c.Domain, texts(c.Countries))
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
