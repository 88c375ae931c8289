// Command search asks 90,000 articles in memory what people ask, beside SQLite's FTS5 and bleve on the same set.
//
// The articles are made by resampling the sentences and headings of a real corpus, given by --corpus and --queries as
// « ingest eval retrieval » reads them; without it, those of the sample gazettes. Each engine indexes the same
// articles and is asked the same questions, one after the other, for its 80 best. What the index keeps in its file is
// loaded again, as a worker does when it starts. With --passages another size is measured.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"

	"vigueur/internal/flat"
	"vigueur/internal/french"
	"vigueur/scripts/benchmark/report"
)

// hitsAsked is how many passages a search of the product takes.
const hitsAsked = 80

type options struct {
	corpus, queries  string
	passages, rounds int
	peers            bool
}

func main() {
	var o options
	flag.StringVar(&o.corpus, "corpus", "../shared/data/retrieval/corpus.jsonl", "articles whose sentences are resampled")
	flag.StringVar(&o.queries, "queries", "../shared/data/retrieval/queries.train.jsonl", "questions")
	flag.IntVar(&o.passages, "passages", 90_000, "articles to make")
	flag.IntVar(&o.rounds, "rounds", 3, "how often each question is asked")
	flag.BoolVar(&o.peers, "peers", true, "measure FTS5 and bleve, too")
	flag.Parse()
	if err := run(context.Background(), o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	source, questions, err := material(o)
	if err != nil {
		return err
	}
	r := report.New("search", report.ThisMachine())
	r.Figure("passages", float64(len(source.rows)), "")
	if err := ours(ctx, r, source, questions, o.rounds); err != nil {
		return err
	}
	if o.peers {
		for _, p := range []struct {
			name string
			open func(*made) (engine, error)
		}{{"SQLite FTS5", openFTS5}, {"bleve v2.5.7", openBleve}} {
			if err := peer(r, p.name, p.open, source, questions); err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
		}
	}
	return r.Print(os.Stdout)
}

// ours measures the product's own index: made, kept, loaded and searched.
func ours(ctx context.Context, r *report.Report, source *made, questions []string, rounds int) error {
	dir, err := os.MkdirTemp("", "vigueur-search-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	open := flat.Options{Source: source, Lexicon: french.NewLexicon(), File: flat.File{Dir: dir, Moment: source.moment}}
	began := time.Now()
	if _, err := flat.Open(ctx, open); err != nil {
		return err
	}
	made := time.Since(began)
	before := held()
	began = time.Now()
	x, err := flat.Open(ctx, open)
	if err != nil {
		return err
	}
	loaded := time.Since(began)
	bytes := held() - before
	var took []float64
	for range rounds {
		for _, q := range questions {
			began := time.Now()
			x.Search(flat.Query{Text: q, Limit: hitsAsked})
			took = append(took, milliseconds(began))
		}
	}
	r.Figure("p50_ms", quantile(took, .5), "ms")
	r.Figure("p99_ms", quantile(took, .99), "ms")
	r.Figure("load_ms", float64(loaded.Milliseconds()), "ms")
	r.Figure("made_ms", float64(made.Milliseconds()), "ms")
	r.Figure("bytes_per_passage", bytes/float64(len(source.rows)), "bytes")
	limit := 10.0
	if len(source.rows) > 500_000 {
		limit = 30
	}
	r.Goal("p99_ms", report.AtMost, limit)
	r.Goal("load_ms", report.AtMost, 2000)
	runtime.KeepAlive(x)
	return nil
}

// engine is a peer that has indexed the articles.
type engine interface {
	search(question string, hits int) error
	close() error
}

func peer(r *report.Report, name string, open func(*made) (engine, error), source *made, questions []string) error {
	began := time.Now()
	e, err := open(source)
	if err != nil {
		return err
	}
	r.Peer(name, "made_ms", float64(time.Since(began).Milliseconds()))
	var took []float64
	for _, q := range questions {
		began := time.Now()
		if err := e.search(q, hitsAsked); err != nil {
			return err
		}
		took = append(took, milliseconds(began))
	}
	r.Peer(name, "p50_ms", quantile(took, .5))
	r.Peer(name, "p99_ms", quantile(took, .99))
	return e.close()
}

// held is how much memory is in use once what is not has been given back.
func held() float64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

func milliseconds(since time.Time) float64 { return float64(time.Since(since).Microseconds()) / 1000 }

func quantile(values []float64, q float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}
