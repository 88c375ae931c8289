package answering

import (
	"context"

	"vigueur/internal/answer/llm"
)

// Judged is what becomes of a model's answer.
type Judged struct {
	Shown   string // what a reader sees of it
	Left    int    // sentences that were left out
	Open    int    // sentences that are shown although nothing decides on them
	Instead bool   // quotations take its place or follow it
}

// Judge passes a model's answer through the check that Run passes it through; it is for evaluations.
func Judge(question, answer string, passages []llm.Passage) Judged {
	var out Judged
	h := outputFilter{question: termsOf(question), known: around(question, answer), count: len(passages), sources: sourcesOf(passages),
		yield: func(text string) error { out.Shown += text; return nil }}
	_ = h.write(answer)
	why, _ := h.fallbackReason(context.Background(), nil)
	out.Left, out.Instead = h.left, why != nil
	for _, s := range sentences(out.Shown) {
		if _, open := s.faults(h.sources, h.known); len(open) > 0 {
			out.Open++
		}
	}
	return out
}
