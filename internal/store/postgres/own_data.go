package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// OwnData is the data stored about a person, except account, sessions and conversations.
type OwnData struct {
	Identities []OwnIdentity
	Keys       []APIKey
	Inquiries  []Inquiry // inquiries from the account's address
	Requests   []OwnRequest
}

// OwnIdentity is a person's identity at an identity provider.
type OwnIdentity struct {
	Issuer, Subject string
	Since, LastUsed time.Time
}

// OwnRequest records that a request was sent with an Idempotency-Key; only a keyed hash of
// the key is stored.
type OwnRequest struct {
	Operation string
	At        time.Time
}

// OwnData returns the data stored about an account's owner. NotFound if there is no such
// account.
func (db *DB) OwnData(ctx context.Context, user uuid.UUID) (d OwnData, err error) {
	err = db.snapshot(ctx, func(tx pgx.Tx) error {
		var email string
		if err := tx.QueryRow(ctx, `SELECT email FROM users WHERE id = $1`, user).Scan(&email); err != nil {
			return err
		}
		if d.Identities, err = collect(ctx, tx, pgx.RowToStructByPos[OwnIdentity], `SELECT issuer, subject, created_at, last_used_at FROM identities WHERE user_id = $1 ORDER BY created_at`, user); err != nil {
			return err
		}
		if d.Requests, err = collect(ctx, tx, pgx.RowToStructByPos[OwnRequest], `SELECT operation, created_at FROM idempotency_keys WHERE owner = uuid_send($1) ORDER BY created_at`, user); err != nil {
			return err
		}
		if d.Keys, err = collect(ctx, tx, func(r pgx.CollectableRow) (APIKey, error) { return scanKey(r) },
			`SELECT `+keyColumns+` FROM api_keys k JOIN users u ON u.id = k.owner_id WHERE k.owner_id = $1 ORDER BY k.created_at`, user); err != nil {
			return err
		}
		d.Inquiries, err = collect(ctx, tx, func(r pgx.CollectableRow) (Inquiry, error) { return scanInquiry(r) },
			`SELECT `+inquiryColumns+` FROM inquiries WHERE lower(email) = $1 ORDER BY created_at`, email)
		return err
	})
	return d, classify("own data of "+user.String(), err)
}

// FeedbackIn returns the ratings that a person gave in one of their conversations, by the
// id of the answer.
func (db *DB) FeedbackIn(ctx context.Context, user, conversation uuid.UUID) (map[uuid.UUID]Feedback, error) {
	rows, err := db.pool.Query(ctx, `SELECT f.message_id, f.rating, f.comment FROM feedback f JOIN messages m ON m.id = f.message_id
		JOIN conversations c ON c.id = m.conversation_id WHERE c.id = $1 AND c.user_id = $2`, conversation, user)
	if err != nil {
		return nil, classify("feedback in "+conversation.String(), err)
	}
	found := map[uuid.UUID]Feedback{}
	var id uuid.UUID
	var f Feedback
	_, err = pgx.ForEachRow(rows, []any{&id, &f.Rating, &f.Comment}, func() error { found[id] = f; return nil })
	return found, classify("feedback in "+conversation.String(), err)
}
