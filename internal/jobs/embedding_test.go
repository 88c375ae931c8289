package jobs_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/jobs"
)

// lacking tells of each look whether passages lack vectors.
type lacking struct {
	due []bool
	err error
}

func (l *lacking) DueEmbedding(context.Context, uuid.UUID) (bool, error) {
	if l.err != nil || len(l.due) == 0 {
		return false, l.err
	}
	due := l.due[0]
	l.due = l.due[1:]
	return due, nil
}

func TestPassagesWithoutVectorsAreHinted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		id := uuid.New()
		unknown := 2 // looks before the model answers
		var hinted []uuid.UUID
		s := jobs.EmbeddingSweep{Store: &lacking{due: []bool{true, false, true}}, Log: quiet,
			Generation: func(context.Context) (uuid.UUID, error) {
				if unknown--; unknown >= 0 {
					return uuid.Nil, errors.New("down")
				}
				return id, nil
			},
			Hint: func(_ context.Context, id uuid.UUID) error { hinted = append(hinted, id); return nil }}
		ctx, stop := context.WithTimeout(t.Context(), 5500*time.Millisecond)
		defer stop()
		s.Run(ctx)
		if !slices.Equal(hinted, []uuid.UUID{id, id}) {
			t.Errorf("hinted %v", hinted)
		}
	})
}

func TestStoreThatIsDownGivesNoHint(t *testing.T) {
	t.Parallel()
	s := jobs.EmbeddingSweep{Store: &lacking{err: errors.New("down")}, Log: quiet,
		Generation: func(context.Context) (uuid.UUID, error) { return uuid.New(), nil },
		Hint:       func(context.Context, uuid.UUID) error { t.Error("hinted"); return nil }}
	s.Once(t.Context())
}
