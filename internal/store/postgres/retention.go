package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"vigueur/internal/kit/errs"
)

// Keeping holds the retention periods of users' data; 0: kept until somebody deletes it.
type Keeping struct {
	Conversations time.Duration // period since the last message
	Inquiries     time.Duration // period since an inquiry was sent
	Usage         time.Duration // period since the answer, for records of model usage
	Audit         time.Duration // period for entries of the audit log, by whole months
}

// Outdated is the data past its retention period, or the data that was deleted for that
// reason.
type Outdated struct {
	Conversations int
	Inquiries     int
	Usage         int      // rows of model usage
	Months        []string // partitions of the audit log, by table name, oldest first
}

// Conditions under which a row c is older than the interval $1. A conversation with a
// running answer, and an inquiry whose notification is pending, are not outdated.
const (
	outdatedConversations = `c.last_message_at < now() - $1::interval
		AND NOT EXISTS (SELECT FROM messages m WHERE m.conversation_id = c.id AND m.state IN ('queued', 'running'))`
	outdatedInquiries = `c.created_at < now() - $1::interval AND c.state NOT IN ('queued', 'running')`
	outdatedUsage     = `c.spent_at < now() - $1::interval`
)

// outdatedMonths lists the months of the audit log that ended longer ago than $1.
const outdatedMonths = `SELECT relid::text FROM pg_partition_tree('audit') WHERE isleaf AND relid::text ~ '^audit_[0-9]{4}_[0-9]{2}$'
	AND to_date(substr(relid::text, 7), 'YYYY_MM') + interval '1 month' < now() AT TIME ZONE 'UTC' - $1::interval ORDER BY 1`

// Outdated counts the data that is past its retention period.
func (db *DB) Outdated(ctx context.Context, k Keeping) (o Outdated, err error) {
	err = db.snapshot(ctx, func(tx pgx.Tx) error {
		for _, c := range []struct {
			kept time.Duration
			sql  string
			into *int
		}{{k.Conversations, `SELECT count(*) FROM conversations c WHERE ` + outdatedConversations, &o.Conversations},
			{k.Inquiries, `SELECT count(*) FROM inquiries c WHERE ` + outdatedInquiries, &o.Inquiries},
			{k.Usage, `SELECT count(*) FROM model_usage c WHERE ` + outdatedUsage, &o.Usage}} {
			if c.kept == 0 {
				continue
			}
			if err := tx.QueryRow(ctx, c.sql, c.kept).Scan(c.into); err != nil {
				return err
			}
		}
		o.Months, err = monthsBefore(ctx, tx, k.Audit)
		return err
	})
	return o, classify("outdated", err)
}

func monthsBefore(ctx context.Context, q querier, kept time.Duration) ([]string, error) {
	if kept == 0 {
		return nil, nil
	}
	return collect(ctx, q, pgx.RowTo[string], outdatedMonths, kept)
}

// RemoveOutdated deletes conversations with their messages, inquiries and rows of model
// usage that are past their retention period, at most limit rows of each, and records it in
// the audit log. DropAuditMonths deletes months of that log. Concurrent calls share the
// work.
func (db *DB) RemoveOutdated(ctx context.Context, k Keeping, limit int) (o Outdated, err error) {
	err = db.inTx(ctx, "remove outdated", func(tx pgx.Tx) error {
		for _, c := range []struct {
			kept        time.Duration
			table, rows string
			into        *int
		}{{k.Conversations, "conversations", outdatedConversations + ` ORDER BY c.last_message_at`, &o.Conversations},
			{k.Inquiries, "inquiries", outdatedInquiries + ` ORDER BY c.created_at`, &o.Inquiries},
			{k.Usage, "model_usage", outdatedUsage + ` ORDER BY c.spent_at`, &o.Usage}} {
			if c.kept == 0 {
				continue
			}
			tag, err := tx.Exec(ctx, `WITH old AS (SELECT c.id FROM `+c.table+` c WHERE `+c.rows+` LIMIT $2 FOR UPDATE SKIP LOCKED)
				DELETE FROM `+c.table+` c USING old WHERE c.id = old.id`, c.kept, limit)
			if err != nil {
				return err
			}
			*c.into = int(tag.RowsAffected())
		}
		if o.Conversations+o.Inquiries+o.Usage == 0 {
			return nil
		}
		return audit(ctx, tx, RetentionRun, "", details{"conversations": o.Conversations, "inquiries": o.Inquiries, "model_usage": o.Usage})
	})
	return o, err
}

// DropAuditMonths drops the months of the audit log that are past their retention period,
// and records the months in the log. The hashes of the dropped entries stay, so that the
// chain still proves the remaining entries. Only the owner of the tables can drop months,
// so that a compromised process of the service cannot shorten the log. For other roles the
// call drops nothing, and returns Forbidden if there is a month to drop.
func (db *DB) DropAuditMonths(ctx context.Context, k Keeping) (months []string, err error) {
	err = db.inTx(ctx, "drop months of the audit log", func(tx pgx.Tx) error {
		if months, err = monthsBefore(ctx, tx, k.Audit); err != nil || len(months) == 0 {
			return err
		}
		for _, month := range months {
			if _, err := tx.Exec(ctx, `DROP TABLE `+pgx.Identifier{month}.Sanitize()); err != nil {
				return db.notOwner(err)
			}
		}
		return audit(ctx, tx, RetentionRun, "", details{"months": months})
	})
	return months, err
}

// notOwner replaces the error of a statement that fails because the role does not own the
// table. It returns other errors unchanged.
func (db *DB) notOwner(err error) error {
	var refused *pgconn.PgError
	if !errors.As(err, &refused) || refused.Code != "42501" {
		return err
	}
	return errs.Newf(errs.Forbidden, "Seul le propriétaire de la base peut supprimer des mois du journal d’audit, et le rôle %s ne l’est pas : "+
		"donnez l’adresse du propriétaire par VIGUEUR_DATABASE_OWNER_URL. Rien n’a été supprimé.", db.pool.Config().ConnConfig.User)
}

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
