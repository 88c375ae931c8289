// Command search asks 30,000 articles in memory what people ask, beside SQLite's FTS5 and bleve on the same set.
//
// The articles are made by resampling the sentences and headings of a real corpus, given by --corpus and --queries as
// « scripts/eval retrieval » reads them; without it, those of the sample gazettes. Each engine indexes the same
// articles and is asked the same questions, one after the other, for its 80 best, once unmeasured. The product is asked
// by words and, in the figures of « hybrid », by words and vectors like those of its own encoder (with --dimensions 512
// --vectors 2 like those of a larger model); these are made too, because what a comparison costs does not depend on what
// they mean. What the index keeps in its file is loaded again, as a worker does when it starts. Then one text changes,
// and is followed. With --passages another size is measured; how the cost grows shows in two runs. Beside the time a
// search took stands the processor time it used, which other work on the machine moves less; that of the first round,
// when nothing is kept of an earlier search, stands by itself. With --profile the searches' processor time is written for
// « go tool pprof ».
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"slices"
	"time"

	"vigueur/internal/law/french"
	"vigueur/internal/search/memindex"
	"vigueur/scripts/benchmark/report"
)

// hitsAsked is how many passages a search of the product takes.
const hitsAsked = 80

type options struct {
	corpus, queries  string
	passages, rounds int
	dimensions, most int // of the vectors, and how many an article has at the most
	peers, milvus    bool
	profile          string
}

func main() {
	var o options
	flag.StringVar(&o.corpus, "corpus", "../shared/data/retrieval/corpus.jsonl", "articles whose sentences are resampled")
	flag.StringVar(&o.queries, "queries", "../shared/data/retrieval/queries.train.jsonl", "questions")
	flag.IntVar(&o.passages, "passages", 30_000, "articles to make")
	flag.IntVar(&o.dimensions, "dimensions", 192, "coordinates of a vector")
	flag.IntVar(&o.most, "vectors", 1, "how many vectors an article has at the most")
	flag.IntVar(&o.rounds, "rounds", 3, "how often each question is asked")
	flag.BoolVar(&o.peers, "peers", true, "measure FTS5 and bleve, too")
	flag.BoolVar(&o.milvus, "milvus", false, "measure a Milvus, too, where there is one")
	flag.StringVar(&o.profile, "profile", "", "write what the product's searches spend processor time on to this file, for go tool pprof")
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
	if err := ours(ctx, r, source, questions, o); err != nil {
		return err
	}
	if o.peers {
		for _, p := range []struct {
			short, name string
			open        func(*made) (engine, error)
		}{{"fts5", "SQLite FTS5", openFTS5}, {"bleve", "bleve v2.5.7", openBleve}} {
			if err := peer(r, p.short, p.name, p.open, source, questions); err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
		}
	}
	if o.milvus {
		if err := besideMilvus(ctx, r, source, questions); err != nil {
			return fmt.Errorf("Milvus: %w", err)
		}
	}
	return r.Print(os.Stdout)
}

// ours measures the product's own index: made, kept, loaded, searched and followed.
func ours(ctx context.Context, r *report.Report, source *made, questions []string, o options) error {
	dir, err := os.MkdirTemp("", "vigueur-search-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	open := memindex.Options{Source: source, Lexicon: french.NewLexicon(), File: memindex.File{Dir: dir, Moment: source.moment}}
	began := time.Now()
	if _, err := memindex.Open(ctx, open); err != nil {
		return err
	}
	r.Figure("made_ms", milliseconds(began), "ms")
	before := held()
	began = time.Now()
	x, err := memindex.Open(ctx, open)
	if err != nil {
		return err
	}
	r.Figure("load_ms", milliseconds(began), "ms")
	loaded := held()
	r.Figure("bytes_per_passage", (loaded-before)/float64(len(source.rows)), "bytes, words alone")
	stop, err := profiled(o.profile)
	if err != nil {
		return err
	}
	asked := searches(questions, o.rounds, func(q string) { x.Search(memindex.Query{Text: q, Limit: hitsAsked}) })
	asked.tell(r, "")
	r.Figure("kept_bytes_per_passage", (held()-loaded)/float64(len(source.rows)), "bytes, of words asked before")
	runtime.KeepAlive(x)
	if err := outside(ctx, r, source, x.Average()); err != nil {
		return err
	}
	open.Vectors = source
	if x, err = memindex.Open(ctx, open); err != nil {
		return err
	}
	r.Figure("hybrid_bytes_per_passage", (held()-before)/float64(len(source.rows)), "bytes, with its vectors")
	vectors := source.directions.questions(len(questions))
	at := 0
	asked = searches(questions, o.rounds, func(q string) {
		x.Search(memindex.Query{Text: q, Limit: hitsAsked, Vector: vectors[at%len(vectors)], Generation: source.directions.generation})
		at++
	})
	asked.tell(r, "hybrid_")
	if err := stop(); err != nil {
		return err
	}
	if err := follow(ctx, r, x, source); err != nil {
		return err
	}
	limit := 10.0
	if len(source.rows) > 500_000 {
		limit = 30
	}
	r.Goal("p99_ms", report.AtMost, limit)
	r.Goal("hybrid_p99_ms", report.AtMost, limit)
	r.Goal("load_ms", report.AtMost, 2000)
	runtime.KeepAlive(x)
	return nil
}

// outside measures what is needed where a Milvus has the passages, without one: what a worker holds of each, and what
// its row has of words. docs/capacity.md reckons with it (scripts/bench capacity -table).
func outside(ctx context.Context, r *report.Report, source *made, average float64) error {
	before := held()
	register, err := memindex.Open(ctx, memindex.Options{Source: source, Register: true})
	if err != nil {
		return err
	}
	r.Figure("register_bytes_per_passage", (held()-before)/float64(len(source.rows)), "bytes, of a worker beside a Milvus without a folder")
	runtime.KeepAlive(register)
	const some = 20_000
	terms, counts := 0, 0
	sample := source.rows[:min(some, len(source.rows))]
	for _, w := range memindex.Weigh(sample, average) {
		terms, counts = terms+len(w.Words.Terms), counts+len(w.Counts)
	}
	r.Figure("terms_per_passage", float64(terms)/float64(len(sample)), "words of a row in Milvus")
	r.Figure("counts_bytes_per_passage", float64(counts)/float64(len(sample)), "bytes of a row in Milvus")
	return nil
}

// follow measures how long the index takes to follow one text that changed.
func follow(ctx context.Context, r *report.Report, x *memindex.Index, source *made) error {
	const changes = 20
	var took []float64
	for i := range changes {
		source.change(i)
		began := time.Now()
		if err := x.Update(ctx); err != nil {
			return err
		}
		took = append(took, milliseconds(began))
	}
	r.Figure("update_p50_ms", quantile(took, .5), "ms, a text of 100 articles")
	r.Figure("update_max_ms", quantile(took, 1), "ms")
	return nil
}

// profiled begins to write what processor time is spent on, where a file is named.
func profiled(path string) (stop func() error, err error) {
	if path == "" {
		return func() error { return nil }, nil
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() error {
		pprof.StopCPUProfile()
		return f.Close()
	}, nil
}

// costs are what searches took, in milliseconds of time and of processor; cold,
// what those took that came first, when nothing was asked before.
type costs struct{ took, processor, cold []float64 }

// searches asks every question so many times, and once before that.
func searches(questions []string, rounds int, ask func(string)) (c costs) {
	runtime.GC()
	timed := func(q string) (took, processor float64) {
		began, used := time.Now(), report.Used()
		ask(q)
		return milliseconds(began), (report.Used() - used).Seconds() * 1000
	}
	for _, q := range questions {
		_, processor := timed(q)
		c.cold = append(c.cold, processor)
	}
	for range rounds {
		for _, q := range questions {
			took, processor := timed(q)
			c.took, c.processor = append(c.took, took), append(c.processor, processor)
		}
	}
	return c
}

func (c costs) tell(r *report.Report, kind string) {
	r.Figure(kind+"p50_ms", quantile(c.took, .5), "ms")
	r.Figure(kind+"p99_ms", quantile(c.took, .99), "ms")
	r.Figure(kind+"processor_p50_ms", quantile(c.processor, .5), "ms")
	r.Figure(kind+"processor_p99_ms", quantile(c.processor, .99), "ms")
	r.Figure(kind+"first_processor_p99_ms", quantile(c.cold, .99), "ms, in the first round")
}

// engine is a peer that has indexed the articles.
type engine interface {
	search(question string, hits int) error
	close() error
}

func peer(r *report.Report, short, name string, open func(*made) (engine, error), source *made, questions []string) error {
	began := time.Now()
	e, err := open(source)
	if err != nil {
		return err
	}
	r.Peer(name, "made_ms", float64(time.Since(began).Milliseconds()))
	asked := searches(questions, 1, func(q string) {
		if failed := e.search(q, hitsAsked); failed != nil {
			err = failed
		}
	})
	if err != nil {
		return errors.Join(err, e.close())
	}
	for figure, value := range map[string]float64{"p50_ms": quantile(asked.took, .5), "p99_ms": quantile(asked.took, .99),
		"processor_p50_ms": quantile(asked.processor, .5), "processor_p99_ms": quantile(asked.processor, .99)} {
		r.Peer(name, figure, value)
	}
	r.Figure(short+"_p99_ms", quantile(asked.took, .99), "ms")
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

func milliseconds(since time.Time) float64 { return time.Since(since).Seconds() * 1000 }

func quantile(values []float64, q float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}
