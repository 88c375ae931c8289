package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/sealed"
)

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
	ID        uuid.UUID
	Kind      string
	Email     string // "": the account was closed, and nothing is sent
	About     string // address of the webhook
	Stop      string // token that ends the digests
	Alerts    []Alert
	More      int // alerts of the digest that are not in Alerts
	Attempt   int
	Failures  int
	CreatedAt time.Time
}

// queueAlertMail queues a message. The token is stored until the message is sent, so that a
// second copy, after a worker crashed, equals the first.
func queueAlertMail(ctx context.Context, tx pgx.Tx, user uuid.UUID, kind, about string) error {
	token, hash := sealed.NewToken()
	_, err := tx.Exec(ctx, `INSERT INTO alert_mails (id, user_id, kind, about, stop_hash, stop_token) VALUES ($1, $2, $3, $4, $5, $6)`, NewID(), user, kind, about, hash, token)
	return err
}

// beginDigests begins the digests of accounts whose alerts are in none, each at most once per
// interval. It works on at most digestBatch accounts.
func (db *DB) beginDigests(ctx context.Context, interval time.Duration) error {
	return db.inTx(ctx, "begin digests", func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `SELECT s.user_id FROM alert_settings s WHERE s.mail AND s.digest_at <= now()
			AND EXISTS (SELECT FROM alerts a WHERE a.user_id = s.user_id AND NOT a.mailed)
			ORDER BY s.digest_at, s.user_id LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED`, digestBatch)
		if err != nil {
			return err
		}
		users, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
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
// message that has lost MaxAttempts attempts rests for notifyPause.
func (db *DB) DueAlertMails(ctx context.Context, limit int, interval time.Duration) ([]uuid.UUID, error) {
	if err := db.beginDigests(ctx, interval); err != nil {
		return nil, err
	}
	_, err := db.pool.Exec(ctx, `UPDATE alert_mails SET state = 'queued', hints = 0, attempt_floor = attempt,
			not_before = now() + $1::interval, lease_until = now() + $1::interval
		WHERE state IN ('queued', 'running') AND lease_until < now() AND attempt - attempt_floor >= $2`, notifyPause, MaxAttempts)
	if err != nil {
		return nil, classify("pause alert mails", err)
	}
	return db.due(ctx, "alert_mails", limit)
}

// StartAlertMail leases a message. LeaseLost if another worker holds it, or if it is not due.
func (db *DB) StartAlertMail(ctx context.Context, id uuid.UUID) (m AlertMail, err error) {
	err = db.inTx(ctx, "start alert mail "+id.String(), func(tx pgx.Tx) error {
		err := tx.QueryRow(ctx, `UPDATE alert_mails m SET state = 'running', attempt = attempt + 1, hints = 0, lease_until = now() + $2::interval, updated_at = now()
			FROM users u WHERE m.id = $1 AND u.id = m.user_id AND m.not_before <= now() AND (m.state = 'queued' OR m.state = 'running' AND m.lease_until < now())
			RETURNING m.id, m.kind, CASE WHEN u.active AND (m.kind <> 'digest' OR coalesce((SELECT s.mail FROM alert_settings s WHERE s.user_id = u.id), true)) THEN u.email ELSE '' END,
				m.about, m.stop_token, m.attempt, m.failures, m.created_at`, id, Lease).
			Scan(&m.ID, &m.Kind, &m.Email, &m.About, &m.Stop, &m.Attempt, &m.Failures, &m.CreatedAt)
		if err != nil {
			return leaseError("start alert mail", err)
		}
		if err := tx.QueryRow(ctx, `SELECT greatest(count(*) - $2, 0) FROM alerts WHERE mail_id = $1`, id, DigestMost).Scan(&m.More); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, alertQuery+`WHERE a.mail_id = $1 ORDER BY c.title, c.document_id, c.id LIMIT $2`, id, DigestMost)
		if err != nil {
			return err
		}
		m.Alerts, err = pgx.CollectRows(rows, scanAlert)
		return err
	})
	return m, err
}

const heldAlertMail = ` WHERE id = $1 AND attempt = $2 AND state = 'running'`

// KeepAlertMail renews the lease of an attempt.
func (db *DB) KeepAlertMail(ctx context.Context, id uuid.UUID, attempt int) error {
	return fencedOn(ctx, db.renewals, "keep alert mail", `UPDATE alert_mails SET lease_until = now() + $3::interval`+heldAlertMail, id, attempt, Lease)
}

// FinishAlertMail records that an attempt sent the message.
func (db *DB) FinishAlertMail(ctx context.Context, id uuid.UUID, attempt int) error {
	return db.fenced(ctx, "finish alert mail", `UPDATE alert_mails SET state = 'done', attempt_floor = attempt, stop_token = '', error = '', updated_at = now()`+heldAlertMail, id, attempt)
}

// PutBackAlertMail records that an attempt failed and why, and delays the next one.
func (db *DB) PutBackAlertMail(ctx context.Context, id uuid.UUID, attempt int, why string, after time.Duration) error {
	return db.fenced(ctx, "put back alert mail", `UPDATE alert_mails SET state = 'queued', hints = 0, failures = failures + 1, attempt_floor = attempt, error = $3,
		not_before = now() + $4::interval, lease_until = now() + $4::interval, updated_at = now()`+heldAlertMail, id, attempt, why, after)
}

// ReleaseAlertMail releases an unfinished attempt.
func (db *DB) ReleaseAlertMail(ctx context.Context, id uuid.UUID, attempt int) error {
	return db.fenced(ctx, "release alert mail", `UPDATE alert_mails SET state = 'queued', attempt_floor = attempt, lease_until = now(), updated_at = now()`+heldAlertMail, id, attempt)
}
