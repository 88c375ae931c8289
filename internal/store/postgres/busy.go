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

// The codes with which a running server refuses every connection for a while.
const (
	tooManyConnections = "53300" // all connections of the server, of the role or of the database are in use
	cannotConnectNow   = "57P03" // the server starts, recovers or stops
)

// Busy reports whether the server runs but accepts no connection at the moment, because all are in use, or because it
// starts or stops.
func Busy(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == tooManyConnections || pg.Code == cannotConnectNow)
}

// Full reports whether all connections of the server are in use.
func Full(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == tooManyConnections
}

// busyText explains in French why a Busy server refuses a connection, and what to do about it.
func busyText(err error) string {
	if Full(err) {
		return "n’a plus de connexion libre : arrêtez un processus, donnez-leur moins de connexions (VIGUEUR_DATABASE_CONNECTIONS) ou augmentez max_connections"
	}
	return "démarre ou s’arrête, et ne prend encore aucune connexion : réessayez dans quelques instants"
}

// The pause between two attempts to connect to a Busy server grows from firstPause to longestPause. Program.Waiting
// is called at most once per waitingInterval.
const (
	firstPause      = 50 * time.Millisecond
	longestPause    = 2 * time.Second
	waitingInterval = time.Minute
)

// LogWaiting returns a function for Program.Waiting that logs why the program waits.
func LogWaiting(log *slog.Logger) func(waited time.Duration, err error) {
	return func(waited time.Duration, err error) {
		message := "PostgreSQL is starting or stopping: waiting until it takes connections"
		if Full(err) {
			message = "all connections of PostgreSQL are in use: waiting for a free one"
		}
		log.Warn(message, "waited", waited.Round(time.Second), "error", err)
	}
}

// await calls connect until the server is not Busy or p.Wait is over, and returns the last error of connect;
// Cancelled if ctx ends first.
func (p Program) await(ctx context.Context, connect func() error) error {
	var began, reported time.Time
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		err := connect()
		if !Busy(err) {
			return err
		}
		if began.IsZero() { // the wait counts from the first refusal
			began = time.Now()
		}
		waited := time.Since(began)
		if p.Wait > 0 && waited >= p.Wait {
			return fmt.Errorf("after %v: %w", waited.Round(time.Second), err)
		}
		if p.Waiting != nil && time.Since(reported) >= waitingInterval {
			p.Waiting(waited, err)
			reported = time.Now()
		}
		select {
		case <-ctx.Done():
			return errs.Wrap(errs.Cancelled, "", ctx.Err())
		case <-time.After(pause):
		}
	}
}
