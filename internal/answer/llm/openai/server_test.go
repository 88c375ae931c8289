package openai

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"vigueur/internal/answer/llm"
	"vigueur/internal/kit/testkit/leak"
	"vigueur/internal/law"
	"vigueur/internal/search/decide"
)

func TestMain(m *testing.M) { leak.Main(m) }

const secret = "sk-très-secrète-0123456789"

// model is a server controlled by the test. Each request gets the next script; the last
// script is repeated.
type model struct {
	*httptest.Server
	mu       sync.Mutex
	scripts  []http.HandlerFunc
	requests []request
	keys     []string
}

func serve(t *testing.T, scripts ...http.HandlerFunc) *model {
	t.Helper()
	m := &model{scripts: scripts}
	m.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q request
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil || r.URL.Path != "/v1/chat/completions" {
			t.Errorf("%s: %v", r.URL.Path, err)
		}
		m.mu.Lock()
		script := m.scripts[min(len(m.requests), len(m.scripts)-1)]
		m.requests = append(m.requests, q)
		m.keys = append(m.keys, r.Header.Get("Authorization"))
		m.mu.Unlock()
		script(w, r)
	}))
	t.Cleanup(m.Close)
	return m
}

func (m *model) generator() *Generator {
	return &Generator{Client: &Client{URL: m.URL + "/v1/", Key: secret, HTTP: m.Client().Transport}, Model: "essai", Context: 8192, Output: 500, Nothing: nothingFound{}}
}

// nothingFound is a Generator for prompts that no passage answers.
type nothingFound struct{}

func (nothingFound) Generate(_ context.Context, p llm.Prompt, yield func(string) error) error {
	return yield(fmt.Sprintf("Rien trouvé (%v).", !p.Verdict.Answers()))
}

// streams writes events with the given pieces as their data.
func streams(pieces ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		for _, p := range pieces {
			_, _ = io.WriteString(w, "data: "+p+"\n\n")
			_ = http.NewResponseController(w).Flush()
		}
	}
}

// deltas returns the JSON of a chunk for each piece of text.
func deltas(pieces ...string) (out []string) {
	for _, p := range pieces {
		data, _ := json.Marshal(map[string]any{"choices": []any{map[string]any{"delta": map[string]string{"content": p}}}})
		out = append(out, string(data))
	}
	return out
}

const stop, length, done = `{"choices":[{"delta":{},"finish_reason":"stop"}]}`, `{"choices":[{"delta":{},"finish_reason":"length"}]}`, "[DONE]"

// says streams a whole answer.
func says(pieces ...string) http.HandlerFunc {
	return streams(append(deltas(pieces...), stop, done)...)
}

func status(code int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

func prompt() llm.Prompt {
	return llm.Prompt{Verdict: decide.SureByName(), Question: "Quel est le préavis d’un meunier ?", Date: time.Date(2031, 7, 1, 0, 0, 0, 0, time.UTC), Passages: []llm.Passage{
		{N: 1, Title: "Loi n° 2031-04 portant Code des moulins", Type: law.Code, Article: "12", Path: []string{"TITRE II"}, Heading: "Préavis",
			Text: "Le meunier respecte un préavis de trois mois. Il est écrit."},
		{N: 2, Title: "Décret n° 2032-7", Article: "1er", Text: "L’apprenti respecte un préavis d’un mois."},
	}}
}

const sentence = "L’article 12 du Code des moulins impose au meunier un préavis de trois mois [1]."

func write(t *testing.T, g *Generator, p llm.Prompt) (text string, err error) {
	t.Helper()
	var b strings.Builder
	err = g.Generate(t.Context(), p, func(s string) error { b.WriteString(s); return nil })
	return b.String(), err
}

// bytewise cuts a text into its bytes.
func bytewise(text string) []string {
	out := make([]string, len(text))
	for i := range len(text) {
		out[i] = text[i : i+1]
	}
	return out
}

// pieces cuts a text at every n-th rune.
func pieces(text string, n int) (out []string) {
	for part := range slices.Chunk([]rune(text), n) {
		out = append(out, string(part))
	}
	return out
}
