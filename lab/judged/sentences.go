package judged

import (
	"context"
	"runtime"
	"sync"

	"github.com/google/uuid"

	"vigueur/internal/answer/llm"
	"vigueur/internal/search/retrieve"
	"vigueur/internal/search/transformer"
	"vigueur/internal/search/vector"
	"vigueur/internal/work/embedding"
)

// Sentences makes the vectors of the built-in transformer for the passages of a set, as
// they are asked for. It may be used by many goroutines, which make one vector after
// another. It is a retrieve.Sentences.
type Sentences struct {
	*made
	projection *transformer.Projection // nil: none
}

// made is what was made of a set.
type made struct {
	set                 *Set
	model               embedding.Model
	mu                  sync.Mutex
	questions, passages llm.Embedder
	packed              map[uuid.UUID][]byte
	asked               map[string][]float32
}

// Sentences returns what makes them, without a projection. With a file, what was made is kept
// there, and that of questions beside it.
func (s *Set) Sentences(ctx context.Context, file string) (*Sentences, error) {
	model, err := embedding.Transformer(runtime.NumCPU())
	if err != nil {
		return nil, err
	}
	x := &made{set: s, model: model, questions: model.Asking(), passages: model.Embedder, packed: make(map[uuid.UUID][]byte), asked: make(map[string][]float32)}
	if file != "" {
		if x.passages, err = openKept(ctx, file, model.Name, model.Embedder); err != nil {
			return nil, err
		}
		x.questions, err = openKept(ctx, file+".questions", model.Name, model.Asking())
	}
	return &Sentences{made: x}, err
}

// With returns the same with a projection. What is made is shared.
func (x *Sentences) With(p *transformer.Projection) *Sentences { return &Sentences{x.made, p} }

// Model returns the name of the transformer.
func (x *Sentences) Model() string { return x.model.Name }

// Question returns the vector of a question.
func (x *Sentences) Question(ctx context.Context, text string) ([]float32, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if v := x.asked[text]; v != nil {
		return v, nil
	}
	made, err := x.questions.Embed(ctx, []string{text})
	if err != nil {
		return nil, err
	}
	x.asked[text] = made[0]
	return made[0], nil
}

// Cosines compares passages with the vector of a question, as a worker does.
func (x *Sentences) Cosines(ctx context.Context, question func() []float32, passages []uuid.UUID) (map[uuid.UUID]retrieve.Cosines, error) {
	packed, err := x.of(ctx, passages)
	if err != nil {
		return nil, err
	}
	return embedding.Compare(question(), x.projection, passages, packed), nil
}

// Vectors returns the vector of each passage as it is stored.
func (x *Sentences) Vectors(ctx context.Context, passages []uuid.UUID) ([][]float32, error) {
	packed, err := x.of(ctx, passages)
	if err != nil {
		return nil, err
	}
	out := make([][]float32, len(passages))
	for i := range out {
		unpacked, err := vector.Unpack(packed[i])
		if err != nil {
			return nil, err
		}
		out[i] = unpacked[0]
	}
	return out, nil
}

// of returns the packed vectors of passages.
func (x *made) of(ctx context.Context, passages []uuid.UUID) ([][]byte, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	var lacking []uuid.UUID
	var texts []string
	for _, id := range passages {
		if at, known := x.set.at[id]; known && x.packed[id] == nil {
			lacking, texts = append(lacking, id), append(texts, x.set.pieces(x.model, at)...)
		}
	}
	made, err := x.passages.Embed(ctx, texts)
	if err != nil {
		return nil, err
	}
	for i, id := range lacking {
		x.packed[id] = vector.Pack(made[i : i+1])
	}
	out := make([][]byte, len(passages))
	for i, id := range passages {
		out[i] = x.packed[id]
	}
	return out, nil
}
