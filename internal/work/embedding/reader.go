package embedding

import (
	"context"
	"math"

	"github.com/google/uuid"

	"vigueur/internal/search/retrieve"
	"vigueur/internal/search/transformer"
	"vigueur/internal/search/vector"
)

// Reader compares passages with a question by the vectors of a generation of sentences. It
// implements retrieve.Sentences.
type Reader struct {
	Known      *Known
	Projection *transformer.Projection // of the generation's vectors; nil: none
}

// Question returns the vector of a question.
func (r Reader) Question(ctx context.Context, text string) ([]float32, error) {
	made, err := r.Known.Asking().Embed(ctx, []string{first(text, questionLength)})
	if err != nil {
		return nil, err
	}
	return made[0], nil
}

// Cosines returns the greatest cosines of each passage's vectors and the vector of a question,
// for which it waits when it has read the others. Passages without vectors are left out.
func (r Reader) Cosines(ctx context.Context, question func() []float32, passages []uuid.UUID) (map[uuid.UUID]retrieve.Cosines, error) {
	generation, err := r.Known.ID(ctx)
	if err != nil {
		return nil, err
	}
	found, err := r.Known.DB.PassageVectors(ctx, generation, passages)
	if err != nil {
		return nil, err
	}
	ids, packed := make([]uuid.UUID, len(found)), make([][]byte, len(found))
	for i, p := range found {
		ids[i], packed[i] = p.PassageID, p.Packed
	}
	return Compare(question(), r.Projection, ids, packed), nil
}

// Compare returns the greatest cosines of the vector of a question and the packed vectors of
// each passage. It leaves out passages without vectors of the question's dimension, all if question is nil. Without a
// projection of that dimension the projected cosines are NaN.
func Compare(question []float32, by *transformer.Projection, passages []uuid.UUID, packed [][]byte) map[uuid.UUID]retrieve.Cosines {
	q, out := vector.NewQuery(question), make(map[uuid.UUID]retrieve.Cosines, len(passages))
	var vectors [][]float32
	var of []uuid.UUID
	for i, id := range passages {
		c, ok := vector.Nearest(packed[i], q)
		if !ok {
			continue
		}
		out[id] = retrieve.Cosines{Sentence: c, Projected: float32(math.NaN())}
		if by == nil || by.In != len(question) {
			continue
		}
		unpacked, err := vector.Unpack(packed[i])
		if err != nil {
			continue // Nearest has read them, so this does not happen
		}
		for _, v := range unpacked {
			vectors, of = append(vectors, v), append(of, id)
		}
	}
	if len(vectors) == 0 {
		return out
	}
	for i, c := range by.Cosines(question, vectors) {
		if was := out[of[i]]; !(c <= was.Projected) {
			was.Projected = c
			out[of[i]] = was
		}
	}
	return out
}
