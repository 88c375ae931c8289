// Command documents lists a catalogue of 100,000 texts: each filter, titles, far pages, beside bare Fiber and pgx.
//
// It sets up a system of its own, fills its catalogue by COPY, and asks GET /documents of an API over a few connections.
// The peer is a Fiber application of three lines with a pgx pool, in a process of its own and with the same number of
// connections, that runs the same SQL for the same requests: the account's row, a count and a page. Both must give the same texts and totals before
// anything is measured, and they take turns, so that the machine's other work meets both. share_of_bare is the worst
// of the cases.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"time"

	"vigueur/e2e/stage"
	"vigueur/scripts/benchmark/report"
)

// request is one of the lists asked for.
type request struct{ name, query string }

func requests() []request {
	return []request{
		{"page_1", ""}, {"domaine", "?domaine=travail"}, {"doc_type", "?doc_type=loi"},
		{"statut", "?statut=abroge"}, {"all_filters", "?domaine=travail&doc_type=loi&statut=abroge"},
		{"rare", "?domaine=foncier&doc_type=constitution"}, {"page_size_100", "?page_size=100"},
		{"page_500", "?page=500"}, {"page_4000", "?page=4000"},
		{"domaine_page_500", "?domaine=travail&page=500"},
		{"q_few", "?q=brevet+1234"}, {"q_many", "?q=conges"}, {"q_many_page_100", "?q=conges&page=100"},
		{"q_typo", "?q=kerguelenn"}, {"q_percent", "?q=100%25"}, {"q_and_filters", "?q=conges&domaine=travail&statut=abroge"},
	}
}

func main() {
	rows := flag.Int("rows", 100_000, "texts of the catalogue")
	span := flag.Duration("span", time.Second, "how long each case is asked at a turn, of which there are three")
	clients := flag.Int("clients", 4, "connections")
	bare := flag.Bool("bare", false, "be the peer (it is started so by the benchmark itself)")
	flag.Parse()
	ctx := context.Background()
	err := error(nil)
	if *bare {
		err = serveBare(ctx)
	} else {
		err = run(ctx, *rows, *clients, *span)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, rows, clients int, span time.Duration) (err error) {
	r := report.New("documents", report.ThisMachine())
	s, err := stage.Open(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if failed := s.Close(); err == nil {
			err = failed
		}
	}()
	began := time.Now()
	if err := fill(ctx, s.DatabaseURL(), rows); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%d texts in %.0f s\n", rows, time.Since(began).Seconds())
	r.Figure("texts", float64(rows), "")
	api, err := s.API(ctx)
	if err != nil {
		return err
	}
	client, err := s.Client(ctx, api)
	if err != nil {
		return err
	}
	peer, stop, err := startBare(ctx, s.DatabaseURL())
	if err != nil {
		return err
	}
	defer stop()
	return measure(ctx, r, sides{ours: newSide(api.URL+"/api/v1", client.Token, clients), bare: newSide(peer, "", clients)}, span)
}

// sides are what is compared.
type sides struct{ ours, bare *side }

func measure(ctx context.Context, r *report.Report, s sides, span time.Duration) error {
	share := 0.0
	for _, q := range requests() {
		if err := s.agree(ctx, q); err != nil {
			return err
		}
		ours, bare, err := s.takeTurns(ctx, q, span)
		if err != nil {
			return err
		}
		for _, f := range []struct {
			name       string
			ours, bare float64
			unit       string
		}{
			{q.name + "_per_s", ours.rate(), bare.rate(), "requests/s"},
			{q.name + "_p50_ms", ours.quantile(.5), bare.quantile(.5), "ms"},
			{q.name + "_p99_ms", ours.quantile(.99), bare.quantile(.99), "ms"},
		} {
			r.Figure(f.name, f.ours, f.unit)
			r.Peer("bare", f.name, f.bare)
		}
		if of := ours.rate() / bare.rate(); share == 0 || of < share {
			share = of
		}
	}
	r.Figure("share_of_bare", share, "of the peer's requests/s, the worst case")
	r.Goal("share_of_bare", report.AtLeast, 0.7)
	r.Goal("page_4000_p99_ms", report.AtMost, 150)
	return r.Print(os.Stdout)
}

// agree asks both sides once and compares.
func (s sides) agree(ctx context.Context, q request) error {
	ours, err := s.ours.list(ctx, q.query)
	if err != nil {
		return err
	}
	bare, err := s.bare.list(ctx, q.query)
	if err != nil {
		return err
	}
	same := func(a, b item) bool { return a == b }
	if ours.Total != bare.Total || !slices.EqualFunc(ours.Items, bare.Items, same) {
		return fmt.Errorf("%s: the API has %d texts of %d, its peer %d of %d, or others", q.name, len(ours.Items), ours.Total, len(bare.Items), bare.Total)
	}
	fmt.Fprintf(os.Stderr, "%s: %d of %d\n", q.name, len(ours.Items), ours.Total)
	return nil
}

// takeTurns measures each side three times, one after the other.
func (s sides) takeTurns(ctx context.Context, q request, span time.Duration) (ours, bare times, err error) {
	for range 3 {
		if err := s.ours.ask(ctx, q.query, span, &ours); err != nil {
			return ours, bare, err
		}
		if err := s.bare.ask(ctx, q.query, span, &bare); err != nil {
			return ours, bare, err
		}
	}
	return ours, bare, nil
}
