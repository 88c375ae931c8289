package articles

import (
	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/segment/line"
)

// Resumes reports whether the lines before the first head are the end of a text: their first article has a
// number above one.
func Resumes(lines []line.Line) bool {
	for i, l := range lines {
		if number, _, ok := l.Article(""); ok && line.MayHead(line.Before(lines, i), l) {
			n, counted := heads.Leading(number)
			return counted && n > 1
		}
	}
	return false
}
