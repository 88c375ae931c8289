package postgres

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/errs"
)

// APIKey is a key by which programs act for an account.
type APIKey struct {
	ID         uuid.UUID
	Owner      uuid.UUID
	OwnerEmail string
	Name       string
	Prefix     string   // the key's first characters
	Scopes     []string // of KeyScopes
	PerMinute  int      // calls
	PerDay     int
	CreatedAt  time.Time
	ExpiresAt  time.Time
	LastUsedAt *time.Time // to the minute; nil: never
	RevokedAt  *time.Time
}

// KeyScopes are what a key may be good for.
func KeyScopes() []string { return []string{"chat", "documents", "ingest"} }

// What a key may be, and is where nothing is said.
const (
	KeyName          = 100        // longest name, in code points
	KeyPerMinute     = 60         // calls
	KeyPerMinuteMost = 6000       // a hundred a second: each call of the last minute is kept in Redis
	KeyPerDay        = 10_000     // calls
	KeyPerDayMost    = 10_000_000 // more than a day of the most a minute
	KeyDays          = 365        // until it expires
	KeyDaysMost      = 1830       // five years: a key that nobody renews ends some day
)

// keysOfAccount is how many keys of an account may be good at once.
const keysOfAccount = 20

const keyColumns = `k.id, k.owner_id, u.email, k.name, k.prefix, k.scopes, k.per_minute, k.per_day, k.created_at, k.expires_at,
	k.last_used_at, k.revoked_at`

func keyTargets(k *APIKey) []any {
	return []any{&k.ID, &k.Owner, &k.OwnerEmail, &k.Name, &k.Prefix, &k.Scopes, &k.PerMinute, &k.PerDay, &k.CreatedAt, &k.ExpiresAt,
		&k.LastUsedAt, &k.RevokedAt}
}

func scanKey(row pgx.Row) (k APIKey, err error) {
	err = row.Scan(keyTargets(&k)...)
	return k, err
}

// ErrNoOwner: no open account has the id of a key's owner. ErrOwnerRole: the owner's
// role does not allow one of the key's scopes.
var (
	ErrNoOwner   = errors.New("the owner of the key has no open account")
	ErrOwnerRole = errors.New("the owner's role does not allow the scope")
)

// CreateKey adds a key for its owner, by its hash and the fields that are no times
// but ExpiresAt, and gives it as it is stored. The error wraps ErrNoOwner or
// ErrOwnerRole (Unprocessable), or is a Conflict when the owner has too many.
func (db *DB) CreateKey(ctx context.Context, k APIKey, hash []byte) (made APIKey, err error) {
	err = db.inTx(ctx, "create key "+k.ID.String(), func(tx pgx.Tx) error {
		// Held until the end: a role that is taken away meanwhile takes the key too.
		u, err := holdUser(ctx, tx, k.Owner)
		if errors.Is(err, pgx.ErrNoRows) || err == nil && !u.Active {
			return errs.Wrap(errs.Unprocessable, "Aucun compte ouvert n’a cet identifiant.", ErrNoOwner)
		}
		if err != nil {
			return err
		}
		if u.Role == "user" && slices.Contains(k.Scopes, "ingest") {
			return errs.Wrap(errs.Unprocessable, "Le rôle de ce compte ne permet pas d’ajouter des gazettes : il faut un éditeur.", ErrOwnerRole)
		}
		var living int
		if err := tx.QueryRow(ctx, `SELECT count(*) FROM api_keys WHERE owner_id = $1 AND revoked_at IS NULL AND expires_at > now()`,
			k.Owner).Scan(&living); err != nil {
			return err
		}
		if living >= keysOfAccount {
			return errs.Newf(errs.Conflict, "Ce compte a déjà %d clés qui valent. Révoquez-en une.", living)
		}
		made, err = scanKey(tx.QueryRow(ctx, `WITH k AS (INSERT INTO api_keys (id, owner_id, name, prefix, hash, scopes, per_minute, per_day, expires_at)
				VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING *)
			SELECT `+keyColumns+` FROM k JOIN users u ON u.id = k.owner_id`,
			k.ID, k.Owner, k.Name, k.Prefix, hash, k.Scopes, k.PerMinute, k.PerDay, k.ExpiresAt))
		if err != nil {
			return err
		}
		return audit(ctx, tx, KeyCreated, k.ID.String(), details{"owner": k.Owner, "scopes": k.Scopes,
			"per_minute": k.PerMinute, "per_day": k.PerDay, "expires_at": made.ExpiresAt.UTC()})
	})
	return made, err
}

// Keys gives one page of all keys, those that are good no more too, newest first;
// those made before the given time when there is one. next is the value of before
// that goes on from here, nil at the end.
func (db *DB) Keys(ctx context.Context, before *time.Time, limit int) (items []APIKey, next *time.Time, err error) {
	rows, err := db.pool.Query(ctx, `SELECT `+keyColumns+` FROM api_keys k JOIN users u ON u.id = k.owner_id
		WHERE $1::timestamptz IS NULL OR k.created_at < $1 ORDER BY k.created_at DESC FETCH FIRST $2 ROWS WITH TIES`, before, limit)
	if err != nil {
		return nil, nil, classify("keys", err)
	}
	items, err = pgx.CollectRows(rows, func(r pgx.CollectableRow) (APIKey, error) { return scanKey(r) })
	if err == nil && len(items) >= limit {
		next = &items[len(items)-1].CreatedAt
	}
	return items, next, classify("keys", err)
}

// RevokeKey ends a key: no later request is let in by it, and streams that were end
// at the next look at sessions. One that was revoked stays as it is. NotFound when
// there is no such key.
func (db *DB) RevokeKey(ctx context.Context, id uuid.UUID) error {
	return db.inTx(ctx, "revoke key "+id.String(), func(tx pgx.Tx) error {
		var revoked bool
		if err := tx.QueryRow(ctx, `SELECT revoked_at IS NOT NULL FROM api_keys WHERE id = $1 FOR UPDATE`, id).Scan(&revoked); err != nil || revoked {
			return err
		}
		if _, err := tx.Exec(ctx, `UPDATE api_keys SET revoked_at = now() WHERE id = $1`, id); err != nil {
			return err
		}
		return audit(ctx, tx, KeyRevoked, id.String(), nil)
	})
}

// UseKey gives the key with that hash and the account it acts for, as they are now,
// and notes that it was used, at most once a minute. NotFound when there is no such
// key, it was revoked or has expired, or its owner's account is closed.
func (db *DB) UseKey(ctx context.Context, hash []byte) (k APIKey, u User, err error) {
	var stale bool
	err = db.pool.QueryRow(ctx, `SELECT `+keyColumns+`, u.id, u.email, u.full_name, u.role, u.active, u.password_hash, u.token_version, u.created_at,
			k.last_used_at IS NULL OR k.last_used_at <= now() - interval '1 minute'
		FROM api_keys k JOIN users u ON u.id = k.owner_id
		WHERE k.hash = $1 AND `+keyIsGood, hash).Scan(append(keyTargets(&k),
		&u.ID, &u.Email, &u.FullName, &u.Role, &u.Active, &u.PasswordHash, &u.TokenVersion, &u.CreatedAt, &stale)...)
	if err == nil && stale {
		_, err = db.pool.Exec(ctx, `UPDATE api_keys SET last_used_at = now()
			WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= now() - interval '1 minute')`, k.ID)
	}
	return k, u, classify("use key", err)
}

// keyIsGood tells of a row k of api_keys and its owner u whether the key is.
const keyIsGood = `(k.revoked_at IS NULL AND k.expires_at > now() AND u.active)`

// actingKey is where a context keeps the key that its account acts by.
type actingKey struct{}

// ByKey makes what is done under the context be done by means of a key, in the audit
// log, beside the account of By.
func ByKey(ctx context.Context, key uuid.UUID) context.Context {
	return context.WithValue(ctx, actingKey{}, key)
}

// KeyOf is the key by which a context acts, uuid.Nil for a person.
func KeyOf(ctx context.Context) uuid.UUID {
	id, _ := ctx.Value(actingKey{}).(uuid.UUID)
	return id
}

// withKey adds to the details of a line the key by which it was done.
func (d details) withKey(ctx context.Context) details {
	key := KeyOf(ctx)
	if key == uuid.Nil {
		return d
	}
	all := details{"api_key": key}
	for name, value := range d {
		all[name] = value
	}
	return all
}
