package answer

import (
	"errors"
	"slices"
	"strings"

	"vigueur/internal/french"
	"vigueur/internal/llm"
)

// errUntrue says that what a model wrote does not stand in what it cites.
var errUntrue = errors.New("answer: a sentence of the model does not hold")

// held holds back what a model writes: at first until it points at a source and says
// something that the question does not, and with sources each sentence until it is
// whole and holds, so that nothing is shown that the check would warn of later.
type held struct {
	question map[string]bool
	count    int             // of the sources
	sources  map[int]*source // nil: sentences are not checked, and are shown as they come
	yield    func(string) error
	all      strings.Builder
	done     int // bytes of it that were passed on
}

func (h *held) shown() bool { return h.done > 0 }

// take takes the next piece. errUntrue: a sentence does not hold; it was not passed on.
func (h *held) take(delta string) error {
	h.all.WriteString(delta)
	rest := h.all.String()[h.done:]
	if h.sources == nil {
		return h.offer(rest, len(rest))
	}
	list := sentences(rest)
	if len(list) < 2 {
		return nil
	}
	// The last one may go on, and a mark on a line of its own may follow.
	last := len(list) - 1
	return h.sift(rest, list[:last], list[last].start)
}

// finish takes the end of the text.
func (h *held) finish() error {
	rest := h.all.String()[h.done:]
	if h.sources == nil {
		return h.offer(rest, len(rest))
	}
	return h.sift(rest, sentences(rest), len(rest))
}

// sift passes on what stands before end, up to the first sentence that does not hold.
func (h *held) sift(rest string, list []sentence, end int) error {
	bad := slices.IndexFunc(list, h.untrue)
	if bad < 0 {
		return h.offer(rest, end)
	}
	return errors.Join(h.offer(rest, list[bad].start), errUntrue)
}

// offer passes the beginning of the rest on, but for the white space behind it, unless
// nothing that was written cites and says anything yet.
func (h *held) offer(rest string, end int) error {
	begin := rest[:end]
	if end < len(rest) {
		begin = strings.TrimRight(begin, " \u00a0\u202f\n\t")
	}
	if !h.shown() && !(h.cites(begin) && h.says(begin)) {
		return nil
	}
	return h.pass(len(begin))
}

// release passes on what was held back, as it is.
func (h *held) release() error { return h.pass(h.all.Len() - h.done) }

func (h *held) pass(n int) error {
	if n == 0 {
		return nil
	}
	text := h.all.String()[h.done : h.done+n]
	h.done += n
	return h.yield(text)
}

// untrue tells whether a sentence says what its sources do not, or cites none for what
// needs one: a number, a date, a reference or a quotation. A sentence that cites nothing
// and states none of these is warned of, and shown.
func (h *held) untrue(s sentence) bool {
	cited := slices.ContainsFunc(s.cites, func(n int) bool { return h.sources[n] != nil })
	if !cited && (s.introduces() || len(french.Facts(withoutNumeral(s.words)))+len(quotations(s.words)) == 0) {
		return false
	}
	return len(s.faults(h.sources)) > 0
}

// cites tells whether a text points at a source that there is.
func (h *held) cites(text string) bool {
	n := numbering{sources: h.count}
	n.rewrite(text)
	return len(n.order) > 0
}

// says tells whether a text has a word that the question has not.
func (h *held) says(text string) bool {
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
