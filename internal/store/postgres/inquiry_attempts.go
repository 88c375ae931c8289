package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// LostAttemptText is the French reason that is recorded for an attempt that was lost with
// its worker.
const LostAttemptText = "Le processus d’envoi s’est interrompu avant d’avoir noté le résultat ; le message est peut-être parti."

// InquiryAttempt is one attempt to announce an inquiry.
type InquiryAttempt struct {
	Inquiry uuid.UUID
	Attempt int
	At      time.Time // when it began
	Outcome string    // running, sent, failed, lost (the worker crashed) or released (the worker shut down)
	Reason  string    // why the attempt failed, French
}

// InquiryAttempts returns the latest attempts to announce each inquiry, at most limit per
// inquiry, oldest first.
func (db *DB) InquiryAttempts(ctx context.Context, inquiries []uuid.UUID, limit int) (map[uuid.UUID][]InquiryAttempt, error) {
	all, err := collect(ctx, db.pool, pgx.RowToStructByPos[InquiryAttempt], `SELECT a.inquiry_id, a.attempt, a.at, a.outcome, a.reason
		FROM inquiry_attempts a JOIN inquiries i ON i.id = a.inquiry_id
		WHERE i.id = ANY ($1) AND a.attempt > i.attempt - $2 ORDER BY a.inquiry_id, a.attempt`, inquiries, limit)
	if err != nil {
		return nil, classify("inquiry attempts", err)
	}
	of := make(map[uuid.UUID][]InquiryAttempt, len(inquiries))
	for _, a := range all {
		of[a.Inquiry] = append(of[a.Inquiry], a)
	}
	return of, nil
}

// openAttempt records the start of an attempt, and marks earlier attempts that are still
// open as lost.
func openAttempt(ctx context.Context, tx pgx.Tx, inquiry uuid.UUID, attempt int) error {
	_, err := tx.Exec(ctx, `UPDATE inquiry_attempts SET outcome = 'lost', reason = $2
		WHERE inquiry_id = $1 AND outcome = 'running'`, inquiry, LostAttemptText)
	if err == nil {
		_, err = tx.Exec(ctx, `INSERT INTO inquiry_attempts (inquiry_id, attempt) VALUES ($1, $2)`, inquiry, attempt)
	}
	return err
}

// closeAttempt records how an attempt ended.
func closeAttempt(ctx context.Context, tx pgx.Tx, l Leased, outcome, reason string) error {
	_, err := tx.Exec(ctx, `UPDATE inquiry_attempts SET outcome = $3, reason = $4 WHERE inquiry_id = $1 AND attempt = $2`,
		l.ID, l.Attempt, outcome, reason)
	return err
}
