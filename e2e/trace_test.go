package e2e

import (
	"testing"

	"vigueur/internal/kit/testkit/collector"
)

// TestOneTraceFromTheRequestToTheAnswer asks a question of a server and a worker that send
// their steps to a collector, and puts them together there.
func TestOneTraceFromTheRequestToTheAnswer(t *testing.T) {
	t.Parallel()
	server := collector.New(t)
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
	steps := map[string]collector.Span{}
	for _, step := range server.Spans() {
		steps[step.Name] = step
	}
	const asked = "POST /api/v1/chat-rag/stream"
	for name, parent := range map[string]string{asked: "", "task": asked, "answer": asked, "queue": "answer", "retrieve": "answer", "write": "answer", "save": "answer"} {
		step, told := steps[name]
		switch {
		case !told:
			t.Errorf("no step « %s »", name)
		case parent == "" && step.Parent != "":
			t.Errorf("« %s » is not where the trace begins", name)
		case parent != "" && (step.Parent == "" || step.Parent != steps[parent].ID || step.Trace != steps[asked].Trace):
			t.Errorf("« %s » does not go on from « %s »", name, parent)
		}
	}
	for name, step := range steps {
		for _, text := range step.Texts {
			if text == question {
				t.Errorf("« %s » tells the question", name)
			}
		}
	}
}
