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
