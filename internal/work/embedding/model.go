package embedding

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/answer/llm"
	"vigueur/internal/answer/llm/openai"
	"vigueur/internal/search/encode"
	"vigueur/internal/search/retrieve"
	"vigueur/internal/search/transformer"
	"vigueur/internal/search/vector"
)

// Model is an embedder with the way of chunking that suits it.
type Model struct {
	Name string // distinguishes models; builds of one model are distinguished by the probe
	llm.Embedder
	Questions llm.Embedder // embeds questions, for a model that embeds them differently from passages; nil: Embedder
	Cutting   Cutting      // zero: sentences of 400 characters under the two nearest headings
}

// Server is an OpenAI-compatible server that embeds texts; an empty URL means none.
type Server struct{ URL, Key, Model string }

// NewModel returns the model of the configured server, or the built-in encoder if no
// server is configured. silence is the maximum wait for a response of the server.
func NewModel(s Server, silence time.Duration) (Model, error) {
	if s.URL == "" {
		return Own()
	}
	client := &openai.Client{URL: s.URL, Key: s.Key, Silence: silence}
	return Model{Name: s.Model, Embedder: &openai.Embedder{Client: client, Model: s.Model}}, nil
}

// Own returns the built-in encoder. Its name contains the hash of its table, so that a
// program with another table uses another generation.
func Own() (Model, error) {
	e, err := encode.Builtin()
	if err != nil {
		return Model{}, fmt.Errorf("the program's own encoder: %w", err)
	}
	return Of(e), nil
}

// Asking returns the embedder for questions.
func (m *Model) Asking() llm.Embedder {
	if m.Questions != nil {
		return m.Questions
	}
	return m.Embedder
}

// Of returns the model of an encoder with any table; passages are split as for the built-in
// encoder.
func Of(e *encode.Encoder) Model {
	return Model{Name: e.Name(), Embedder: e, Cutting: whole}
}

// Part is a passage with the title and headings above it.
type Part struct {
	Title   string   // title of its text
	Path    []string // headings above its article, the nearest last
	Heading string   // heading of its article
	Text    string
}

// Cutting is a way of splitting passages into chunks. Vectors of chunks that were split in
// another way belong to another generation.
type Cutting struct {
	Name   string
	Pieces func(p Part) []string
}

// whole is one chunk per passage, with all its headings: the built-in encoder's vectors
// are sums of words, which lose little with length, and sentences would need about twice
// as many vectors.
var whole = Cutting{Name: "passage-headings", Pieces: func(p Part) []string {
	var b strings.Builder
	for _, h := range append(p.Path[:len(p.Path):len(p.Path)], p.Heading) {
		if h = strings.TrimSpace(h); h != "" {
			b.WriteString(h)
			b.WriteString(". ")
		}
	}
	return []string{b.String() + p.Text}
}}

var sentences = Cutting{Name: Chunking, Pieces: func(p Part) []string { return Chunks(p.Path, p.Heading, p.Text) }}

// Cut splits a passage into chunks.
func (m *Model) Cut(p Part) []string { return m.cutting().Pieces(p) }

func (m *Model) cutting() Cutting {
	if m.Cutting.Pieces == nil {
		return sentences
	}
	return m.Cutting
}

// Transformer returns the built-in transformer, which embeds up to threads texts at a time.
func Transformer(threads int) (Model, error) {
	m, err := transformer.Builtin()
	if err != nil {
		return Model{}, fmt.Errorf("the built-in transformer: %w", err)
	}
	return Model{Name: m.Name(), Embedder: prefixed{m, "passage: ", threads}, Questions: prefixed{m, "query: ", threads}, Cutting: titled}, nil
}

// prefixed puts a prefix before each text and embeds it. The model was trained with one
// prefix for passages and another for questions.
type prefixed struct {
	model   *transformer.Model
	prefix  string
	threads int
}

// Embed returns the vector of each text.
func (p prefixed) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(p.threads, len(texts)) {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(texts) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				out[i], _ = p.model.Encode(ctx, p.prefix+texts[i]) // its error is that of ctx
			}
		})
	}
	all.Wait()
	return out, ctx.Err()
}

// titleLength is the maximum length of a text's title in a chunk, in code points.
const titleLength = 80

// titled is one chunk per passage, with the title of its text and the two nearest headings.
var titled = Cutting{Name: "passage-title-headings-2", Pieces: func(p Part) []string {
	return []string{first(p.Title, titleLength) + ". " + lead(p.Path, p.Heading) + p.Text}
}}

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
func Compare(question []float32, projection *transformer.Projection, passages []uuid.UUID, packed [][]byte) map[uuid.UUID]retrieve.Cosines {
	q, out := vector.NewQuery(question), make(map[uuid.UUID]retrieve.Cosines, len(passages))
	var vectors [][]float32
	var ids []uuid.UUID
	for i, id := range passages {
		c, ok := vector.Nearest(packed[i], q)
		if !ok {
			continue
		}
		out[id] = retrieve.Cosines{Sentence: c, Projected: float32(math.NaN())}
		if projection == nil || projection.In != len(question) {
			continue
		}
		unpacked, err := vector.Unpack(packed[i])
		if err != nil {
			continue // Nearest has read them, so this does not happen
		}
		for _, v := range unpacked {
			vectors, ids = append(vectors, v), append(ids, id)
		}
	}
	if len(vectors) == 0 {
		return out
	}
	for i, c := range projection.Cosines(question, vectors) {
		if was := out[ids[i]]; !(c <= was.Projected) {
			was.Projected = c
			out[ids[i]] = was
		}
	}
	return out
}
