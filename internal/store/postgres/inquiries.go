package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Inquiry is a visitor's request for an appointment, and its status.
type Inquiry struct {
	ID            uuid.UUID    `json:"id"`
	Company       string       `json:"company"`
	ContactName   string       `json:"contact_name"`
	Email         string       `json:"email"`
	Phone         *string      `json:"phone"`
	TeamSize      *string      `json:"team_size" enum:"1-10,11-50,51-200,200+"` // 1-10, 11-50, 51-200, 200+
	UseCase       string       `json:"use_case"`
	PreferredSlot *string      `json:"preferred_slot"`
	AddressHash   []byte       `json:"-"`                                      // keyed hash of the sender's address, 32 bytes
	Status        string       `json:"status" enum:"new,read,answered,closed"` // new, read, answered, closed
	CreatedAt     time.Time    `json:"-"`
	UpdatedAt     time.Time    `json:"-"`
	Notification  Notification `json:"-"`
}

// Notification is the state of the e-mail that announces an inquiry to the people who run
// the service.
type Notification struct {
	State    string // queued, running, done
	Attempt  int    // number of attempts; identifies the worker that holds the row
	Failures int    // attempts that failed, without those that were lost with their worker
	NextAt   time.Time
}

const inquiryColumns = `id, company, contact_name, email, phone, team_size, use_case, preferred_slot, address_hash, status,
	created_at, changed_at, state, attempt, failures, not_before`

func scanInquiry(row pgx.Row) (i Inquiry, err error) {
	n := &i.Notification
	err = row.Scan(&i.ID, &i.Company, &i.ContactName, &i.Email, &i.Phone, &i.TeamSize, &i.UseCase, &i.PreferredSlot, &i.AddressHash, &i.Status,
		&i.CreatedAt, &i.UpdatedAt, &n.State, &n.Attempt, &n.Failures, &n.NextAt)
	return i, err
}

// CreateInquiry adds an inquiry with its ID, its AddressHash and the fields that its sender
// filled in. accept counts the inquiry against a limit. It runs right before the commit,
// and its error rolls the inquiry back. If the server crashes at that moment, an inquiry
// may be counted that was not stored, but no stored inquiry is uncounted.
func (db *DB) CreateInquiry(ctx context.Context, i Inquiry, accept func() error) error {
	return db.inTx(ctx, "create inquiry "+i.ID.String(), func(tx pgx.Tx) error {
		if err := claim(ctx, tx, i.ID); err != nil {
			return err
		}
		if err := insertInquiry(ctx, tx, i); err != nil {
			return err
		}
		return accept()
	})
}

// insertInquiry inserts the inquiry with its time. If another inquiry has the same
// microsecond, it tries the next one.
func insertInquiry(ctx context.Context, tx pgx.Tx, i Inquiry) error {
	for {
		tag, err := tx.Exec(ctx, `INSERT INTO inquiries (id, company, contact_name, email, phone, team_size, use_case,
				preferred_slot, address_hash, created_at, changed_at, lease_until)
			SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, t, t, t + $10::interval FROM clock_timestamp() t
			ON CONFLICT (created_at) DO NOTHING`,
			i.ID, i.Company, i.ContactName, i.Email, i.Phone, i.TeamSize, i.UseCase, i.PreferredSlot, i.AddressHash, Grace)
		if err != nil || tag.RowsAffected() > 0 {
			return err
		}
	}
}

// Inquiries lists inquiries, newest first. With before, only those that were sent before
// that time; with status, only those in that status. next is the value of before for the
// next page, nil at the end.
func (db *DB) Inquiries(ctx context.Context, status string, cursor *time.Time, limit int) (items []Inquiry, next *time.Time, err error) {
	items, err = collect(ctx, db.pool, func(r pgx.CollectableRow) (Inquiry, error) { return scanInquiry(r) }, `SELECT `+inquiryColumns+` FROM inquiries
		WHERE ($1 = '' OR status = $1) AND ($2::timestamptz IS NULL OR created_at < $2)
		ORDER BY created_at DESC LIMIT $3`, status, cursor, limit+1)
	if err != nil {
		return nil, nil, classify("inquiries", err)
	}
	if len(items) > limit {
		items = items[:limit]
		next = &items[limit-1].CreatedAt
	}
	return items, next, nil
}

// SetInquiryStatus sets the status of an inquiry and returns the inquiry.
func (db *DB) SetInquiryStatus(ctx context.Context, id uuid.UUID, status string) (i Inquiry, err error) {
	err = db.inTx(ctx, "set status of inquiry "+id.String(), func(tx pgx.Tx) error {
		i, err = scanInquiry(tx.QueryRow(ctx, `UPDATE inquiries SET status = $2, changed_at = now()
			WHERE id = $1 RETURNING `+inquiryColumns, id, status))
		if err != nil {
			return err
		}
		return audit(ctx, tx, InquiryChanged, id.String(), details{"status": status})
	})
	return i, err
}

// inquiryJobs announce each inquiry to the people who run the service. They never fail for good, because a visitor
// waits for a reply.
var inquiryJobs = &jobs{table: "inquiries", pause: crashPause, end: closeAttempt}

// DueNotifications returns inquiries that must be announced and that no worker holds.
func (db *DB) DueNotifications(ctx context.Context, limit int) ([]uuid.UUID, error) {
	return inquiryJobs.due(ctx, db, limit)
}

// LeaseNotification leases an inquiry in order to announce it, counts an attempt and adds a
// record of the attempt. An earlier attempt whose record is still open was lost. LeaseLost
// if another worker holds the inquiry, if it was already announced, or if it is not due
// yet.
func (db *DB) LeaseNotification(ctx context.Context, id uuid.UUID) (i Inquiry, l Leased, err error) {
	err = db.inTx(ctx, "lease notification "+id.String(), func(tx pgx.Tx) (err error) {
		if l, err = inquiryJobs.lease(ctx, db, tx, id); err != nil {
			return err
		}
		if i, err = scanInquiry(tx.QueryRow(ctx, `SELECT `+inquiryColumns+` FROM inquiries WHERE id = $1`, id)); err != nil {
			return err
		}
		return openAttempt(ctx, tx, id, l.Attempt)
	})
	return i, l, err
}

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
	inquiryAttempts := make(map[uuid.UUID][]InquiryAttempt, len(inquiries))
	for _, a := range all {
		inquiryAttempts[a.Inquiry] = append(inquiryAttempts[a.Inquiry], a)
	}
	return inquiryAttempts, nil
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
