package embedding

import (
	"cmp"
	"context"
	"time"

	"github.com/google/uuid"
)

// Asker gives the vectors of questions with the generation that they are of, both
// within the Question's patience. It may be used by many goroutines.
type Asker struct {
	Known    *Known
	Question *Question
}

// Of gives the vector of a question. An error leaves the search to words.
func (a *Asker) Of(ctx context.Context, question string) ([]float32, uuid.UUID, error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(a.Question.Patience, time.Second))
	defer cancel()
	generation, err := a.Known.ID(ctx)
	if err != nil {
		return nil, uuid.Nil, err
	}
	vector, err := a.Question.Embed(ctx, question)
	return vector, generation, err
}
