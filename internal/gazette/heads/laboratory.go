package heads

import "math"

// This file serves training (lab): the features of lines that may be heads, and the probabilities that a model gives
// them. No program calls it.

// Chances returns the probability of each line of a gap to be the missing head. rows holds the features of the
// lines. The sum may be below one, because none of the lines may be the head.
func (o Obscured) Chances(rows [][]float64) []float64 {
	odds := make([]float64, len(rows))
	for i, row := range rows {
		odds[i] = math.Exp(o.odds(row))
	}
	return chancesOf(odds)
}

// Rows returns the features of the lines that Missing would consider for article number, in the order of
// ObscuredNames, and the indexes of these lines. The first line is the head before the gap.
func Rows(lines []Line, number int) (rows [][]float64, positions []int) {
	word, positions := wordOf(lines[0].Text), mayBeObscured(lines)
	for _, i := range positions {
		seen, _ := lines[i].seenAs(number, word)
		rows = append(rows, seen)
	}
	return rows, positions
}

// StillReads reports whether a line reads as a head, or as the misread head of article number.
func StillReads(text string, number int) bool {
	if _, _, ok := Read(text, ""); ok {
		return true
	}
	h, ok := readSlipped(text)
	n, _ := LeadingNumber(h.Number)
	return ok && n == number
}
