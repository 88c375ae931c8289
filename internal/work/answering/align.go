package answering

import (
	"slices"

	"vigueur/internal/law/french"
)

// pair is one step along two texts that say nearly the same: a token of each, or
// of one only, the other being -1.
type pair struct{ own, other int }

// The scores of a step of an alignment.
const (
	alikeGain = 3
	stopGain  = 1
	swapCost  = -1
	skipCost  = -1
)

// align aligns all of own with the part of other that it resembles most (a semi-global
// alignment) and returns the steps, with how many tokens of own are equal there.
func align(own, other []french.Token) (path []pair, same int) {
	width := len(other) + 1
	score := make([]int, (len(own)+1)*width)
	for i := range own {
		row := (i + 1) * width
		score[row] = (i + 1) * skipCost
		for j := range other {
			at := row + j + 1
			score[at] = max(score[at-width-1]+gain(own[i], other[j]), score[at-width]+skipCost, score[at-1]+skipCost)
		}
	}
	at := len(own) * width
	for j := range width {
		if score[len(own)*width+j] >= score[at] { // the later: a word swapped, not one left over
			at = len(own)*width + j
		}
	}
	for at >= width { // the row before the first token of own is the end
		i, j := at/width-1, at%width-1
		switch {
		case j >= 0 && score[at] == score[at-width-1]+gain(own[i], other[j]):
			path = append(path, pair{i, j})
			if own[i].Term == other[j].Term {
				same++
			}
			at -= width + 1
		case score[at] == score[at-width]+skipCost:
			path = append(path, pair{i, -1})
			at -= width
		default:
			path = append(path, pair{-1, j})
			at--
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
