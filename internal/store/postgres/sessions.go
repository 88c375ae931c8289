package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
)

// Session is how a request was authenticated: an account, the version of its tokens at that
// time, and the lowest role that the request requires.
type Session struct {
	User    uuid.UUID
	Version int
	Role    string
	Key     uuid.UUID // API key of a program; zero if a person signed in
	ID      uuid.UUID // session that a person opened, also for a program; zero with a key
}

// EndedSessions returns those sessions that would no longer be authenticated: the account
// is deleted or closed, its role is too low, its tokens have another version, the session
// cannot be renewed any more, or the key was revoked or has expired.
func (db *DB) EndedSessions(ctx context.Context, sessions []Session) ([]Session, error) {
	users, versions, roles := make([]uuid.UUID, len(sessions)), make([]int, len(sessions)), make([]string, len(sessions))
	keys, ids := make([]uuid.UUID, len(sessions)), make([]uuid.UUID, len(sessions))
	for i, s := range sessions {
		users[i], versions[i], roles[i], keys[i], ids[i] = s.User, s.Version, s.Role, s.Key, s.ID
	}
	ended, err := collect(ctx, db.pool, pgx.RowToStructByPos[Session], `SELECT s.id, s.version, s.role, s.key, s.session FROM unnest($1::uuid[], $2::integer[], $3::text[], $4::uuid[], $6::uuid[]) AS s (id, version, role, key, session)
		WHERE NOT EXISTS (SELECT FROM users u WHERE u.id = s.id AND u.active
			AND array_position('{user,editor,admin}', u.role) >= array_position('{user,editor,admin}', s.role)
			AND CASE WHEN s.key = $5 THEN u.token_version = s.version
				AND EXISTS (SELECT FROM refresh_tokens t WHERE t.family = s.session AND t.user_id = u.id AND `+stillRenews+`)
				ELSE EXISTS (SELECT FROM api_keys k WHERE k.id = s.key AND k.owner_id = u.id AND `+keyIsGood+`) END)`, users, versions, roles, keys, uuid.Nil, ids)
	return ended, classify("ended sessions", err)
}

// stillRenews is the condition that the refresh token t can be exchanged, if the account's tokens have its version.
const stillRenews = `t.used_at IS NULL AND t.revoked_at IS NULL AND t.expires_at > now()`

// OpenSession is a session that can still be renewed.
type OpenSession struct {
	ID      uuid.UUID // id of the session's family of tokens
	Client  string    // name of the client program, as the client gave it; "" if it gave none
	Started time.Time
	Renewed time.Time // when its tokens were last renewed
	Ends    time.Time // time at which the session ends if its tokens are not renewed
}

// OpenSessions lists an account's sessions, last renewed first.
func (db *DB) OpenSessions(ctx context.Context, user uuid.UUID) ([]OpenSession, error) {
	list, err := collect(ctx, db.pool, pgx.RowToStructByPos[OpenSession], `SELECT t.family, coalesce(max(t.client), ''), min(coalesce(t.started_at, t.created_at)), max(t.created_at), max(t.expires_at)
		FROM refresh_tokens t JOIN users u ON u.id = t.user_id
		WHERE t.user_id = $1 AND `+stillRenews+` AND t.token_version = u.token_version
		GROUP BY t.family ORDER BY max(t.created_at) DESC, t.family`, user)
	return list, classify("open sessions", err)
}

// EndSession ends a session of an account. NotFound if the account has no such open
// session.
func (db *DB) EndSession(ctx context.Context, user, session uuid.UUID) error {
	return db.inTx(ctx, "end session", func(tx pgx.Tx) error {
		if _, err := holdUser(ctx, tx, user); err != nil {
			return err
		}
		if err := execOne(ctx, tx, pgx.ErrNoRows, `UPDATE refresh_tokens SET revoked_at = now() WHERE user_id = $1 AND family = $2 AND revoked_at IS NULL
			AND EXISTS (SELECT FROM refresh_tokens t WHERE t.family = $2 AND t.user_id = $1 AND `+stillRenews+`)`,
			user, session); err != nil {
			return err
		}
		return audit(ctx, tx, SessionEnded, user.String(), details{"session": session})
	})
}

// EndSessions ends all sessions of an account, including the caller's: access tokens and
// refresh tokens stop working.
func (db *DB) EndSessions(ctx context.Context, user uuid.UUID) error {
	return db.inTx(ctx, "end sessions", func(tx pgx.Tx) error {
		if _, err := holdUser(ctx, tx, user); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `UPDATE users SET token_version = token_version + 1 WHERE id = $1`, user); err != nil {
			return err
		}
		if err := revokeTokensOf(ctx, tx, user); err != nil {
			return err
		}
		return audit(ctx, tx, SessionEnded, user.String(), details{"session": "all"})
	})
}

// Every operation that creates, spends or revokes refresh tokens, and every change of an account's password, state or
// token version, first locks the row of the account (holdUser). So these operations are serialized per account, each
// sees the results of the previous ones, and none can deadlock.

// SignIn is a new session.
type SignIn struct {
	Session uuid.UUID // identifies it
	Hash    []byte    // hash of its first refresh token
	User    uuid.UUID
	Version int       // version of the account's tokens when the password was checked
	Expires time.Time // time at which the token expires
	Ends    time.Time // time at which the session ends, however often it is renewed

	Provider string // identity provider of the sign-in; "": password
	Client   string // name of the program that the session is for, as it calls itself; "" if unknown
	Grant    Grant
}

// Grant is the purpose of a token. A token granted to one program is useless to another program or for a person's
// session. The zero value is a person's session.
type Grant struct {
	Program []byte // hash of the program's id
	Proof   []byte // hash of the proof that the bearer of an authorization code must present; nil if none is required
}

// errSessionOver returns the error for a token that is no longer valid.
func errSessionOver() error {
	return errs.New(errs.Unauthorized, "La session a expiré. Connectez-vous de nouveau.")
}

// holdUser returns an account and locks its row until the transaction ends.
func holdUser(ctx context.Context, tx pgx.Tx, id uuid.UUID) (User, error) {
	return one[User](ctx, tx, `SELECT `+userColumns+` FROM users WHERE id = $1 FOR NO KEY UPDATE`, id)
}

// CreateRefreshToken begins a session and records it in the audit log. Unauthorized if the account was closed, or if
// its password changed after it was checked.
func (db *DB) CreateRefreshToken(ctx context.Context, s SignIn) error {
	return db.inTx(ctx, "create refresh token", func(tx pgx.Tx) error {
		u, err := holdUser(ctx, tx, s.User)
		if err != nil {
			return err
		}
		if !u.Active || u.TokenVersion != s.Version {
			return errSessionOver()
		}
		if err := openSession(ctx, tx, s); err != nil {
			return err
		}
		if err := endOldest(ctx, tx, s); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `UPDATE users SET last_sign_in_at = now() WHERE id = $1`, s.User); err != nil {
			return err
		}
		said := details{}
		if s.Provider != "" {
			said["provider"] = s.Provider
		}
		if s.Grant.Program != nil {
			said["program"] = s.Client
		}
		return auditBy(ctx, tx, &s.User, Login, s.User.String(), said)
	})
}

// mostSessions is the maximum number of open sessions of an account, and again of the programs that it allowed. It stops
// a program that signs in again and again from filling the table.
const mostSessions = 100

// endOldest ends the sessions of an account that began before its newest mostSessions; a session of a program ends no
// session of a person.
func endOldest(ctx context.Context, tx pgx.Tx, s SignIn) error {
	_, err := tx.Exec(ctx, `UPDATE refresh_tokens SET revoked_at = now() WHERE user_id = $1 AND revoked_at IS NULL AND family IN (
		SELECT t.family FROM refresh_tokens t WHERE t.user_id = $1 AND (t.program IS NULL) = $3 AND `+stillRenews+`
		GROUP BY t.family ORDER BY max(t.started_at) DESC, t.family OFFSET $2)`, s.User, mostSessions, s.Grant.Program == nil)
	return err
}

// openSession inserts a session's first token; what renews it takes the client's name over.
func openSession(ctx context.Context, tx pgx.Tx, s SignIn) error {
	if err := insertToken(ctx, tx, s, nil); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `UPDATE refresh_tokens SET client = nullif($2, '') WHERE token_hash = $1`, s.Hash, s.Client)
	return err
}

func insertToken(ctx context.Context, tx pgx.Tx, s SignIn, parent []byte) error {
	_, err := tx.Exec(ctx, `INSERT INTO refresh_tokens (token_hash, family, user_id, token_version, expires_at, ends_at, parent, program, proof)
		VALUES ($1, $2, $3, $4, least($5::timestamptz, $6), $6, $7, $8, $9)`, s.Hash, s.Session, s.User, s.Version, s.Expires, s.Ends, parent, s.Grant.Program, s.Grant.Proof)
	return err
}

// Renewal exchanges a refresh token for a new token of the same session.
type Renewal struct {
	Old, Fresh []byte    // hashes of the tokens
	Expires    time.Time // expiry of the new token, unless the session ends earlier
	Grant      Grant     // grant that the old token must have; the new one has no proof

	// Grace is how long a spent token can be exchanged once more, in case the reply to the first exchange was lost; 0:
	// never.
	Grace time.Duration
}

// Renewed is a session that was renewed.
type Renewed struct {
	User User
	ID   uuid.UUID
	Life time.Duration // lifetime of the new token
}

// spending is the state of a token that a renewal exchanges.
type spending struct {
	family uuid.UUID
	parent []byte
	used   bool // whether the token was exchanged before
	dead   bool // whether the token is revoked, expired or of an old version, regardless of its use
	recent bool // whether the token was exchanged within the grace period
	ends   time.Time
	life   time.Duration // lifetime of the new token
}

// RotateRefreshToken spends a token and issues a new one in the same session, which it returns. Unauthorized if the token is unknown, of another grant, expired, revoked or of another version of
// the account.
//
// Reuse of a spent token revokes all tokens of the session, because either the owner or a thief has a copy. There is
// one exception: a client that lost the reply to an exchange retries at once, and has not used the token that it did
// not receive. Such a client can exchange the spent token once more, within the grace period and while the first new
// token is unused. Both new tokens are then siblings: using either one spends both, so that a later use of the other
// counts as reuse.
func (db *DB) RotateRefreshToken(ctx context.Context, r Renewal) (session Renewed, err error) {
	refused := false
	err = db.inTx(ctx, "rotate refresh token", func(tx pgx.Tx) error {
		u, err := holdOwner(ctx, tx, r.Old, r.Grant.Program)
		if err != nil {
			return err
		}
		old, err := readSpending(ctx, tx, r, u.TokenVersion)
		if err != nil {
			return err
		}
		session = Renewed{u, old.family, old.life}
		if refused = old.dead || !u.Active; old.used {
			refused, err = spentBefore(ctx, tx, u, r.Old, old, refused)
		}
		if err != nil || refused {
			return err
		}
		if _, err := tx.Exec(ctx, `UPDATE refresh_tokens SET used_at = now() WHERE family = $1 AND used_at IS NULL AND (token_hash = $2 OR parent = $3)`,
			old.family, r.Old, old.parent); err != nil {
			return err
		}
		return insertToken(ctx, tx, SignIn{Session: old.family, Hash: r.Fresh, User: u.ID, Version: u.TokenVersion, Expires: r.Expires, Ends: old.ends, Grant: Grant{Program: r.Grant.Program}}, r.Old)
	})
	if refused || errs.Is(err, errs.NotFound) {
		return Renewed{}, errSessionOver()
	}
	return session, err
}

// readSpending reads the token that a renewal exchanges; version is the token version of the account. It compares
// with clock_timestamp(), not with now(), because another renewal may have spent the token after this transaction
// began.
func readSpending(ctx context.Context, tx pgx.Tx, r Renewal, version int) (s spending, err error) {
	err = tx.QueryRow(ctx, `SELECT family, parent, used_at IS NOT NULL, coalesce(used_at > clock_timestamp() - $4::interval, false),
			revoked_at IS NOT NULL OR expires_at <= now() OR token_version <> $2,
			ends_at, least($3::timestamptz, ends_at) - now()
		FROM refresh_tokens WHERE token_hash = $1 AND proof IS NOT DISTINCT FROM $5 FOR UPDATE`, r.Old, version, r.Expires, r.Grace, r.Grant.Proof).
		Scan(&s.family, &s.parent, &s.used, &s.recent, &s.dead, &s.ends, &s.life)
	return s, err
}

// spentBefore decides what happens to a token that was spent before: it is exchanged once more, or refused and its
// session revoked. Either decision is recorded in the audit log.
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

// lostReply reports whether the owner of a spent token may not have received the reply: the one token that replaced
// it is unused, and no second one was issued. A token that was spent because its sibling was used has no replacement.
func lostReply(ctx context.Context, tx pgx.Tx, family uuid.UUID, old []byte) (may bool, err error) {
	err = tx.QueryRow(ctx, `SELECT count(*) = 1 AND bool_and(used_at IS NULL AND revoked_at IS NULL) FROM refresh_tokens WHERE family = $1 AND parent = $2`,
		family, old).Scan(&may)
	return may, err
}

// holdOwner locks and returns the account of a refresh token of a program, nil for a person's, as holdUser does.
func holdOwner(ctx context.Context, tx pgx.Tx, hash, program []byte) (User, error) {
	var owner uuid.UUID
	if err := tx.QueryRow(ctx, `SELECT user_id FROM refresh_tokens WHERE token_hash = $1 AND program IS NOT DISTINCT FROM $2`, hash, program).Scan(&owner); err != nil {
		return User{}, err
	}
	return holdUser(ctx, tx, owner)
}

// RevokeFamily ends the session of a token of a program, nil for a person's. An unknown token is not an error, since
// its session is already over.
func (db *DB) RevokeFamily(ctx context.Context, hash, program []byte) error {
	err := db.inTx(ctx, "revoke family", func(tx pgx.Tx) error {
		u, err := holdOwner(ctx, tx, hash, program)
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

// endFamily revokes all tokens of a session and records the action why in the audit log. If the session is already
// over, it records nothing.
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
