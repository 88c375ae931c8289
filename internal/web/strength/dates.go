package strength

import (
	"math"
	"strconv"
	"strings"
)

// firstYear and lastYear bound the years of dates in passwords, from years of birth to years
// in the near future.
const (
	firstYear = 1900
	lastYear  = 2050
)

// The lengths of a written date, which has 4 to 8 digits and at most two separators.
const (
	shortestDate = 4
	longestDate  = 10
)

// separators are the characters between day, month and year.
const separators = `/-._\ `

// dates returns the parts of a password that are dates, with or without separators, the year
// first or last.
func dates(p []rune) (found []part) {
	for from := range p {
		for to := from + shortestDate; to <= min(len(p), from+longestDate); to++ {
			if bits, ok := dateBits(string(p[from:to])); ok {
				found = append(found, part{from, to, bits})
			}
		}
	}
	return found
}

// dateBits returns the logarithm to base 2 of the number of dates that are written like s; ok
// is false if s is no date.
func dateBits(s string) (bits float64, ok bool) {
	if at := strings.IndexAny(s, separators); at >= 0 {
		fields := strings.Split(s, s[at:at+1])
		if len(fields) != 3 {
			return 0, false
		}
		bits, ok = threeBits(fields[0], fields[1], fields[2])
		return bits + 2, ok // 2 bits for the choice among about four separators
	}
	for a := 1; a <= 4; a++ {
		for b := a + 1; b <= min(len(s)-1, a+2); b++ {
			if more, is := threeBits(s[:a], s[a:b], s[b:]); is && (!ok || more < bits) {
				bits, ok = more, true
			}
		}
	}
	return bits, ok
}

// threeBits does what dateBits does, for a date that is given as three numbers.
func threeBits(a, b, c string) (bits float64, ok bool) {
	for _, order := range [][3]string{{a, b, c}, {b, c, a}} { // the year last, the year first
		first, second := small(order[0]), small(order[1])
		if years := yearsLike(order[2]); years > 0 && first >= 1 && second >= 1 && min(first, second) <= 12 && max(first, second) <= 31 {
			return math.Log2(31 * 12 * years), true
		}
	}
	return 0, false
}

// small reads a number of one or two digits, -1 for anything else.
func small(s string) int {
	if n, ok := number(s); ok && len(s) <= 2 {
		return n
	}
	return -1
}

// yearsLike returns the number of years that are written like s, 0 if s is no year.
func yearsLike(s string) float64 {
	switch n, ok := number(s); {
	case ok && len(s) == 2:
		return 100
	case ok && len(s) == 4 && firstYear <= n && n <= lastYear:
		return lastYear - firstYear + 1
	}
	return 0
}

// number parses a text that consists of digits only.
func number(s string) (int, bool) {
	if strings.ContainsFunc(s, func(r rune) bool { return r < '0' || r > '9' }) {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}
