package upkeep_test

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/testkit/leak"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work/upkeep"
)

func TestMain(m *testing.M) { leak.Main(m) }

var quiet = slog.New(slog.DiscardHandler)

// store counts its calls; the first FailHopeless returns the given answers.
type store struct {
	lost                      []postgres.GivenUp
	err                       error
	unnamed                   int // number of batches of texts without names
	ended, refreshed, removed int
	named                     int
	sample                    []string // hashes of the sample's files
}

func (s *store) DropSample(ctx context.Context, drop func(ctx context.Context, hash string) error) (n int, err error) {
	for len(s.sample) > 0 && s.err == nil {
		if err := drop(ctx, s.sample[0]); err != nil {
			return n, err
		}
		s.sample, n = s.sample[1:], n+1
	}
	return n, s.err
}

func (s *store) FailHopeless(context.Context) (lost []postgres.GivenUp, err error) {
	s.ended++
	lost, s.lost = s.lost, nil
	return lost, s.err
}

func (s *store) RefreshStatuses(context.Context) (int, error) {
	s.refreshed++
	return 0, s.err
}

func (s *store) MakeNames(context.Context) (int, error) {
	s.named++
	if s.unnamed == 0 {
		return 0, s.err
	}
	s.unnamed--
	return 500, s.err
}

func (s *store) Prune(context.Context, time.Duration) (int64, error) {
	s.removed++
	return 0, s.err
}

func TestEachIsDoneInItsTime(t *testing.T) {
	t.Parallel()
	for name, err := range map[string]error{"a store that answers": nil, "a store that is down": errs.New(errs.Unavailable, "")} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := &store{err: err, unnamed: 2, sample: []string{"a", "b"}}
				var forgotten []string
				failed := false
				ctx, stop := context.WithTimeout(t.Context(), 61*time.Minute)
				defer stop()
				(&upkeep.Upkeep{Store: s, Log: quiet, Forget: func(_ context.Context, hash string) error {
					if !failed { // the first one is tried again
						failed = true
						return errs.New(errs.Unavailable, "")
					}
					forgotten = append(forgotten, hash)
					return nil
				}}).Run(ctx)
				if err == nil && len(forgotten) != 2 {
					t.Errorf("the bytes of %v are forgotten", forgotten)
				}
				if s.ended < 3600 || s.refreshed != 7 || s.removed != 1 { // statuses are also refreshed at the start
					t.Errorf("in an hour: given up %d times, statuses %d, removed %d", s.ended, s.refreshed, s.removed)
				}
				if s.unnamed > 0 || s.named < 360 || s.named > 370 {
					t.Errorf("names were asked for %d times, %d batches are left", s.named, s.unnamed)
				}
			})
		})
	}
}

func TestReadersAreToldOfWhatWasGivenUp(t *testing.T) {
	t.Parallel()
	s := &store{lost: []postgres.GivenUp{{ID: uuid.New(), Attempt: 6}}}
	want := s.lost[0].ID
	var told []uuid.UUID
	u := upkeep.Upkeep{Store: s, Log: quiet, Tell: func(_ context.Context, id uuid.UUID, attempt int, kind chat.EventKind, data []byte) {
		if attempt != 6 || kind != chat.ErrorKind || len(data) == 0 {
			t.Errorf("told attempt %d %s %s", attempt, kind, data)
		}
		told = append(told, id)
	}}
	u.End(t.Context())
	u.End(t.Context())
	if len(told) != 1 || told[0] != want {
		t.Errorf("told %v, want %v once", told, want)
	}
}
