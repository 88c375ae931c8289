// Package answering writes one answer: it leases the row, finds passages, streams the
// generator's text, checks each sentence against the passages it cites, and saves the
// whole in one transaction before it publishes the final event.
//
// The row's states are queued → running → done, failed or cancelled (package work). Any
// attempt but the first begins with a reset event. While a store or a model is down the
// answer is retried after a second or two, until MaxTries attempts have failed; any other
// error ends it as failed, with a French sentence in an error event and never the cause.
package answering

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/answer/llm"
	"vigueur/internal/answer/prompt"
	"vigueur/internal/answer/refer"
	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/trace"
	"vigueur/internal/law/country"
	"vigueur/internal/search/retrieve"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work"
	"vigueur/internal/work/lease"
	"vigueur/internal/work/queue"
)

// MaxTries is the number of attempts, failed because a store or a model is down, after
// which the answer ends as failed.
const MaxTries = 3

// Stream publishes the events of one attempt. Its methods do not fail: readers get text that
// could not be published from the row, after the end.
type Stream interface {
	Text(ctx context.Context, delta string)
	ChunkEnds(ctx context.Context) []int
	End(ctx context.Context, kind chat.EventKind, data []byte)
}

// Searcher finds the passages for a question.
type Searcher interface {
	Search(ctx context.Context, q retrieve.Question) (refer.Found, error)
}

// AnswerWriter writes answers. Its fields are set once, before the first Run; Run may
// be called by many goroutines.
type AnswerWriter struct {
	DB      *postgres.DB
	Search  Searcher
	Models  map[string]llm.Generator
	Default string // the model for questions that name no model
	// Fallback is the model that answers instead of a model whose text is rejected; "": no
	// text is rejected.
	Fallback string
	// AtOnce makes a model's text be streamed as it arrives; the final event then warns of
	// sentences that the sources do not support. Without it, each sentence is checked
	// before it is streamed.
	AtOnce bool
	// Rephrase has a model say a question again of which the search is unsure.
	Rephrase bool
	// Checker is the model that reads the answers of the others, "": none does.
	Checker string
	// Help is what an operator wrote, by country, for people who tell of violence or want to die.
	Help map[country.Code]string
	// Stream opens the stream of an attempt.
	Stream func(ctx context.Context, id uuid.UUID, attempt int) Stream
	// WatchCancel calls stop when the answer is cancelled, until ctx ends.
	WatchCancel func(ctx context.Context, id uuid.UUID, stop func())
	Log         *slog.Logger
	Concurrency int           // number of answers that a process writes at once
	Poll        time.Duration // interval at which an idle process looks for questions
	// Renew is how often the lease is renewed; 0: postgres.Renew.
	Renew time.Duration
	// Backoff is the delay after a number of failures; nil: Backoff.
	Backoff func(failures int) time.Duration
}

// Backoff is the delay after a number of failures, short because a reader waits.
func Backoff(failures int) time.Duration { return lease.Backoff(failures, time.Second, 4*time.Second) }

// leased is the row of a job. It has another name than postgres.Work because job embeds it
// and has a method Work.
type leased = postgres.Work

// job is one attempt at one answer.
type job struct {
	*AnswerWriter
	leased
	began   time.Time
	stream  Stream
	text    strings.Builder
	found   refer.Found
	looked  refer.Found   // the same, but always in the order of the search
	search  time.Duration // duration of the search
	wrote   time.Duration // duration of the generation
	saved   time.Duration // duration of the last write to the row
	first   time.Duration // time from accepting the question to the first text
	cut     bool          // the generator was stopped before its end
	doubted bool          // the check warns of what is shown
	left    int           // number of sentences of the model that were left out of what is shown
	// fallbackLead introduces the fallback's text; "": the fallback was not used.
	fallbackLead string
	again        bool             // the model said the question again, and its articles are among those found
	remarks      string           // what the second model said of the answer
	notices      []string         // that cited articles are not in force
	spent        llm.Usage        // total of all requests to models
	used         []postgres.Usage // the same usage, by server
}

// Plan describes answers. Answers wait for a model most of the time, so a process runs
// several at once.
func (r *AnswerWriter) Plan() work.Plan {
	k := work.Plan{Kind: queue.Answers, Concurrency: r.Concurrency, Poll: r.Poll, Tries: MaxTries, Backoff: r.Backoff, Renew: r.Renew, Log: r.Log}
	if k.Backoff == nil {
		k.Backoff = Backoff
	}
	return k
}

// Due selects answers that no worker holds.
func (r *AnswerWriter) Due(ctx context.Context, limit int) ([]uuid.UUID, error) {
	return r.DB.DueAnswers(ctx, limit)
}

// Lease begins an attempt at an answer: the hinted answer, unless the answer of a person
// with fewer running answers takes precedence.
func (r *AnswerWriter) Lease(ctx context.Context, hint uuid.UUID) (work.Job, error) {
	row, err := r.DB.StartAnswer(ctx, hint)
	if err != nil {
		return nil, err
	}
	return &job{AnswerWriter: r, leased: row, began: time.Now(), stream: r.Stream(ctx, row.ID, row.Attempt)}, nil
}

// Attrs returns the attributes of the attempt's log record. They never contain the words of
// question or answer.
func (j *job) Attrs() []slog.Attr {
	return []slog.Attr{slog.Any("message_id", j.ID),
		slog.Duration("waited", j.Waited), slog.Duration("search", j.search), slog.Duration("first", j.first), slog.Duration("wrote", j.wrote), slog.Duration("saved", j.saved),
		slog.Int("hits", len(j.found.Hits)), slog.String("verdict", j.found.Verdict.Grade.String()), slog.String("why", string(j.found.Verdict.Why)), slog.Float64("probability", j.found.Verdict.Probability), slog.Bool("meant", j.found.Semantic), slog.Int("read", j.found.Read.Articles), slog.Int("unread", j.found.Read.Unread),
		slog.Int("tokens_in", j.spent.In), slog.Int("tokens_out", j.spent.Out), slog.Float64("cost", j.spent.Cost), slog.String("server", j.spent.Server),
		slog.Int("bytes", j.text.Len())}
}

// Work finds passages and writes the answer from them.
func (j *job) Work(ctx context.Context) error {
	_, queued := trace.StartAt(ctx, "queue", j.began.Add(-j.Waited))
	queued.End(nil)
	j.Model = cmp.Or(j.Model, j.Default)
	model, known := j.Models[j.Model]
	if !known {
		return errs.Newf(errs.Unprocessable, "Le modèle « %s » n’est pas disponible.", j.Model)
	}
	if j.Cancel { // cancellation was requested before this attempt began
		return work.ErrCancelled
	}
	if err := j.retrieve(ctx, model); err != nil {
		return err
	}
	return j.write(ctx, model)
}

// retrieve finds the passages.
func (j *job) retrieve(ctx context.Context, model llm.Generator) error {
	asked := time.Now()
	searching, span := trace.Start(ctx, "retrieve")
	found, err := j.find(searching, model)
	j.search = time.Since(asked)
	span.Number("hits", len(found.Hits))
	span.End(err)
	if err != nil {
		return err
	}
	j.found, j.looked = found, found
	return nil
}

// find searches for what answers the question.
func (j *job) find(ctx context.Context, model llm.Generator) (found refer.Found, err error) {
	q := j.questionToSearch()
	if q.Names, err = j.DB.GivenNames(ctx); err != nil {
		return found, err
	}
	if found, err = j.Search.Search(ctx, q); err == nil {
		found = j.searchAgain(ctx, model, q, found)
	}
	return found, err
}

// questionToSearch returns the question of the job with its conversation and its filters.
func (j *job) questionToSearch() retrieve.Question {
	return retrieve.Question{Text: j.Question, History: chat.Contents(j.History, chat.User), Answers: chat.Contents(j.History, chat.Assistant), Filters: j.Filters, Wide: j.judged()}
}

// judged reports whether a language model writes the answer, which reads more passages than are quoted without one.
func (j *job) judged() bool {
	_, known := j.Models[j.Fallback]
	return known && j.Model != j.Fallback
}

// write lets the model write the answer from the passages.
func (j *job) write(ctx context.Context, model llm.Generator) error {
	found := j.found
	numbers, outdated := numbering{sources: len(found.Hits)}, repealNotice{hits: found.Hits, today: found.Today}
	began := time.Now()
	j.emit(ctx, j.helpLead())
	writing, span := trace.Start(ctx, "write")
	err := j.generate(writing, model, func(delta string) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		j.emit(ctx, numbers.write(outdated.write(delta)))
		return nil
	})
	j.wrote = time.Since(began)
	span.Text("model", j.Model)
	span.Number("bytes", j.text.Len())
	span.End(err)
	if ctx.Err() == nil {
		j.emit(ctx, numbers.write(outdated.flush())+numbers.flush())
	}
	j.found.Hits, j.notices = numbers.arrange(found.Hits), outdated.given
	switch {
	case errors.Is(err, llm.ErrAbstained):
		j.found.Verdict, err = j.found.Verdict.Abstain(), nil
	case errors.Is(err, llm.ErrCut):
		j.cut, err = true, nil
	}
	return err
}

// emit publishes text and appends it to the answer.
func (j *job) emit(ctx context.Context, text string) {
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
	p := prompt.Of(&j.found.Result, j.Question)
	p.Spent = j.spend
	for i := 0; i+1 < len(j.History); i += 2 {
		p.History = append(p.History, llm.Turn{Question: j.History[i].Content, Answer: answerAlone(j.History[i+1])})
	}
	return p
}

// spend counts what a request to a model consumed.
func (j *job) spend(u llm.Usage) {
	j.spent.Server = u.Server
	j.spent.In, j.spent.Out, j.spent.Cost = j.spent.In+u.In, j.spent.Out+u.Out, j.spent.Cost+u.Cost
	j.use(u)
}

// answerAlone returns an earlier answer without what the service said of a model, "" if nothing answered.
func answerAlone(m chat.Message) string {
	if m.Certainty != nil && m.Certainty.Grade == chat.Refused {
		return ""
	}
	content := m.Content
	for _, n := range []fallbackNotice{noSource, onlyQuestion, unsupported, modelDown, modelBusy, modelUnfit} {
		for _, notice := range []string{n.alone, n.after} {
			if notice != "" {
				content = strings.ReplaceAll(content, notice+quoting, "")
			}
		}
	}
	return content
}

// Conclude writes the end of the attempt to the row, then publishes it.
func (j *job) Conclude(ctx context.Context, end work.End) error {
	began := time.Now()
	ctx, span := trace.Start(ctx, "save")
	j.keepUsage(ctx)
	if err := j.DB.ChargeAnswer(ctx, j.ID, j.Attempt, j.busy()); err != nil {
		j.Log.WarnContext(ctx, "what an answer cost is not counted", "message_id", j.ID, "error", err)
	}
	var err error
	switch end.Outcome {
	case work.Done:
		err = j.finish(ctx, j.outcome(chat.Done))
	case work.Cancelled:
		err = j.finish(ctx, j.outcome(chat.Cancelled))
	case work.Released:
		err = j.DB.ReleaseAnswer(ctx, j.ID, j.Attempt)
	case work.PutBack:
		err = j.DB.PutBackAnswer(ctx, j.ID, j.Attempt, end.After)
	default:
		err = j.finish(ctx, j.failure(end.Err))
	}
	j.saved = time.Since(began)
	span.End(err)
	return err
}

// busy returns how long the attempt kept a worker's processors busy: not while it waited for a
// model's server.
func (j *job) busy() time.Duration {
	if len(j.used) > 0 {
		return j.search
	}
	return j.search + j.wrote
}

// finish stores the answer, then publishes its last event.
func (j *job) finish(ctx context.Context, o postgres.Outcome) error {
	message, err := j.DB.FinishAnswer(ctx, j.ID, j.Attempt, o)
	if err != nil {
		return err
	}
	kind, data := chat.End(message)
	j.stream.End(ctx, kind, data)
	return nil
}

// Row identifies the attempt.
func (j *job) Row() work.Row {
	return work.Row{ID: j.ID, Attempt: j.Attempt, Failures: j.Failures, Trace: j.Trace}
}

// Renew renews the lease; stop is ErrCancelled once the reader has canceled.
func (j *job) Renew(ctx context.Context) (stop, err error) {
	canceled, err := j.DB.KeepAnswer(ctx, j.ID, j.Attempt)
	if canceled {
		stop = work.ErrCancelled
	}
	return stop, err
}

// Watchers returns a watcher that stops the attempt when the reader cancels.
func (j *job) Watchers() []func(held context.Context, stop context.CancelCauseFunc) {
	return []func(context.Context, context.CancelCauseFunc){j.watchCancel}
}

// Excuse records that the worker did not crash.
func (j *job) Excuse(ctx context.Context) error { return j.DB.ExcuseAnswer(ctx, j.ID, j.Attempt) }

// watchCancel ends the attempt as soon as the reader cancels, without waiting for the
// next renewal of the lease.
func (j *job) watchCancel(held context.Context, stop context.CancelCauseFunc) {
	j.WatchCancel(held, j.ID, func() { stop(work.ErrCancelled) })
}

// use adds the usage of one request to the attempt's usage of the same server.
func (j *job) use(u llm.Usage) {
	i := slices.IndexFunc(j.used, func(usage postgres.Usage) bool { return usage.Server == u.Server })
	if i < 0 {
		i, j.used = len(j.used), append(j.used, postgres.Usage{Server: u.Server, Model: j.Model})
	}
	of := &j.used[i]
	of.Requests++
	of.In, of.Out, of.Cost = of.In+u.In, of.Out+u.Out, of.Cost+u.Cost
	of.Estimated = of.Estimated || u.Estimated
}

// keepUsage stores the attempt's usage of models, however the attempt ended, because the tokens
// of a failed answer have a price, too. If that fails, the answer is kept all the same. The
// debug log has a record for each server, from which the metrics are counted.
func (j *job) keepUsage(ctx context.Context) {
	for _, usage := range j.used {
		j.Log.LogAttrs(ctx, slog.LevelDebug, "model usage", slog.Any("message_id", j.ID), slog.String("server", usage.Server), slog.String("model", usage.Model),
			slog.Int("requests", usage.Requests), slog.Int("tokens_in", usage.In), slog.Int("tokens_out", usage.Out), slog.Float64("cost", usage.Cost))
	}
	if err := j.DB.AddUsage(ctx, j.ID, j.Asker, j.Attempt, j.used); err != nil {
		j.Log.LogAttrs(ctx, slog.LevelWarn, "usage of models not kept", slog.Any("message_id", j.ID), slog.Any("error", err))
	}
}
