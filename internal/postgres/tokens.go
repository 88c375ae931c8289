package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/errs"
)

// Whatever makes, spends or ends refresh tokens first holds the row of their
// account (holdUser), as does whatever changes its password, its state or its
// version. So these come one after the other, each sees what the ones before have
// left, and no two wait for each other.

// SignIn is a session that begins.
type SignIn struct {
	Hash    []byte // of its first refresh token
	User    uuid.UUID
	Version int       // the account's, as it was when the password was checked
	Expires time.Time // the token's end
	Ends    time.Time // the session's end, which no renewal moves

	Provider string // of identities, by which the person came; "": by a password
}

// errSessionOver tells whoever holds a token that is good no more.
func errSessionOver() error {
	return errs.New(errs.Unauthorized, "La session a expiré. Connectez-vous de nouveau.")
}

// holdUser gives an account and keeps it as it is until the transaction ends.
func holdUser(ctx context.Context, tx pgx.Tx, id uuid.UUID) (User, error) {
	return scanUser(tx.QueryRow(ctx, `SELECT `+userColumns+` FROM users WHERE id = $1 FOR NO KEY UPDATE`, id))
}

// CreateRefreshToken begins a session, which the audit log notes. Unauthorized
// when the account was closed or its password changed since it was checked.
func (db *DB) CreateRefreshToken(ctx context.Context, s SignIn) error {
	return db.inTx(ctx, "create refresh token", func(tx pgx.Tx) error {
		u, err := holdUser(ctx, tx, s.User)
		if err != nil {
			return err
		}
		if !u.Active || u.TokenVersion != s.Version {
			return errSessionOver()
		}
		if err := insertToken(ctx, tx, s, uuid.New(), nil); err != nil {
			return err
		}
		said := details{}
		if s.Provider != "" {
			said["provider"] = s.Provider
		}
		return auditBy(ctx, tx, &s.User, Login, s.User.String(), said)
	})
}

func insertToken(ctx context.Context, tx pgx.Tx, s SignIn, family uuid.UUID, parent []byte) error {
	_, err := tx.Exec(ctx, `INSERT INTO refresh_tokens (token_hash, family, user_id, token_version, expires_at, ends_at, parent)
		VALUES ($1, $2, $3, $4, least($5::timestamptz, $6), $6, $7)`, s.Hash, family, s.User, s.Version, s.Expires, s.Ends, parent)
	return err
}

// Renewal exchanges a refresh token for another of the same session.
type Renewal struct {
	Old, Fresh []byte    // their hashes
	Expires    time.Time // the end of the fresh one, unless the session ends before

	// Grace is for how long after it was spent a token may come once more, because
	// the reply was lost; 0: never.
	Grace time.Duration
}

// spending is a token that is to be exchanged.
type spending struct {
	family uuid.UUID
	parent []byte
	used   bool // it was exchanged before
	dead   bool // it is good for nothing, whether it was or not
	recent bool // it was exchanged within the grace
	ends   time.Time
	life   time.Duration // of the fresh one
}

// RotateRefreshToken spends a token and puts another in its place, within the same
// session; it gives the account as it was in that moment, and how long the fresh one is
// good for. A token that is unknown, expired, revoked or of another version of the
// account's is Unauthorized.
//
// One that was spent before revokes its whole family, what it was exchanged for included,
// because either the owner or a thief holds a copy; but for one case. Whoever has lost the
// reply comes again at once and has used nothing of it: within the grace, once, and while
// what it was exchanged for is unused, it gets a sibling of that. Of the two, the one that
// is used first spends both, so that the other's coming is reuse as ever.
func (db *DB) RotateRefreshToken(ctx context.Context, r Renewal) (u User, life time.Duration, err error) {
	refused := false
	err = db.inTx(ctx, "rotate refresh token", func(tx pgx.Tx) error {
		if u, err = holdOwner(ctx, tx, r.Old); err != nil {
			return err
		}
		old, err := readSpending(ctx, tx, r, u.TokenVersion)
		if err != nil {
			return err
		}
		if life, refused = old.life, old.dead || !u.Active; old.used {
			refused, err = spentBefore(ctx, tx, u, r.Old, old, refused)
		}
		if err != nil || refused {
			return err
		}
		if _, err := tx.Exec(ctx, `UPDATE refresh_tokens SET used_at = now() WHERE family = $1 AND used_at IS NULL AND (token_hash = $2 OR parent = $3)`,
			old.family, r.Old, old.parent); err != nil {
			return err
		}
		return insertToken(ctx, tx, SignIn{Hash: r.Fresh, User: u.ID, Version: u.TokenVersion, Expires: r.Expires, Ends: old.ends}, old.family, r.Old)
	})
	if refused || errs.Is(err, errs.NotFound) {
		return User{}, 0, errSessionOver()
	}
	return u, life, err
}

// readSpending reads the token that a renewal exchanges, for an account of a version.
func readSpending(ctx context.Context, tx pgx.Tx, r Renewal, version int) (s spending, err error) {
	err = tx.QueryRow(ctx, `SELECT family, parent, used_at IS NOT NULL, coalesce(used_at > now() - $4::interval, false),
			revoked_at IS NOT NULL OR expires_at <= now() OR token_version IS DISTINCT FROM $2,
			coalesce(ends_at, expires_at), least($3::timestamptz, coalesce(ends_at, expires_at)) - now()
		FROM refresh_tokens WHERE token_hash = $1 FOR UPDATE`, r.Old, version, r.Expires, r.Grace).
		Scan(&s.family, &s.parent, &s.used, &s.recent, &s.dead, &s.ends, &s.life)
	return s, err
}

// spentBefore settles what becomes of a token that comes once more: it is exchanged again,
// or refused, and its session over. Either is in the audit log.
func spentBefore(ctx context.Context, tx pgx.Tx, u User, hash []byte, old spending, dead bool) (refused bool, err error) {
	again := false
	if !dead && old.recent {
		if again, err = lostReply(ctx, tx, old.family, hash); err != nil {
			return true, err
		}
	}
	if !again {
		return true, endFamily(ctx, tx, old.family, u.ID, RefreshReused)
	}
	return false, auditBy(ctx, tx, &u.ID, RefreshRepeated, u.ID.String(), details{"session": old.family})
}

// lostReply tells of a spent token whether its one exchange may be one that its owner
// has never seen: what it gave is unused, and nothing was given a second time. A token
// that was spent because its sibling was used gave nothing.
func lostReply(ctx context.Context, tx pgx.Tx, family uuid.UUID, old []byte) (may bool, err error) {
	err = tx.QueryRow(ctx, `SELECT count(*) = 1 AND bool_and(used_at IS NULL AND revoked_at IS NULL) FROM refresh_tokens WHERE family = $1 AND parent = $2`,
		family, old).Scan(&may)
	return may, err
}

// holdOwner is holdUser for the account of a refresh token.
func holdOwner(ctx context.Context, tx pgx.Tx, hash []byte) (User, error) {
	var owner uuid.UUID
	if err := tx.QueryRow(ctx, `SELECT user_id FROM refresh_tokens WHERE token_hash = $1`, hash).Scan(&owner); err != nil {
		return User{}, err
	}
	return holdUser(ctx, tx, owner)
}

// RevokeFamily ends the session that the token belongs to; an unknown token is
// no error, its session is over anyway.
func (db *DB) RevokeFamily(ctx context.Context, hash []byte) error {
	err := db.inTx(ctx, "revoke family", func(tx pgx.Tx) error {
		u, err := holdOwner(ctx, tx, hash)
		if err != nil {
			return err
		}
		var family uuid.UUID
		if err := tx.QueryRow(ctx, `SELECT family FROM refresh_tokens WHERE token_hash = $1`, hash).Scan(&family); err != nil {
			return err
		}
		return endFamily(ctx, tx, family, u.ID, Logout)
	})
	if errs.Is(err, errs.NotFound) {
		return nil
	}
	return err
}

// endFamily ends a session, and notes why in the audit log; one that is over already
// stays as it is, however often its tokens come again.
func endFamily(ctx context.Context, tx pgx.Tx, family, user uuid.UUID, why Action) error {
	tag, err := tx.Exec(ctx, `UPDATE refresh_tokens SET revoked_at = now() WHERE family = $1 AND revoked_at IS NULL`, family)
	if err != nil || tag.RowsAffected() == 0 {
		return err
	}
	return auditBy(ctx, tx, &user, why, user.String(), details{"session": family})
}

func revokeTokensOf(ctx context.Context, tx pgx.Tx, user uuid.UUID) error {
	_, err := tx.Exec(ctx, `UPDATE refresh_tokens SET revoked_at = now() WHERE user_id = $1 AND revoked_at IS NULL`, user)
	return err
}
