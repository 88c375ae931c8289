package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
)

// User is an account.
type User struct {
	ID           uuid.UUID
	Email        string // lower case
	FullName     string
	Role         string // user, editor, admin
	Active       bool
	PasswordHash string
	TokenVersion int
	CreatedAt    time.Time
	Country      string     // country of questions that name none, as in law.Filters; "": any
	SecondFactor bool       // whether sign-in also requires a code
	LastSignIn   *time.Time // nil: never
}

// userColumns are the fields of User.
const userColumns = `id, email, full_name, role, active, password_hash, token_version, created_at, country,
	EXISTS (SELECT FROM second_factors f WHERE f.user_id = users.id AND f.confirmed_at IS NOT NULL), last_sign_in_at`

// CreateUser adds an account. Conflict if another account has the e-mail address.
func (db *DB) CreateUser(ctx context.Context, u User) error {
	return db.inTx(ctx, "create user "+u.ID.String(), func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx,
			`INSERT INTO users (id, email, full_name, role, active, password_hash) VALUES ($1, lower($2), $3, $4, $5, $6)`,
			u.ID, u.Email, u.FullName, u.Role, u.Active, u.PasswordHash)
		if err != nil {
			return err
		}
		return audit(ctx, tx, UserCreated, u.ID.String(), details{"role": u.Role, "active": u.Active})
	})
}

// UserByEmail returns the account with an e-mail address, regardless of case.
func (db *DB) UserByEmail(ctx context.Context, email string) (User, error) {
	u, err := one[User](ctx, db.pool, `SELECT `+userColumns+` FROM users WHERE email = lower($1)`, email)
	return u, classify("user by e-mail", err)
}

// UserByID returns the account with an id.
func (db *DB) UserByID(ctx context.Context, id uuid.UUID) (User, error) {
	u, err := one[User](ctx, db.pool, `SELECT `+userColumns+` FROM users WHERE id = $1`, id)
	return u, classify("user "+id.String(), err)
}

// SetPassword replaces the password hash and ends every session: a new token version
// invalidates access tokens, and refresh tokens are revoked.
func (db *DB) SetPassword(ctx context.Context, id uuid.UUID, hash string) error {
	return db.inTx(ctx, "set password of "+id.String(), func(tx pgx.Tx) error { return setPassword(ctx, tx, id, hash) })
}

// ChangePassword is SetPassword for an owner who has proved their identity. Unauthorized if the account has changed
// since, for example by a reset of the password.
func (db *DB) ChangePassword(ctx context.Context, verified Verified, hash string) error {
	return db.inTx(ctx, "change password of "+verified.User.String(), func(tx pgx.Tx) error {
		if err := holdVersion(ctx, tx, verified); err != nil {
			return err
		}
		return setPassword(ctx, tx, verified.User, hash)
	})
}

func setPassword(ctx context.Context, tx pgx.Tx, id uuid.UUID, hash string) error {
	if err := execOne(ctx, tx, pgx.ErrNoRows, `UPDATE users SET password_hash = $2, token_version = token_version + 1 WHERE id = $1 AND NOT `+isErased, id, hash); err != nil {
		return err
	}
	if err := audit(ctx, tx, PasswordSet, id.String(), nil); err != nil {
		return err
	}
	return revokeTokensOf(ctx, tx, id)
}

// UserPage lists accounts whose name or address contains text, regardless of case and accents,
// newest first, created before the given time unless it is nil.
// next is the value of before for the next page, nil at the end; accounts of the same
// microsecond stay on one page.
func (db *DB) UserPage(ctx context.Context, text string, cursor *time.Time, limit int) (users []User, next *time.Time, err error) {
	users, err = collect(ctx, db.pool, pgx.RowToStructByPos[User], `SELECT `+userColumns+` FROM users WHERE ($1::timestamptz IS NULL OR created_at < $1)
		AND ($3 = '' OR strpos(fold(full_name), fold($3)) > 0 OR strpos(email, fold($3)) > 0)
		ORDER BY created_at DESC FETCH FIRST $2 ROWS WITH TIES`, cursor, limit, text)
	if err == nil && len(users) >= limit {
		next = &users[len(users)-1].CreatedAt
	}
	return users, next, classify("user page", err)
}

// UserChange is a change of an account; nil fields stay unchanged.
type UserChange struct {
	Role     *string
	Active   *bool
	FullName *string
	Country  *string // "": none
}

// fields returns the changed fields for the audit log, with their values unless these are
// personal data.
func (c UserChange) fields() details {
	d := details{}
	if c.Role != nil {
		d["role"] = *c.Role
	}
	if c.Active != nil {
		d["active"] = *c.Active
	}
	if c.FullName != nil {
		d["full_name"] = "changed"
	}
	if c.Country != nil {
		d["country"] = "changed"
	}
	return d
}

// ChangeUser changes an account and returns its new state. Closing an account ends all its
// sessions; a new role ends none. Conflict if the change would close or demote the last
// active administrator.
func (db *DB) ChangeUser(ctx context.Context, id uuid.UUID, c UserChange) (u User, err error) {
	err = db.inTx(ctx, "change user "+id.String(), func(tx pgx.Tx) error {
		u, err = changeUser(ctx, tx, id, c)
		return err
	})
	return u, err
}

func changeUser(ctx context.Context, tx pgx.Tx, id uuid.UUID, c UserChange) (User, error) {
	// Locking all administrators serializes these transactions: otherwise two of them could each demote one of the last
	// two administrators.
	if _, err := tx.Exec(ctx, `SELECT id FROM users WHERE (role = 'admin' AND active) OR id = $1 ORDER BY id FOR UPDATE`, id); err != nil {
		return User{}, err
	}
	previous, err := one[User](ctx, tx, `SELECT `+userColumns+` FROM users WHERE id = $1`, id)
	if err != nil {
		return User{}, err
	}
	u, err := one[User](ctx, tx, `UPDATE users SET role = coalesce($2, role), active = coalesce($3, active),
		full_name = coalesce($4, full_name), country = coalesce($5, country), token_version = token_version + CASE WHEN $3 = false THEN 1 ELSE 0 END
		WHERE id = $1 AND NOT `+isErased+` RETURNING `+userColumns, id, c.Role, c.Active, c.FullName, c.Country)
	if err != nil {
		return User{}, err
	}
	var admins int
	if err := tx.QueryRow(ctx, `SELECT count(*) FROM users WHERE role = 'admin' AND active`).Scan(&admins); err != nil {
		return User{}, err
	}
	if was := previous.Role == "admin" && previous.Active; was && admins == 0 {
		if !u.Active {
			return User{}, errs.New(errs.Conflict, "Le dernier administrateur actif ne peut pas être désactivé.")
		}
		return User{}, errs.New(errs.Conflict, "Le dernier administrateur actif ne peut pas changer de rôle.")
	}
	if err := audit(ctx, tx, UserChanged, id.String(), c.fields()); err != nil {
		return User{}, err
	}
	if u.Active {
		return u, nil
	}
	return u, revokeTokensOf(ctx, tx, id)
}

// belonging finds what belongs to the rows of a table that a condition selects: those rows, the rows that refer to
// them by a foreign key, and so on, the last ones first. What outlives them (ON DELETE SET NULL) does not belong to
// them. To an account, whose id is $1 in the conditions, also belong the rows that name it in a column which the
// schema comments as « id of an account » or « address of an account ».
const belonging = `WITH RECURSIVE part (rel, condition, path) AS (
		SELECT root.* FROM (
			SELECT $1::text::regclass::oid, $2::text, ARRAY[]::oid[]
			UNION ALL
			SELECT d.objoid, format(CASE WHEN d.description LIKE 'address%' THEN 'lower(%I) = (SELECT email FROM users WHERE id = $1)'
				WHEN a.atttypid = 'bytea'::regtype THEN '%I = uuid_send($1)' ELSE '%I = $1' END, a.attname), ARRAY[]::oid[]
			FROM pg_description d JOIN pg_attribute a ON a.attrelid = d.objoid AND a.attnum = d.objsubid
			WHERE $1::text = 'users' AND d.classoid = 'pg_class'::regclass AND d.description IN ('id of an account', 'address of an account')) root
		UNION ALL
		SELECT c.conrelid, format('(%s) IN (SELECT %s FROM %s WHERE %s)',
			(SELECT string_agg(quote_ident(attname), ', ' ORDER BY o) FROM unnest(c.conkey) WITH ORDINALITY k (n, o) JOIN pg_attribute ON attrelid = c.conrelid AND attnum = n),
			(SELECT string_agg(quote_ident(attname), ', ' ORDER BY o) FROM unnest(c.confkey) WITH ORDINALITY k (n, o) JOIN pg_attribute ON attrelid = c.confrelid AND attnum = n),
			part.rel::regclass, part.condition), part.path || part.rel
		FROM part JOIN pg_constraint c ON c.confrelid = part.rel
		WHERE c.contype = 'f' AND c.confdeltype NOT IN ('n', 'd') AND c.conrelid <> ALL (part.path || part.rel))
	SELECT rel::regclass::text, string_agg(DISTINCT condition, ' OR '), (SELECT coalesce(array_agg(attname::text), '{}') FROM pg_attribute
		WHERE attrelid = rel AND attnum > 0 AND (atttypid = 'bytea'::regtype OR attname ~ 'hash|password|secret|token$'))
	FROM part WHERE rel <> $3::text::regclass AND $3::text::regclass <> ALL (path) GROUP BY rel ORDER BY max(cardinality(path)) DESC, 1`

// part is a table with the condition of what belongs to a row, and its columns that are not shown: secrets and bytes.
type part struct {
	table, condition string
	hidden           []string
}

func belongings(ctx context.Context, tx pgx.Tx, table, condition, without string) ([]part, error) {
	return collect(ctx, tx, func(r pgx.CollectableRow) (p part, err error) {
		return p, r.Scan(&p.table, &p.condition, &p.hidden)
	}, belonging, table, condition, without)
}

// OwnRows returns what is stored about an account, by table, without secrets and without its conversations. With
// conversation it returns that one with what belongs to it; NotFound if the account has no such conversation.
func (db *DB) OwnRows(ctx context.Context, user uuid.UUID, conversation *uuid.UUID) (rows map[string]json.RawMessage, err error) {
	table, condition, without, args := "users", "id = $1", "conversations", []any{user}
	if conversation != nil {
		table, condition, without, args = "conversations", "user_id = $1 AND id = $2", "users", []any{user, *conversation}
	}
	err = db.snapshot(ctx, func(tx pgx.Tx) error {
		parts, err := belongings(ctx, tx, table, condition, without)
		if err != nil {
			return err
		}
		rows = map[string]json.RawMessage{}
		for _, p := range parts {
			var list json.RawMessage
			if err := tx.QueryRow(ctx, fmt.Sprintf(`SELECT coalesce(jsonb_agg(to_jsonb(x) - $%d::text[] ORDER BY x.ctid), '[]') FROM %s x WHERE %s`,
				len(args)+1, p.table, p.condition), append(args, p.hidden)...).Scan(&list); err != nil {
				return err
			}
			rows[p.table] = list
		}
		if string(rows[table]) == "[]" {
			return pgx.ErrNoRows
		}
		return nil
	})
	return rows, classify("own data of "+user.String(), err)
}

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

// EraseUser erases the personal data of the account with an address, if there is one: all that
// belongs to it (belonging), and what its own row says of a person. A pseudonym replaces its
// e-mail address, so that the audit log can still refer to the account. The account is closed for good. If inquiries is set, EraseUser also erases what
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
	if e.Recent, err = collect(ctx, tx, pgx.RowTo[uuid.UUID], `SELECT m.id FROM messages m JOIN conversations c ON c.id = m.conversation_id
		WHERE c.user_id = $1 AND m.role = 'assistant' AND m.created_at > now() - $2::interval`, e.User, recentAnswers); err != nil {
		return err
	}
	parts, err := belongings(ctx, tx, "users", "id = $1", "inquiries")
	if err != nil {
		return err
	}
	gone := map[string]int{}
	for _, p := range parts {
		if p.table == "users" {
			continue
		}
		tag, err := tx.Exec(ctx, `DELETE FROM `+p.table+` WHERE `+p.condition, e.User)
		if err != nil {
			return err
		}
		gone[p.table] = int(tag.RowsAffected())
	}
	e.Conversations, e.Messages = gone["conversations"], gone["messages"]
	others, err := defaults(ctx, tx, "users", "id email full_name password_hash role active token_version created_at")
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `UPDATE users SET email = $2, full_name = $3, password_hash = '', active = false, token_version = token_version + 1, `+
		others+` WHERE id = $1`, e.User, Pseudonym(e.User), erasedName); err != nil {
		return err
	}
	return audit(ctx, tx, UserErased, e.User.String(), details{"conversations": e.Conversations})
}

// defaults returns assignments that give all columns of a table but some their defaults, so that columns that are added
// later are erased, too.
func defaults(ctx context.Context, tx pgx.Tx, table, kept string) (assignments string, err error) {
	err = tx.QueryRow(ctx, `SELECT string_agg(format('%I = DEFAULT', attname), ', ') FROM pg_attribute
		WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' AND attname <> ALL (string_to_array($2, ' '))`,
		table, kept).Scan(&assignments)
	return assignments, err
}

// inquiries erases the text of the inquiries from an address. The error messages of failed
// attempts are erased too, since they may contain the address.
func (e *Erased) inquiries(ctx context.Context, tx pgx.Tx, email string) error {
	others, err := defaults(ctx, tx, "inquiries", "id company contact_name email use_case address_hash status created_at changed_at updated_at state lease_until")
	if err != nil {
		return err
	}
	ids, err := collect(ctx, tx, pgx.RowTo[uuid.UUID], `UPDATE inquiries SET company = $2, contact_name = $2, email = 'efface@vigueur.invalid', use_case = $2,
			address_hash = decode(repeat('00', 32), 'hex'), state = 'done', changed_at = now(), updated_at = now(), `+others+`
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
