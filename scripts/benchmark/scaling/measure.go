package main

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"vigueur/e2e/stage"
	"vigueur/internal/store/redisurl"
	"vigueur/scripts/benchmark/report"
)

// measured is what came of a number of workers.
type measured struct {
	rate float64 // answers a second
	load load
}

// load is what an answer costs the stores.
type load struct {
	transactions, rows, wal      float64 // PostgreSQL: commits, rows written, bytes of its log
	commands, received, returned float64 // Redis: and bytes
}

func (l load) tell(r *report.Report) {
	r.Figure("pg_transactions_per_answer", l.transactions, "")
	r.Figure("pg_rows_per_answer", l.rows, "rows written")
	r.Figure("pg_wal_bytes_per_answer", l.wal, "bytes")
	r.Figure("redis_commands_per_answer", l.commands, "the idle workers' looks into the queue among them")
	r.Figure("redis_in_bytes_per_answer", l.received, "bytes")
	r.Figure("redis_out_bytes_per_answer", l.returned, "bytes")
}

// measure keeps the workers busy and counts what ends within the span. The askers
// begin one after the other over the time of an answer: of answers that all end in
// the same instant a span would hold one batch more or less.
func measure(ctx context.Context, s *stage.Stage, client *stage.Client, workers int, span time.Duration) (m measured, err error) {
	ctx, stop := context.WithCancel(ctx)
	var askers sync.WaitGroup
	defer askers.Wait()
	defer stop()
	var ended, failed atomic.Int64
	count := workers * atOnce * 5 / 4
	for i := range count {
		askers.Go(func() {
			time.Sleep(answerTime * time.Duration(i) / time.Duration(count))
			for ctx.Err() == nil {
				a, err := client.Insist(ctx, func() string { return client.URL }, "Quel est le préavis d’un cadre ?", nil)
				switch {
				case ctx.Err() != nil:
				case err != nil || a.Error != "" || a.Text != pace.Text():
					failed.Add(1)
					slog.Warn("an answer failed", "error", err, "told", a.Error, "bytes", len(a.Text))
				default:
					ended.Add(1)
				}
			}
		})
	}
	time.Sleep(2 * answerTime) // the workers fill
	before, err := counted(ctx, s)
	if err != nil {
		return m, err
	}
	first, began := ended.Load(), time.Now()
	time.Sleep(span)
	answers, took := float64(ended.Load()-first), time.Since(began).Seconds()
	after, err := counted(ctx, s)
	if err != nil {
		return m, err
	}
	if n := failed.Load(); n > 0 || answers == 0 {
		return m, fmt.Errorf("%d answers failed, %.0f were written", n, answers)
	}
	each := func(f func(load) float64) float64 { return (f(after) - f(before)) / answers }
	return measured{rate: answers / took, load: load{
		transactions: each(func(l load) float64 { return l.transactions }), rows: each(func(l load) float64 { return l.rows }),
		wal:      each(func(l load) float64 { return l.wal }),
		commands: each(func(l load) float64 { return l.commands }), received: each(func(l load) float64 { return l.received }),
		returned: each(func(l load) float64 { return l.returned })}}, nil
}

// counted is what the stores have counted so far.
func counted(ctx context.Context, s *stage.Stage) (l load, err error) {
	err = s.Query(ctx, `SELECT xact_commit::float8, (tup_inserted + tup_updated + tup_deleted)::float8,
		(pg_current_wal_lsn() - '0/0'::pg_lsn)::float8 FROM pg_stat_database WHERE datname = current_database()`, &l.transactions, &l.rows, &l.wal)
	if err != nil {
		return l, err
	}
	redis, err := redisurl.Open(s.Redis.URL())
	if err != nil {
		return l, err
	}
	defer func() { _ = redis.Close() }() // it was only read
	info, err := redis.InfoMap(ctx, "stats").Result()
	if err != nil {
		return l, err
	}
	for name, into := range map[string]*float64{"total_commands_processed": &l.commands, "total_net_input_bytes": &l.received, "total_net_output_bytes": &l.returned} {
		if _, err := fmt.Sscan(info["Stats"][name], into); err != nil {
			return l, fmt.Errorf("redis tells no %s: %w", name, err)
		}
	}
	return l, nil
}
