package openai

// A text loops if it ends with a block that is repeated at least three times, over at least
// loopLeast bytes.
const (
	loopTurns = 3
	loopLeast = 300
	loopTail  = 3600 // number of bytes at the end that are checked
	loopEvery = 120  // number of new bytes between two checks
)

// loops detects a looping text.
type loops struct {
	tail  []byte
	fresh int
}

// write appends a piece and reports whether the text loops.
func (c *loops) write(piece string) bool {
	c.tail = append(c.tail, piece...)
	c.tail = c.tail[max(0, len(c.tail)-loopTail):]
	if c.fresh += len(piece); c.fresh < loopEvery {
		return false
	}
	c.fresh = 0
	return looping(c.tail)
}

// looping reports whether a text loops. It looks for a period p at the end: if the last
// z[p] bytes equal the bytes p places before them, the last p+z[p] bytes have the period
// (the Z algorithm, backwards).
func looping(text []byte) bool {
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
		if whole := p + z[p]; whole >= loopLeast && whole >= loopTurns*p {
			return true
		}
	}
	return false
}
