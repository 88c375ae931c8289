package answering

import (
	"slices"

	"vigueur/internal/law/french"
)

// pair is one step of an alignment of two texts: the index of a token of each, or of a
// token of one text and -1 for the other.
type pair struct{ own, other int }

// Scores of a step of an alignment: equal words, equal stop words (which count less, since
// they also match by chance), two different tokens, and a token of one text alone.
const (
	alikeGain = 3
	stopGain  = 1
	swapCost  = -1
	skipCost  = -1
)

// align aligns all of own with the part of other that it resembles most (a semi-global
// alignment) and returns the steps, with the number of tokens of own that are equal there.
func align(own, other []french.Token) (path []pair, same int) {
	width := len(other) + 1
	score := make([]int, (len(own)+1)*width)
	for i := range own {
		row := (i + 1) * width
		score[row] = (i + 1) * skipCost
		for j := range other {
			pos := row + j + 1
			score[pos] = max(score[pos-width-1]+gain(own[i], other[j]), score[pos-width]+skipCost, score[pos-1]+skipCost)
		}
	}
	index := len(own) * width
	for j := range width {
		if score[len(own)*width+j] >= score[index] { // of equal scores the last, so that a replaced word is not taken for a missing one
			index = len(own)*width + j
		}
	}
	for index >= width { // the row before the first token of own is the end
		i, j := index/width-1, index%width-1
		switch {
		case j >= 0 && score[index] == score[index-width-1]+gain(own[i], other[j]):
			path = append(path, pair{i, j})
			if own[i].Term == other[j].Term {
				same++
			}
			index -= width + 1
		case score[index] == score[index-width]+skipCost:
			path = append(path, pair{i, -1})
			index -= width
		default:
			path = append(path, pair{-1, j})
			index--
		}
	}
	slices.Reverse(path)
	return path, same
}

func gain(a, b french.Token) int {
	switch {
	case a.Term != b.Term:
		return swapCost
	case a.Stop:
		return stopGain
	}
	return alikeGain
}
