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

// Signs returns the signs of the first sentence of a text, with what its facts alone say of it: whether they contradict it.
func Signs(question, answer, text string, passages []llm.Passage) (signs map[string]float64, contradicted bool) {
	sources, list := sourcesOf(passages), sentences(text)
	if len(list) == 0 {
		return nil, false
	}
	cited := list[0].cited(sources)
	c := readClaim(list[0].claimed(), cited, around(question, answer))
	if c == nil {
		return nil, false
	}
	wrong, _ := list[0].faultsOfFacts(cited, around(question, answer), "")
	return c.signs(), len(wrong) > 0
}
