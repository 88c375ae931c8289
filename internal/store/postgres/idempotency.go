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

// OnceKept is how long a repetition of a completed request is recognized.
const OnceKept = 24 * time.Hour

// Operation is the kind of an idempotent request.
type Operation string

// The kinds of requests that are executed at most once.
const (
	QuestionOnce Operation = "question"
	UploadOnce   Operation = "upload"
	InquiryOnce  Operation = "inquiry"
)

// Once identifies a request that must be executed at most once, however often a client
// sends it.
type Once struct {
	Owner       []byte // an account's id (16 bytes), or the keyed hash of a network (32 bytes)
	Operation   Operation
	Key         []byte // keyed hash of the client's idempotency key, 32 bytes
	Fingerprint []byte // keyed hash of the request, 32 bytes
}

// AlreadyDone is the error for a repetition: an earlier request had the result, and this
// one did nothing. Its kind is Conflict.
type AlreadyDone struct{ Result uuid.UUID }

// Error implements error.
func (d *AlreadyDone) Error() string { return "the request was done before: " + d.Result.String() }

// Unwrap returns an error of kind Conflict.
func (d *AlreadyDone) Unwrap() error { return errs.New(errs.Conflict, "") }

// ErrOtherRequest means that a different request used the same idempotency key before. Its
// kind is Unprocessable.
var ErrOtherRequest = errs.New(errs.Unprocessable, "Cette clé d’idempotence a déjà servi, pour une autre requête.")

// onceKey is the context key of the Once of a request.
type onceKey struct{}

// DoOnce returns a context for CreateTurn, AddFile and CreateInquiry that makes them
// execute the request o at most once. For a repetition they return *AlreadyDone, or
// ErrOtherRequest if the content differs. A repetition that arrives while the first request
// is running waits for it, and is executed if the first one fails.
func DoOnce(ctx context.Context, o Once) context.Context { return context.WithValue(ctx, onceKey{}, o) }

// claim records the request and its result in the transaction that executes it. It must
// come before every other lock of the transaction. Without DoOnce it does nothing.
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
	case !known: // the earlier request expired between the two statements
		return errs.New(errs.Unavailable, "")
	}
	return &AlreadyDone{done}
}

// DoneBefore returns the result of the request o if it was executed at most OnceKept ago.
// The error is ErrOtherRequest if a different request used the same key.
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
