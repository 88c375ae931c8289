package embedding

import (
	"cmp"
	"context"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/answer/llm"
)

// Asker embeds questions and returns the generation of their vectors, both within the
// Question's patience. It may be used by many goroutines.
type Asker struct {
	Known    *Known
	Question *Question
	// Own loads the built-in encoder. It embeds questions while the searched vectors are
	// its own although a server is configured: the server's are not complete yet. It is
	// called when first needed; nil: Question uses the built-in encoder already.
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

// former returns the built-in encoder and its generation if the searched vectors are its
// own although a server is configured; else nil.
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
