// Command milvus asks the same questions of the index in memory, of a Milvus, and by words of PostgreSQL.
//
// It fills a catalogue of its own with the first --articles of a corpus (--corpus, as « scripts/eval retrieval » reads
// it), makes their vectors by the program's own encoder, writes them to the Milvus at --milvus, and finds the articles for
// every question of --queries (two files and more, by commas) three times, as a worker would: the best article of each way
// is held against that of the index in memory, and the times are told. Without --milvus only memory and PostgreSQL are
// asked.
package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"
	"vigueur/scripts/corpora"

	"vigueur/e2e/stage"
	"vigueur/scripts/benchmark/report"
)

type options struct {
	corpus, queries, milvus string
	articles, most          int
	patience                time.Duration
}

func main() {
	var o options
	const data = "../shared/data/retrieval/"
	flag.StringVar(&o.corpus, "corpus", data+"corpus.jsonl", "articles of the catalogue")
	flag.StringVar(&o.queries, "queries", data+"queries.train.jsonl,"+data+"allcodes/queries.train.jsonl", "questions")
	flag.StringVar(&o.milvus, "milvus", "", "address of a Milvus: http://host:port")
	flag.IntVar(&o.articles, "articles", 3000, "articles of the catalogue, at the most")
	flag.IntVar(&o.most, "most", 400, "questions asked, at the most")
	flag.DurationVar(&o.patience, "patience", time.Minute, "the longest wait for Milvus; a search that passes it is told of")
	flag.Parse()
	if err := run(context.Background(), o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) (err error) {
	var asked []string
	for path := range strings.SplitSeq(o.queries, ",") {
		list, err := corpora.Queries(path, "")
		if err != nil {
			return err
		}
		for _, q := range list {
			asked = append(asked, q.Text)
		}
	}
	asked = asked[:min(len(asked), o.most)]
	s, err := stage.Open(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if failed := s.Close(); err == nil {
			err = failed
		}
	}()
	r := report.New("milvus", report.ThisMachine())
	w, err := open(ctx, s.DatabaseURL(), o, slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})))
	if err != nil {
		return err
	}
	defer w.close()
	passages, _ := w.memory.Size()
	r.Figure("passages", float64(passages), "")
	r.Figure("questions", float64(len(asked)), "")
	truth, err := w.ask(ctx, r, "memory", w.inMemory(true), asked)
	if err != nil {
		return err
	}
	if o.milvus != "" {
		found, err := w.ask(ctx, r, "milvus", w.inMilvus(), asked)
		if err != nil {
			return err
		}
		r.Figure("milvus_same_first_article", same(found, truth), "of the questions, in memory by words and meaning")
		r.Goal("milvus_same_first_article", report.AtLeast, 0.98)
		r.Goal("milvus_p99_ms", report.AtMost, 1000)
	}
	if truth, err = w.ask(ctx, r, "memory_words", w.inMemory(false), asked); err != nil {
		return err
	}
	found, err := w.ask(ctx, r, "postgres_words", w.inPostgreSQL(), asked)
	if err != nil {
		return err
	}
	r.Figure("postgres_same_first_article", same(found, truth), "of the questions, in memory by words")
	r.Goal("postgres_same_first_article", report.AtLeast, 0.95) // it looks at 320 passages, and the best may not be among them
	return r.Print(os.Stdout)
}

func same(a, b []string) float64 {
	n := 0
	for i := range a {
		if a[i] == b[i] {
			n++
		}
	}
	return float64(n) / float64(max(1, len(a)))
}
