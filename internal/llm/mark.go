package llm

import (
	"regexp"
	"strings"
)

// likeMark finds what reads like the mark of a source in an answer: « [3] », « [1, 4] ».
var likeMark = regexp.MustCompile(`\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]`)

// Unmarked gives words of a source as an answer may quote them: the mark of a foot note, or
// what somebody has put into a text to have it cited, would be taken for the mark of one of
// the answer's sources. It stands with a space that does not break on either side, « [ 3 ] »,
// which is no mark.
func Unmarked(text string) string {
	if !strings.Contains(text, "[") {
		return text
	}
	return likeMark.ReplaceAllString(text, "[\u00a0$1\u00a0]")
}

// Marked undoes Unmarked, so that the words are found where they stand; whoever quoted them
// may have made plain spaces of the others.
func Marked(text string) string { return unmarked.ReplaceAllString(text, "[$1]") }

var unmarked = regexp.MustCompile("\\[[ \u00a0](\\d{1,3}(?:\\s*,\\s*\\d{1,3})*)[ \u00a0]\\]")
