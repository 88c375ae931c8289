package answering

import (
	"context"
	"errors"
	"slices"
	"strings"

	"vigueur/internal/answer/llm"
	"vigueur/internal/answer/refer"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law/french"
	"vigueur/internal/search/retrieve"
)

// fallbackNotice says in French why the fallback writes. alone is used if none of the
// model's text was streamed, after if some of it was.
type fallbackNotice struct{ alone, after string }

var (
	noSource     = fallbackNotice{alone: "Le modèle n’a pas cité de texte"}
	onlyQuestion = fallbackNotice{alone: "Le modèle n’a fait que reprendre la question"}
	unsupported  = fallbackNotice{"Le modèle a écrit ce que les textes ne disent pas", "Le reste de ce que le modèle a écrit n’est pas dans les textes"}
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
	h := outputFilter{question: termsOf(j.Question), known: around(j.Question, ""), count: len(p.Passages), yield: yield}
	if !j.AtOnce {
		h.sources = sourcesOf(p.Passages)
	}
	var held *strings.Builder // an answer that another model is to read first
	if j.Models[j.Checker] != nil && h.sources != nil {
		held = new(strings.Builder)
		h.yield = func(text string) error {
			held.WriteString(text)
			return nil
		}
	}
	p.Refuse = yield
	err := model.Generate(ctx, p, h.write)
	if errors.Is(err, llm.ErrAbstained) {
		h.yield = yield
		return errors.Join(h.release(), err)
	}
	why, err := h.fallbackReason(ctx, err)
	if held != nil {
		again := outputFilter{sources: h.sources, count: h.count, yield: yield, begun: true, wrong: j.readAgain(ctx, p, held.String())}
		if last := again.passChecked(held.String(), sentences(held.String()), held.Len(), true); last != nil {
			return last
		}
		h.left, h.kept, h.yield = h.left+again.left, again.kept, yield
		if why == nil && h.left > h.kept {
			why = &unsupported
		}
	}
	if h.passedAny() {
		j.left = h.left
	}
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
	p.Passages = quotable(p.Passages)
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

// quotable returns the passages that would be there without a model.
func quotable(all []llm.Passage) []llm.Passage {
	var out []llm.Passage
	for i, p := range all {
		if i < retrieve.HitLimit || p.Support {
			out = append(out, p)
		}
	}
	return out
}

// fallbackReason decides, once the model has ended with err, whether the fallback writes,
// and returns its notice; nil if it does not.
func (h *outputFilter) fallbackReason(ctx context.Context, err error) (*fallbackNotice, error) {
	switch kind := errs.KindOf(err); {
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
	case last != nil:
		return nil, last
	case !h.passedAny() && !h.cites(h.all.String()):
		return &noSource, nil
	case h.left > h.kept: // the rest says too little, or nothing
		return &unsupported, nil
	case h.passedAny():
		return nil, err
	}
	return &onlyQuestion, nil
}

// outputFilter delays a model's text: first until it cites a source and contains a word
// that the question does not, then, if sources is set, each sentence until it is complete
// and checked. A sentence that its sources contradict is left out, and the text goes on.
type outputFilter struct {
	question map[string]bool
	known    surroundings    // facts of the question
	count    int             // number of sources
	sources  map[int]*source // nil: sentences are passed on unchecked
	yield    func(string) error
	all      strings.Builder // what the model wrote
	done     int             // number of bytes of all that were checked
	ready    string          // what was checked and may be passed on
	begun    bool            // something was passed on
	kept     int             // number of sentences that were passed on or may be
	wrong    map[int]bool    // sentences that a second model takes out, by their places; nil: each is checked
	left     int             // number of sentences that were left out
}

// leftOut stands for sentences that were left out.
const leftOut = "[…]"

func (h *outputFilter) passedAny() bool { return h.begun }

// write adds a piece of text.
func (h *outputFilter) write(delta string) error {
	h.all.WriteString(delta)
	rest := h.all.String()[h.done:]
	if h.sources == nil {
		return h.pass(len(rest), rest, false)
	}
	list := sentences(rest)
	if len(list) < 2 {
		return nil
	}
	// The last sentence may be unfinished, or its mark may follow on the next line.
	last := len(list) - 1
	return h.passChecked(rest, list[:last], list[last].start, false)
}

// finish checks and passes on the rest of the text when the model has ended.
func (h *outputFilter) finish() error {
	rest := h.all.String()[h.done:]
	if h.sources == nil {
		return h.pass(len(rest), rest, true)
	}
	return h.passChecked(rest, sentences(rest), len(rest), true)
}

// passChecked passes on rest[:end] without the sentences that their sources contradict.
func (h *outputFilter) passChecked(rest string, list []sentence, end int, last bool) error {
	var b strings.Builder
	pos := 0
	for i, s := range list {
		next := end
		if i+1 < len(list) {
			next = list[i+1].start
		}
		if !h.unsupported(s) {
			h.kept++
			b.WriteString(rest[pos:next])
			pos = next
			continue
		}
		h.left++
		b.WriteString(rest[pos:s.start])
		if !strings.HasSuffix(strings.TrimSpace(h.ready+b.String()), leftOut) {
			b.WriteString(leftOut)
		}
		said := strings.TrimRight(rest[s.start:next], " \u00a0\u202f\n\t")
		pos = s.start + len(said)
	}
	b.WriteString(rest[pos:end])
	return h.pass(end, b.String(), last)
}

// pass passes on text, which stands for the next n bytes of all, without trailing white space unless it is the last, and
// with what was delayed before it; unless nothing was passed on before and the text cites no source or only repeats the
// question.
func (h *outputFilter) pass(n int, text string, last bool) error {
	h.done += n
	h.ready += text
	if !h.begun && !(h.cites(h.ready) && h.addsWords(h.ready)) {
		return nil
	}
	out := h.ready
	if !last && h.sources != nil {
		out = strings.TrimRight(out, " \u00a0\u202f\n\t")
	}
	if out == "" {
		return nil
	}
	h.begun, h.ready = true, h.ready[len(out):]
	return h.yield(out)
}

// release passes on all text that was delayed, unchecked.
func (h *outputFilter) release() error {
	out := h.ready + h.all.String()[h.done:]
	if out == "" {
		return nil
	}
	h.begun, h.ready, h.done = true, "", h.all.Len()
	return h.yield(out)
}

// unsupported reports whether a sentence contradicts its sources, states a number, date,
// reference or quotation without citing a source, or repeats the same words again and
// again. A sentence that only lacks a citation is streamed, and the final event warns of
// it.
func (h *outputFilter) unsupported(s sentence) bool {
	if h.wrong != nil {
		return h.wrong[s.start]
	}
	contradicted, _ := s.faults(h.sources, h.known)
	return len(contradicted) > 0
}

// cites reports whether a text cites a source that exists.
func (h *outputFilter) cites(text string) bool {
	n := numbering{sources: h.count}
	n.rewrite(text)
	return len(n.order) > 0
}

// addsWords reports whether a text contains a word that the question does not.
func (h *outputFilter) addsWords(text string) bool {
	for t := range termsOf(marks.ReplaceAllString(text, " ")) {
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

func sourcesOf(passages []llm.Passage) map[int]*source {
	sources := make(map[int]*source, len(passages))
	for _, p := range passages {
		sources[p.N] = &source{passage: p}
	}
	return sources
}

// yieldWritten passes on an answer that the search wrote itself: the words of an article,
// the status of a text, or the statement that the catalogue does not contain it.
func yieldWritten(w *refer.Written, yield func(delta string) error) error {
	for _, piece := range w.Pieces {
		if err := yield(piece); err != nil {
			return err
		}
	}
	return nil
}

// withoutNotes removes the sentences about the catalogue and about the model from an
// answer: these sentences cite no article, so they cannot be checked.
func (j *job) withoutNotes(text string) string {
	text = strings.TrimPrefix(text, j.helpLead())
	if j.fallbackLead != "" {
		text = strings.Replace(text, j.fallbackLead, "\n\n", 1)
	}
	notes := j.notices
	if j.found.Written != nil {
		notes = slices.Concat(notes, j.found.Written.Notes)
	}
	for _, note := range notes {
		text = strings.Replace(text, note, "", 1)
	}
	return text
}
