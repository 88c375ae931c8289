package embedding

import (
	"cmp"
	"context"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/llm"
)

// Asker gives the vectors of questions with the generation that they are of, both
// within the Question's patience. It may be used by many goroutines.
type Asker struct {
	Known    *Known
	Question *Question
	// Own loads the program's own encoder, which makes the vectors of questions as long as
	// the vectors that are searched are its own: those of a server that was switched on
	// are not whole yet. It is called when it is needed first; nil: the encoder is what
	// Question asks.
	Own func() (Model, error)
}

// Of gives the vector of a question. An error leaves the search to words.
func (a *Asker) Of(ctx context.Context, question string) ([]float32, uuid.UUID, error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(a.Question.Patience, time.Second))
	defer cancel()
	own, generation, err := a.former(ctx)
	if err != nil {
		return nil, uuid.Nil, err
	}
	if own != nil {
		made, err := own.Embed(ctx, []string{first(question, questionLength)})
		if err != nil {
			return nil, uuid.Nil, err
		}
		return made[0], generation, nil
	}
	if generation, err = a.Known.ID(ctx); err != nil {
		return nil, uuid.Nil, err
	}
	vector, err := a.Question.Embed(ctx, question)
	return vector, generation, err
}

// former is the program's own encoder where the vectors that are searched are its own while a server is to make them.
func (a *Asker) former(ctx context.Context) (llm.Embedder, uuid.UUID, error) {
	if a.Own == nil {
		return nil, uuid.Nil, nil
	}
	list, err := a.Known.DB.Generations(ctx)
	if err != nil || len(list) == 0 || !list[0].Current || list[0].Chunking != whole.Name {
		return nil, uuid.Nil, err
	}
	own, err := a.Own()
	if err != nil || own.Name != list[0].Model {
		return nil, uuid.Nil, err
	}
	return own.Embedder, list[0].ID, nil
}
