// Command words searches 90,000 articles by their words over HTTP: what people ask, and the commonest words.
//
// It sets up a system of its own, fills its catalogue with articles made by resampling the sentences and headings of a
// real corpus (--corpus, as « scripts/eval retrieval » reads it; without it, those of the sample gazettes), and asks
// GET /search of an API what --queries has: whole questions, of which nothing has all the words, so that words are let
// go, and the two rarest and the commonest words of each, as people type them into a search box. No worker runs. Then it
// asks the two words of each question by turns at GET /search and of the tool search_articles, with one API key.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"

	"vigueur/e2e/stage"
	"vigueur/scripts/benchmark/report"
)

type options struct {
	corpus, queries string
	articles, most  int
}

func main() {
	var o options
	flag.StringVar(&o.corpus, "corpus", "../shared/data/retrieval/corpus.jsonl", "articles whose sentences are resampled")
	flag.StringVar(&o.queries, "queries", "../shared/data/retrieval/queries.train.jsonl", "questions")
	flag.IntVar(&o.articles, "articles", 90_000, "articles of the catalogue")
	flag.IntVar(&o.most, "most", 100, "questions asked, at the most")
	flag.Parse()
	if err := run(context.Background(), o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) (err error) {
	m, err := material(o)
	if err != nil {
		return err
	}
	s, err := stage.Open(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if failed := s.Close(); err == nil {
			err = failed
		}
	}()
	r := report.New("words", report.ThisMachine())
	r.Figure("articles", float64(o.articles), "")
	if err := fill(ctx, r, s.DatabaseURL(), m, o.articles); err != nil {
		return err
	}
	api, err := s.API(ctx)
	if err != nil {
		return err
	}
	client, err := s.Client(ctx, api)
	if err != nil {
		return err
	}
	for _, set := range m.sets() {
		if err := ask(ctx, r, client, set); err != nil {
			return err
		}
	}
	if err := examples(ctx, r, client); err != nil {
		return err
	}
	key, err := s.Key(ctx, "documents,mcp")
	if err != nil {
		return err
	}
	if err := twoDoors(ctx, r, &stage.Client{URL: client.URL, Token: key, HTTP: client.HTTP}, m.sets()[0]); err != nil {
		return err
	}
	r.Goal("two_words_p99_ms", report.AtMost, 100)
	r.Goal("examples_first_ms", report.AtMost, 100)
	r.Goal("examples_p50_ms", report.AtMost, 50)
	r.Goal("mcp_later_p50_ms", report.AtMost, 3)
	return r.Print(os.Stdout)
}

// examples measures the questions that are proposed to who arrives, of each country: the first time and again.
func examples(ctx context.Context, r *report.Report, client *stage.Client) error {
	var first, again []time.Duration
	for _, country := range []string{"bj", "sn", "tg", "fr"} { // the last one has no text
		for turn := range 20 {
			began := time.Now()
			var body struct{ Items []struct{ Question string } }
			if err := client.JSON(ctx, "GET", "/api/v1/examples?pays="+country, nil, &body); err != nil {
				return err
			}
			if turn == 0 {
				first = append(first, time.Since(began))
				fmt.Printf("examples of %s: %d\n", country, len(body.Items))
			} else {
				again = append(again, time.Since(began))
			}
		}
	}
	r.Figure("examples_first_ms", report.Quantile(first, 1), "ms, the longest of four countries")
	r.Figure("examples_p50_ms", report.Quantile(again, .5), "ms")
	return nil
}
