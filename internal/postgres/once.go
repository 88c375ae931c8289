package postgres

import (
	"bytes"
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/errs"
)

// OnceKept is for how long a request that was done is known when it comes again.
const OnceKept = 24 * time.Hour

// Operation is what a request that is done once does.
type Operation string

// The operations.
const (
	QuestionOnce Operation = "question"
	UploadOnce   Operation = "upload"
	InquiryOnce  Operation = "inquiry"
)

// Once is a request that is to be done once, however often it comes.
type Once struct {
	Owner       []byte // whose: an account's id (16 bytes), or the keyed hash of a network (32)
	Operation   Operation
	Key         []byte // keyed hash of what its sender calls it, 32 bytes
	Fingerprint []byte // keyed hash of the request, 32 bytes
}

// AlreadyDone says that the request was done before; nothing was done now. Its kind is
// Conflict.
type AlreadyDone struct{ Result uuid.UUID }

// Error gives the text for logs.
func (d *AlreadyDone) Error() string { return "the request was done before: " + d.Result.String() }

// Unwrap gives the error that carries the kind.
func (d *AlreadyDone) Unwrap() error { return errs.New(errs.Conflict, "") }

// ErrOtherRequest says that the same key came with another request. Its kind is
// Unprocessable.
var ErrOtherRequest = errs.New(errs.Unprocessable, "Cette clé d’idempotence a déjà servi, pour une autre requête.")

// onceKey is where a context keeps the request that is done under it.
type onceKey struct{}

// DoOnce makes what CreateTurn, AddFile and CreateInquiry do under the context be done
// once: when the request was done before, their error is *AlreadyDone or
// ErrOtherRequest. One that comes while the first is being done waits for it, and is
// done when the first was not.
func DoOnce(ctx context.Context, o Once) context.Context { return context.WithValue(ctx, onceKey{}, o) }

// claim notes in the transaction of what is done that it is, with its result; it
// comes before every other lock of the transaction. Without DoOnce it does nothing.
func claim(ctx context.Context, tx pgx.Tx, result uuid.UUID) error {
	o, asked := ctx.Value(onceKey{}).(Once)
	if !asked {
		return nil
	}
	tag, err := tx.Exec(ctx, `INSERT INTO idempotency_keys AS k (owner, operation, key, fingerprint, result) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (owner, operation, key) DO UPDATE SET fingerprint = excluded.fingerprint, result = excluded.result, created_at = now()
			WHERE k.created_at <= now() - $6::interval`, o.Owner, o.Operation, o.Key, o.Fingerprint, result, OnceKept)
	if err != nil || tag.RowsAffected() > 0 {
		return err
	}
	done, known, err := doneBefore(ctx, tx, o)
	switch {
	case err != nil:
		return err
	case !known: // its day ended in this moment
		return errs.New(errs.Unavailable, "")
	}
	return &AlreadyDone{done}
}

// DoneBefore gives what came of a request when it was done, at most OnceKept ago.
// ErrOtherRequest when its key came with another.
func (db *DB) DoneBefore(ctx context.Context, o Once) (result uuid.UUID, done bool, err error) {
	result, done, err = doneBefore(ctx, db.pool, o)
	return result, done, classify("request done before", err)
}

func doneBefore(ctx context.Context, q querier, o Once) (result uuid.UUID, done bool, err error) {
	var fingerprint []byte
	err = q.QueryRow(ctx, `SELECT result, fingerprint FROM idempotency_keys
		WHERE owner = $1 AND operation = $2 AND key = $3 AND created_at > now() - $4::interval`, o.Owner, o.Operation, o.Key, OnceKept).Scan(&result, &fingerprint)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return uuid.Nil, false, nil
	case err != nil:
		return uuid.Nil, false, err
	case !bytes.Equal(fingerprint, o.Fingerprint):
		return uuid.Nil, false, ErrOtherRequest
	}
	return result, true, nil
}
