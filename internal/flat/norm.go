package flat

import "math"

// norms are the lengths of a passage's text and of the headings above it as
// vectors of pieces of words: what is found in either is divided by its length,
// so that a short heading that says what is asked counts as much as a long text
// that says it again and again. They know nothing of how rare a piece is, and so
// do not change with the rest of the catalogue.
type norms struct{ body, heads float32 }

// fewestPieces is what a term counts that has fewer: a number is no less of a
// text than a word.
const fewestPieces = 3

// add takes a term in, which has so many pieces.
func (n *norms) add(c count, pieces uint16) {
	each := float32(max(fewestPieces, pieces))
	body, heads := dampened(float32(c.body)), dampened(float32(c.heads))
	n.body += each * body * body
	n.heads += each * heads * heads
}

// close makes lengths of the sums.
func (n *norms) close() {
	n.body = float32(math.Sqrt(float64(n.body)))
	n.heads = float32(math.Sqrt(float64(n.heads)))
}

// dampened is what n occurrences count: each further one less than the one before.
// Most are a whole number, which is looked up.
func dampened(n float32) float32 {
	if whole := int(n); whole < len(dampenedWhole) && float32(whole) == n {
		return dampenedWhole[whole]
	}
	return dampen(n)
}

func dampen(n float32) float32 {
	if n <= 1 {
		return n
	}
	return 1 + float32(math.Log(float64(n)))
}

var dampenedWhole = func() (t [128]float32) {
	for n := range t {
		t[n] = dampen(float32(n))
	}
	return t
}()

// share is what so many occurrences in the text and in the headings are of a
// passage, those in the headings counting as much as weight says.
func (n norms) share(body, heads float32, weight float64) (s float64) {
	if body > 0 && n.body > 0 {
		s = float64(dampened(body) / n.body)
	}
	if heads > 0 && n.heads > 0 {
		s += weight * float64(dampened(heads)/n.heads)
	}
	return s
}
