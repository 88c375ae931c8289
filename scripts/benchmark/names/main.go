// Command names measures how long it takes to find what a question names, in a catalogue of 200,000 texts (-texts: others).
//
// It fills a database with texts of ten countries and sixty years, whose titles are drawn from some hundred subjects, so
// that most names of a law mean many or none, and has their keys made as « ingest migrate up » does. Then it asks
// questions that name texts by number, by title, by day, by year and by words that may be a title, half of them of texts
// that are not there, one after the other, once unmeasured, with what « ingest ask --explain » asks: reading the question
// and the days of the articles of found texts are part of each figure. What the process holds afterwards is compared
// with what it held before. At last a quarter of the texts gets keys of another version, as while programs of two
// releases run, and some get none, and it asks again. There is no peer: what may be meant follows from this service's
// rules.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"time"

	"vigueur/e2e/stage"
	"vigueur/internal/search/named"
	"vigueur/internal/search/question"
	"vigueur/internal/store/postgres"
	"vigueur/scripts/benchmark/report"
)

// Goals of how long finding what a question names may take, in ms, by its 99th percentile.
const (
	goal        = 10
	goalUpgrade = 200 // while another version takes over
)

func main() {
	texts := flag.Int("texts", 200_000, "texts of the catalogue")
	times := flag.Int("times", 500, "questions of each kind")
	flag.Parse()
	if err := run(context.Background(), *texts, *times); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, texts, times int) (err error) {
	r := report.New("names", report.ThisMachine())
	s, err := stage.Open(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if failed := s.Close(); err == nil {
			err = failed
		}
	}()
	r.Figure("texts", float64(texts), "")
	db, err := postgres.Open(ctx, s.DatabaseURL())
	if err != nil {
		return err
	}
	defer db.Close()
	if err := fill(ctx, s.DatabaseURL(), texts); err != nil {
		return err
	}
	began := time.Now()
	for {
		made, err := db.MakeNames(ctx)
		if err != nil {
			return err
		}
		if made == 0 {
			break
		}
	}
	r.Figure("made_s", time.Since(began).Seconds(), "s, the keys of all")
	if err := settle(ctx, r, s.DatabaseURL(), texts); err != nil {
		return err
	}
	draw := drawn{rand.New(rand.NewPCG(18, 8)), texts}
	// The first question loads what every question is read with, names or not.
	if _, err := resolve(ctx, db, "Que dit la loi ?"); err != nil {
		return err
	}
	before := held()
	if err := ask(ctx, r, db, draw, "", times); err != nil {
		return err
	}
	r.Figure("held_bytes", held()-before, "bytes, what a process holds of names after all questions: the same at any size")
	r.Goal("p99_ms", report.AtMost, goal)
	r.Goal("held_bytes", report.AtMost, 1<<20)
	if err := outdate(ctx, s.DatabaseURL(), texts); err != nil {
		return err
	}
	if err := ask(ctx, r, db, draw, "upgrade_", max(1, times/10)); err != nil {
		return err
	}
	r.Goal("upgrade_p99_ms", report.AtMost, goalUpgrade)
	return r.Print(os.Stdout)
}

// ask measures questions of each kind; the names of its figures begin with as.
func ask(ctx context.Context, r *report.Report, db *postgres.DB, draw drawn, as string, times int) error {
	var all []float64
	for _, k := range draw.kinds() {
		var took []float64
		for i := range times + times/10 {
			asked := k.ask()
			began := time.Now()
			found, err := resolve(ctx, db, asked)
			if err != nil {
				return fmt.Errorf("%s: %w", asked, err)
			}
			if found > 1 {
				return fmt.Errorf("%s: %d references", asked, found)
			}
			if i >= times/10 { // the first are not measured
				took = append(took, time.Since(began).Seconds()*1000)
			}
		}
		r.Figure(as+k.name+"_p50_ms", quantile(took, .5), "ms")
		r.Figure(as+k.name+"_p99_ms", quantile(took, .99), "ms")
		all = append(all, took...)
	}
	r.Figure(as+"p50_ms", quantile(all, .5), "ms")
	r.Figure(as+"p99_ms", quantile(all, .99), "ms")
	return nil
}

// resolve finds what the references of a question mean, and returns how many it has.
func resolve(ctx context.Context, db *postgres.DB, text string) (int, error) {
	asked := question.Read(text, question.Conversation{})
	found, err := named.NewLookup(db).Resolve(ctx, named.Question{Asked: &asked, Today: time.Now()})
	return len(found), err
}

// held is how much memory is in use once what is not has been given back.
func held() float64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

func quantile(values []float64, q float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}
