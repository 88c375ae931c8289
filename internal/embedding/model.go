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

// Model is an embedder with the way of chunking that suits it.
type Model struct {
	Name string // distinguishes models; builds of one model are distinguished by the probe
	llm.Embedder
	Cutting Cutting // zero: sentences of 400 characters under the two nearest headings
}

// Configured returns the model of the configured server, with a limit on its silence, or
// the built-in encoder if no server is configured.
func Configured(c config.Embedder, silence time.Duration) (Model, error) {
	if c.EmbedderURL == "" {
		return Own()
	}
	client := &openai.Client{URL: c.EmbedderURL, Key: c.EmbedderKey, Silence: silence}
	return Model{Name: c.EmbedderModel, Embedder: &openai.Embedder{Client: client, Model: c.EmbedderModel}}, nil
}

// Own returns the built-in encoder. Its name contains the hash of its table, so that a
// program with another table has another generation.
func Own() (Model, error) {
	e, err := encode.Builtin()
	if err != nil {
		return Model{}, fmt.Errorf("the program's own encoder: %w", err)
	}
	return Of(e), nil
}

// Of returns an encoder like the built-in one with any table.
func Of(e *encode.Encoder) Model {
	return Model{Name: e.Name(), Embedder: e, Cutting: whole}
}

// Cutting is a way of splitting passages into chunks; another way makes another
// generation.
type Cutting struct {
	Name   string
	Pieces func(path []string, heading, text string) []string
}

// whole is one chunk per passage, with all its headings: the built-in encoder's vectors
// are sums of words, which lose little with length, and sentences would need about twice
// as many vectors.
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

// Cut splits a passage into chunks.
func (m *Model) Cut(path []string, heading, text string) []string {
	return m.cutting().Pieces(path, heading, text)
}

func (m *Model) cutting() Cutting {
	if m.Cutting.Pieces == nil {
		return sentences
	}
	return m.Cutting
}
