// Package answer writes one answer: it takes the row up, finds passages,
// streams what the generator writes, checks each sentence against what it
// cites, and saves the whole in one transaction before it tells the readers that
// it is the end.
//
// The row's states are queued → running → done, failed or cancelled. While Run
// works it renews the lease; a Run that lost it stops and changes nothing. A
// worker that is told to stop gives the answer back, and the next attempt begins
// anew with a reset; that counts as nothing. A store or a model that is down puts
// the answer back for a second or two, until MaxTries attempts have failed; any
// other fault ends it as failed, with a French sentence in an error event and
// never the cause.
package answer

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/chat"
	"vigueur/internal/errs"
	"vigueur/internal/lease"
	"vigueur/internal/llm"
	"vigueur/internal/postgres"
	"vigueur/internal/rank"
	"vigueur/internal/retrieve"
	"vigueur/internal/trace"
)

const (
	// MaxTries is how many attempts may fail on a store or a model that is down
	// before the answer ends as failed.
	MaxTries = 3
	// settleTime is how long the last write may take once the writing has ended.
	settleTime = 5 * time.Second
)

// Stream is where the events of one attempt go; it never fails its writer.
type Stream interface {
	Text(ctx context.Context, delta string)
	ChunkEnds(ctx context.Context) []int
	End(ctx context.Context, kind chat.EventKind, data []byte)
	// Unheard gives what was sent, and where each chunk ended, when its readers
	// cannot have heard all of it.
	Unheard() (text string, ends []int, unheard bool)
}

// Searcher finds the passages for a question.
type Searcher interface {
	Search(ctx context.Context, q retrieve.Question) (retrieve.Result, error)
}

// Runner writes answers. Its fields are set once, before the first Run; Run may
// be called by many goroutines.
type Runner struct {
	DB      *postgres.DB
	Search  Searcher
	Models  map[string]llm.Generator
	Default string // the model of a question that names none
	// Fallback is the model that writes where what another wrote is not kept; "": all is.
	Fallback string
	// AtOnce shows what a model writes as it comes; what does not hold is warned of at
	// the end. Else each sentence is shown once it holds.
	AtOnce bool
	// Stream opens the events of an attempt.
	Stream func(ctx context.Context, id uuid.UUID, attempt int) Stream
	// WatchCancel calls stop when the answer is cancelled, until ctx ends.
	WatchCancel func(ctx context.Context, id uuid.UUID, stop func())
	Log         *slog.Logger
	// Renew is how often the lease is renewed; 0: postgres.Renew.
	Renew time.Duration
	// Backoff is how long an answer waits after so many failures; nil: Backoff.
	Backoff func(failures int) time.Duration
}

// Backoff is how long an answer waits after so many failures: its reader waits too.
func Backoff(failures int) time.Duration { return lease.Backoff(failures, time.Second, 4*time.Second) }

// job is one attempt at one answer.
type job struct {
	*Runner
	postgres.Work
	began  time.Time
	stream Stream
	text   strings.Builder
	found  retrieve.Result
	looked retrieve.Result // found, in the order of the search
	search time.Duration
	wrote  time.Duration // by the generator
	saved  time.Duration // the last write
	first  time.Duration // from the acceptance to the first text
	cut    bool          // the generator did not come to its end
	// instead is what was said where the fallback wrote in the place of a model; "": it did not.
	instead string
	spent   llm.Usage // of all requests to models
}

// Run takes an answer up, the hinted one unless another comes first in all
// fairness, and brings it to its end. LeaseLost: none waits, or the one taken was
// lost on the way, and nothing was changed. Cancelled: ctx ended, and the answer
// was given back. Other errors say why it failed or
// was put back; the row says it too.
func (r *Runner) Run(ctx context.Context, hint uuid.UUID) error {
	work, err := r.DB.StartAnswer(ctx, hint)
	if err != nil {
		return err
	}
	j := &job{Runner: r, Work: work, began: time.Now()}
	// The row says whose answer this is; the hint may have been another's.
	ctx, span := trace.Start(trace.Continue(ctx, work.Trace), "answer")
	_, queued := trace.StartAt(ctx, "queue", j.began.Add(-work.Waited))
	queued.End(nil)
	j.stream = r.Stream(ctx, work.ID, work.Attempt)
	held, release := j.hold(ctx)
	err = j.guarded(held)
	cause := context.Cause(held)
	release()
	if err != nil && cause != nil {
		err = cause // the reason, where err only says that the context ended
	}
	end, err := j.settle(ctx, err)
	j.tell(ctx, end, err)
	span.Text("message_id", j.ID.String())
	span.Number("attempt", j.Attempt)
	span.Text("end", end)
	span.End(err)
	return err
}

// tell writes the one event of an attempt. The words of question and answer
// stay out of it.
func (j *job) tell(ctx context.Context, end string, err error) {
	level := slog.LevelInfo
	if err != nil && !errs.Is(err, errs.LeaseLost) && !errs.Is(err, errs.Cancelled) {
		level = slog.LevelError
	}
	j.Log.LogAttrs(ctx, level, "answer", slog.Any("message_id", j.ID), slog.Int("attempt", j.Attempt), slog.String("end", end),
		slog.Duration("waited", j.Waited), slog.Duration("search", j.search), slog.Duration("first", j.first), slog.Duration("wrote", j.wrote), slog.Duration("saved", j.saved),
		slog.Duration("took", time.Since(j.began)), slog.Int("hits", len(j.found.Hits)), slog.String("verdict", j.found.Verdict.String()), slog.Float64("probability", j.found.Probability), slog.Bool("meant", j.found.Meant), slog.Bool("reranked", j.found.Reranked),
		slog.Int("tokens_in", j.spent.In), slog.Int("tokens_out", j.spent.Out), slog.Float64("cost", j.spent.Cost), slog.String("server", j.spent.Server),
		slog.Int("bytes", j.text.Len()), slog.Any("error", err))
}

// guarded writes the answer; a panic below it fails the answer, not the worker.
func (j *job) guarded(ctx context.Context) (err error) {
	defer func() {
		if p := recover(); p != nil {
			j.Log.ErrorContext(ctx, "answer panicked", "message_id", j.ID, "panic", p)
			err = errs.New(errs.Internal, "")
		}
	}()
	return j.write(ctx)
}

func (j *job) write(ctx context.Context) error {
	name := j.Model
	if name == "" {
		name = j.Default
	}
	model, known := j.Models[name]
	if !known {
		return errs.Newf(errs.Unprocessable, "Le modèle « %s » n’est pas disponible.", name)
	}
	j.Model = name
	asked := time.Now()
	searching, span := trace.Start(ctx, "retrieve")
	found, err := j.Search.Search(searching, retrieve.Question{Text: j.Question, History: told(j.History, chat.User),
		Answers: told(j.History, chat.Assistant), Filters: j.Filters})
	span.Number("hits", len(found.Hits))
	span.End(err)
	if err != nil {
		return err
	}
	j.found, j.looked, j.search = found, found, time.Since(asked)
	numbers, outdated := numbering{sources: len(found.Hits)}, notice{hits: found.Hits, today: found.Today}
	began := time.Now()
	writing, span := trace.Start(ctx, "write")
	err = j.generate(writing, model, func(delta string) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		j.say(ctx, numbers.take(outdated.take(delta)))
		return nil
	})
	j.wrote = time.Since(began)
	span.Text("model", j.Model)
	span.Number("bytes", j.text.Len())
	span.End(err)
	if ctx.Err() == nil {
		j.say(ctx, numbers.take(outdated.rest())+numbers.rest())
	}
	j.found.Hits = numbers.arrange(found.Hits)
	switch {
	case errors.Is(err, llm.ErrAbstained):
		j.found.Verdict, err = rank.Unlikely, nil
	case errors.Is(err, llm.ErrCut):
		j.cut, err = true, nil
	}
	return err
}

// say hands text to the readers and keeps it.
func (j *job) say(ctx context.Context, text string) {
	if text == "" {
		return
	}
	if j.first == 0 {
		j.first = j.Waited + time.Since(j.began)
	}
	j.text.WriteString(text)
	j.stream.Text(ctx, text)
}

func (j *job) prompt() llm.Prompt {
	p := j.found.Prompt(j.Question)
	p.Spent = func(u llm.Usage) {
		j.spent.Server = u.Server
		j.spent.In, j.spent.Out, j.spent.Cost = j.spent.In+u.In, j.spent.Out+u.Out, j.spent.Cost+u.Cost
	}
	for i := 0; i+1 < len(j.History); i += 2 {
		p.History = append(p.History, llm.Turn{Question: j.History[i].Content, Answer: j.History[i+1].Content})
	}
	return p
}

// told are the earlier messages of one side, oldest first.
func told(history []chat.Message, side chat.Role) (texts []string) {
	for _, m := range history {
		if m.Role == side {
			texts = append(texts, m.Content)
		}
	}
	return texts
}

// settle writes the end of the attempt into the row, then tells the readers;
// it names the end for the log.
func (j *job) settle(ctx context.Context, err error) (end string, _ error) {
	// The worker may have been told to stop; the row is written all the same.
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer cancel()
	began := time.Now()
	last, span := trace.Start(last, "save")
	end, failed := j.verdict(last, err)
	j.saved = time.Since(began)
	span.End(failed)
	if end == "lost" || failed != nil {
		j.excuse(ctx)
	}
	if end == "cancelled" {
		err = nil
	}
	if err = errors.Join(err, failed); errs.Is(err, errs.LeaseLost) {
		end = "lost" // noticed by this very write, when the worker had been stopped
	}
	return end, err
}

// verdict decides what becomes of the row and writes it; failed is why it could
// not be written.
func (j *job) verdict(ctx context.Context, err error) (end string, failed error) {
	kind := errs.KindOf(err)
	switch {
	case err == nil:
		return "done", j.finish(ctx, j.outcome(chat.Done))
	case errors.Is(err, errStopped):
		return "cancelled", j.finish(ctx, j.outcome(chat.Cancelled))
	case kind == errs.LeaseLost:
		return "lost", nil
	case kind == errs.Cancelled:
		return "given back", j.DB.ReleaseAnswer(ctx, j.ID, j.Attempt)
	case errs.Describe(kind).Retry && j.Failures+1 < MaxTries:
		return "put back", j.DB.PutBackAnswer(ctx, j.ID, j.Attempt, j.pause())
	default:
		return "failed", j.finish(ctx, j.failure(err))
	}
}

// excuse tells that this worker lives, though its attempt is lost: it counts as
// one that failed on a store that is down, and as often at most.
func (j *job) excuse(ctx context.Context) {
	if j.Failures+1 >= MaxTries {
		return
	}
	err := lease.Holder{Every: j.Renew}.Excuse(ctx, func(ctx context.Context) error {
		return j.DB.ExcuseAnswer(ctx, j.ID, j.Attempt)
	})
	if err != nil {
		j.Log.LogAttrs(ctx, slog.LevelWarn, "lost attempt not excused", slog.Any("message_id", j.ID), slog.Any("error", err))
	}
}

// pause is how long the answer waits after this attempt's failure.
func (j *job) pause() time.Duration {
	if j.Backoff == nil {
		return Backoff(j.Failures + 1)
	}
	return j.Backoff(j.Failures + 1)
}

func (j *job) finish(ctx context.Context, o postgres.Outcome) error {
	message, err := j.DB.FinishAnswer(ctx, j.ID, j.Attempt, o)
	if err != nil {
		return err
	}
	kind, data := chat.End(message)
	j.stream.End(ctx, kind, data)
	return nil
}
