package answer

import (
	"context"
	"errors"

	"vigueur/internal/errs"
	"vigueur/internal/llm"
)

// fallbackNotice is the sentence that introduces the fallback's text: alone if nothing of
// the model's text was streamed, else after. Each ends with a colon, so that the check
// takes it for an introduction, which needs no citation.
type fallbackNotice struct{ alone, after string }

var (
	noSource     = fallbackNotice{alone: "Le modèle n’a pas cité de texte ; voici ce que disent les textes du catalogue :\n\n"}
	onlyQuestion = fallbackNotice{alone: "Le modèle n’a fait que reprendre la question ; voici ce que disent les textes du catalogue :\n\n"}
	unsupported  = fallbackNotice{"Le modèle a écrit ce que les textes ne disent pas ; voici ce que disent les textes du catalogue :\n\n",
		"\n\nLa suite de ce que le modèle a écrit n’est pas dans les textes ; voici ce que disent les textes du catalogue :\n\n"}
	modelDown = fallbackNotice{"Le modèle ne répond pas ; voici ce que disent les textes du catalogue :\n\n",
		"\n\nLe modèle s’est interrompu ; voici ce que disent les textes du catalogue :\n\n"}
)

// generate runs the model and passes its text to yield through an outputFilter. When the
// filter rejects the text, or the model does not respond or breaks off, the fallback
// writes the answer, or the rest of it, behind a fallbackNotice. A model that abstains is
// not replaced.
func (j *job) generate(ctx context.Context, model llm.Generator, yield func(string) error) error {
	// The search has written this answer itself; a model could only change it.
	if j.found.Written != nil {
		return yieldWritten(j.found.Written, yield)
	}
	p := j.prompt()
	fallback, known := j.Models[j.Fallback]
	if !known || j.Model == j.Fallback || p.Abstain {
		return model.Generate(ctx, p, yield)
	}
	h := outputFilter{question: termsOf(j.Question), count: len(p.Passages), yield: yield}
	if !j.AtOnce {
		h.sources = sourcesOf(p.Passages)
	}
	err := model.Generate(ctx, p, h.write)
	if errors.Is(err, llm.ErrAbstained) {
		return errors.Join(h.release(), err)
	}
	why, err := h.fallbackReason(ctx, err)
	if why == nil {
		return err
	}
	lead := why.alone
	if h.passedAny() {
		lead = why.after
		j.cut = why == &modelDown
	}
	j.fallbackLead = lead
	// The fallback quotes the passages however unlikely they answer; the validation
	// warns of that.
	p.Doubtful, p.Unlikely = p.Doubtful || p.Unlikely, false
	if err := yield(lead); err != nil {
		return err
	}
	return fallback.Generate(ctx, p, yield)
}

// fallbackReason decides, once the model has ended with err, whether the fallback writes,
// and returns its notice; nil if it does not.
func (h *outputFilter) fallbackReason(ctx context.Context, err error) (*fallbackNotice, error) {
	switch kind := errs.KindOf(err); {
	case errors.Is(err, errUnsupported):
		return h.unsupportedReason(), nil
	case ctx.Err() != nil:
		return nil, err
	case err != nil && (kind == errs.Unavailable || kind == errs.Unprocessable):
		return &modelDown, nil
	case err != nil && !errors.Is(err, llm.ErrCut):
		return nil, err
	}
	switch last := h.finish(); {
	case errors.Is(last, errUnsupported) && h.passedAny() && err != nil: // the sentence that was cut
		return nil, err
	case errors.Is(last, errUnsupported):
		return h.unsupportedReason(), nil
	case last != nil:
		return nil, last
	case h.passedAny():
		return nil, err
	case h.cites(h.all.String()):
		return &onlyQuestion, nil
	}
	return &noSource, nil
}

// unsupportedReason is the notice for a sentence that its sources do not support, or, if
// no sentence cites a source at all, the one that says so.
func (h *outputFilter) unsupportedReason() *fallbackNotice {
	if !h.passedAny() && !h.cites(h.all.String()) {
		return &noSource
	}
	return &unsupported
}
