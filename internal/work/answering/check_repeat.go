package answering

import "vigueur/internal/law/french"

const (
	turns     = 3 // a sentence is circular if it says the same words so many times in a row
	turnLeast = 2 // minimum number of tokens that are repeated
)

// circles reports whether a sentence says the same words three times in a row. Small models
// write such sentences (« de la question de la question de la question … »), and no text
// contains any. A single word or a sequence of numbers may be repeated. Quotations are
// skipped, because they are compared with their source word for word.
func (s sentence) circles() bool {
	own := french.Analyze(outsideQuotations(s.words))
	for length := turnLeast; length*turns <= len(own); length++ {
		same, word := 0, -1 // number of consecutive tokens that equal the token length places before them; index of the last such token that is a word
		for pos := length; pos < len(own); pos++ {
			if own[pos].Term != own[pos-length].Term {
				same = 0
				continue
			}
			if own[pos].Kind == french.Word {
				word = pos
			}
			if same++; same >= length*(turns-1) && pos-word < length {
				return true
			}
		}
	}
	return false
}
