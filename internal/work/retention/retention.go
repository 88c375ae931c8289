// Package retention deletes personal data after the periods set by the operator: conversations,
// inquiries and their messages, and usage of models. Every worker does so once an hour, in
// bounded batches. Months of the audit log are dropped only by the operator's command, as the
// owner of the tables, so that no process of the service can shorten the log. Data that expires
// by itself (tokens, links, idempotency keys, explanations of answers) is deleted by
// postgres.Prune.
package retention

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"time"

	"vigueur/internal/kit/tick"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work/notify"
)

const (
	// every is the interval at which a worker deletes, batch the maximum number of items of
	// each kind that it then deletes.
	every = time.Hour
	batch = 1000
	// countLimit is the maximum number of messages that Look counts.
	countLimit = 1 << 20
)

// Rules says how long each kind of data is kept. 0: until somebody deletes it.
type Rules struct {
	postgres.Keeping
	Messages time.Duration // message files in Dir
	Dir      string        // folder of the messages; "": messages are sent to a mail server
}

// Outdated counts the data that was kept longer than the rules allow, or that was deleted for
// this reason.
type Outdated struct {
	postgres.Outdated
	Messages int
}

// Sum returns the total, without the months of the audit log.
func (o Outdated) Sum() int { return o.Conversations + o.Inquiries + o.Messages + o.Usage }

// Store is the database: *postgres.DB.
type Store interface {
	Outdated(ctx context.Context, k postgres.Keeping) (postgres.Outdated, error)
	RemoveOutdated(ctx context.Context, k postgres.Keeping, most int) (postgres.Outdated, error)
}

// Keeper deletes data according to rules.
type Keeper struct {
	Rules
	Store Store
	Log   *slog.Logger
	Now   func() time.Time
}

// Look counts what All would delete, and deletes nothing.
func (k *Keeper) Look(ctx context.Context) (o Outdated, err error) {
	if o.Outdated, err = k.Store.Outdated(ctx, k.Keeping); err != nil {
		return o, err
	}
	paths, err := k.messages(countLimit)
	o.Messages = len(paths)
	return o, err
}

func (k *Keeper) messages(atMost int) ([]string, error) {
	if k.Messages == 0 || k.Dir == "" {
		return nil, nil
	}
	return notify.Written(k.Dir, k.Now().Add(-k.Messages), atMost)
}

// Once deletes at most a thousand items of each kind, and returns how many it deleted.
func (k *Keeper) Once(ctx context.Context) (o Outdated, err error) {
	if o.Outdated, err = k.Store.RemoveOutdated(ctx, k.Keeping, batch); err != nil {
		return o, err
	}
	paths, err := k.messages(batch)
	for _, path := range paths {
		if removed := os.Remove(path); removed != nil && !errors.Is(removed, fs.ErrNotExist) {
			return o, fmt.Errorf("retention: %w", errors.Join(err, removed))
		}
		o.Messages++
	}
	return o, err
}

// All deletes everything that was kept longer than the rules allow.
func (k *Keeper) All(ctx context.Context) (sum Outdated, err error) {
	for {
		o, err := k.Once(ctx)
		sum.Conversations, sum.Inquiries = sum.Conversations+o.Conversations, sum.Inquiries+o.Inquiries
		sum.Messages, sum.Usage = sum.Messages+o.Messages, sum.Usage+o.Usage
		if err != nil || o.Conversations < batch && o.Inquiries < batch && o.Messages < batch && o.Usage < batch {
			return sum, err
		}
	}
}

// Run deletes once an hour until ctx ends. The first time is an hour after the start, so that
// an operator who has set a wrong duration has time to notice it. After an error it tries again
// an hour later.
func (k *Keeper) Run(ctx context.Context) {
	for range tick.Every(ctx, every) {
		k.logOnce(ctx)
	}
}

// logOnce deletes once, and logs how many items it deleted.
func (k *Keeper) logOnce(ctx context.Context) {
	o, err := k.Once(ctx)
	if err != nil && ctx.Err() == nil {
		k.Log.WarnContext(ctx, "retention", "error", err)
	}
	if o.Sum() > 0 {
		k.Log.InfoContext(ctx, "data past its retention period deleted", "conversations", o.Conversations, "inquiries", o.Inquiries, "messages", o.Messages, "model_usage", o.Usage)
	}
}
