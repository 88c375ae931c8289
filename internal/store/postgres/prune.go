package postgres

import (
	"context"
	"time"
)

const (
	// tokensKept is how long refresh tokens are kept after they expire.
	tokensKept = 24 * time.Hour
	// changesKept is how long every change of the catalogue is kept. After that, only the last
	// change of each text is kept, and index files that are older have to be rebuilt.
	changesKept = 30 * 24 * time.Hour
	// alertsKept is how long alerts are shown, and the messages that told them can be stopped.
	alertsKept = 365 * 24 * time.Hour
	// deliveriesKept is how long deliveries to webhooks are listed after they ended.
	deliveriesKept = 30 * 24 * time.Hour
	// secondsKept is how long the time that workers spent on an account's answers is kept after the last answer. By
	// then nothing of it counts.
	secondsKept = time.Hour
	// pruneBatch is the maximum number of rows of each kind that one call deletes.
	pruneBatch = 10_000
)

// Prune deletes rows that are no longer needed: expired refresh tokens, old account notifications, questions of guests, old alerts with their messages and deliveries, explanations of answers older than whys (0: they are kept as long as the
// answers), expired idempotency keys, files of which no part arrives any more, what workers spent on answers, and changes of the catalogue that a later change of
// the same text supersedes. A follower that asks for the changes after a version still gets
// the same texts. Prune returns the number of deleted rows; concurrent calls share the
// work.
func (db *DB) Prune(ctx context.Context, whys time.Duration) (rows int64, err error) {
	for _, c := range []struct {
		sql  string
		kept time.Duration
	}{{`WITH old AS (SELECT token_hash FROM refresh_tokens WHERE expires_at < now() - $1::interval LIMIT $2 FOR UPDATE SKIP LOCKED)
		DELETE FROM refresh_tokens t USING old WHERE t.token_hash = old.token_hash`, tokensKept},
		{`WITH old AS (SELECT id FROM account_letters WHERE created_at < now() - $1::interval AND coalesce(expires_at, created_at) < now() LIMIT $2 FOR UPDATE SKIP LOCKED)
		DELETE FROM account_letters l USING old WHERE l.id = old.id`, accountNotificationsKept},
		{`WITH old AS (SELECT message_id FROM answer_whys WHERE kept_at < now() - $1::interval LIMIT $2 FOR UPDATE SKIP LOCKED)
		DELETE FROM answer_whys w USING old WHERE w.message_id = old.message_id`, whys},
		{`WITH old AS (SELECT ctid FROM idempotency_keys WHERE created_at <= now() - $1::interval LIMIT $2 FOR UPDATE SKIP LOCKED)
		DELETE FROM idempotency_keys k USING old WHERE k.ctid = old.ctid`, OnceKept},
		{`WITH old AS (SELECT version FROM catalogue_changes c WHERE changed_at < now() - $1::interval
				AND EXISTS (SELECT FROM catalogue_changes l WHERE l.document_id = c.document_id AND l.version > c.version)
			LIMIT $2 FOR UPDATE SKIP LOCKED)
		DELETE FROM catalogue_changes c USING old WHERE c.version = old.version`, changesKept},
		{`WITH old AS (SELECT id FROM conversations c WHERE user_id IS NULL AND last_message_at < now() - $1::interval
				AND NOT EXISTS (SELECT FROM messages m WHERE m.conversation_id = c.id AND m.state IN ('queued', 'running')) LIMIT $2 FOR UPDATE SKIP LOCKED)
		DELETE FROM conversations c USING old WHERE c.id = old.id`, GuestLife},
		{`WITH old AS (SELECT id FROM alerts WHERE mailed AND at < now() - $1::interval LIMIT $2 FOR UPDATE SKIP LOCKED)
		DELETE FROM alerts a USING old WHERE a.id = old.id`, alertsKept},
		{`WITH old AS (SELECT id FROM alert_mails WHERE state IN ('done', 'failed') AND updated_at < now() - $1::interval LIMIT $2 FOR UPDATE SKIP LOCKED)
		DELETE FROM alert_mails m USING old WHERE m.id = old.id`, alertsKept},
		{`WITH old AS (SELECT id FROM webhook_deliveries WHERE state IN ('done', 'failed') AND updated_at < now() - $1::interval LIMIT $2 FOR UPDATE SKIP LOCKED)
		DELETE FROM webhook_deliveries d USING old WHERE d.id = old.id`, deliveriesKept},
		{`WITH old AS (SELECT id FROM uploads WHERE updated_at < now() - $1::interval LIMIT $2 FOR UPDATE SKIP LOCKED)
		DELETE FROM uploads u USING old WHERE u.id = old.id`, UploadLife},
		{`WITH old AS (SELECT asker FROM answer_seconds WHERE at < now() - $1::interval LIMIT $2 FOR UPDATE SKIP LOCKED)
		DELETE FROM answer_seconds s USING old WHERE s.asker = old.asker`, secondsKept}} {
		if c.kept == 0 {
			continue
		}
		tag, err := db.pool.Exec(ctx, c.sql, c.kept, pruneBatch)
		if err != nil {
			return rows, classify("prune", err)
		}
		rows += tag.RowsAffected()
	}
	return rows, nil
}
