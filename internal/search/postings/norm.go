package postings

import "math"

// norms are the reciprocals of the lengths of a passage's text and of its headings, each as a vector of character
// n-grams. Occurrences in either are multiplied by it, so that a short heading that says what is asked counts as much
// as a long text that repeats it. The lengths do not depend on how rare an n-gram is, and so do not change with the
// rest of the catalogue.
type norms struct{ body, heads float32 }

// fewestPieces is the minimum number of n-grams that a term counts as, so that a number is as large a part of a text as
// a word.
const fewestPieces = 3

// addTerm adds a term with the given number of n-grams.
func (n *norms) addTerm(c Count, pieces uint16) {
	each := float32(max(fewestPieces, pieces))
	body, heads := dampen(float32(c.Body)), dampen(float32(c.Heads))
	n.body += each * body * body
	n.heads += each * heads * heads
}

// invert replaces the sums of squares by the reciprocals of the lengths, 0 if there are no terms.
func (n *norms) invert() { n.body, n.heads = inverse(n.body), inverse(n.heads) }

func inverse(squared float32) float32 {
	if squared == 0 {
		return 0
	}
	return float32(1 / math.Sqrt(float64(squared)))
}

// dampen returns the weight of n occurrences, each of which counts less than the previous one. For most n it
// interpolates linearly in a table.
func dampen(n float32) float32 {
	at := n * dampenedSteps
	i := int(at)
	if uint(i) >= dampenedMost*dampenedSteps {
		return dampenExactly(n)
	}
	step := (*[2]float32)(dampenedTable[i:])
	return step[0] + float32((at-float32(i))*(step[1]-step[0]))
}

// dampenExactly computes what dampen interpolates.
func dampenExactly(n float32) float32 {
	if n <= 1 {
		return n
	}
	return 1 + float32(math.Log(float64(n)))
}

// The table has dampenedSteps entries per occurrence, for up to dampenedMost occurrences. The error is at most
// 1/32,000.
const (
	dampenedMost  = 128
	dampenedSteps = 64
)

var dampenedTable = func() (t [dampenedMost*dampenedSteps + 1]float32) {
	for i := range t {
		t[i] = dampenExactly(float32(i) / dampenedSteps)
	}
	return t
}()

// Share returns the share of a passage that the given occurrences in the text and in the headings are. Those in the
// headings are multiplied by weight.
func (n norms) Share(body, heads, weight float32) Share {
	return shareOf(float32(dampen(body)*n.body) + float32(weight*float32(dampen(heads)*n.heads)))
}

// Share is a share in 16 bits: the upper half of a float32. The lower half is less than a hundredth of its value.
type Share uint16

func shareOf(x float32) Share { return Share(math.Float32bits(x) >> 16) }

// Value returns the share as a number.
func (p Share) Value() float32 { return math.Float32frombits(uint32(p) << 16) }
