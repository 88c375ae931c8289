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
func queueAlertMail(ctx context.Context, tx pgx.Tx, user uuid.UUID, kind, about string) error {
	token, hash := sealed.NewToken()
	_, err := tx.Exec(ctx, `INSERT INTO alert_mails (id, user_id, kind, about, stop_hash, stop_token) VALUES ($1, $2, $3, $4, $5, $6)`, NewID(), user, kind, about, hash, token)
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
