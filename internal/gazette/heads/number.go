package heads

import (
	"strconv"
	"strings"
)

// Leading returns the integer at the beginning of an article's number, after its letter if it has one.
func Leading(number string) (int, bool) {
	number = strings.TrimLeft(number, "LRDA. ")
	i := 0
	for i < len(number) && number[i] >= '0' && number[i] <= '9' {
		i++
	}
	n, err := strconv.Atoi(number[:i])
	return n, err == nil
}

// Plain returns the number of an article that has neither letter nor suffix.
func Plain(number string) (int, bool) {
	n, err := strconv.Atoi(strings.TrimSuffix(number, "er"))
	return n, err == nil
}

// printed writes a plain number as law.ArticleNumber does.
func printed(n int) string {
	if n == 1 {
		return "1er"
	}
	return strconv.Itoa(n)
}

// Lettered reports whether a number begins with a letter: « L. 1224-1 ».
func Lettered(number string) bool { return number != "" && number[0] >= 'A' && number[0] <= 'Z' }

// MayFollow reports whether article number may come right after article last: it has the next number, or the same
// number with another suffix. If last is "", number must be 1 or « unique ».
func MayFollow(number, last string) bool {
	a, ok := Leading(number)
	if last == "" {
		return ok && a == 1 || number == "unique"
	}
	b, ok2 := Leading(last)
	return ok && ok2 && (a == b+1 || a == b && number != last)
}

// Unglued removes the mark of a footnote from the end of a number: after article 333, « 33450 » is 334 with
// note 50.
func Unglued(number, last string) string {
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
