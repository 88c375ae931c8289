// Package examples finds questions that the catalogue answers surely, for people who have none
// yet. It asks a list of questions as people ask them of the service itself, without a model, and
// keeps those whose answer is sure, with the sentence that answers.
//
// The work is one row of PostgreSQL (postgres.Follower), which is due when the catalogue has
// changed and rests, and once a day. It gives way to answers and files. A run that is repeated, or
// killed at any point, gives the same examples.
package examples

import (
	"cmp"
	"context"
	_ "embed"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/answer/llm"
	"vigueur/internal/law"
	"vigueur/internal/search/retrieve"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work"
	"vigueur/internal/work/answering"
	"vigueur/internal/work/indexsync"
	"vigueur/internal/work/queue"
)

// poll is the interval at which an idle process polls for tasks: nobody waits for examples.
const poll = 200 * time.Millisecond

// kept is the maximum number of examples that a run keeps, the surest. The page shows three; the
// others stand in for them when a text changes.
const kept = 60

// longestPause is the longest that a run waits before the next question while there is more
// urgent work, so that it ends.
const longestPause = 10 * time.Second

//go:embed questions.txt
var file string

// Questions lists the questions that are asked, from README.md's sources.
func Questions() []string { return strings.Split(strings.TrimSuffix(file, "\n"), "\n") }

// Runner makes the examples. Its fields are set once, before the first job.
type Runner struct {
	DB        *postgres.DB
	Search    answering.Searcher
	Quick     answering.Searcher // searches without the reader, and so tells which questions are worth it; nil: all are
	Generator llm.Generator      // quotes: what it writes needs no check by a person
	Questions []string
	// Sentences says whether searches use vectors of sentences: examples then wait for them.
	Sentences bool
	Log       *slog.Logger
	// Renew is how often the lease is renewed; 0: postgres.Renew.
	Renew time.Duration
}

// Kind describes the examples: one attempt at a time, because there is one row.
func (r *Runner) Kind() work.Kind {
	return work.Kind{Kind: queue.Examples, Poll: poll, Backoff: indexsync.Backoff, Renew: r.Renew, Log: r.Log}
}

// Due returns the row if examples are to be made and no worker holds it.
func (r *Runner) Due(ctx context.Context, _ int) ([]uuid.UUID, error) {
	return r.DB.DueExamples(ctx, r.Sentences)
}

// Lease begins an attempt at the row.
func (r *Runner) Lease(ctx context.Context, id uuid.UUID) (work.Job, error) {
	row, err := r.DB.ExampleIndex().Lease(ctx, id)
	if err != nil {
		return nil, err
	}
	return &job{Leased: work.Leased{Lease: row.Leased}, runner: r}, nil
}

// job is one attempt at making the examples.
type job struct {
	work.Leased
	runner *Runner
	asked  int
	found  int
}

// Work asks the questions and keeps those that are answered surely. Changes of the catalogue that
// come meanwhile make the row due again.
func (j *job) Work(ctx context.Context) error {
	version, err := j.runner.DB.CatalogueVersion(ctx)
	if err != nil {
		return err
	}
	var list []postgres.ExampleAnswer
	for _, q := range j.runner.Questions {
		if err := j.giveWay(ctx); err != nil {
			return err
		}
		began := time.Now()
		e, sure, err := j.ask(ctx, q)
		if err != nil {
			return err
		}
		if j.asked++; sure {
			list = append(list, e)
		}
		// One core in two at most, and none for longer than a question takes.
		if err := wait(ctx, time.Since(began)); err != nil {
			return err
		}
	}
	list = surest(list)
	j.found = len(list)
	return j.runner.DB.SaveExamples(ctx, j.Lease, version, list)
}

// worthReading is the probability that the first article answers, without the reader, below
// which a question is not asked with it: most questions are about law that a catalogue lacks,
// and reading costs ten times the search.
const worthReading = 0.3

// ask asks a question; sure is false if it is no example.
func (j *job) ask(ctx context.Context, question string) (e postgres.ExampleAnswer, sure bool, err error) {
	if j.runner.Quick != nil {
		found, err := j.runner.Quick.Search(ctx, retrieve.Question{Text: question})
		if err != nil || found.Verdict.Probability < worthReading {
			return e, false, err
		}
	}
	a, err := answering.Once(ctx, j.runner.Search, j.runner.Generator, question)
	if err != nil {
		return e, false, err
	}
	e, sure = exampleOf(question, &a)
	return e, sure, nil
}

// giveWay waits while a question or a file of somebody waits, or a worker is at it.
func (j *job) giveWay(ctx context.Context) error {
	for until := time.Now().Add(longestPause); ; {
		urgent, err := j.runner.DB.UrgentWork(ctx)
		if err != nil || !urgent || time.Now().After(until) {
			return err
		}
		if err := wait(ctx, poll); err != nil {
			return err
		}
	}
}

func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// Attrs returns the attributes of the attempt's log record.
func (j *job) Attrs() []slog.Attr {
	return []slog.Attr{slog.Int("asked", j.asked), slog.Int("examples", j.found)}
}

// exampleOf returns the example that an answer is; false if it is not sure, warns of something, or
// cites nothing with a page and a number.
func exampleOf(question string, a *answering.Answer) (e postgres.ExampleAnswer, sure bool) {
	if a.Certainty == nil || a.Certainty.Grade != chat.Sure || !a.Validation.OK || len(a.Citations) == 0 {
		return e, false
	}
	c := a.Citations[0]
	if c.Page == nil || *c.Page < 1 || c.ArticleID == nil || c.Article == nil || *c.Article == "" || c.Excerpt == "" || c.Status != law.InForce {
		return e, false
	}
	return postgres.ExampleAnswer{Question: question, Document: c.DocumentID, Article: *c.ArticleID, Number: *c.Article,
		Page: *c.Page, Quote: c.Excerpt, Probability: a.Certainty.Probability}, true
}

// surest returns the surest examples, one of each article.
func surest(list []postgres.ExampleAnswer) (best []postgres.ExampleAnswer) {
	slices.SortStableFunc(list, func(a, b postgres.ExampleAnswer) int { return cmp.Compare(b.Probability, a.Probability) })
	seen := make(map[uuid.UUID]bool)
	for _, e := range list {
		if !seen[e.Article] && len(best) < kept {
			seen[e.Article] = true
			best = append(best, e)
		}
	}
	return best
}
