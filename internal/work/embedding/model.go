package embedding

import (
	"fmt"
	"strings"
	"time"

	"vigueur/internal/answer/llm"
	"vigueur/internal/answer/llm/openai"
	"vigueur/internal/search/encode"
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
