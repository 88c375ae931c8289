package law

import (
	"slices"
	"strings"
	"unicode"
)

// Part is a run of words in two wordings of a text.
type Part struct {
	Kind string `json:"type"` // « egal », « retire » or « ajoute »
	Text string `json:"text"`
}

// The kinds of parts.
const (
	Same    = "egal"
	Removed = "retire"
	Added   = "ajoute"
)

// differencesMost bounds the table of common words: wordings whose changed middles are larger
// are shown as replaced.
const differencesMost = 4_000_000

// Differences compares two wordings word by word. Parts that are not added make up the old
// wording, those that are not removed the new one. The common words are a longest common
// subsequence, and cost at most differencesMost steps.
func Differences(before, after string) []Part {
	x, y := wordsWithBlanks(before), wordsWithBlanks(after)
	head := 0
	for head < len(x) && head < len(y) && x[head] == y[head] {
		head++
	}
	tail := 0
	for tail < len(x)-head && tail < len(y)-head && x[len(x)-1-tail] == y[len(y)-1-tail] {
		tail++
	}
	parts := addPart([]Part{}, Same, x[:head]...)
	parts = middle(parts, x[head:len(x)-tail], y[head:len(y)-tail])
	return addPart(parts, Same, x[len(x)-tail:]...)
}

// middle compares words that differ at both ends.
func middle(parts []Part, x, y []string) []Part {
	if len(x)*len(y) > differencesMost {
		return addPart(addPart(parts, Removed, x...), Added, y...)
	}
	common := make([][]int32, len(x)+1) // of the words from i and j on
	for i := range common {
		common[i] = make([]int32, len(y)+1)
	}
	for i := range slices.Backward(x) {
		for j := range slices.Backward(y) {
			if x[i] == y[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(x) && j < len(y) {
		switch {
		case x[i] == y[j]:
			parts = addPart(parts, Same, x[i])
			i, j = i+1, j+1
		case common[i+1][j] >= common[i][j+1]:
			parts = addPart(parts, Removed, x[i])
			i++
		default:
			parts = addPart(parts, Added, y[j])
			j++
		}
	}
	return addPart(addPart(parts, Removed, x[i:]...), Added, y[j:]...)
}

func addPart(parts []Part, kind string, words ...string) []Part {
	text := strings.Join(words, "")
	if text == "" {
		return parts
	}
	if n := len(parts); n > 0 && parts[n-1].Kind == kind {
		parts[n-1].Text += text
		return parts
	}
	return append(parts, Part{kind, text})
}

// wordsWithBlanks splits a text into words, each with the blanks after it.
func wordsWithBlanks(text string) (words []string) {
	start, blank := 0, false
	for i, r := range text {
		if space := unicode.IsSpace(r); !space && blank {
			words, start = append(words, text[start:i]), i
			blank = false
		} else {
			blank = space
		}
	}
	if start < len(text) {
		words = append(words, text[start:])
	}
	return words
}
