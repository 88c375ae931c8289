package answering

import "vigueur/internal/law/french"

const (
	turns     = 3 // times in a row that the same words make a sentence go round in circles
	turnLeast = 2 // tokens of one turn
)

// circles reports whether a sentence says the same words three times in a row: small models
// do (« de la question de la question de la question … »), no sentence of a text does.
// Single words and numbers may follow one another; quotations are compared word for word
// with their source instead.
func (s sentence) circles() bool {
	own := french.Analyze(outsideQuotations(s.words))
	for length := turnLeast; length*turns <= len(own); length++ {
		same, word := 0, -1 // tokens in a row that equal those one turn before; the last of them that is a word
		for at := length; at < len(own); at++ {
			if own[at].Term != own[at-length].Term {
				same = 0
				continue
			}
			if own[at].Kind == french.Word {
				word = at
			}
			if same++; same >= length*(turns-1) && at-word < length {
				return true
			}
		}
	}
	return false
}
