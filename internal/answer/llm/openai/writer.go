package openai

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"vigueur/internal/answer/llm"
)

// headLength is the number of code points that are held back at the beginning, to check
// that they are an answer and in French.
const headLength = 60

var (
	errForeign = errors.New("openai: the answer is not in French")
	errNothing = errors.New("openai: the model found no answer")
	errEmpty   = errors.New("openai: the model wrote nothing")
)

// writer passes an answer from the server to its reader through the filters.
type writer struct {
	joiner
	reasoning
	marker
	denial denial
	loops
	yield   func(string) error
	limit   int // maximum bytes of an answer
	head    string
	begun   bool
	wrote   int
	stopped error // error of yield
	in, out int   // tokens as reported by the server; 0: not reported
	raw     int   // estimated tokens received
}

// setUsage records the server's token counts. It limits them, because the server is not
// trusted.
func (w *writer) setUsage(in, out int) {
	const limit = 10_000_000
	w.in, w.out = min(max(in, 0), limit), min(max(out, 0), limit)
}

// usage returns the usage of an answer, estimated if the server did not report it.
func (w *writer) usage(asked []message) llm.Usage {
	if w.in+w.out > 0 {
		return llm.Usage{In: w.in, Out: w.out}
	}
	return llm.Usage{In: cost(asked), Out: w.raw, Estimated: true}
}

// ended reports whether err is the writer's own verdict on the answer.
func (w *writer) ended(err error) bool {
	return w.stopped != nil || slices.ContainsFunc([]error{llm.ErrCut, errForeign, errNothing, errThoughtAloud},
		func(own error) bool { return errors.Is(err, own) })
}

// write processes the next bytes.
func (w *writer) write(piece []byte) error {
	w.raw += tokens(string(piece))
	text, err := w.reasoning.write(w.joiner.write(piece))
	if pass := w.text(text); pass != nil {
		return pass
	}
	return err
}

// text processes text without reasoning.
func (w *writer) text(piece string) error {
	if !w.begun {
		w.head = strings.TrimLeft(w.head+piece, " \n\t")
		if utf8.RuneCountInString(w.head) < headLength {
			return nil
		}
		return w.begin()
	}
	return w.judge(w.marker.write(piece))
}

// judge passes text on unless the model takes its answer back.
func (w *writer) judge(text string) error {
	text, denied := w.denial.write(text)
	if err := w.pass(text); err != nil || !denied {
		return err
	}
	return llm.ErrCut
}

// begin checks the head of the answer and releases it.
func (w *writer) begin() error {
	switch {
	case strings.HasPrefix(strings.TrimLeft(strings.ToUpper(w.head), "«*\"' \u00a0"), nothing):
		return errNothing
	case foreign(w.head):
		return errForeign
	}
	w.begun = true
	head := w.head
	w.head = ""
	return w.judge(w.marker.write(head))
}

// pass passes text to the reader, within the limits of an answer.
func (w *writer) pass(text string) error {
	if text == "" {
		return nil
	}
	if w.wrote += len(text); w.wrote > w.limit {
		return llm.ErrCut
	}
	if err := w.yield(text); err != nil {
		w.stopped = err
		return err
	}
	if w.loops.write(text) {
		return llm.ErrCut
	}
	return nil
}

// finish releases the text that was held back, and decides by the server's finish reason
// whether the answer is complete.
func (w *writer) finish(reason string) error {
	rest, err := w.reasoning.write(w.joiner.end())
	if err != nil {
		return err
	}
	if err := w.text(rest + w.reasoning.end()); err != nil {
		return err
	}
	if !w.begun {
		if strings.TrimSpace(w.head) == "" {
			return errEmpty
		}
		if err := w.begin(); err != nil {
			return err
		}
	}
	if err := w.judge(w.marker.end()); err != nil {
		return err
	}
	if err := w.pass(w.denial.end()); err != nil {
		return err
	}
	switch reason {
	case "stop", "eos", "end_turn", "":
		return nil
	}
	return llm.ErrCut // length, content_filter and any other reason
}
