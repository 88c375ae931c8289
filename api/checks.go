package main

import (
	"context"
	"errors"
	"sync"
	"time"

	"vigueur/internal/ops/observe"
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

// checkLimit is the timeout for the check of a store.
const checkLimit = time.Second

// sample returns the metrics that are sampled at a scrape: those of the connections, the
// stores and the waiting jobs. The API reports the waiting jobs, because it runs even if no
// worker does.
func sample(db *postgres.DB, events *relay.Relay, checks []httpapi.Check) func(ctx context.Context) []observe.Value {
	return func(ctx context.Context) []observe.Value {
		values := observe.Connections(observe.Database(db.Pool()), observe.Redis(events.Pool()))
		values = append(values, stores(ctx, checks)...)
		waiting, err := db.Waiting(ctx)
		if err != nil {
			return values // the check of the database reports this failure
		}
		for _, w := range waiting {
			values = append(values,
				observe.Value{Of: observe.QueueRows, Labels: []string{w.Class, "queued"}, Value: float64(w.Queued)},
				observe.Value{Of: observe.QueueRows, Labels: []string{w.Class, "running"}, Value: float64(w.Running)},
				observe.Value{Of: observe.QueueOldest, Labels: []string{w.Class}, Value: seconds(w.Oldest)},
				observe.Value{Of: observe.QueueWait, Labels: []string{w.Class}, Value: seconds(w.Waits)})
		}
		if version, err := db.CatalogueVersion(ctx); err == nil {
			values = append(values, observe.Value{Of: observe.CatalogVersion, Value: float64(version)})
		}
		if f, err := db.AmendmentFigures(ctx); err == nil {
			values = append(values, observe.Value{Of: observe.Assembled, Value: float64(f.Versions)})
			for _, r := range f.Reasons {
				values = append(values, observe.Value{Of: observe.Amendments, Labels: []string{string(r.Reason)}, Value: float64(r.Count)})
			}
		}
		return values
	}
}

// seconds converts a duration to seconds; nil becomes 0.
func seconds(d *time.Duration) float64 {
	if d == nil {
		return 0
	}
	return d.Seconds()
}

// stores checks all stores concurrently.
func stores(ctx context.Context, checks []httpapi.Check) []observe.Value {
	ctx, cancel := context.WithTimeout(ctx, checkLimit)
	defer cancel()
	values := make([]observe.Value, len(checks))
	var all sync.WaitGroup
	for i, check := range checks {
		all.Go(func() {
			values[i] = observe.Value{Of: observe.StoreUp, Labels: []string{check.Name}}
			if check.Ping(ctx) == nil {
				values[i].Value = 1
			}
		})
	}
	all.Wait()
	return values
}
