package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"vigueur/internal/kit/errs"
)

// The kinds of notifications to the owner of an address.
const (
	ResetNotification  = "reset"
	SignupNotification = "signup"
)

const (
	// accountNotificationsKept is how long a notification is kept after it was queued,
	// whatever became of it. A notification whose link is still valid is kept until the link
	// expires.
	accountNotificationsKept = 48 * time.Hour
	// accountNotificationLease is longer than sending a message takes.
	accountNotificationLease = 3 * time.Minute
	// accountNotificationTries is the maximum number of attempts. After the last one, the user
	// has to ask for a new link.
	accountNotificationTries = 5
)

// AccountNotification is an e-mail to the owner of an address, in the course of being sent:
// a row of account_letters.
type AccountNotification struct {
	Leased
	Kind     string // ResetNotification, SignupNotification
	Email    string
	FullName string
	Known    bool   // whether the address has an account; if so, a sign-up message has no link
	Link     string // URL without the token, which the sender appends
	Expires  time.Time
}

// accountJobs are the notifications to owners of addresses. No worker renews a lease: it is longer than sending takes.
// The link of a message that could not be sent is invalid.
var accountJobs = &jobs{table: "account_letters", retried: `, token_hash = NULL`, tries: accountNotificationTries}

// addressee is what the database has about the recipient of a message. user is nil if the address has no account.
type addressee struct {
	user        *uuid.UUID
	version     *int
	email, name string
}

// lockAddressee returns the account at an address, only an active one if open is set, and locks it until the
// transaction ends. So an erasure of the account either comes earlier, and no account is found here, or it comes later,
// finds the message and removes it. lockAddressee does the same work whether or not there is an account.
func lockAddressee(ctx context.Context, tx pgx.Tx, email string, open bool) (a addressee, err error) {
	err = tx.QueryRow(ctx, `SELECT id, token_version, email, full_name FROM users WHERE email = lower($1) AND (active OR NOT $2) FOR SHARE`, email, open).
		Scan(&a.user, &a.version, &a.email, &a.name)
	if errors.Is(err, pgx.ErrNoRows) {
		err = nil
	}
	return a, err
}

// AskReset queues a message with which the owner of the address can set a new password.
// Without an open account at the address nothing is sent, and the call does the same work.
func (db *DB) AskReset(ctx context.Context, email, link string) error {
	return db.inTx(ctx, "ask for a reset", func(tx pgx.Tx) error {
		a, err := lockAddressee(ctx, tx, email, true)
		if err != nil {
			return err
		}
		state, object := "done", ""
		if a.user != nil {
			state, object = "queued", a.user.String()
		}
		if _, err := tx.Exec(ctx, `INSERT INTO account_letters (id, kind, user_id, token_version, email, full_name, link, state)
			VALUES ($1, 'reset', $2, $3, $4, $5, $6, $7)`, NewID(), a.user, a.version, a.email, a.name, link, state); err != nil {
			return err
		}
		return auditBy(ctx, tx, nil, ResetAsked, object, details{"anonymous": true})
	})
}

// AskSignup queues a message with which the owner of the address can open an account. If
// the address has an account, the message says so instead.
func (db *DB) AskSignup(ctx context.Context, email, fullName, link string) error {
	return db.inTx(ctx, "ask for a sign-up", func(tx pgx.Tx) error {
		a, err := lockAddressee(ctx, tx, email, false)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `INSERT INTO account_letters (id, kind, user_id, email, full_name, link)
			VALUES ($1, 'signup', $2, lower($3), $4, $5)`, NewID(), a.user, email, fullName, link); err != nil {
			return err
		}
		return auditBy(ctx, tx, nil, SignupAsked, "", details{"anonymous": true})
	})
}

// LinkLives are how long links are valid after they were sent.
type LinkLives struct{ Reset, Signup time.Duration }

// LeaseAccountNotification leases the next due notification. Its link is valid for token,
// which is stored as a hash; links of earlier attempts become invalid. NotFound if none is due.
func (db *DB) LeaseAccountNotification(ctx context.Context, token []byte, lives LinkLives) (l AccountNotification, err error) {
	err = db.pool.QueryRow(ctx, `UPDATE account_letters l SET state = 'running', attempt = attempt + 1, lease_until = now() + $2::interval, updated_at = now(),
			token_hash = CASE WHEN kind = 'signup' AND user_id IS NOT NULL THEN NULL ELSE $1::bytea END,
			expires_at = now() + CASE kind WHEN 'reset' THEN $3::interval ELSE $4::interval END
		WHERE id = (SELECT id FROM account_letters WHERE not_before <= now() AND (state = 'queued' OR state = 'running' AND lease_until < now())
			ORDER BY not_before LIMIT 1 FOR UPDATE SKIP LOCKED)
		RETURNING id, kind, email, full_name, user_id IS NOT NULL, link, expires_at, attempt, failures`, token, accountNotificationLease, lives.Reset, lives.Signup).
		Scan(&l.ID, &l.Kind, &l.Email, &l.FullName, &l.Known, &l.Link, &l.Expires, &l.Attempt, &l.Failures)
	l.db, l.jobs = db, accountJobs
	return l, classify("lease account notification", err)
}

// errDeadLink returns the error for a link that is unknown, used or expired.
func errDeadLink() error {
	return errs.New(errs.Invalid, "Ce lien n’est plus valable : il sert une seule fois et pour un temps limité. Demandez-en un autre.")
}

// validLink is the SQL condition under which the link of a row l of account_letters is
// valid.
const validLink = ` l.token_hash = $1 AND l.kind = $2 AND l.used_at IS NULL AND l.expires_at > now()`

// LinkOwner returns the recipient of a link. The error is Invalid if the link cannot be
// used.
func (db *DB) LinkOwner(ctx context.Context, token []byte, kind string) (email, fullName string, err error) {
	err = db.pool.QueryRow(ctx, `SELECT email, full_name FROM account_letters l WHERE`+validLink, token, kind).Scan(&email, &fullName)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", "", errDeadLink()
	}
	return email, fullName, classify("link", err)
}

// ResetPassword redeems a link: it stores the password hash and ends all sessions of the
// account. Invalid if the link was used before or expired, or if the account was closed or
// got another password in the meantime.
func (db *DB) ResetPassword(ctx context.Context, token []byte, hash string) error {
	err := db.inTx(ctx, "reset password", func(tx pgx.Tx) error {
		var user uuid.UUID
		if err := tx.QueryRow(ctx, `SELECT user_id FROM account_letters l WHERE user_id IS NOT NULL AND`+validLink, token, ResetNotification).Scan(&user); err != nil {
			return err
		}
		u, err := holdUser(ctx, tx, user) // locked before its notifications, in the order of erasure
		if err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, `UPDATE account_letters l SET used_at = now() WHERE token_version = $3 AND`+validLink, token, ResetNotification, u.TokenVersion)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 || !u.Active {
			return errDeadLink()
		}
		if _, err := tx.Exec(ctx, `UPDATE users SET password_hash = $2, token_version = token_version + 1 WHERE id = $1`, user, hash); err != nil {
			return err
		}
		if err := revokeTokensOf(ctx, tx, user); err != nil {
			return err
		}
		return auditBy(ctx, tx, &user, PasswordReset, user.String(), nil)
	})
	if errs.Is(err, errs.NotFound) {
		return errDeadLink()
	}
	return err
}

// ConfirmSignup redeems a link: it opens an account with the password hash. accept reports
// whether accounts for that address are still allowed. Invalid if the link is not valid any
// more, Conflict if the address already has an account.
func (db *DB) ConfirmSignup(ctx context.Context, token []byte, hash string, accept func(email string) error) (u User, err error) {
	err = db.inTx(ctx, "confirm sign-up", func(tx pgx.Tx) error {
		var email, name string
		err := tx.QueryRow(ctx, `UPDATE account_letters l SET used_at = now() WHERE`+validLink+` RETURNING email, full_name`, token, SignupNotification).Scan(&email, &name)
		if err != nil {
			return err
		}
		if err := accept(email); err != nil {
			return err
		}
		id := NewID()
		if u, err = one[User](ctx, tx, `INSERT INTO users (id, email, full_name, role, password_hash) VALUES ($1, $2, $3, 'user', $4)
			ON CONFLICT (email) DO NOTHING RETURNING `+userColumns, id, email, name, hash); errors.Is(err, pgx.ErrNoRows) {
			return errs.New(errs.Conflict, "Un compte existe déjà pour cette adresse.")
		}
		if err != nil {
			return err
		}
		return auditBy(ctx, tx, &id, SignedUp, id.String(), details{"role": u.Role})
	})
	if errs.Is(err, errs.NotFound) {
		return u, errDeadLink()
	}
	return u, err
}

// sendIDsAsBytes makes a connection send ids as 16 bytes. By default, pgx calls the
// driver.Valuer of a uuid.UUID, which formats the id as text, and parses this text: for
// 2,500 ids that took four milliseconds instead of 0.2. Reading ids is not changed.
func sendIDsAsBytes(m *pgtype.Map) {
	m.TryWrapEncodePlanFuncs = append([]pgtype.TryWrapEncodePlanFunc{wrapID}, m.TryWrapEncodePlanFuncs...)
}

func wrapID(value any) (plan pgtype.WrappedEncodePlanNextSetter, next any, ok bool) {
	id, ok := value.(uuid.UUID)
	return new(idPlan), [16]byte(id), ok
}

// idPlan encodes a uuid.UUID with the plan for a byte array.
type idPlan struct{ next pgtype.EncodePlan }

// SetNext sets the plan that encodes the bytes.
func (p *idPlan) SetNext(next pgtype.EncodePlan) { p.next = next }

// Encode appends value, which is a uuid.UUID, to buf.
func (p *idPlan) Encode(value any, buf []byte) ([]byte, error) {
	id, _ := value.(uuid.UUID) // the plan is only used for this type
	return p.next.Encode([16]byte(id), buf)
}
