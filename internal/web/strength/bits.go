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

// bits returns the logarithm to base 2 of the guesses that a password takes: the least sum
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

// alphabet is of how many characters one must choose to write a text by chance. All that is
// no letter with two cases and no digit counts as one of 33 signs: more would call a single
// foreign letter a safe password.
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

// choiceBits is the logarithm to base 2 of the ways to choose at most k of n.
func choiceBits(n, k int) float64 {
	ways := 0.0
	for i := range k + 1 {
		ways += choose(n, i)
	}
	return math.Log2(ways)
}

// choose is the number of ways to choose k of n.
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
