package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"vigueur/internal/errs"
)

// catalogueChannel is told of each change to what is searched.
const catalogueChannel = "vigueur_catalogue"

// Listen calls wake after it has begun to listen, after each change to the
// catalogue, and after each reconnection, since changes may have been missed
// meanwhile. It returns when ctx ends; a lost connection is made anew.
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

// listenOnce holds one connection of its own, outside the pool.
func (db *DB) listenOnce(ctx context.Context, wake func()) error {
	conn, err := pgx.Connect(ctx, db.url)
	if err != nil {
		return err
	}
	defer func() {
		// ctx may have ended; the server is told all the same.
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = conn.Close(closing) // nothing can be done about a connection that will not close
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
