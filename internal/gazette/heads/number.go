package heads

import (
	"strconv"
	"strings"
)

// LeadingNumber returns the integer at the beginning of an article's number, after its letter if it has one.
func LeadingNumber(number string) (int, bool) {
	number = strings.TrimLeft(number, "LRDA. ")
	i := 0
	for i < len(number) && number[i] >= '0' && number[i] <= '9' {
		i++
	}
	n, err := strconv.Atoi(number[:i])
	return n, err == nil
}

// roman returns the value of Roman figures up to a hundred and fifty. A single « L » or « C » is a letter.
func roman(number string) (int, bool) {
	if number == "" || strings.Trim(number, "IVXLC") != "" || number == "L" || number == "C" {
		return 0, false
	}
	n, rest := 0, number
	for _, f := range romanFigures {
		for most := 3; strings.HasPrefix(rest, f.figures) && most > 0; most-- {
			n, rest = n+f.value, rest[len(f.figures):]
			if f.value != 1 && f.value != 10 && f.value != 100 {
				break
			}
		}
	}
	return n, rest == ""
}

var romanFigures = []struct {
	figures string
	value   int
}{{"C", 100}, {"XC", 90}, {"L", 50}, {"XL", 40}, {"X", 10}, {"IX", 9}, {"V", 5}, {"IV", 4}, {"I", 1}}

// Plain returns the number of an article that has neither letter nor suffix.
func Plain(number string) (int, bool) {
	n, err := strconv.Atoi(strings.TrimSuffix(number, "er"))
	return n, err == nil
}

// writeNumber writes a plain number as law.ArticleNumber does.
func writeNumber(n int) string {
	if n == 1 {
		return "1er"
	}
	return strconv.Itoa(n)
}

// Lettered reports whether a number begins with a letter: « L. 1224-1 ».
func Lettered(number string) bool { return number != "" && number[0] >= 'A' && number[0] <= 'Z' }

// MayFollow reports whether article number may come right after article last: it has the next number, or the same
// number with another suffix. If last is "", number must be 1 or « unique ». Of Roman figures the first is often printed
// as « Ier ».
func MayFollow(number, last string) bool {
	if n, ok := roman(number); ok {
		before, ok := roman(last)
		return n == before+1 && (ok || last == "") || n == 2 && last == "1er"
	}
	a, ok := LeadingNumber(number)
	if last == "" {
		return ok && a == 1 || number == "unique"
	}
	b, ok2 := LeadingNumber(last)
	return ok && ok2 && (a == b+1 || a == b && number != last)
}

// Unglue removes the mark of a footnote from the end of a number: after article 333, « 33450 » is 334 with
// note 50.
func Unglue(number, last string) string {
	n, err := strconv.Atoi(number)
	before, err2 := strconv.Atoi(strings.TrimSuffix(last, "er"))
	if err != nil || err2 != nil || n < 10*before || n < before+200 {
		return number
	}
	if next := strconv.Itoa(before + 1); strings.HasPrefix(number, next) && len(number) > len(next) {
		return next
	}
	return number
}
