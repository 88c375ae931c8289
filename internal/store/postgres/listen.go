package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
)

// catalogueChannel is notified of each change to what is searched.
const catalogueChannel = "vigueur_catalogue"

// Listen calls wake once it listens, after each change to the catalogue, and after each
// reconnection, since changes may have been missed in between. It reconnects when the
// connection is lost, and returns when ctx ends.
func (db *DB) Listen(ctx context.Context, wake func()) error {
	for {
		err := db.listenOnce(ctx, wake)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil && !errs.Describe(kindOf(err)).Retry {
			return classify("listen", err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
}

// listenOnce uses a connection of its own, outside the pool.
func (db *DB) listenOnce(ctx context.Context, wake func()) error {
	conn, err := pgx.ConnectConfig(ctx, db.pool.Config().ConnConfig)
	if err != nil {
		return err
	}
	defer func() {
		// Without cancellation: ctx may have ended, and the server is still told.
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = conn.Close(closing) // nothing can be done about a failed close
	}()
	if _, err := conn.Exec(ctx, "LISTEN "+catalogueChannel); err != nil {
		return err
	}
	for {
		wake()
		if _, err := conn.WaitForNotification(ctx); err != nil {
			return err
		}
	}
}
