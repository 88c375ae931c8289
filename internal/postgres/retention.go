package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"vigueur/internal/errs"
)

// Keeping says for how long what people leave is kept. 0: until somebody removes it.
type Keeping struct {
	Conversations time.Duration // since their last message
	Inquiries     time.Duration // since they were sent
	Usage         time.Duration // what models took for an answer, since then
	Audit         time.Duration // lines of the log, whole months at a time
}

// Outdated is what is kept for longer than it should be, or was removed for that.
type Outdated struct {
	Conversations int
	Inquiries     int
	Usage         int      // rows of what models took
	Months        []string // of the audit log, by the names of their tables, oldest first
}

// outdatedConversations are conversations c that nothing was written in for longer than
// $1, and in which nothing is being written now; outdatedInquiries are inquiries c sent
// before that, of which nobody is being told; outdatedUsage is what models took before that.
const (
	outdatedConversations = `c.last_message_at < now() - $1::interval
		AND NOT EXISTS (SELECT FROM messages m WHERE m.conversation_id = c.id AND m.state IN ('queued', 'running'))`
	outdatedInquiries = `c.created_at < now() - $1::interval AND c.state NOT IN ('queued', 'running')`
	outdatedUsage     = `c.spent_at < now() - $1::interval`
)

// outdatedMonths lists the months of the audit log that ended longer ago than that.
const outdatedMonths = `SELECT relid::text FROM pg_partition_tree('audit') WHERE isleaf AND relid::text ~ '^audit_[0-9]{4}_[0-9]{2}$'
	AND to_date(substr(relid::text, 7), 'YYYY_MM') + interval '1 month' < now() AT TIME ZONE 'UTC' - $1::interval ORDER BY 1`

// Outdated counts what is kept for longer than it should be.
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
	rows, err := q.Query(ctx, outdatedMonths, kept)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// RemoveOutdated removes conversations, with all that belongs to them, inquiries and what
// models took that are kept for longer than they should be, at most so many of each, and notes it in the
// audit log. Months of that are for DropAuditMonths. Two at once share the work.
func (db *DB) RemoveOutdated(ctx context.Context, k Keeping, most int) (o Outdated, err error) {
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
				DELETE FROM `+c.table+` c USING old WHERE c.id = old.id`, c.kept, most)
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

// DropAuditMonths drops the months of the audit log that ended longer ago than it is
// kept, and notes in it which. The hashes of their lines stay, so that the chain still
// proves what is left. Only the owner of the tables may: a process of the service that was
// taken over cannot shorten the log. To anybody else it is Forbidden when there is a month
// to drop, and nothing is.
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

// notOwner says in words that a statement was refused to a role that does not own what it
// is about. Any other error is as it was.
func (db *DB) notOwner(err error) error {
	var refused *pgconn.PgError
	if !errors.As(err, &refused) || refused.Code != "42501" {
		return err
	}
	return errs.Newf(errs.Forbidden, "Seul le propriétaire de la base peut supprimer des mois du journal d’audit, et le rôle %s ne l’est pas : "+
		"donnez l’adresse du propriétaire par VIGUEUR_DATABASE_OWNER_URL. Rien n’a été supprimé.", db.pool.Config().ConnConfig.User)
}
