package answering

import (
	"context"
	"errors"
	"strings"

	"vigueur/internal/answer/llm"
	"vigueur/internal/kit/errs"
)

// fallbackNotice says in French why the fallback writes. alone is used if none of the
// model's text was streamed, after if some of it was.
type fallbackNotice struct{ alone, after string }

var (
	noSource     = fallbackNotice{alone: "Le modèle n’a pas cité de texte"}
	onlyQuestion = fallbackNotice{alone: "Le modèle n’a fait que reprendre la question"}
	unsupported  = fallbackNotice{"Le modèle a écrit ce que les textes ne disent pas", "La suite de ce que le modèle a écrit n’est pas dans les textes"}
	modelDown    = fallbackNotice{"Le modèle ne répond pas", "Le modèle s’est interrompu"}
	modelBusy    = fallbackNotice{"Le modèle est trop demandé", "Le modèle s’est interrompu"}
	modelUnfit   = fallbackNotice{"Le modèle n’a pas pu répondre", "Le modèle s’est interrompu"}
)

// quoting follows a fallbackNotice and introduces quotations. It ends with a colon, so that
// Check takes notice and quoting for an introduction, which needs no citation.
const quoting = " ; voici ce que disent les textes du catalogue :\n\n"

// generate runs the model and passes its text to yield through an outputFilter. When the
// filter rejects the text, or the model does not respond or breaks off, the fallback writes
// the answer, or the rest of it, after a fallbackNotice. A model that abstains is not
// replaced.
func (j *job) generate(ctx context.Context, model llm.Generator, yield func(string) error) error {
	// The search has written this answer itself; a model could only change it.
	if j.found.Written != nil {
		return yieldWritten(j.found.Written, yield)
	}
	p := j.prompt()
	fallback, known := j.Models[j.Fallback]
	if !known || j.Model == j.Fallback || p.Verdict.Closed() {
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
	if h.passedAny() {
		j.cut = why == &modelDown || why == &modelBusy || why == &modelUnfit
	}
	return j.writeInstead(ctx, fallback, p, *why, &h)
}

// writeInstead lets the fallback write after the notice why. If none of the model's text
// was streamed, the fallback writes the same answer as without a model, which may be a
// refusal. After a part of an answer it never refuses: it quotes the passages even if they
// are unlikely to answer, and the validation warns of that.
func (j *job) writeInstead(ctx context.Context, fallback llm.Generator, p llm.Prompt, why fallbackNotice, h *outputFilter) error {
	later := h.passedAny()
	j.fallbackLead = why.alone
	if later {
		j.fallbackLead = "\n\n" + why.after
		p.Verdict = p.Verdict.AtLeastUnsure()
	}
	var pieces []string
	err := fallback.Generate(ctx, p, func(piece string) error {
		pieces = append(pieces, piece)
		return nil
	})
	if err != nil && !errors.Is(err, llm.ErrAbstained) {
		return err
	}
	switch refused := !h.cites(strings.Join(pieces, "")); {
	case refused && later:
		j.fallbackLead += "."
		pieces, err = nil, nil
	case refused:
		j.fallbackLead += ".\n\n"
	default:
		j.fallbackLead += quoting
	}
	for _, piece := range append([]string{j.fallbackLead}, pieces...) {
		if err := h.yield(piece); err != nil {
			return err
		}
	}
	return err
}

// fallbackReason decides, once the model has ended with err, whether the fallback writes,
// and returns its notice; nil if it does not.
func (h *outputFilter) fallbackReason(ctx context.Context, err error) (*fallbackNotice, error) {
	switch kind := errs.KindOf(err); {
	case errors.Is(err, errUnsupported):
		return h.unsupportedReason(), nil
	case ctx.Err() != nil:
		return nil, err
	case errors.Is(err, llm.ErrBusy):
		return &modelBusy, nil
	case err != nil && kind == errs.Unavailable:
		return &modelDown, nil
	case err != nil && kind == errs.Unprocessable: // the server responds but rejects the request: the question is too long for the model, or the key is wrong
		return &modelUnfit, nil
	case err != nil && !errors.Is(err, llm.ErrCut):
		return nil, err
	}
	switch last := h.finish(); {
	case errors.Is(last, errUnsupported) && h.passedAny() && err != nil: // only the sentence that was cut off is unsupported
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

// unsupportedReason returns the notice for a sentence that its sources do not support. If
// nothing was streamed and no sentence cites a source at all, it returns noSource.
func (h *outputFilter) unsupportedReason() *fallbackNotice {
	if !h.passedAny() && !h.cites(h.all.String()) {
		return &noSource
	}
	return &unsupported
}
