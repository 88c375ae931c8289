package embedding

import (
	"cmp"
	"context"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/answer/llm"
)

// Asker embeds questions and finds the generation of their vectors. Both together take no
// longer than Question.Patience. It may be used by many goroutines.
type Asker struct {
	Known    *Known
	Question *Question
	// Own returns the built-in encoder. While the vectors of a newly configured server are
	// incomplete, those of the built-in encoder are searched, so it must embed the
	// questions. nil: no server is configured, and Question uses the built-in encoder.
	Own func() (Model, error)
}

// Of returns the vector of a question and its generation. After an error the search uses
// words only.
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

// former returns the built-in encoder and its generation if the encoder's vectors are
// searched although a server is configured; else nil.
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
