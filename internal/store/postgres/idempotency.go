package postgres

import (
	"bytes"
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
)

// OnceKept is how long a completed request is recognized when it is repeated.
const OnceKept = 24 * time.Hour

// Operation is the kind of an idempotent request.
type Operation string

// The operations.
const (
	QuestionOnce Operation = "question"
	UploadOnce   Operation = "upload"
	InquiryOnce  Operation = "inquiry"
)

// Once identifies a request that is executed at most once, however often it is sent.
type Once struct {
	Owner       []byte // an account's id (16 bytes), or the keyed hash of a network (32 bytes)
	Operation   Operation
	Key         []byte // keyed hash of the client's idempotency key, 32 bytes
	Fingerprint []byte // keyed hash of the request, 32 bytes
}

// AlreadyDone is the error of a request that was executed before; nothing was done now. Its
// kind is Conflict.
type AlreadyDone struct{ Result uuid.UUID }

// Error returns the text for logs.
func (d *AlreadyDone) Error() string { return "the request was done before: " + d.Result.String() }

// Unwrap returns the error that has the kind.
func (d *AlreadyDone) Unwrap() error { return errs.New(errs.Conflict, "") }

// ErrOtherRequest means that the key was used with another request. Its kind is
// Unprocessable.
var ErrOtherRequest = errs.New(errs.Unprocessable, "Cette clé d’idempotence a déjà servi, pour une autre requête.")

// onceKey is the context key of the Once of a request.
type onceKey struct{}

// DoOnce returns a context under which CreateTurn, AddFile and CreateInquiry are executed
// at most once: if the request was executed before, their error is *AlreadyDone or
// ErrOtherRequest. A request that arrives while the first one is running waits for it, and
// is executed if the first one failed.
func DoOnce(ctx context.Context, o Once) context.Context { return context.WithValue(ctx, onceKey{}, o) }

// claim records, in the transaction of the request, that it was executed and its result. It
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
	case !known: // it expired at this moment
		return errs.New(errs.Unavailable, "")
	}
	return &AlreadyDone{done}
}

// DoneBefore returns the result of a request that was executed at most OnceKept ago.
// ErrOtherRequest if its key was used with another request.
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
