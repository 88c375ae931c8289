package order_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"vigueur/internal/answer/llm"
	"vigueur/internal/answer/llm/openai"
	"vigueur/internal/answer/llm/order"
	"vigueur/internal/kit/errs"
)

const answered = "L’article 12 du Code des moulins impose au meunier un préavis de trois mois [1]."

// event writes an event of a stream.
func event(w io.Writer, body string) {
	_, _ = fmt.Fprintf(w, "data: %s\n\n", body)
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
}

func piece(text string) string {
	quoted, _ := json.Marshal(text)
	return `{"choices":[{"delta":{"content":` + string(quoted) + `}}]}`
}

// good streams an answer with its token counts.
func good(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	event(w, piece(answered))
	event(w, `{"choices":[{"delta":{},"finish_reason":"stop"}]}`)
	event(w, `{"choices":[],"usage":{"prompt_tokens":700,"completion_tokens":30}}`)
	event(w, "[DONE]")
}

func fails(status int, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
	}
}

func streams(pieces ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, p := range pieces {
			event(w, p)
		}
	}
}

// patient is a silence limit that no test reaches.
const patient = time.Minute

// server is a fake model server over HTTP.
func server(t *testing.T, handle http.HandlerFunc, silence time.Duration) (*order.Server, *atomic.Int32) {
	t.Helper()
	var asked atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		_, _ = io.Copy(io.Discard, r.Body) // so that the end of the connection is noticed
		handle(w, r)
	}))
	t.Cleanup(s.Close)
	client := &openai.Client{URL: s.URL + "/v1", Silence: silence, HTTP: s.Client().Transport}
	g := &openai.Generator{Client: client, Model: "essai", Called: "autre", Context: 8192, Output: 500}
	return &order.Server{Name: "s", Generator: g, Tokens: g.Tokens, In: 1, Out: 10}, &asked
}

func ask(t *testing.T, servers ...*order.Server) (text string, spent []llm.Usage, err error) {
	t.Helper()
	p := llm.Prompt{Question: "Quel est le préavis d’un meunier ?", Spent: func(u llm.Usage) { spent = append(spent, u) },
		Passages: []llm.Passage{{N: 1, Title: "Code des moulins", Article: "12", Text: "Le meunier respecte un préavis de trois mois."}}}
	var b strings.Builder
	err = (&order.Order{Model: "essai", Servers: servers, Log: slog.New(slog.DiscardHandler)}).Generate(t.Context(), p, func(s string) error { b.WriteString(s); return nil })
	return b.String(), spent, err
}

// However the first server fails before its first word, the second answers. After the first
// word no other server is asked. If all are down, the error says so.
func TestFailuresOfServers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		first   http.HandlerFunc
		asked   int32 // number of requests
		second  bool  // whether the second server answers
		silence time.Duration
	}{
		"busy for long":       {fails(http.StatusTooManyRequests, "Retry-After", "3600"), 1, true, patient},
		"busy for a moment":   {fails(http.StatusTooManyRequests, "Retry-After", "0"), 3, true, patient},
		"a refused key":       {fails(http.StatusUnauthorized), 1, true, patient},
		"silent":              {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, 1, true, 100 * time.Millisecond},
		"no JSON":             {streams("{{{"), 1, true, patient},
		"ends before a word":  {streams(), 1, true, patient},
		"an error in JSON":    {streams(`{"error":{"message":"overloaded"}}`), 1, true, patient},
		"breaks off":          {streams(piece(answered)), 1, false, patient},
		"an error in the end": {streams(piece(answered), `{"error":{"message":"overloaded"}}`), 1, false, patient},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			first, asked := server(t, c.first, c.silence)
			second, other := server(t, good, patient)
			text, _, err := ask(t, first, second)
			if text != answered || (err == nil) != c.second || (other.Load() == 1) != c.second || asked.Load() != c.asked {
				t.Errorf("%q, %v; the first was asked %d times, the second %d", text, err, asked.Load(), other.Load())
			}
			if !c.second && !errs.Is(err, errs.Unavailable) {
				t.Errorf("broken off: %v", err)
			}
		})
	}
	away, _ := server(t, fails(http.StatusServiceUnavailable, "Retry-After", "3600"), patient)
	refuses, _ := server(t, fails(http.StatusForbidden), patient)
	if text, _, err := ask(t, refuses, away); text != "" || !errs.Is(err, errs.Unavailable) {
		t.Errorf("all away: %q, %v", text, err)
	}
}

// The usage is the server's own count, else an estimate; a server that rejects the option
// is asked again without it.
func TestUsage(t *testing.T) {
	t.Parallel()
	s, _ := server(t, good, patient)
	_, spent, err := ask(t, s)
	if err != nil || len(spent) != 1 || spent[0].In != 700 || spent[0].Out != 30 || spent[0].Estimated || spent[0].Cost != 0.001 {
		t.Errorf("%+v, %v", spent, err)
	}
	var times atomic.Int32
	strict, asked := server(t, func(w http.ResponseWriter, r *http.Request) {
		if times.Add(1) == 1 {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"error":{"param":"stream_options","message":"unknown"}}`)
			return
		}
		streams(piece(answered), `{"choices":[{"delta":{},"finish_reason":"stop"}]}`, "[DONE]")(w, r)
	}, patient)
	_, spent, err = ask(t, strict)
	if err != nil || asked.Load() != 2 || len(spent) != 1 || !spent[0].Estimated || spent[0].Out < 10 || spent[0].In < 100 {
		t.Errorf("%+v, %v, asked %d times", spent, err, asked.Load())
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	err = (&order.Order{Servers: []*order.Server{s}, Log: slog.New(slog.DiscardHandler)}).Generate(ctx, llm.Prompt{Passages: []llm.Passage{{N: 1, Text: "Un."}}}, func(string) error { return nil })
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
