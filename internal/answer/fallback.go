package answer

import (
	"context"
	"errors"
	"strings"

	"vigueur/internal/french"
	"vigueur/internal/llm"
)

// What is said where the answer of a model is not kept, before what the texts say.
// Each ends with a colon: it leads to what follows and cites nothing itself.
const (
	insteadUnsourced = "Le modèle n’a pas cité de texte ; voici ce que disent les textes du catalogue :\n\n"
	insteadEcho      = "Le modèle n’a fait que reprendre la question ; voici ce que disent les textes du catalogue :\n\n"
)

// generate has the answer written. What a model writes is held back until it points
// at a source and says something that the question does not: an answer that comes
// to its end without is never shown, and the fallback writes instead, which is
// said. A model that abstains has judged for itself, and stands; what it wrote and
// the check does not hold is shown already when that is known, and warned of.
func (j *job) generate(ctx context.Context, model llm.Generator, yield func(string) error) error {
	// There a model could add nothing and change much: none is asked, whichever was chosen.
	if j.found.Written != nil {
		return hand(j.found.Written, yield)
	}
	p := j.prompt()
	fallback, known := j.Models[j.Fallback]
	if !known || j.Model == j.Fallback || p.Abstain {
		return model.Generate(ctx, p, yield)
	}
	h := held{question: termsOf(j.Question), sources: len(p.Passages), yield: yield}
	err := model.Generate(ctx, p, h.take)
	switch {
	case errors.Is(err, llm.ErrAbstained):
		return errors.Join(h.release(), err)
	case err != nil && !errors.Is(err, llm.ErrCut):
		return err
	}
	if h.shown {
		return err
	}
	lead := insteadUnsourced
	if h.cites() {
		lead = insteadEcho
	}
	// The texts are quoted whatever the search thinks of them: a person is told that
	// it is not sure by the validation.
	p.Doubtful, p.Unlikely = p.Doubtful || p.Unlikely, false
	if err := yield(lead); err != nil {
		return err
	}
	return fallback.Generate(ctx, p, yield)
}

// held holds back what a model writes.
type held struct {
	question map[string]bool
	sources  int
	yield    func(string) error
	all      strings.Builder
	shown    bool
}

func (h *held) take(delta string) error {
	h.all.WriteString(delta)
	switch {
	case h.shown:
		return h.yield(delta)
	case h.cites() && h.says():
		return h.release()
	}
	return nil
}

// release shows what was held back.
func (h *held) release() error {
	if h.shown || h.all.Len() == 0 {
		return nil
	}
	h.shown = true
	return h.yield(h.all.String())
}

// cites tells whether what was written points at a source that there is.
func (h *held) cites() bool {
	n := numbering{sources: h.sources}
	n.rewrite(h.all.String())
	return len(n.order) > 0
}

// says tells whether what was written has a word that the question has not.
func (h *held) says() bool {
	for t := range termsOf(marks.ReplaceAllString(h.all.String(), " ")) {
		if !h.question[t] {
			return true
		}
	}
	return false
}

func termsOf(text string) map[string]bool {
	out := make(map[string]bool)
	for _, t := range french.Terms(text) {
		out[t] = true
	}
	return out
}
