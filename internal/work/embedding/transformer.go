package embedding

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"vigueur/internal/search/transformer"
)

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
				out[i] = p.model.Encode(p.prefix + texts[i])
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
