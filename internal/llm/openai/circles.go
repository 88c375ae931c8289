package openai

// How a text that goes round in circles is told: its end is one block, at least
// thrice, and at least circleLeast bytes of it.
const (
	circleTurns = 3
	circleLeast = 300
	circleTail  = 3600 // bytes looked at
	circleEvery = 120  // new bytes before it is looked at again
)

// circles watches the end of a text.
type circles struct {
	tail  []byte
	fresh int
}

// write takes the next piece and tells whether the text goes round in circles.
func (c *circles) write(piece string) bool {
	c.tail = append(c.tail, piece...)
	c.tail = c.tail[max(0, len(c.tail)-circleTail):]
	if c.fresh += len(piece); c.fresh < circleEvery {
		return false
	}
	c.fresh = 0
	return circular(c.tail)
}

// circular looks for a period p of the text's end: with z[p] bytes that equal
// those p before them, p+z[p] bytes have it (the Z algorithm, read backwards).
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
