package observe_test

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"vigueur/internal/ops/observe"
)

func TestSampledFiguresAreLookedAtWhenAsked(t *testing.T) {
	t.Parallel()
	registry := observe.NewRegistry()
	looks := 0
	observe.Sample(registry, func(ctx context.Context) []observe.Value {
		looks++
		if _, bounded := ctx.Deadline(); !bounded {
			t.Error("a look has no end")
		}
		return []observe.Value{{Of: observe.QueueRows, Labels: []string{"answers", "queued"}, Value: 3}, {Of: observe.PoolWaits, Value: 7}}
	})
	ctx, stop := context.WithCancel(t.Context())
	var address string
	stopped, err := observe.Serve(ctx, "127.0.0.1:0", registry, nil, slog.New(addressOf{&address}))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { stop(); <-stopped }()
	for range 2 {
		figures := get(t, "http://"+address+"/metrics", 200)
		for _, want := range []string{`vigueur_queue_rows{class="answers",state="queued"} 3`, "# TYPE vigueur_queue_rows gauge", "# TYPE vigueur_database_waits_total counter", "vigueur_database_waits_total 7"} {
			if !strings.Contains(figures, want) {
				t.Errorf("no %s", want)
			}
		}
	}
	if looks != 2 {
		t.Errorf("%d looks for two questions", looks)
	}
}

// addressOf extracts the address from the line of the log that contains it.
type addressOf struct{ into *string }

func (addressOf) Enabled(context.Context, slog.Level) bool { return true }
func (a addressOf) Handle(_ context.Context, r slog.Record) error {
	r.Attrs(func(at slog.Attr) bool {
		if at.Key == "address" {
			*a.into = at.Value.String()
		}
		return true
	})
	return nil
}
func (a addressOf) WithAttrs([]slog.Attr) slog.Handler { return a }
func (a addressOf) WithGroup(string) slog.Handler      { return a }

func TestEveryStageOfAJobIsTimed(t *testing.T) {
	t.Parallel()
	figures, _ := scrape(t, observe.Worker, func(log *slog.Logger) {
		log.Info("answer", "outcome", "done", "wrote", 40*time.Millisecond, "saved", 4*time.Millisecond)
		log.Info("ingestion", "outcome", "done", "reading", time.Second, "cutting", time.Minute, "saving", time.Duration(0))
	})
	for _, want := range []string{"vigueur_answer_writing_seconds_count 1", "vigueur_answer_saving_seconds_count 1",
		`vigueur_ingestion_stage_seconds_count{stage="reading"} 1`, `vigueur_ingestion_stage_seconds_count{stage="cutting"} 1`} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(figures, "\n"+want) {
				t.Errorf("no %s", want)
			}
		})
	}
	if strings.Contains(figures, `stage="saving"} 1`) {
		t.Error("a stage that was not come to is timed")
	}
}

func TestNamesAreThoseOfAllFigures(t *testing.T) {
	t.Parallel()
	names := observe.Names()
	for _, want := range []string{"vigueur_requests_total", "vigueur_request_seconds_bucket", "vigueur_stream_first_event_seconds_sum", "vigueur_jobs_total", "vigueur_queue_rows", "vigueur_store_up"} {
		t.Run(want, func(t *testing.T) {
			if !slices.Contains(names, want) {
				t.Errorf("%s is not among %q", want, names)
			}
		})
	}
	if slices.Contains(names, "vigueur_request_seconds") {
		t.Error("a histogram has no value of its own name")
	}
}
