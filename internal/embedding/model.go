package embedding

import (
	"fmt"
	"strings"
	"time"

	"vigueur/internal/config"
	"vigueur/internal/encode"
	"vigueur/internal/llm"
	"vigueur/internal/llm/openai"
)

// Model makes vectors, of pieces that suit it.
type Model struct {
	Name string // tells it from other models; two builds of one are told apart by what they make
	llm.Embedder
	Cutting Cutting // zero: sentences of 400 characters under the two nearest headings
}

// Configured is the model of the configured server, which may be silent for so long,
// or the program's own encoder when no server is configured.
func Configured(c config.Embedder, silence time.Duration) (Model, error) {
	if c.EmbedderURL == "" {
		return Own()
	}
	client := &openai.Client{URL: c.EmbedderURL, Key: c.EmbedderKey, Silence: silence}
	return Model{Name: c.EmbedderModel, Embedder: &openai.Embedder{Client: client, Model: c.EmbedderModel}}, nil
}

// Own is the program's own encoder. Its name holds the hash of its table, so that
// a program with another table makes a generation of its own.
func Own() (Model, error) {
	e, err := encode.New()
	if err != nil {
		return Model{}, fmt.Errorf("the program's own encoder: %w", err)
	}
	return Of(e), nil
}

// Of is a model of the program's own kind, of any table.
func Of(e *encode.Encoder) Model {
	return Model{Name: e.Name(), Embedder: e, Cutting: whole}
}

// Cutting is a way in which passages are cut; vectors made of other pieces are of
// another generation.
type Cutting struct {
	Name   string
	Pieces func(path []string, heading, text string) []string
}

// whole gives a passage as it is under all its headings: the encoder's vectors are
// sums of words, which lose little by many, and one vector a passage is about half
// of what its sentences would have.
var whole = Cutting{Name: "passage-headings", Pieces: func(path []string, heading, text string) []string {
	var b strings.Builder
	for _, h := range append(path[:len(path):len(path)], heading) {
		if h = strings.TrimSpace(h); h != "" {
			b.WriteString(h)
			b.WriteString(". ")
		}
	}
	return []string{b.String() + text}
}}

var sentences = Cutting{Name: Chunking, Pieces: Chunks}

// Cut cuts a passage.
func (m *Model) Cut(path []string, heading, text string) []string {
	return m.cutting().Pieces(path, heading, text)
}

func (m *Model) cutting() Cutting {
	if m.Cutting.Pieces == nil {
		return sentences
	}
	return m.Cutting
}
