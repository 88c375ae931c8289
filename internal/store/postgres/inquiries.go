package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
)

// Inquiry is a visitor's request for an appointment, and its status.
type Inquiry struct {
	ID            uuid.UUID
	Company       string
	ContactName   string
	Email         string
	Phone         *string
	TeamSize      *string // 1-10, 11-50, 51-200, 200+
	UseCase       string
	PreferredSlot *string
	AddressHash   []byte // keyed hash of the sender's address, 32 bytes
	Status        string // new, read, answered, closed
	CreatedAt     time.Time
	UpdatedAt     time.Time
	Notification  Notification
}

// Notification is the state of the e-mail that announces an inquiry to the people who run
// the service.
type Notification struct {
	State    string // queued, running, done
	Attempt  int    // number of attempts; identifies the worker that holds the row
	Failures int    // attempts that failed, without those that were lost with their worker
	NextAt   time.Time
}

// InquiryStatuses lists the values of an inquiry's status.
func InquiryStatuses() []string { return []string{"new", "read", "answered", "closed"} }

// TeamSizes lists the values of an inquiry's team size.
func TeamSizes() []string { return []string{"1-10", "11-50", "51-200", "200+"} }

const inquiryColumns = `id, company, contact_name, email, phone, team_size, use_case, preferred_slot, address_hash, status,
	created_at, updated_at, state, attempt, failures, not_before`

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
				preferred_slot, address_hash, created_at, updated_at, lease_until)
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
func (db *DB) Inquiries(ctx context.Context, status string, before *time.Time, limit int) (items []Inquiry, next *time.Time, err error) {
	rows, err := db.pool.Query(ctx, `SELECT `+inquiryColumns+` FROM inquiries
		WHERE ($1 = '' OR status = $1) AND ($2::timestamptz IS NULL OR created_at < $2)
		ORDER BY created_at DESC LIMIT $3`, status, before, limit+1)
	if err != nil {
		return nil, nil, classify("inquiries", err)
	}
	items, err = pgx.CollectRows(rows, func(r pgx.CollectableRow) (Inquiry, error) { return scanInquiry(r) })
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
		i, err = scanInquiry(tx.QueryRow(ctx, `UPDATE inquiries SET status = $2, updated_at = now()
			WHERE id = $1 RETURNING `+inquiryColumns, id, status))
		if err != nil {
			return err
		}
		return audit(ctx, tx, InquiryChanged, id.String(), details{"status": status})
	})
	return i, err
}

// StartNotification leases an inquiry in order to announce it, counts an attempt and adds a
// record of the attempt. An earlier attempt whose record is still open was lost. LeaseLost
// if another worker holds the inquiry, if it was already announced, or if it is not due
// yet.
func (db *DB) StartNotification(ctx context.Context, id uuid.UUID) (i Inquiry, err error) {
	err = db.inTx(ctx, "start notification "+id.String(), func(tx pgx.Tx) error {
		i, err = scanInquiry(tx.QueryRow(ctx, `UPDATE inquiries SET state = 'running', attempt = attempt + 1, hints = 0,
				lease_until = now() + $2::interval
			WHERE id = $1 AND not_before <= now() AND (state = 'queued' OR (state = 'running' AND lease_until < now()))
			RETURNING `+inquiryColumns, id, Lease))
		if errors.Is(err, pgx.ErrNoRows) {
			return errs.New(errs.LeaseLost, "")
		}
		if err != nil {
			return err
		}
		return openAttempt(ctx, tx, id, i.Notification.Attempt)
	})
	return i, err
}

// KeepNotification renews the lease of an attempt.
func (db *DB) KeepNotification(ctx context.Context, id uuid.UUID, attempt int) error {
	return fencedOn(ctx, db.renewals, "keep notification "+id.String(), `UPDATE inquiries SET lease_until = now() + $3::interval
		WHERE id = $1 AND attempt = $2 AND state = 'running'`, id, attempt, Lease)
}

// FinishNotification records that an attempt sent the message, which completes the job.
func (db *DB) FinishNotification(ctx context.Context, id uuid.UUID, attempt int) error {
	return db.endAttempt(ctx, id, attempt, "sent", "",
		`UPDATE inquiries SET state = 'done' WHERE id = $1 AND attempt = $2 AND state = 'running'`)
}

// PutBackNotification records that an attempt failed and why (French), and delays the next
// attempt by the given time.
func (db *DB) PutBackNotification(ctx context.Context, id uuid.UUID, attempt int, reason string, after time.Duration) error {
	return db.endAttempt(ctx, id, attempt, "failed", reason, `UPDATE inquiries SET state = 'queued', hints = 0,
			failures = failures + 1, attempt_floor = attempt, not_before = now() + $3::interval, lease_until = now() + $3::interval
		WHERE id = $1 AND attempt = $2 AND state = 'running'`, after)
}

// ReleaseNotification releases an unfinished attempt, so that another worker can lease the
// inquiry at once.
func (db *DB) ReleaseNotification(ctx context.Context, id uuid.UUID, attempt int) error {
	return db.endAttempt(ctx, id, attempt, "released", "", `UPDATE inquiries SET state = 'queued', attempt_floor = attempt,
		lease_until = now() WHERE id = $1 AND attempt = $2 AND state = 'running'`)
}

// endAttempt runs a fenced UPDATE and closes the attempt's record with the outcome.
func (db *DB) endAttempt(ctx context.Context, id uuid.UUID, attempt int, outcome, reason, sql string, more ...any) error {
	return db.inTx(ctx, outcome+" notification "+id.String(), func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, sql, append([]any{id, attempt}, more...)...)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return errs.New(errs.LeaseLost, "")
		}
		return closeAttempt(ctx, tx, id, attempt, outcome, reason)
	})
}
