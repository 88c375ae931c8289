package postgres

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
)

// APIKey is a key with which programs act for an account.
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

// KeyScopes lists what a key may allow.
func KeyScopes() []string { return []string{"chat", "documents", "ingest"} }

// Limits and defaults of a key.
const (
	KeyName          = 100        // maximum length of a name, in code points
	KeyPerMinute     = 60         // calls
	KeyPerMinuteMost = 6000       // 100 per second: Redis stores each call of the last minute
	KeyPerDay        = 10_000     // calls
	KeyPerDayMost    = 10_000_000 // more than a day at the maximum rate per minute
	KeyDays          = 365        // until it expires
	KeyDaysMost      = 1830       // five years, so that a key that nobody renews expires eventually
)

// keysOfAccount limits the valid keys of an account.
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

// ErrNoOwner: no open account has the id of the key's owner. ErrOwnerRole: the owner's role
// does not allow one of the key's scopes.
var (
	ErrNoOwner   = errors.New("the owner of the key has no open account")
	ErrOwnerRole = errors.New("the owner's role does not allow the scope")
)

// CreateKey adds a key for its owner, with its hash and all fields but the times, except
// ExpiresAt, and returns it as stored. The error wraps ErrNoOwner or ErrOwnerRole
// (Unprocessable), or is a Conflict if the owner has too many keys.
func (db *DB) CreateKey(ctx context.Context, k APIKey, hash []byte) (made APIKey, err error) {
	err = db.inTx(ctx, "create key "+k.ID.String(), func(tx pgx.Tx) error {
		// Locked until the commit: if the role is taken away in the meantime, the key goes
		// with it.
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

// Keys returns one page of all keys, expired and revoked ones too, newest first, made
// before the given time unless it is nil. next is the value of before for the next page,
// nil at the end.
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

// RevokeKey revokes a key: later requests are rejected, and open streams end at the next
// check of sessions. A key that is already revoked is left unchanged. NotFound if there is
// no such key.
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

// UseKey returns the key with that hash and its account, in their current state, and
// records the use, at most once a minute. NotFound if there is no such key, it was revoked
// or has expired, or its owner's account is closed.
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

// keyIsGood is the SQL condition that a row k of api_keys with the owner u is valid.
const keyIsGood = `(k.revoked_at IS NULL AND k.expires_at > now() AND u.active)`

// actingKey is the context key of the API key that is used.
type actingKey struct{}

// ByKey returns a context whose actions the audit log attributes to a key, in addition to
// the account of By.
func ByKey(ctx context.Context, key uuid.UUID) context.Context {
	return context.WithValue(ctx, actingKey{}, key)
}

// KeyOf returns the API key of a context, uuid.Nil for a person.
func KeyOf(ctx context.Context) uuid.UUID {
	id, _ := ctx.Value(actingKey{}).(uuid.UUID)
	return id
}

// withKey adds the API key of the context to the details of an entry.
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
