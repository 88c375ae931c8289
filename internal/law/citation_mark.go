package law

import (
	"regexp"
	"strings"
)

// likeMark matches what looks like a citation in an answer: « [3] », « [1, 4] ».
var likeMark = regexp.MustCompile(`\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]`)

// RemoveMarks prepares words of a source for quotation. A footnote mark in them, or a mark
// that somebody inserted on purpose, would be taken for a citation. Unmarked puts no-break
// spaces around the number, « [ 3 ] », which is not a citation.
func RemoveMarks(text string) string {
	if !strings.Contains(text, "[") {
		return text
	}
	return likeMark.ReplaceAllString(text, "[\u00a0$1\u00a0]")
}

// Marked undoes Unmarked, so that quoted words can be found in their source. It also
// accepts plain spaces in place of the no-break spaces.
func Marked(text string) string { return unmarked.ReplaceAllString(text, "[$1]") }

var unmarked = regexp.MustCompile("\\[[ \u00a0](\\d{1,3}(?:\\s*,\\s*\\d{1,3})*)[ \u00a0]\\]")
