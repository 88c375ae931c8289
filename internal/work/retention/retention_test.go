package retention

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"vigueur/internal/store/postgres"
)

// rowsFake has a number of conversations that are past their retention period.
type rowsFake struct {
	left  int
	calls atomic.Int32
}

func (r *rowsFake) Outdated(context.Context, postgres.Keeping) (postgres.Outdated, error) {
	return postgres.Outdated{Conversations: r.left}, nil
}

func (r *rowsFake) RemoveOutdated(_ context.Context, _ postgres.Keeping, batch int) (postgres.Outdated, error) {
	r.calls.Add(1)
	n := min(batch, r.left)
	r.left -= n
	return postgres.Outdated{Conversations: n}, nil
}

func keeper(t *testing.T, rows *rowsFake) *Keeper {
	t.Helper()
	dir := t.TempDir()
	for name, age := range map[string]time.Duration{"old.eml": 48 * time.Hour, "new.eml": time.Hour} {
		path := filepath.Join(dir, name)
		moment := time.Now().Add(-age)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, moment, moment); err != nil {
			t.Fatal(err)
		}
	}
	return &Keeper{Store: rows, Log: slog.New(slog.DiscardHandler), Now: time.Now, Rules: Rules{Messages: 24 * time.Hour, Dir: dir}}
}

func TestLookingRemovesNothingAndAllLeavesNothing(t *testing.T) {
	t.Parallel()
	rows := &rowsFake{left: 2*batch + 1}
	k := keeper(t, rows)
	seen, err := k.Look(t.Context())
	if err != nil || seen.Sum() != 2*batch+2 || rows.calls.Load() > 0 {
		t.Errorf("seen %+v, %v", seen, err)
	}
	once, err := k.Once(t.Context())
	if err != nil || once.Conversations != batch || once.Messages != 1 {
		t.Errorf("once %+v, %v", once, err)
	}
	rest, err := k.All(t.Context())
	if err != nil || rest.Conversations != batch+1 || rest.Messages != 0 {
		t.Errorf("the rest %+v, %v", rest, err)
	}
	left, err := os.ReadDir(k.Dir)
	if err != nil || len(left) != 1 || left[0].Name() != "new.eml" {
		t.Errorf("left %v, %v", left, err)
	}
}

// A worker deletes a bounded number once an hour, for the first time after an hour.
func TestAWorkerRemovesOnceAnHour(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		rows := &rowsFake{left: 10 * batch}
		k := &Keeper{Store: rows, Log: slog.New(slog.DiscardHandler), Now: time.Now}
		ctx, stop := context.WithCancel(t.Context())
		go k.Run(ctx)
		time.Sleep(59 * time.Minute)
		synctest.Wait()
		early := rows.calls.Load()
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		stop()
		if early != 0 || rows.calls.Load() != 2 {
			t.Errorf("%d in the first hour, %d in three", early, rows.calls.Load())
		}
	})
}
