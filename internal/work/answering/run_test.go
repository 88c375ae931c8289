package answering_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/answer/llm"
	"vigueur/internal/answer/refer"
	"vigueur/internal/answer/why"
	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/testkit/leak"
	"vigueur/internal/law"
	"vigueur/internal/search/decide"
	"vigueur/internal/search/retrieve"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
	"vigueur/internal/work/answering"
)

func TestMain(m *testing.M) { leak.Main(m) }

// recorder is a Stream that records its events.
type recorder struct {
	mu     sync.Mutex
	text   string
	ends   []int
	ended  []chat.EventKind
	end    string
	wrote  chan struct{} // a token for each piece of text
	resets int
}

func (r *recorder) Text(_ context.Context, delta string) {
	r.mu.Lock()
	r.text += delta
	r.ends = append(r.ends, len(r.text))
	r.mu.Unlock()
	r.wrote <- struct{}{}
}

func (r *recorder) ChunkEnds(context.Context) []int { return r.ends }

func (r *recorder) End(_ context.Context, kind chat.EventKind, data []byte) {
	r.ended, r.end = append(r.ended, kind), string(data)
}

// found is a Searcher with a fixed result.
type found struct {
	result retrieve.Result
	err    error
}

func (f found) Search(_ context.Context, q retrieve.Question) (refer.Found, error) {
	f.result.Asked = q.Parse(f.result.Today).Asked
	return refer.Found{Result: f.result}, f.err
}

// writes is a generator implemented by the test.
type writes func(ctx context.Context, p llm.Prompt, yield func(string) error) error

func (w writes) Generate(ctx context.Context, p llm.Prompt, yield func(string) error) error {
	return w(ctx, p, yield)
}

// says returns a generator that writes the pieces and ends.
func says(pieces ...string) writes {
	return func(_ context.Context, _ llm.Prompt, yield func(string) error) error {
		for _, p := range pieces {
			if err := yield(p); err != nil {
				return err
			}
		}
		return nil
	}
}

// bundle is a runner on a real database in which one question waits.
type bundle struct {
	*answering.AnswerWriter
	user         uuid.UUID
	conversation uuid.UUID
	id           uuid.UUID
	stream       *recorder
	cancel       chan struct{} // closed: the reader cancels
}

func setup(t *testing.T, model llm.Generator, search answering.Searcher) *bundle {
	t.Helper()
	t.Parallel()
	db := pgtest.New(t)
	b := &bundle{user: postgres.NewID(), stream: &recorder{wrote: make(chan struct{}, 1000)}, cancel: make(chan struct{})}
	check(t, db.CreateUser(t.Context(), postgres.User{ID: b.user, Email: "a@exemple.org", FullName: "A", Role: "user", Active: true, PasswordHash: "x"}))
	var err error
	b.conversation, b.id, err = db.CreateTurn(t.Context(), postgres.NewTurn{UserID: b.user, Question: "Quel est le préavis ?"})
	check(t, err)
	b.AnswerWriter = &answering.AnswerWriter{DB: db, Search: search, Models: map[string]llm.Generator{"essai": model}, Default: "essai",
		Log: slog.New(slog.DiscardHandler), Renew: 20 * time.Millisecond,
		Stream: func(_ context.Context, _ uuid.UUID, attempt int) answering.Stream {
			b.stream.resets += min(attempt-1, 1)
			return b.stream
		},
		WatchCancel: func(ctx context.Context, _ uuid.UUID, stop func()) {
			select {
			case <-ctx.Done():
			case <-b.cancel:
				stop()
			}
		}}
	return b
}

func (b *bundle) message(t *testing.T) chat.Message {
	t.Helper()
	m, err := b.DB.Answer(t.Context(), b.user, b.id)
	check(t, err)
	return m
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// oneHit returns a search that finds article 26 of a code.
func oneHit() found {
	const text = "La durée du préavis est de trois mois pour le cadre.\nElle est d’un mois pour l’ouvrier."
	line := strings.Index(text, "\n")
	h := retrieve.Hit{Score: 1, Mode: retrieve.ByWords}
	h.Document = law.Document{ID: uuid.New(), Title: "Loi n° 2023-07 portant Code du travail", Type: law.Loi, OfficialNumber: "2023-07", Status: law.InForce}
	h.Article = law.Article{ID: uuid.New(), Number: "26", Page: 3}
	h.Passage = law.Passage{ID: uuid.New(), Page: 3, Text: text, Spans: []law.Span{
		{Start: 0, End: line, Page: 3, Rect: law.Rect{1, 2, 3, 4}}, {Start: line + 1, End: len(text), Page: 4, Rect: law.Rect{5, 6, 7, 8}}}}
	h.Passages = []law.Passage{h.Passage}
	h.Relations = []law.RelationRef{}
	return found{result: retrieve.Result{Hits: []retrieve.Hit{h}, Verdict: decide.Verdict{Grade: decide.Sure, Probability: 1}, Day: time.Now().UTC().Truncate(24 * time.Hour)}}
}

func TestAnswerIsStreamedCheckedAndStored(t *testing.T) {
	b := setup(t, says("L’article 26 dispose : « Elle est d’un mois ", "pour l’ouvrier. » [1]"), oneHit())
	check(t, b.Run(t.Context(), b.id))
	m := b.message(t)
	if m.State != chat.Done || m.Content != b.stream.text || len(m.ChunkEnds) != 2 || *m.Model != "essai" || m.LatencyMS == nil {
		t.Errorf("stored %+v", m)
	}
	if !m.Validation.OK {
		t.Errorf("warning %q", *m.Validation.Warning)
	}
	if len(m.Citations) != 1 {
		t.Fatalf("%d citations", len(m.Citations))
	}
	c := m.Citations[0]
	if c.Excerpt != "Elle est d’un mois pour l’ouvrier." || *c.Page != 4 || len(c.Regions) != 1 || c.Regions[0].Page != 4 || *c.Article != "26" {
		t.Errorf("citation %+v", c)
	}
	if !strings.HasSuffix(c.URL, "/file#page=4") {
		t.Errorf("url %s", c.URL)
	}
	if len(b.stream.ended) != 1 || b.stream.ended[0] != chat.Final || b.stream.end != string(chat.FinalData(m)) {
		t.Errorf("ended %v with %s", b.stream.ended, b.stream.end)
	}
	// The explanation of the answer is stored beside it.
	var kept why.Why
	e, err := b.DB.ExplainedAnswer(t.Context(), b.id)
	check(t, err)
	check(t, json.Unmarshal(e.Why, &kept))
	if len(kept.Candidates) != 1 || kept.Candidates[0].Cited != 1 || kept.Gate.Verdict != "sure" || kept.Writer.Model != "essai" || e.Asked != "Quel est le préavis ?" || e.AskedBy != b.user {
		t.Errorf("kept %+v of %q", kept, e.Asked)
	}
	if err := b.Run(t.Context(), b.id); !errs.Is(err, errs.LeaseLost) {
		t.Errorf("the task once more: %v", err)
	}
}

func TestFalseNumberIsWarnedOf(t *testing.T) {
	b := setup(t, says("Le préavis du cadre est de six mois [1]. Voir aussi [7]."), oneHit())
	check(t, b.Run(t.Context(), b.id))
	m := b.message(t)
	if m.Validation.OK || m.Validation.Warning == nil {
		t.Errorf("validation %+v of a false number", m.Validation)
	}
	if len(m.Citations) != 1 || m.Citations[0].Index != 1 {
		t.Errorf("citations %+v, want [1] only: there is no source 7", m.Citations)
	}
}

func TestNothingFoundAbstainsWithAWarning(t *testing.T) {
	model := writes(func(_ context.Context, p llm.Prompt, yield func(string) error) error {
		if !p.Verdict.Closed() {
			t.Error("the model is not told to abstain")
		}
		return yield("Aucun texte du catalogue ne répond à cette question.")
	})
	b := setup(t, model, found{result: retrieve.Result{Verdict: decide.WithoutArticle(decide.NothingFound)}})
	check(t, b.Run(t.Context(), b.id))
	m := b.message(t)
	if m.State != chat.Done || m.Validation.OK || m.Validation.Warning == nil || len(m.Citations) != 0 {
		t.Errorf("stored %+v, validation %+v", m, m.Validation)
	}
}

func TestRepealedSourceIsWarnedOf(t *testing.T) {
	f := oneHit()
	ended := time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC)
	f.result.Hits[0].To = &ended
	b := setup(t, says("« Elle est d’un mois pour l’ouvrier. » [1]"), f)
	check(t, b.Run(t.Context(), b.id))
	if m := b.message(t); m.Validation.OK || !strings.Contains(*m.Validation.Warning, "01/05/2024") {
		t.Errorf("validation %+v", m.Validation)
	}
}

func TestCutAnswerIsKeptWithAWarning(t *testing.T) {
	b := setup(t, writes(func(_ context.Context, _ llm.Prompt, yield func(string) error) error {
		return errors.Join(yield("« Elle est d’un mois pour l’ouvrier. » [1]"), llm.ErrCut)
	}), oneHit())
	check(t, b.Run(t.Context(), b.id))
	m := b.message(t)
	if m.State != chat.Done || m.Validation.OK || !strings.Contains(*m.Validation.Warning, "interrompue") || len(m.Citations) != 1 {
		t.Errorf("stored %+v, validation %+v", m, m.Validation)
	}
}

// waits writes a piece and then waits for its context to end.
func waits(ctx context.Context, _ llm.Prompt, yield func(string) error) error {
	if err := yield("Début "); err != nil {
		return err
	}
	<-ctx.Done()
	return ctx.Err()
}

func TestCancelKeepsWhatWasWritten(t *testing.T) {
	for _, way := range []string{"told by the relay", "seen in the row"} {
		t.Run(way, func(t *testing.T) {
			b := setup(t, writes(waits), oneHit())
			ended := make(chan error, 1)
			go func() { ended <- b.Run(t.Context(), b.id) }()
			<-b.stream.wrote
			if way == "told by the relay" {
				close(b.cancel)
			} else if _, err := b.DB.RequestCancel(t.Context(), b.user, b.id); err != nil {
				t.Fatal(err)
			}
			check(t, <-ended)
			m := b.message(t)
			if m.State != chat.Cancelled || m.Content != "Début" || m.Validation.OK || m.Validation.Warning == nil {
				t.Errorf("stored %+v", m)
			}
			if len(b.stream.ended) != 1 || b.stream.ended[0] != chat.Final {
				t.Errorf("ended %v", b.stream.ended)
			}
		})
	}
}

// A worker whose answer was deleted publishes nothing more, because the readers have been
// informed.
func TestDeletedAnswerEndsItsWorker(t *testing.T) {
	for _, way := range []string{"told by the relay", "seen in the row"} {
		t.Run(way, func(t *testing.T) {
			b := setup(t, writes(waits), oneHit())
			ended := make(chan error, 1)
			go func() { ended <- b.Run(t.Context(), b.id) }()
			<-b.stream.wrote
			running, err := b.DB.DeleteConversation(t.Context(), b.user, b.message(t).ConversationID)
			check(t, err)
			if way == "told by the relay" {
				close(b.cancel)
			}
			if err := <-ended; !errs.Is(err, errs.LeaseLost) {
				t.Errorf("ended with %v", err)
			}
			if len(running) != 1 || len(b.stream.ended) != 0 {
				t.Errorf("running %v, ended %v", running, b.stream.ended)
			}
		})
	}
}

func TestStoppedWorkerGivesTheAnswerBack(t *testing.T) {
	b := setup(t, writes(waits), oneHit())
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- b.Run(ctx, b.id) }()
	<-b.stream.wrote
	stop()
	if err := <-ended; !errs.Is(err, errs.Cancelled) {
		t.Errorf("ended with %v", err)
	}
	if m := b.message(t); m.State != chat.Queued || len(b.stream.ended) != 0 {
		t.Errorf("stored %+v, ended %v", m, b.stream.ended)
	}
	b.Models["essai"] = says("Fin.")
	check(t, b.Run(t.Context(), b.id))
	if m := b.message(t); m.State != chat.Done || m.Attempt != 2 || m.Content != "Fin." || b.stream.resets != 1 {
		t.Errorf("second attempt %+v, resets %d", m, b.stream.resets)
	}
}

func TestLostLeaseChangesNothing(t *testing.T) {
	b := setup(t, writes(waits), oneHit())
	ended := make(chan error, 1)
	go func() { ended <- b.Run(t.Context(), b.id) }()
	<-b.stream.wrote
	// The row goes to another worker, as after a pause longer than the lease.
	check(t, b.DB.ReleaseAnswer(t.Context(), b.id, 1))
	if _, err := b.DB.StartAnswer(t.Context(), b.id); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; !errs.Is(err, errs.LeaseLost) {
		t.Errorf("ended with %v", err)
	}
	if m := b.message(t); m.State != chat.Running || m.Attempt != 2 || m.Content != "" || len(b.stream.ended) != 0 {
		t.Errorf("stored %+v, ended %v", m, b.stream.ended)
	}
}

// An attempt that a living worker loses counts as a failure, up to MaxTries.
func TestLostLeaseOfALivingWorkerIsAFailure(t *testing.T) {
	for previous, want := range map[int]int{0: 1, answering.MaxTries - 1: answering.MaxTries - 1} {
		t.Run(fmt.Sprint(previous), func(t *testing.T) {
			lost := errs.New(errs.LeaseLost, "")
			b := setup(t, writes(func(context.Context, llm.Prompt, func(string) error) error { return lost }), oneHit())
			for attempt := 1; attempt <= previous; attempt++ {
				_, err := b.DB.StartAnswer(t.Context(), b.id)
				check(t, err)
				check(t, b.DB.PutBackAnswer(t.Context(), b.id, attempt, 0))
			}
			if err := b.Run(t.Context(), b.id); !errs.Is(err, errs.LeaseLost) {
				t.Fatalf("Run: %v, want LeaseLost", err)
			}
			check(t, b.DB.ReleaseAnswer(t.Context(), b.id, previous+1))
			work, err := b.DB.StartAnswer(t.Context(), b.id)
			if check(t, err); work.Failures != want {
				t.Errorf("after %d failures and a lost lease: %d", previous, work.Failures)
			}
		})
	}
}

func TestDownModelIsTriedAgainAndThenFails(t *testing.T) {
	down := errs.New(errs.Unavailable, "Le modèle ne répond pas.")
	b := setup(t, writes(func(context.Context, llm.Prompt, func(string) error) error { return down }), oneHit())
	var waits []int
	b.Backoff = func(failures int) time.Duration { waits = append(waits, failures); return 0 }
	for attempt := 1; attempt <= answering.MaxTries; attempt++ {
		if err := b.Run(t.Context(), b.id); !errs.Is(err, errs.Unavailable) {
			t.Fatalf("attempt %d: %v", attempt, err)
		}
		want := chat.Queued
		if attempt == answering.MaxTries {
			want = chat.Failed
		}
		if m := b.message(t); m.State != want {
			t.Errorf("attempt %d leaves %s, want %s", attempt, m.State, want)
		}
	}
	if len(b.stream.ended) != 1 || b.stream.ended[0] != chat.ErrorKind || !strings.Contains(b.stream.end, "Le modèle ne répond pas.") {
		t.Errorf("ended %v with %s", b.stream.ended, b.stream.end)
	}
	if !slices.Equal(waits, []int{1, 2}) {
		t.Errorf("backed off after %v failures", waits)
	}
}

func TestDownModelIsNotAskedAgainAtOnce(t *testing.T) {
	down := errs.New(errs.Unavailable, "Le modèle ne répond pas.")
	b := setup(t, writes(func(context.Context, llm.Prompt, func(string) error) error { return down }), oneHit())
	b.Backoff = func(int) time.Duration { return time.Hour }
	if err := b.Run(t.Context(), b.id); !errs.Is(err, errs.Unavailable) {
		t.Fatal(err)
	}
	if err := b.Run(t.Context(), b.id); !errs.Is(err, errs.LeaseLost) {
		t.Errorf("the next hint: %v, want that it is not yet time", err)
	}
	if m := b.message(t); m.State != chat.Queued || m.Attempt != 1 {
		t.Errorf("%s after %d attempts", m.State, m.Attempt)
	}
	if first, third := answering.Backoff(1), answering.Backoff(3); first <= 0 || first > time.Second || third > 4*time.Second || third < 2*time.Second {
		t.Errorf("waits of %v and %v", first, third)
	}
}

// The answer is written even if workers hand it over a dozen times.
func TestHandOversAreNoFailures(t *testing.T) {
	b := setup(t, writes(waits), oneHit())
	const handOvers = 4 * postgres.MaxAttempts
	for range handOvers {
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- b.Run(ctx, b.id) }()
		<-b.stream.wrote
		stop()
		if err := <-ended; !errs.Is(err, errs.Cancelled) {
			t.Fatalf("ended with %v", err)
		}
	}
	if lost, err := b.DB.FailHopeless(t.Context()); err != nil || len(lost) != 0 {
		t.Fatalf("given up: %v, %v", lost, err)
	}
	down := errs.New(errs.Unavailable, "")
	b.Models["essai"] = writes(func(context.Context, llm.Prompt, func(string) error) error { return down })
	b.Backoff = func(int) time.Duration { return 0 }
	if err := b.Run(t.Context(), b.id); !errs.Is(err, errs.Unavailable) {
		t.Fatal(err)
	}
	b.Models["essai"] = says("Fin.")
	check(t, b.Run(t.Context(), b.id))
	if m := b.message(t); m.State != chat.Done || m.Attempt != handOvers+2 || m.Content != "Fin." {
		t.Errorf("stored %+v", m)
	}
}

func TestDefectFailsTheAnswerAndTellsNothingOfItself(t *testing.T) {
	for name, model := range map[string]writes{
		"error": func(context.Context, llm.Prompt, func(string) error) error { return errors.New("secret") },
		"panic": func(context.Context, llm.Prompt, func(string) error) error { panic("secret") },
	} {
		t.Run(name, func(t *testing.T) {
			b := setup(t, model, oneHit())
			if err := b.Run(t.Context(), b.id); err == nil {
				t.Error("no error")
			}
			m := b.message(t)
			if m.State != chat.Failed || strings.Contains(m.Error+b.stream.end, "secret") || m.Error == "" {
				t.Errorf("stored %+v, told %s", m, b.stream.end)
			}
		})
	}
}

func TestHistoryReachesModelAndSearch(t *testing.T) {
	var prompt llm.Prompt
	b := setup(t, says("Trois mois [1]."), oneHit())
	check(t, b.Run(t.Context(), b.id))
	b.Models["essai"] = writes(func(_ context.Context, p llm.Prompt, yield func(string) error) error {
		prompt = p
		return yield("Un mois.")
	})
	_, next, err := b.DB.CreateTurn(t.Context(), postgres.NewTurn{UserID: b.user, ConversationID: &b.conversation, Question: "Et pour un ouvrier ?"})
	check(t, err)
	check(t, b.Run(t.Context(), next))
	if len(prompt.History) != 1 || prompt.History[0].Question != "Quel est le préavis ?" || prompt.History[0].Answer != "Trois mois [1]." {
		t.Errorf("history %+v", prompt.History)
	}
}
