package openai

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"vigueur/internal/kit/errs"
)

// reranking is a fake server with responses by answer.
func reranking(t *testing.T, answer func(q rerankRequest) (status int, body string)) *Reranker {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q rerankRequest
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil || r.URL.Path != "/v1/rerank" || q.Query != "question" {
			t.Errorf("%s %+v %v", r.URL.Path, q, err)
		}
		status, body := answer(q)
		w.WriteHeader(status)
		_, _ = fmt.Fprint(w, body)
	}))
	t.Cleanup(s.Close)
	return &Reranker{Client: &Client{URL: s.URL + "/v1", HTTP: s.Client().Transport}, Model: "juge"}
}

func TestBothFormsOfRerankersAreSpoken(t *testing.T) {
	t.Parallel()
	want := []float64{0.1, 0.9, -3}
	cohere := reranking(t, func(q rerankRequest) (int, string) {
		if len(q.Documents) != 3 || q.TopN != 3 || q.Model != "juge" {
			t.Errorf("asked %+v", q)
		}
		return http.StatusOK, `{"results":[{"index":1,"relevance_score":0.9},{"index":0,"relevance_score":0.1},{"index":2,"relevance_score":-3}]}`
	})
	tries := 0
	inference := reranking(t, func(q rerankRequest) (int, string) {
		tries++
		if len(q.Texts) != 3 {
			return http.StatusUnprocessableEntity, "missing field `texts`"
		}
		return http.StatusOK, `[{"index":1,"score":0.9},{"index":0,"score":0.1},{"index":2,"score":-3}]`
	})
	for name, r := range map[string]*Reranker{"Cohere": cohere, "text-embeddings-inference": inference} {
		for range 2 {
			if got, err := r.Scores(t.Context(), "question", []string{"a", "b", "c"}); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %v, %v", name, got, err)
			}
		}
	}
	if tries != 3 {
		t.Errorf("asked %d times: which form it takes was not remembered", tries)
	}
}

func TestWhatIsNoScoreIsRefused(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"no JSON":      `<html>`,
		"nothing":      `{}`,
		"too few":      `[{"index":0,"score":1}]`,
		"twice":        `[{"index":0,"score":1},{"index":0,"score":2}]`,
		"out of place": `[{"index":0,"score":1},{"index":7,"score":2}]`,
		"below zero":   `[{"index":-1,"score":1},{"index":0,"score":2}]`,
		"without one":  `[{"index":0,"score":1},{"index":1}]`,
		"no number":    `[{"index":0,"score":1},{"index":1,"score":"NaN"}]`,
		"too great":    `[{"index":0,"score":1},{"index":1,"score":1e999}]`,
	} {
		r := reranking(t, func(rerankRequest) (int, string) { return http.StatusOK, body })
		if got, err := r.Scores(t.Context(), "question", []string{"a", "b"}); !errs.Is(err, errs.Unprocessable) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

func FuzzReadScores(f *testing.F) {
	f.Add([]byte(`[{"index":0,"score":1}]`), 1)
	f.Add([]byte(`{"results":[{"index":0,"relevance_score":1}]}`), 1)
	f.Fuzz(func(t *testing.T, data []byte, n int) {
		n = max(0, min(n, 100))
		if got, err := readScores(data, n); err == nil && len(got) != n {
			t.Errorf("%d scores for %d texts", len(got), n)
		}
	})
}

func TestPing(t *testing.T) {
	t.Parallel()
	for status, up := range map[int]bool{200: true, 401: true, 404: true, 500: false, 503: false} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/v1/models" || !strings.HasSuffix(r.Header.Get("Authorization"), secret) {
				t.Errorf("asked for %s as %q", r.URL.Path, r.Header.Get("Authorization"))
			}
			w.WriteHeader(status)
		}))
		c := &Client{URL: s.URL + "/v1/", Key: secret, HTTP: s.Client().Transport}
		if err := c.Ping(t.Context()); (err == nil) != up {
			t.Errorf("%d: %v", status, err)
		}
		s.Close()
		if err := c.Ping(t.Context()); err == nil {
			t.Error("a server that is gone answers")
		}
	}
}
