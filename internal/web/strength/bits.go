package strength

import (
	"math"
	"unicode"
)

// part is a piece of a password that is guessed as a whole: its code points from (inclusive)
// to (exclusive), and the logarithm to base 2 of the guesses that it takes.
type part struct {
	from, to int
	bits     float64
}

// bits returns the logarithm to base 2 of the guesses that a password takes: the minimum
// over all ways to divide it into known parts and single characters.
func bits(p []rune, known ranks) float64 {
	ending := make([][]part, len(p)+1)
	for _, find := range []func([]rune) []part{repetitions, sequences, walks, dates} {
		for _, found := range find(p) {
			ending[found.to] = append(ending[found.to], found)
		}
	}
	for _, found := range words(p, known) {
		ending[found.to] = append(ending[found.to], found)
	}
	single := math.Log2(alphabet(p))
	least := make([]float64, len(p)+1)
	for to := 1; to <= len(p); to++ {
		least[to] = least[to-1] + single
		for _, found := range ending[to] {
			least[to] = min(least[to], least[found.from]+found.bits)
		}
	}
	return least[len(p)]
}

// alphabet returns the number of characters from which a random text like p is chosen. Every
// character except letters with two cases and digits counts as one of 33 signs; with more
// signs, a password with a single foreign letter would count as safe.
func alphabet(p []rune) float64 {
	var lower, upper, digits, signs float64
	for _, r := range p {
		switch {
		case unicode.IsLower(r):
			lower = 26
		case unicode.IsUpper(r):
			upper = 26
		case unicode.IsDigit(r):
			digits = 10
		default:
			signs = 33
		}
	}
	return lower + upper + digits + signs
}

// choiceBits returns the logarithm to base 2 of the number of ways to choose at most k of n.
func choiceBits(n, k int) float64 {
	ways := 0.0
	for i := range k + 1 {
		ways += choose(n, i)
	}
	return math.Log2(ways)
}

// choose returns the number of ways to choose k of n.
func choose(n, k int) float64 {
	if k > n {
		return 0
	}
	ways := 1.0
	for i := range k {
		ways = ways * float64(n-i) / float64(i+1)
	}
	return ways
}
