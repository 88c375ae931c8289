package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
)

// The placeholders that replace personal data.
const (
	erasedName  = "Compte effacé"
	erasedField = "Effacé"
)

// recentAnswers is the age up to which the relay may still keep an answer's text. It is
// longer than the relay really keeps a text.
const recentAnswers = 24 * time.Hour

// Pseudonym returns the e-mail address that an erased account gets. It contains the id, and
// its domain receives no mail (RFC 2606).
func Pseudonym(id uuid.UUID) string { return "efface-" + id.String() + "@vigueur.invalid" }

// isErased is the SQL condition that a row of users was erased. Nobody can register such an
// address: it contains the id, which is generated with the row.
const isErased = `(email = 'efface-' || id || '@vigueur.invalid')`

// Erased is the result of an erasure.
type Erased struct {
	User          uuid.UUID // erased account; zero if no account had the address
	Conversations int
	Messages      int
	Recent        []uuid.UUID // answers whose text the relay may still keep
	Running       []GivenUp   // answers that were being written: the caller must notify their readers and workers
	Inquiries     int
	InquiryIDs    []uuid.UUID // ids of the erased inquiries; the names of their messages contain them
}

// EraseUser erases the personal data of the account with an address, if there is one: its
// conversations with their messages and feedback, what it follows, its webhooks, the files
// that it is sending, sessions, password and name. A pseudonym replaces its e-mail address,
// so that the audit log can still refer to the account. The account is closed for good. If inquiries is set, EraseUser also erases what
// was written in the requests for an appointment from that address, and cancels their
// pending notifications. All this is one transaction; a second call finds nothing. Conflict
// for the last active administrator.
func (db *DB) EraseUser(ctx context.Context, email string, inquiries bool) (e Erased, err error) {
	err = db.inTx(ctx, "erase user", func(tx pgx.Tx) error {
		e = Erased{}
		if e.User, err = lockToErase(ctx, tx, email); err != nil {
			return err
		}
		if e.User != uuid.Nil {
			if err := e.account(ctx, tx); err != nil {
				return err
			}
		}
		if !inquiries {
			return nil
		}
		return e.inquiries(ctx, tx, email)
	})
	return e, err
}

// lockToErase locks the account of the address, together with every active administrator as
// in changeUser, and returns its id; zero if there is no such account.
func lockToErase(ctx context.Context, tx pgx.Tx, email string) (id uuid.UUID, err error) {
	rows, err := tx.Query(ctx, `SELECT id, email = lower($1), role = 'admin' AND active FROM users
		WHERE (role = 'admin' AND active) OR email = lower($1) ORDER BY id FOR UPDATE`, email)
	if err != nil {
		return id, err
	}
	var one uuid.UUID
	var own, admin, last bool
	others := 0
	if _, err = pgx.ForEachRow(rows, []any{&one, &own, &admin}, func() error {
		if own {
			id, last = one, admin
		} else {
			others++
		}
		return nil
	}); err != nil {
		return id, err
	}
	if last && others == 0 {
		return id, errs.New(errs.Conflict, "Le dernier administrateur actif ne peut pas être effacé.")
	}
	return id, nil
}

// account erases the data of the account e.User.
func (e *Erased) account(ctx context.Context, tx pgx.Tx) (err error) {
	// Lock the rows, so that a worker's last write is either complete or finds no row.
	if e.Running, err = collect(ctx, tx, pgx.RowToStructByPos[GivenUp], `SELECT m.id, m.attempt + 1 FROM messages m JOIN conversations c ON c.id = m.conversation_id
		WHERE c.user_id = $1 AND m.state IN ('queued', 'running') FOR UPDATE OF m`, e.User); err != nil {
		return err
	}
	if err := tx.QueryRow(ctx, `SELECT count(*) FROM messages m JOIN conversations c ON c.id = m.conversation_id WHERE c.user_id = $1`,
		e.User).Scan(&e.Messages); err != nil {
		return err
	}
	if e.Recent, err = collect(ctx, tx, pgx.RowTo[uuid.UUID], `SELECT m.id FROM messages m JOIN conversations c ON c.id = m.conversation_id
		WHERE c.user_id = $1 AND m.role = 'assistant' AND m.created_at > now() - $2::interval`, e.User, recentAnswers); err != nil {
		return err
	}
	gone, err := tx.Exec(ctx, `DELETE FROM conversations WHERE user_id = $1`, e.User)
	if err != nil {
		return err
	}
	e.Conversations = int(gone.RowsAffected())
	if _, err := tx.Exec(ctx, `DELETE FROM refresh_tokens WHERE user_id = $1`, e.User); err != nil {
		return err
	}
	if _, err := removeFactor(ctx, tx, e.User); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `DELETE FROM identities WHERE user_id = $1`, e.User); err != nil {
		return err
	}
	for _, table := range []string{"follows", "webhooks", "alert_mails", "alert_settings", "uploads"} { // alerts, deliveries and parts go with them
		if _, err := tx.Exec(ctx, `DELETE FROM `+table+` WHERE user_id = $1`, e.User); err != nil {
			return err
		}
	}
	if _, err := tx.Exec(ctx, `DELETE FROM answer_seconds WHERE asker = $1`, e.User); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `DELETE FROM idempotency_keys WHERE owner = uuid_send($1)`, e.User); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `DELETE FROM account_letters l USING users u WHERE u.id = $1 AND (l.user_id = u.id OR l.email = u.email)`, e.User); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `UPDATE users SET email = $2, full_name = $3, password_hash = '', country = '', last_sign_in_at = NULL, active = false,
		token_version = token_version + 1 WHERE id = $1`, e.User, Pseudonym(e.User), erasedName); err != nil {
		return err
	}
	return audit(ctx, tx, UserErased, e.User.String(), details{"conversations": e.Conversations})
}

// inquiries erases the text of the inquiries from an address. The error messages of failed
// attempts are erased too, since they may contain the address.
func (e *Erased) inquiries(ctx context.Context, tx pgx.Tx, email string) error {
	ids, err := collect(ctx, tx, pgx.RowTo[uuid.UUID], `UPDATE inquiries SET company = $2, contact_name = $2, email = 'efface@vigueur.invalid', phone = NULL,
			team_size = NULL, use_case = $2, preferred_slot = NULL, address_hash = decode(repeat('00', 32), 'hex'),
			state = 'done', error = '', changed_at = now(), updated_at = now()
		WHERE lower(email) = lower($1) RETURNING id`, email, erasedField)
	if err != nil {
		return err
	}
	e.Inquiries, e.InquiryIDs = len(ids), ids
	if _, err := tx.Exec(ctx, `UPDATE inquiry_attempts SET reason = '' WHERE inquiry_id = ANY ($1)`, ids); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `DELETE FROM idempotency_keys WHERE operation = 'inquiry' AND result = ANY ($1)`, ids); err != nil {
		return err
	}
	for _, id := range ids {
		if err := audit(ctx, tx, InquiryChanged, id.String(), details{"erased": true}); err != nil {
			return err
		}
	}
	return nil
}
