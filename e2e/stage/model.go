package stage

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Pace is how a model of the stage writes.
type Pace struct {
	First  time.Duration // until the first token
	Each   time.Duration // between two tokens
	Tokens int
}

// modelName is what questions name the stage's model by.
const modelName = "essai"

// Model starts a server of the OpenAI-compatible protocol that answers every
// question with Text(pace) at the given pace, and has every process that starts
// from now on write its answers with it.
func (s *Stage) Model(pace Pace) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/chat/completions") {
			http.NotFound(w, r)
			return
		}
		pace.write(w, r, &s.held)
	}))
	s.closers = append(s.closers, func() {
		server.CloseClientConnections()
		server.Close()
	})
	s.Set("VIGUEUR_MODELS", modelName)
	s.Set("VIGUEUR_MODEL_URL", server.URL+"/v1")
	s.Set("VIGUEUR_MODEL_OUTPUT", fmt.Sprint(max(1024, 8*pace.Tokens)))
	s.Set("VIGUEUR_MODEL_CONTEXT", "65536")
	s.Set("VIGUEUR_MODEL_DAILY_TOKENS", "0")  // a slow machine asks more of one account
	s.Set("VIGUEUR_MODEL_REPHRASES", "false") // a test that holds the model holds its answer
	s.Set("VIGUEUR_MODEL_SHOWN", "words")     // its sentences are made to be counted, not to be true
}

// HoldModel has the model stop before a token of every answer that it writes, until release is called: what a test does to
// an answer that is being written then takes as long as it takes.
func (s *Stage) HoldModel(token int) (release func()) {
	h := &hold{token: token, released: make(chan struct{})}
	s.held.Store(h)
	return sync.OnceFunc(func() {
		s.held.CompareAndSwap(h, nil)
		close(h.released)
	})
}

// hold is a token before which the model waits.
type hold struct {
	token    int
	released chan struct{}
}

// write streams the text. Each token has its moment; those that are late go
// together, so that a slow reader does not slow the clock.
func (p Pace) write(w http.ResponseWriter, r *http.Request, held *atomic.Pointer[hold]) {
	w.Header().Set("Content-Type", "text/event-stream")
	out := http.NewResponseController(w)
	begin, timer := time.Now().Add(p.First), time.NewTimer(p.First)
	defer timer.Stop()
	for i := range p.Tokens {
		if h := held.Load(); h != nil && i == h.token {
			if err := out.Flush(); err != nil {
				return
			}
			select {
			case <-h.released:
			case <-r.Context().Done():
				return
			}
		}
		if wait := time.Until(begin.Add(time.Duration(i) * p.Each)); wait > 0 {
			if err := out.Flush(); err != nil {
				return
			}
			timer.Reset(wait)
			select {
			case <-timer.C:
			case <-r.Context().Done():
				return
			}
		}
		if _, err := fmt.Fprintf(w, "data: {\"choices\":[{\"delta\":{\"content\":%s}}]}\n\n", quoted(token(i))); err != nil {
			return
		}
	}
	fmt.Fprint(w, "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
}

// Text is what a model of the pace writes.
func (p Pace) Text() string {
	var b strings.Builder
	for i := range p.Tokens {
		b.WriteString(token(i))
	}
	return strings.TrimRight(b.String(), " ")
}

// token is the i-th of a text that is French, never the same twice, and cites.
func token(i int) string {
	words := []string{"la", "durée", "du", "préavis", "est", "fixée", "par", "le", "contrat", "ou", "la", "loi"}
	switch {
	case i == 0:
		return "Selon "
	case i%12 == 0:
		return fmt.Sprintf("au point %d [1]. ", i)
	}
	return words[i%12] + " "
}

func quoted(text string) string {
	data, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string of ours
	}
	return string(data)
}
