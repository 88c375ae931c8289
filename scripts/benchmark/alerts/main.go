// Command alerts measures how a change of a text that ten thousand accounts follow is told.
//
// It fills a database with a code and its followers, of whom one in ten has a webhook, and has acts change articles of the
// code. Then it compares the journal with the follows, a transaction at a time, as a worker does, and sends a
// digest to each follower, one after the other, as a worker does that writes messages to a folder. Each follower has to get
// one alert for each act and one digest. Deliveries to webhooks are stored and not sent. There is no peer: what is told
// once, and to whom, follows from this service's rules.
package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"time"

	"github.com/jackc/pgx/v5"

	"vigueur/e2e/stage"
	"vigueur/internal/law"
	_ "vigueur/internal/search/named" // resolves the names of texts
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
	"vigueur/internal/work"
	"vigueur/internal/work/notify"
	"vigueur/scripts/benchmark/report"
)

// Goals. A transaction of the matching holds the row that says how far it came, and its worker has to renew the lease of
// that row meanwhile, every two seconds (postgres.Renew): it ends before. A digest a day may be a quarter of an hour late.
const (
	goalBatch  = 1000    // ms, a transaction of the matching, the slowest
	goalMatch  = 30      // s, all of the matching
	goalDigest = 15 * 60 // s, all digests
	goalHeld   = 1 << 20 // bytes that a process holds afterwards: nothing grows with the followers
	goalPeak   = 32 << 20
)

// sweep is how many messages a worker looks for at once.
const sweep = 100

func main() {
	followers := flag.Int("followers", 10_000, "accounts that follow the text")
	acts := flag.Int("acts", 3, "acts that change it")
	flag.Parse()
	if err := run(context.Background(), *followers, *acts); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, followers, acts int) (err error) {
	r := report.New("alerts", report.ThisMachine())
	s, err := stage.Open(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if failed := s.Close(); err == nil {
			err = failed
		}
	}()
	db, err := postgres.Open(ctx, s.DatabaseURL())
	if err != nil {
		return err
	}
	defer db.Close()
	conn, err := pgx.Connect(ctx, s.DatabaseURL())
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }() // all is committed
	if err := fill(ctx, db, conn, followers, acts); err != nil {
		return err
	}
	r.Figure("followers", float64(followers), "of one text")
	r.Figure("acts", float64(acts), "that change it")
	before := held()
	if err := match(ctx, r, db, conn, followers, acts); err != nil {
		return err
	}
	if err := digest(ctx, r, db, followers, acts); err != nil {
		return err
	}
	r.Figure("held_bytes", held()-before, "bytes, what the process holds afterwards: the same for any number of followers")
	r.Goal("held_bytes", report.AtMost, goalHeld)
	return r.Print(os.Stdout)
}

// match compares the journal with the follows.
func match(ctx context.Context, r *report.Report, db *postgres.DB, conn *pgx.Conn, followers, acts int) error {
	ids, err := db.DueMatching(ctx)
	if err != nil {
		return err
	}
	if len(ids) != 1 {
		return fmt.Errorf("%d matchings are due", len(ids))
	}
	m, err := db.LeaseMatching(ctx, ids[0])
	if err != nil {
		return err
	}
	var took []time.Duration
	most, alerts, peak := 0, 0, 0.0
	from, began := held(), time.Now()
	for {
		start := time.Now()
		n, more, err := db.MatchAlerts(ctx, m)
		if err != nil {
			return err
		}
		if !more {
			break
		}
		took = append(took, time.Since(start))
		most, alerts, peak = max(most, n), alerts+n, max(peak, used()-from)
	}
	all := time.Since(began)
	if err := m.Finish(ctx); err != nil {
		return err
	}
	var deliveries int
	if err := conn.QueryRow(ctx, `SELECT count(*) FROM webhook_deliveries`).Scan(&deliveries); err != nil {
		return err
	}
	if alerts != followers*acts || deliveries != (followers+9)/10*acts {
		return fmt.Errorf("%d alerts and %d deliveries for %d followers and %d acts", alerts, deliveries, followers, acts)
	}
	r.Figure("transactions", float64(len(took)), "of the matching")
	r.Figure("batch_alerts", float64(most), "alerts of one transaction, the most")
	r.Goal("batch_alerts", report.AtMost, postgres.MatchBatch)
	r.Figure("batch_p50_ms", report.Quantile(took, 0.5), "ms, a transaction")
	r.Figure("batch_max_ms", report.Quantile(took, 1), "ms, the slowest")
	r.Goal("batch_max_ms", report.AtMost, goalBatch)
	r.Figure("match_s", all.Seconds(), "s, all of the matching")
	r.Goal("match_s", report.AtMost, goalMatch)
	r.Figure("match_peak_bytes", peak, "bytes in use, the most above what was before")
	r.Goal("match_peak_bytes", report.AtMost, goalPeak)
	return nil
}

// digest sends the digests.
func digest(ctx context.Context, r *report.Report, db *postgres.DB, followers, acts int) error {
	dir, err := os.MkdirTemp("", "alerts-bench-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	folder, err := notify.NewFolder(dir)
	if err != nil {
		return err
	}
	envelope, err := notify.ParseEnvelope("", "")
	if err != nil {
		return err
	}
	d := &notify.Digester{DB: db, Envelope: envelope, Transport: folder, BaseURL: "https://droit.example", Interval: 24 * time.Hour, Log: slog.New(slog.DiscardHandler)}
	var took []time.Duration
	most, peak := 0, 0.0
	from, began := held(), time.Now()
	for idle := 0; len(took) < followers; {
		ids, err := d.Due(ctx, sweep)
		if err != nil {
			return err
		}
		if most = max(most, len(ids)); len(ids) == 0 {
			if idle++; idle > sweep { // messages that were just begun are due at once
				return fmt.Errorf("%d digests of %d are sent, and no other is due", len(took), followers)
			}
		}
		for _, id := range ids {
			start := time.Now()
			if err := work.Run(ctx, d, id); err != nil {
				return err
			}
			took = append(took, time.Since(start))
		}
		peak = max(peak, used()-from)
	}
	all := time.Since(began)
	list, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	if len(list) != followers {
		return fmt.Errorf("%d messages for %d followers", len(list), followers)
	}
	r.Figure("sweep_digests", float64(most), "digests that are looked for at once, the most")
	r.Goal("sweep_digests", report.AtMost, sweep)
	r.Figure("digest_p50_ms", report.Quantile(took, 0.5), fmt.Sprintf("ms, a digest of %d alerts, written to a folder and synced", acts))
	r.Figure("digest_p99_ms", report.Quantile(took, 0.99), "ms")
	r.Figure("digests_s", all.Seconds(), "s, all digests by one worker that sends one at a time")
	r.Goal("digests_s", report.AtMost, goalDigest)
	r.Figure("digest_peak_bytes", peak, "bytes in use, the most above what was before")
	r.Goal("digest_peak_bytes", report.AtMost, goalPeak)
	return nil
}

// fill adds a code, accounts that follow it, and acts that change it.
func fill(ctx context.Context, db *postgres.DB, conn *pgx.Conn, followers, acts int) error {
	code := text(0, "Loi n° 2020-01 portant Code du travail", 200)
	if err := add(ctx, db, 0, code); err != nil {
		return err
	}
	for _, sql := range []string{
		`INSERT INTO users (id, email, full_name, role, password_hash) SELECT gen_random_uuid(), 'f' || i || '@example.org', 'F', 'user', '' FROM generate_series(1, $1::int) i`,
		`INSERT INTO follows (id, user_id, kind, subject, label, document_id) SELECT gen_random_uuid(), u.id, 'text', '', d.title, d.id FROM users u, documents d WHERE u.email LIKE 'f%@example.org' AND $1 > 0`,
		`INSERT INTO follow_targets (document_id, follow_id) SELECT document_id, id FROM follows WHERE $1 > 0`,
		`INSERT INTO alert_settings (user_id) SELECT user_id FROM follows WHERE $1 > 0`,
		`INSERT INTO webhooks (id, user_id, url, secret) SELECT gen_random_uuid(), user_id, 'https://example.org/', 'secret' FROM follows ORDER BY user_id LIMIT ($1 + 9) / 10`,
	} {
		if _, err := conn.Exec(ctx, sql, followers); err != nil {
			return err
		}
	}
	if _, err := conn.Exec(ctx, `UPDATE alert_matching SET change_id = (SELECT max(id) FROM law_changes)`); err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, `ANALYZE`); err != nil {
		return err
	}
	for n := range acts {
		act := text(1+n, fmt.Sprintf("Loi n° 2020-%02d modifiant le code du travail", 2+n), 1)
		act.Relations = []law.Relation{{ID: postgres.NewID(), SourceArticle: act.Articles[0].ID, Kind: law.Amends, TargetType: law.Loi, TargetNumber: code.Document.OfficialNumber,
			TargetArticles: []string{fmt.Sprint(10 + n), fmt.Sprint(50 + n)}, Effective: act.Document.EntersInForce}}
		if err := add(ctx, db, 1+n, act); err != nil {
			return err
		}
	}
	return nil
}

// text returns the law with the number n of its year.
func text(n int, title string, articles int) postgres.StoredText {
	on := time.Date(2020, time.January, 1+n, 0, 0, 0, 0, time.UTC)
	t := postgres.StoredText{Document: law.Document{ID: postgres.NewID(), Title: title, Type: law.Loi, Domain: "travail", OfficialNumber: fmt.Sprintf("2020-%02d", 1+n),
		Promulgated: on, EntersInForce: on, FirstPage: 1, LastPage: 90}, Countries: []string{"bj"}}
	for i := range articles {
		a := law.Article{ID: postgres.NewID(), Number: fmt.Sprint(i + 1), Page: 1, Position: i, Text: "Le salarié a droit à un congé.", Spans: []law.Span{}}
		t.Articles = append(t.Articles, a)
		t.Passages = append(t.Passages, law.Passage{ID: postgres.NewID(), ArticleID: a.ID, Page: 1, Position: i, Text: a.Text})
	}
	return t
}

// add adds a text to the catalogue, as of a file of its own.
func add(ctx context.Context, db *postgres.DB, n int, t postgres.StoredText) error {
	i := postgres.Ingestion{ID: postgres.NewID(), SHA256: fmt.Sprintf("%064d", n), Filename: "a.pdf", Size: 1}
	if err := pgtest.AddFile(ctx, db, i); err != nil {
		return err
	}
	started, err := db.StartIngestion(ctx, i.ID)
	if err != nil {
		return err
	}
	return db.SaveSegmentation(ctx, i.ID, started.Attempt, postgres.Segmentation{Texts: []postgres.StoredText{t}})
}

// used is how much memory is in use, with what is not given back yet.
func used() float64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// held is how much memory is in use once what is not has been given back.
func held() float64 {
	runtime.GC()
	runtime.GC()
	return used()
}
