package jobs_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"testing"

	"github.com/google/uuid"
	"go.uber.org/goleak"

	"vigueur/internal/chat"
	"vigueur/internal/errs"
	"vigueur/internal/jobs"
	"vigueur/internal/postgres"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var quiet = slog.New(slog.DiscardHandler)

// runner is work of which the test decides the course.
type runner func(ctx context.Context, id uuid.UUID) error

func (r runner) Run(ctx context.Context, id uuid.UUID) error { return r(ctx, id) }

func TestStoppedProcessHandsItsWorkOn(t *testing.T) {
	t.Parallel()
	base, stop := context.WithCancel(t.Context())
	var hinted []uuid.UUID
	hint := func(ctx context.Context, id uuid.UUID) error {
		hinted = append(hinted, id)
		return ctx.Err()
	}
	running := make(chan struct{})
	handle := jobs.Answer(base, runner(func(ctx context.Context, _ uuid.UUID) error {
		close(running)
		<-ctx.Done()
		return ctx.Err()
	}), hint, quiet)
	id, ended := uuid.New(), make(chan struct{})
	go func() {
		handle(t.Context(), id)
		close(ended)
	}()
	<-running
	stop()
	<-ended
	if !slices.Equal(hinted, []uuid.UUID{id}) {
		t.Errorf("hinted %v, want %v", hinted, id)
	}
}

func TestEndedWorkIsNotHintedAgain(t *testing.T) {
	t.Parallel()
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for name, err := range map[string]error{"done": nil, "lost": errs.New(errs.LeaseLost, ""), "deleted": errs.New(errs.NotFound, "")} {
		handle := jobs.Ingestion(stopped, runner(func(context.Context, uuid.UUID) error { return err }),
			func(context.Context, uuid.UUID) error { t.Errorf("%s: hinted again", name); return nil }, quiet)
		handle(t.Context(), uuid.New())
	}
	handle := jobs.Ingestion(t.Context(), runner(func(context.Context, uuid.UUID) error { return errors.New("failed") }),
		func(context.Context, uuid.UUID) error { t.Error("failed while running: hinted again"); return nil }, quiet)
	handle(t.Context(), uuid.New())
}

// rows is a store with the given rows due.
type rows struct {
	answers, ingestions, notifications, titles, passages []uuid.UUID
	lost                                                 []postgres.GivenUp
	refreshed                                            chan struct{}
	err                                                  error
}

func (r rows) DueAnswers(context.Context, int) ([]uuid.UUID, error)     { return r.answers, r.err }
func (r rows) DueIngestions(context.Context, int) ([]uuid.UUID, error)  { return r.ingestions, r.err }
func (r rows) FailHopeless(context.Context) ([]postgres.GivenUp, error) { return r.lost, r.err }
func (r rows) DueNotifications(context.Context, int) ([]uuid.UUID, error) {
	return r.notifications, r.err
}

func (r rows) duePassages(context.Context, int) ([]uuid.UUID, error) { return r.passages, r.err }
func (r rows) dueTitles(context.Context, int) ([]uuid.UUID, error)   { return r.titles, r.err }

func (r rows) Prune(context.Context) (int64, error) { return 0, nil }

func (r rows) RefreshStatuses(context.Context) (int, error) {
	if r.refreshed != nil {
		close(r.refreshed)
	}
	return 0, r.err
}

func TestSweepRefreshesStatusesAtItsStart(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	store := rows{refreshed: make(chan struct{})}
	ended := make(chan struct{})
	go func() {
		(&jobs.Sweep{Store: store, Log: quiet}).Run(ctx)
		close(ended)
	}()
	<-store.refreshed
	stop()
	<-ended
}

func TestSweepHandsOutEachKindAndTellsOfTheLost(t *testing.T) {
	t.Parallel()
	store := rows{answers: []uuid.UUID{uuid.New(), uuid.New()}, ingestions: []uuid.UUID{uuid.New()},
		notifications: []uuid.UUID{uuid.New()}, titles: []uuid.UUID{uuid.New()}, passages: []uuid.UUID{uuid.New()}, lost: []postgres.GivenUp{{ID: uuid.New(), Attempt: 6}}}
	var answers, ingestions, notifications, titles, passages, told []uuid.UUID
	s := jobs.Sweep{Store: store, Log: quiet,
		Answer:    func(_ context.Context, id uuid.UUID) error { answers = append(answers, id); return nil },
		Ingestion: func(_ context.Context, id uuid.UUID) error { ingestions = append(ingestions, id); return nil },
		Notification: func(_ context.Context, id uuid.UUID) error {
			notifications = append(notifications, id)
			return nil
		},
		Passages: jobs.Index{Due: store.duePassages, Hint: func(_ context.Context, id uuid.UUID) error { passages = append(passages, id); return nil }},
		Titles:   jobs.Index{Due: store.dueTitles, Hint: func(_ context.Context, id uuid.UUID) error { titles = append(titles, id); return nil }},
		Tell: func(_ context.Context, id uuid.UUID, attempt int, kind chat.EventKind, data []byte) {
			if attempt != 6 || kind != chat.ErrorKind || len(data) == 0 {
				t.Errorf("told attempt %d %s %s", attempt, kind, data)
			}
			told = append(told, id)
		}}
	s.Once(t.Context())
	if !slices.Equal(answers, store.answers) || !slices.Equal(ingestions, store.ingestions) ||
		!slices.Equal(notifications, store.notifications) || !slices.Equal(titles, store.titles) || !slices.Equal(passages, store.passages) || len(told) != 1 {
		t.Errorf("answers %v, ingestions %v, notifications %v, told %v", answers, ingestions, notifications, told)
	}
}

func TestSweepOutlivesAStoreAndAQueueThatAreDown(t *testing.T) {
	t.Parallel()
	down := errs.New(errs.Unavailable, "")
	calls := 0
	refuse := func(context.Context, uuid.UUID) error { calls++; return down }
	s := jobs.Sweep{Store: rows{err: down}, Answer: refuse, Ingestion: refuse, Notification: refuse, Log: quiet}
	s.Once(t.Context())
	if calls != 0 {
		t.Error("hints were given for rows that could not be read")
	}
	s.Store = rows{answers: []uuid.UUID{uuid.New(), uuid.New()}}
	s.Once(t.Context())
	if calls != 1 {
		t.Errorf("%d hints to a queue that is down, want 1 and then to wait", calls)
	}
}
