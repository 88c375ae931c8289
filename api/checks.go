package main

import (
	"context"
	"errors"

	"vigueur/internal/store/postgres"
	"vigueur/internal/store/ratelimit"
	"vigueur/internal/store/relay"
	"vigueur/internal/web/httpapi"
	"vigueur/internal/work/queue"
)

// requiredChecks returns the checks that the server needs to be ready. An outdated schema,
// as after the restore of an older database, fails a check, too.
func requiredChecks(db *postgres.DB, work *queue.Client, limits *ratelimit.Store, events *relay.Relay) []httpapi.Check {
	return []httpapi.Check{
		{Name: "postgres", Required: true, Ping: db.Ping},
		{Name: "schema", Required: true, Ping: db.CheckUpToDate},
		{Name: "redis", Required: true, Ping: func(ctx context.Context) error {
			return errors.Join(work.Ping(ctx), limits.Ping(ctx), events.Ping(ctx))
		}},
	}
}
