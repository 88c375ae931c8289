package main

import (
	"context"
	"errors"

	"vigueur/internal/httpapi"
	"vigueur/internal/postgres"
	"vigueur/internal/queue"
	"vigueur/internal/relay"
)

// requiredChecks are those of the stores without which the server takes no requests. A
// schema that is behind, because another database was restored beneath the server, is one.
func requiredChecks(db *postgres.DB, work *queue.Client, events *relay.Relay) []httpapi.Check {
	return []httpapi.Check{
		{Name: "postgres", Required: true, Ping: db.Ping},
		{Name: "schema", Required: true, Ping: db.UpToDate},
		{Name: "redis", Required: true, Ping: func(ctx context.Context) error { return errors.Join(work.Ping(ctx), events.Ping(ctx)) }},
	}
}
