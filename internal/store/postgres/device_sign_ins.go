package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
)

// DeviceSignIn is a program on another machine that waits for a person to give it a session.
type DeviceSignIn struct {
	Hash      []byte // hash of the secret that only the program knows
	Code      string // which the program shows and the person confirms
	Name      string // that the program gives itself
	CreatedAt time.Time
	Expires   time.Time
}

// deviceSignInsMost is the maximum number of programs that wait at once. Each waits for minutes.
const deviceSignInsMost = 10_000

// CreateDeviceSignIn stores a program that waits. TooMany if deviceSignInsMost wait already; Conflict if
// the code is taken.
func (db *DB) CreateDeviceSignIn(ctx context.Context, d DeviceSignIn) error {
	return classify("create a device sign-in", execOne(ctx, db.pool, errs.New(errs.TooMany, "Trop de machines attendent une connexion. Réessayez dans dix minutes."), `INSERT INTO device_sign_ins (secret_hash, code, name, expires_at)
		SELECT $1, $2, $3, $4 WHERE (SELECT count(*) FROM device_sign_ins WHERE expires_at > now()) < $5`, d.Hash, d.Code, d.Name, d.Expires, deviceSignInsMost))
}

// DeviceSignIn returns the program that shows a code. NotFound if there is none, or if it was answered or
// has expired.
func (db *DB) DeviceSignIn(ctx context.Context, code string) (d DeviceSignIn, err error) {
	err = db.pool.QueryRow(ctx, `SELECT code, name, created_at, expires_at FROM device_sign_ins WHERE code = $1 AND allowed IS NULL AND expires_at > now()`, code).
		Scan(&d.Code, &d.Name, &d.CreatedAt, &d.Expires)
	return d, classify("a device sign-in", err)
}

// AnswerDeviceSignIn stores the decision of a person about the program that shows a code. NotFound as for DeviceSignIn.
func (db *DB) AnswerDeviceSignIn(ctx context.Context, code string, user uuid.UUID, allowed bool) error {
	return classify("answer a device sign-in", execOne(ctx, db.pool, pgx.ErrNoRows, `UPDATE device_sign_ins SET user_id = $2, allowed = $3 WHERE code = $1 AND allowed IS NULL AND expires_at > now()`, code, user, allowed))
}

// TakeDeviceSignIn returns, once, the decision about the program with the given secret and who made it. allowed is nil
// until somebody decides. NotFound if the secret is unknown or has expired.
func (db *DB) TakeDeviceSignIn(ctx context.Context, hash []byte) (user uuid.UUID, allowed *bool, err error) {
	var by *uuid.UUID
	err = db.inTx(ctx, "take a device sign-in", func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, `SELECT user_id, allowed FROM device_sign_ins WHERE secret_hash = $1 AND expires_at > now() FOR UPDATE`, hash).Scan(&by, &allowed); err != nil || allowed == nil {
			return err
		}
		_, err := tx.Exec(ctx, `DELETE FROM device_sign_ins WHERE secret_hash = $1`, hash)
		return err
	})
	if by != nil {
		user = *by
	}
	return user, allowed, err
}
