package openai

// A text loops if it ends with a block that is repeated at least three times, over at least
// circleLeast bytes.
const (
	circleTurns = 3
	circleLeast = 300
	circleTail  = 3600 // bytes that are checked
	circleEvery = 120  // new bytes between checks
)

// circles detects a looping text.
type circles struct {
	tail  []byte
	fresh int
}

// write appends a piece and reports whether the text loops.
func (c *circles) write(piece string) bool {
	c.tail = append(c.tail, piece...)
	c.tail = c.tail[max(0, len(c.tail)-circleTail):]
	if c.fresh += len(piece); c.fresh < circleEvery {
		return false
	}
	c.fresh = 0
	return circular(c.tail)
}

// circular looks for a period p at the end of the text: if z[p] bytes equal those p before
// them, p+z[p] bytes have the period (the Z algorithm, backwards).
func circular(text []byte) bool {
	n := len(text)
	at := func(i int) byte { return text[n-1-i] }
	z := make([]int, n)
	left, right := 0, 0
	for p := 1; p < n; p++ {
		if p < right {
			z[p] = min(right-p, z[p-left])
		}
		for p+z[p] < n && at(z[p]) == at(p+z[p]) {
			z[p]++
		}
		if p+z[p] > right {
			left, right = p, p+z[p]
		}
		if whole := p + z[p]; whole >= circleLeast && whole >= circleTurns*p {
			return true
		}
	}
	return false
}
