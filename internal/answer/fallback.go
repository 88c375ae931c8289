package answer

import (
	"context"
	"errors"

	"vigueur/internal/errs"
	"vigueur/internal/llm"
)

// instead is what is said where the fallback writes in the place of a model, before
// what the texts say: alone, or after what the model wrote until then. Each ends with a
// colon: it leads to what follows and cites nothing itself.
type instead struct{ alone, after string }

var (
	unsourced = instead{alone: "Le modèle n’a pas cité de texte ; voici ce que disent les textes du catalogue :\n\n"}
	echoed    = instead{alone: "Le modèle n’a fait que reprendre la question ; voici ce que disent les textes du catalogue :\n\n"}
	untrue    = instead{"Le modèle a écrit ce que les textes ne disent pas ; voici ce que disent les textes du catalogue :\n\n",
		"\n\nLa suite de ce que le modèle a écrit n’est pas dans les textes ; voici ce que disent les textes du catalogue :\n\n"}
	away = instead{"Le modèle ne répond pas ; voici ce que disent les textes du catalogue :\n\n",
		"\n\nLe modèle s’est interrompu ; voici ce que disent les textes du catalogue :\n\n"}
)

// generate has the answer written. What a model writes is held back until it points
// at a source and says something that the question does not, and, where sentences are
// checked before they are shown, until they hold. What never does is not shown, and the
// fallback writes instead, or goes on, which is said; so does it where the model does
// not answer or breaks off. A model that abstains has judged for itself, and stands.
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
	h := held{question: termsOf(j.Question), count: len(p.Passages), yield: yield}
	if !j.AtOnce {
		h.sources = sourcesOf(p.Passages)
	}
	err := model.Generate(ctx, p, h.take)
	if errors.Is(err, llm.ErrAbstained) {
		return errors.Join(h.release(), err)
	}
	why, err := h.ended(ctx, err)
	if why == nil {
		return err
	}
	lead := why.alone
	if h.shown() {
		lead = why.after
		j.cut = why == &away
	}
	j.instead = lead
	// The texts are quoted whatever the search thinks of them: a person is told that
	// it is not sure by the validation.
	p.Doubtful, p.Unlikely = p.Doubtful || p.Unlikely, false
	if err := yield(lead); err != nil {
		return err
	}
	return fallback.Generate(ctx, p, yield)
}

// ended looks at what a model wrote once it has ended with err: why the fallback is to
// write, nil where it is not.
func (h *held) ended(ctx context.Context, err error) (*instead, error) {
	switch kind := errs.KindOf(err); {
	case errors.Is(err, errUntrue):
		return h.unfounded(), nil
	case ctx.Err() != nil:
		return nil, err
	case err != nil && (kind == errs.Unavailable || kind == errs.Unprocessable):
		return &away, nil
	case err != nil && !errors.Is(err, llm.ErrCut):
		return nil, err
	}
	switch last := h.finish(); {
	case errors.Is(last, errUntrue) && h.shown() && err != nil: // the sentence that was cut
		return nil, err
	case errors.Is(last, errUntrue):
		return h.unfounded(), nil
	case last != nil:
		return nil, last
	case h.shown():
		return nil, err
	case h.cites(h.all.String()):
		return &echoed, nil
	}
	return &unsourced, nil
}

// unfounded is why the fallback writes where a sentence does not hold: where none points
// at a source, that is said.
func (h *held) unfounded() *instead {
	if !h.shown() && !h.cites(h.all.String()) {
		return &unsourced
	}
	return &untrue
}
