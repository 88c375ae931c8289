package openai

import "strings"

// denial finds « AUCUNE RÉPONSE » behind the beginning of an answer, in pieces. It holds back
// what may be its beginning.
type denial struct {
	held string
}

// write returns the text to pass on, and whether the model took its answer back: what follows
// is not passed on.
func (d *denial) write(text string) (passed string, denied bool) {
	text = d.held + text
	if before, _, found := strings.Cut(text, nothing); found {
		d.held = ""
		return before, true
	}
	held := min(len(text), len(nothing)-1)
	for !strings.HasPrefix(nothing, text[len(text)-held:]) {
		held--
	}
	d.held = text[len(text)-held:]
	return text[:len(text)-held], false
}

// end returns what was held back.
func (d *denial) end() string { return d.held }
