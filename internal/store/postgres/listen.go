package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"vigueur/internal/kit/errs"
)

// catalogueChannel is the PostgreSQL channel on which every change to the searchable texts
// is announced.
const catalogueChannel = "vigueur_catalogue"

// listenPause is the longest silence before Listen calls wake anyway: no notification arrives through a pooler that
// assigns a connection to each transaction.
const listenPause = 30 * time.Second

// Listen calls wake once it listens, after each change to the catalogue, after each
// reconnection, since it may have missed changes while it was disconnected, and if nothing was
// heard for listenPause. It reconnects
// when the connection is lost, and returns when ctx ends.
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

// listenOnce listens on a new connection outside the pool until the connection is lost or
// ctx ends.
func (db *DB) listenOnce(ctx context.Context, wake func()) error {
	conn, err := pgx.ConnectConfig(ctx, db.pool.Config().ConnConfig)
	if err != nil {
		return err
	}
	defer func() {
		// The server must learn of the end even if ctx has ended.
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = conn.Close(closing) // a failed close has no consequence
	}()
	if _, err := conn.Exec(ctx, "LISTEN "+catalogueChannel); err != nil {
		return err
	}
	for {
		wake()
		waiting, cancel := context.WithTimeout(ctx, listenPause)
		_, err := conn.WaitForNotification(waiting)
		silent := waiting.Err() != nil && ctx.Err() == nil
		cancel()
		if err != nil && !silent {
			return err
		}
	}
}
