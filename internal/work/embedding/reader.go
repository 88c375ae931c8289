package embedding

import (
	"context"

	"github.com/google/uuid"

	"vigueur/internal/search/vector"
)

// Reader compares passages with a question by the vectors of a generation of sentences. It
// implements retrieve.Sentences.
type Reader struct{ Known *Known }

// Question returns the vector of a question.
func (r Reader) Question(ctx context.Context, text string) ([]float32, error) {
	made, err := r.Known.Asking().Embed(ctx, []string{first(text, questionLength)})
	if err != nil {
		return nil, err
	}
	return made[0], nil
}

// Cosines returns the cosine of each passage with the vector of a question: the greatest
// among the passage's vectors. Passages without vectors are left out.
func (r Reader) Cosines(ctx context.Context, question []float32, passages []uuid.UUID) (map[uuid.UUID]float32, error) {
	generation, err := r.Known.ID(ctx)
	if err != nil {
		return nil, err
	}
	packed, err := r.Known.DB.PassageVectors(ctx, generation, passages)
	if err != nil {
		return nil, err
	}
	q, out := vector.NewQuery(question), make(map[uuid.UUID]float32, len(packed))
	for _, p := range packed {
		if c, ok := vector.Nearest(p.Packed, q); ok {
			out[p.PassageID] = c
		}
	}
	return out, nil
}
