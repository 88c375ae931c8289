package e2e

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	spans "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// TestOneTraceFromTheRequestToTheAnswer asks a question of a server and a worker that send
// their steps to a collector, and puts them together there.
func TestOneTraceFromTheRequestToTheAnswer(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	steps := map[string]*spans.Span{}
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var request collector.ExportTraceServiceRequest
		if err == nil {
			err = proto.Unmarshal(body, &request)
		}
		if err != nil {
			t.Error(err)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		for _, of := range request.ResourceSpans {
			for _, in := range of.ScopeSpans {
				for _, s := range in.Spans {
					steps[s.Name] = s
				}
			}
		}
	}))
	t.Cleanup(server.Close)
	s := openSample(t)
	s.Set("VIGUEUR_TRACES_URL", server.URL)
	api, worker := startAPI(t, s), startWorker(t, s)
	client, err := s.Client(t.Context(), api)
	if err != nil {
		t.Fatal(err)
	}
	const question = "Quelle est la durée du congé annuel ?"
	if _, err := client.Ask(t.Context(), question, nil); err != nil {
		t.Fatal(err)
	}
	// What waits is sent when they end.
	api.Stop()
	worker.Stop()
	mu.Lock()
	defer mu.Unlock()
	const asked = "POST /api/v1/chat-rag/stream"
	for name, parent := range map[string]string{asked: "", "task": asked, "answer": asked, "queue": "answer", "retrieve": "answer", "write": "answer", "save": "answer"} {
		step := steps[name]
		switch {
		case step == nil:
			t.Errorf("no step « %s »", name)
		case parent == "" && len(step.ParentSpanId) > 0:
			t.Errorf("« %s » is not where the trace begins", name)
		case parent != "" && (steps[parent] == nil || !bytes.Equal(step.ParentSpanId, steps[parent].SpanId) || !bytes.Equal(step.TraceId, steps[asked].TraceId)):
			t.Errorf("« %s » does not go on from « %s »", name, parent)
		}
	}
	for name, step := range steps {
		for _, a := range step.Attributes {
			if a.Value.GetStringValue() == question {
				t.Errorf("« %s » tells the question", name)
			}
		}
	}
}
