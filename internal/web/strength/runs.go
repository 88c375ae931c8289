package strength

import (
	"math"
	"unicode"
)

// shortest is the minimum length of a repetition, a sequence or a walk, in code points.
const shortest = 3

// repetitions returns the parts of a password that repeat one character, ignoring case.
func repetitions(p []rune) (found []part) {
	for from, to := 0, 0; from < len(p); from = to {
		for to = from + 1; to < len(p) && unicode.ToLower(p[to]) == unicode.ToLower(p[from]); {
			to++
		}
		if to-from >= shortest {
			found = append(found, part{from, to, math.Log2(alphabet(p[from:to]) * float64(to-from))})
		}
	}
	return found
}

// sequences returns the parts of a password in which letters or digits are in their order or
// in the reverse order.
func sequences(p []rune) (found []part) {
	for from, to := 0, 0; from < len(p)-1; from = to {
		step := p[from+1] - p[from]
		to = from + 1
		if step != 1 && step != -1 {
			continue
		}
		for to < len(p) && p[to]-p[to-1] == step && kind(p[to]) == kind(p[from]) {
			to++
		}
		if size := kind(p[from]); size != 0 && to-from >= shortest {
			found = append(found, part{from, to, sequenceBits(p[from], to-from, step, unicode.IsUpper(p[from]))})
		}
		to = max(from+1, to-1) // the last may begin another
	}
	return found
}

// kind returns the kind of characters that a sequence is made of: small letters, capitals or
// digits; 0 for others.
func kind(r rune) int {
	switch {
	case 'a' <= r && r <= 'z':
		return 1
	case 'A' <= r && r <= 'Z':
		return 2
	case '0' <= r && r <= '9':
		return 3
	}
	return 0
}

// sequenceBits returns the bits of a sequence: for its length, its first character unless
// that is « a » or « 1 », where people usually begin, capitals, and the reverse direction.
func sequenceBits(first rune, length int, step rune, upper bool) float64 {
	total := math.Log2(float64(length))
	switch {
	case first == 'a', first == '1':
	case unicode.IsDigit(first):
		total += math.Log2(10)
	default:
		total += math.Log2(26)
	}
	if upper {
		total++
	}
	if step < 0 {
		total++
	}
	return total
}
