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

	"vigueur/internal/store/postgres"
	"vigueur/internal/work/notify"
)

const (
	// every is how often a worker looks, most how many of each kind it then removes.
	every = time.Hour
	most  = 1000
	// allOfThem is how many messages the operator is told of at the most.
	allOfThem = 1 << 20
)

// Rules say what is kept for how long. A duration of 0: until somebody removes it.
type Rules struct {
	postgres.Keeping
	Messages time.Duration // files of the folder
	Dir      string        // "": messages go to a mail server, which keeps them or not
}

// Outdated is what is kept for longer than it should be, or was removed for that.
type Outdated struct {
	postgres.Outdated
	Messages int
}

// Sum counts it but for months of the audit log.
func (o Outdated) Sum() int { return o.Conversations + o.Inquiries + o.Messages + o.Usage }

// Store is where rows are: *postgres.DB.
type Store interface {
	Outdated(ctx context.Context, k postgres.Keeping) (postgres.Outdated, error)
	RemoveOutdated(ctx context.Context, k postgres.Keeping, most int) (postgres.Outdated, error)
}

// Keeper removes by rules.
type Keeper struct {
	Rules
	Store Store
	Log   *slog.Logger
	Now   func() time.Time
}

// Look counts what would be removed, and removes nothing.
func (k *Keeper) Look(ctx context.Context) (o Outdated, err error) {
	if o.Outdated, err = k.Store.Outdated(ctx, k.Keeping); err != nil {
		return o, err
	}
	paths, err := k.messages(allOfThem)
	o.Messages = len(paths)
	return o, err
}

func (k *Keeper) messages(atMost int) ([]string, error) {
	if k.Messages == 0 || k.Dir == "" {
		return nil, nil
	}
	return notify.Written(k.Dir, k.Now().Add(-k.Messages), atMost)
}

// Once removes at most a thousand of each kind, and gives how many they were.
func (k *Keeper) Once(ctx context.Context) (o Outdated, err error) {
	if o.Outdated, err = k.Store.RemoveOutdated(ctx, k.Keeping, most); err != nil {
		return o, err
	}
	paths, err := k.messages(most)
	for _, path := range paths {
		if removed := os.Remove(path); removed != nil && !errors.Is(removed, fs.ErrNotExist) {
			return o, fmt.Errorf("retention: %w", errors.Join(err, removed))
		}
		o.Messages++
	}
	return o, err
}

// All removes until nothing is left to remove.
func (k *Keeper) All(ctx context.Context) (sum Outdated, err error) {
	for {
		o, err := k.Once(ctx)
		sum.Conversations, sum.Inquiries = sum.Conversations+o.Conversations, sum.Inquiries+o.Inquiries
		sum.Messages, sum.Usage = sum.Messages+o.Messages, sum.Usage+o.Usage
		if err != nil || o.Conversations < most && o.Inquiries < most && o.Messages < most && o.Usage < most {
			return sum, err
		}
	}
}

// Run removes once an hour until ctx ends, and for the first time an hour after it began:
// who has set a wrong duration has time to see it. A store that is down is asked again.
func (k *Keeper) Run(ctx context.Context) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			k.tell(ctx)
		}
	}
}

// tell removes once, and says so in the log.
func (k *Keeper) tell(ctx context.Context) {
	o, err := k.Once(ctx)
	if err != nil && ctx.Err() == nil {
		k.Log.WarnContext(ctx, "retention", "error", err)
	}
	if o.Sum() > 0 {
		k.Log.InfoContext(ctx, "removed what was kept long enough", "conversations", o.Conversations, "inquiries", o.Inquiries, "messages", o.Messages, "model_usage", o.Usage)
	}
}
