package answering

import (
	"errors"
	"slices"
	"strings"

	"vigueur/internal/answer/llm"
	"vigueur/internal/law/french"
)

// errUnsupported reports a sentence that the passages it cites do not support.
var errUnsupported = errors.New("answer: a sentence of the model is not supported by its sources")

// outputFilter delays a model's text: first until it cites a source and contains a word
// that the question does not, then, if sources is set, each sentence until it is complete
// and checked, so that no unsupported sentence is streamed.
type outputFilter struct {
	question map[string]bool
	count    int             // number of sources
	sources  map[int]*source // nil: sentences are passed on unchecked
	yield    func(string) error
	all      strings.Builder
	done     int // number of bytes of all that were passed on
}

func (h *outputFilter) passedAny() bool { return h.done > 0 }

// write adds a piece of text. errUnsupported: a sentence is not supported, and neither it
// nor what follows was passed on.
func (h *outputFilter) write(delta string) error {
	h.all.WriteString(delta)
	rest := h.all.String()[h.done:]
	if h.sources == nil {
		return h.passIfCited(rest, len(rest))
	}
	list := sentences(rest)
	if len(list) < 2 {
		return nil
	}
	// The last sentence may be unfinished, or its mark may follow on the next line.
	last := len(list) - 1
	return h.passChecked(rest, list[:last], list[last].start)
}

// finish checks and passes on the rest of the text when the model has ended.
func (h *outputFilter) finish() error {
	rest := h.all.String()[h.done:]
	if h.sources == nil {
		return h.passIfCited(rest, len(rest))
	}
	return h.passChecked(rest, sentences(rest), len(rest))
}

// passChecked passes on rest[:end], or only what precedes the first unsupported sentence.
func (h *outputFilter) passChecked(rest string, list []sentence, end int) error {
	bad := slices.IndexFunc(list, h.unsupported)
	if bad < 0 {
		return h.passIfCited(rest, end)
	}
	return errors.Join(h.passIfCited(rest, list[bad].start), errUnsupported)
}

// passIfCited passes on rest[:end] without trailing white space, unless nothing was passed
// on before and the text cites no source or only repeats the question.
func (h *outputFilter) passIfCited(rest string, end int) error {
	begin := rest[:end]
	if end < len(rest) {
		begin = strings.TrimRight(begin, " \u00a0\u202f\n\t")
	}
	if !h.passedAny() && !(h.cites(begin) && h.addsWords(begin)) {
		return nil
	}
	return h.pass(len(begin))
}

// release passes on all text that was delayed, unchecked.
func (h *outputFilter) release() error { return h.pass(h.all.Len() - h.done) }

func (h *outputFilter) pass(n int) error {
	if n == 0 {
		return nil
	}
	text := h.all.String()[h.done : h.done+n]
	h.done += n
	return h.yield(text)
}

// unsupported reports whether a sentence contradicts its sources, states a number, date,
// reference or quotation without citing a source, or repeats the same words again and
// again. A sentence that only lacks a citation is streamed, and the final event warns of
// it.
func (h *outputFilter) unsupported(s sentence) bool {
	cited := slices.ContainsFunc(s.cites, func(n int) bool { return h.sources[n] != nil })
	if !cited && !s.circles() && (s.introduces() || len(french.Facts(withoutNumeral(s.words)))+len(quotations(s.words)) == 0) {
		return false
	}
	return len(s.faults(h.sources)) > 0
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
