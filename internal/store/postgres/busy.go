package postgres

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"vigueur/internal/kit/errs"
)

// CommandWait is how long a command waits for a server that is Busy.
const CommandWait = 10 * time.Second

// The codes with which a server that runs refuses every connection for a while.
const (
	tooManyConnections = "53300" // all are in use: the server's, the role's or the database's
	cannotConnectNow   = "57P03" // it starts, recovers or stops
)

// Busy reports whether the server runs but takes no connection at the moment, because all are in
// use, or because it starts or stops.
func Busy(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == tooManyConnections || pg.Code == cannotConnectNow)
}

// Full reports whether all connections of the server are in use.
func Full(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == tooManyConnections
}

// busyText says in French why a server that is Busy refuses, and what to do about it.
func busyText(err error) string {
	if Full(err) {
		return "n’a plus de connexion libre : arrêtez un processus, donnez-leur moins de connexions (VIGUEUR_DATABASE_CONNECTIONS) ou augmentez max_connections"
	}
	return "démarre ou s’arrête, et ne prend encore aucune connexion : réessayez dans quelques instants"
}

// The pauses between two attempts to connect to a Busy server grow from firstPause to longestPause. Program.Waiting
// is called again after telling.
const (
	firstPause   = 50 * time.Millisecond
	longestPause = 2 * time.Second
	telling      = time.Minute
)

// LogWaiting returns a Program.Waiting that says why the program waits.
func LogWaiting(log *slog.Logger) func(waited time.Duration, err error) {
	return func(waited time.Duration, err error) {
		message := "PostgreSQL is starting or stopping: waiting until it takes connections"
		if Full(err) {
			message = "all connections of PostgreSQL are in use: waiting for a free one"
		}
		log.Warn(message, "waited", waited.Round(time.Second), "error", err)
	}
}

// await calls connect until the server is not Busy, for as long as the program waits. Its error is that of
// connect, or Cancelled if ctx ended.
func (p Program) await(ctx context.Context, connect func() error) error {
	var began, told time.Time
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		err := connect()
		if !Busy(err) {
			return err
		}
		if began.IsZero() { // the wait begins with the first refusal, however long that took
			began = time.Now()
		}
		waited := time.Since(began)
		if p.Wait > 0 && waited >= p.Wait {
			return fmt.Errorf("after %v: %w", waited.Round(time.Second), err)
		}
		if p.Waiting != nil && time.Since(told) >= telling {
			p.Waiting(waited, err)
			told = time.Now()
		}
		select {
		case <-ctx.Done():
			return errs.Wrap(errs.Cancelled, "", ctx.Err())
		case <-time.After(pause):
		}
	}
}
