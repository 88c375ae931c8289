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
	ID         uuid.UUID  `json:"id"`
	Name       string     `json:"name"`
	Prefix     string     `json:"prefix"` // the key's first characters
	Owner      uuid.UUID  `json:"user_id"`
	OwnerEmail string     `json:"user_email"`
	Scopes     []string   `json:"scopes" enum:"chat,documents,ingest,mcp"`
	PerMinute  int        `json:"per_minute"` // maximum number of calls per minute
	PerDay     int        `json:"per_day"`
	CreatedAt  time.Time  `json:"-"`
	ExpiresAt  time.Time  `json:"-"`
	LastUsedAt *time.Time `json:"-"` // to the minute; nil: never
	RevokedAt  *time.Time `json:"-"`
}

// Limits and defaults of keys.
const (
	KeyName          = 100        // maximum length of a name, in code points
	KeyPerMinute     = 60         // default number of calls per minute
	KeyPerMinuteMost = 6000       // maximum: 100 per second, because Redis stores each call of the last minute
	KeyPerDay        = 10_000     // default number of calls per day
	KeyPerDayMost    = 10_000_000 // maximum: more than a day at the maximum rate per minute
	KeyDays          = 365        // default number of days until the key expires
	KeyDaysMost      = 1830       // maximum: five years, so that a forgotten key expires eventually
)

// keysOfAccount is the maximum number of valid keys of an account.
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

// ErrNoOwner means that no open account has the id of the key's owner. ErrOwnerRole means
// that the owner's role does not allow one of the key's scopes.
var (
	ErrNoOwner   = errors.New("the owner of the key has no open account")
	ErrOwnerRole = errors.New("the owner's role does not allow the scope")
)

// CreateKey adds a key for its owner, with the given hash, and returns the stored key. Of
// the times, only ExpiresAt of k is used. The error wraps ErrNoOwner or ErrOwnerRole
// (Unprocessable), or is a Conflict if the owner has too many valid keys.
func (db *DB) CreateKey(ctx context.Context, k APIKey, hash []byte) (made APIKey, err error) {
	err = db.inTx(ctx, "create key "+k.ID.String(), func(tx pgx.Tx) error {
		// The owner stays locked until the commit, so that a concurrent change of the role cannot
		// overlook the new key.
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

// Keys returns one page of all keys, newest first, including expired and revoked keys. With
// before, only keys that were created before that time are listed. next is the value of
// before for the next page, nil at the end.
func (db *DB) Keys(ctx context.Context, cursor *time.Time, limit int) (items []APIKey, next *time.Time, err error) {
	items, err = collect(ctx, db.pool, func(r pgx.CollectableRow) (APIKey, error) { return scanKey(r) }, `SELECT `+keyColumns+` FROM api_keys k JOIN users u ON u.id = k.owner_id
		WHERE $1::timestamptz IS NULL OR k.created_at < $1 ORDER BY k.created_at DESC FETCH FIRST $2 ROWS WITH TIES`, cursor, limit)
	if err == nil && len(items) >= limit {
		next = &items[len(items)-1].CreatedAt
	}
	return items, next, classify("keys", err)
}

// RevokeKey revokes a key: later requests with it are rejected, and open streams end at the
// next check of sessions. A key that is already revoked stays unchanged. NotFound if there
// is no such key.
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

// UseKey returns the key with the given hash and its account, in their current state, and
// records the use, at most once a minute. NotFound if there is no such key, if it was
// revoked or has expired, or if its owner's account is closed.
func (db *DB) UseKey(ctx context.Context, hash []byte) (k APIKey, u User, err error) {
	var stale bool
	err = db.pool.QueryRow(ctx, `SELECT `+keyColumns+`, u.id, u.email, u.full_name, u.role, u.active, u.password_hash, u.token_version, u.created_at, EXISTS (SELECT FROM second_factors f WHERE f.user_id = u.id AND f.confirmed_at IS NOT NULL),
			k.last_used_at IS NULL OR k.last_used_at <= now() - interval '1 minute'
		FROM api_keys k JOIN users u ON u.id = k.owner_id
		WHERE k.hash = $1 AND `+keyIsGood, hash).Scan(append(keyTargets(&k),
		&u.ID, &u.Email, &u.FullName, &u.Role, &u.Active, &u.PasswordHash, &u.TokenVersion, &u.CreatedAt, &u.SecondFactor, &stale)...)
	if err == nil && stale {
		_, err = db.pool.Exec(ctx, `UPDATE api_keys SET last_used_at = now()
			WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= now() - interval '1 minute')`, k.ID)
	}
	return k, u, classify("use key", err)
}

// keyIsGood is the SQL condition that the key k of the user u is valid.
const keyIsGood = `(k.revoked_at IS NULL AND k.expires_at > now() AND u.active)`

// actingKey is the context key of the id of the API key in use.
type actingKey struct{}

// ByKey returns a context whose actions the audit log attributes to an API key, in addition
// to the account that By sets.
func ByKey(ctx context.Context, key uuid.UUID) context.Context {
	return context.WithValue(ctx, actingKey{}, key)
}

// KeyOf returns the id of the API key in use, uuid.Nil if a person acts.
func KeyOf(ctx context.Context) uuid.UUID {
	id, _ := ctx.Value(actingKey{}).(uuid.UUID)
	return id
}

// caller is the parameter of ofCaller: a user, and the API key in use, if one is.
func caller(ctx context.Context, user uuid.UUID) []*uuid.UUID {
	if key := KeyOf(ctx); key != uuid.Nil {
		return []*uuid.UUID{&user, &key}
	}
	return []*uuid.UUID{&user, nil}
}

// ofCaller is the condition that a row of conversations belongs to the caller $2: to the user, and if a key is in use,
// to what was begun with that key.
const ofCaller = `user_id = ($2::uuid[])[1] AND (($2::uuid[])[2] IS NULL OR key_id = ($2::uuid[])[2])`

// withKey adds the context's API key to the details of an entry.
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
