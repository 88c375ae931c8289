package law

import (
	"regexp"
	"strings"
)

// likeMark matches what looks like a citation in an answer: « [3] », « [1, 4] ».
var likeMark = regexp.MustCompile(`\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]`)

// Unmarked prepares words of a source for quotation: a footnote mark, or one that somebody
// inserted to have it cited, would be taken for a citation. It gets a no-break space on
// either side, « [ 3 ] », which is not a citation.
func Unmarked(text string) string {
	if !strings.Contains(text, "[") {
		return text
	}
	return likeMark.ReplaceAllString(text, "[\u00a0$1\u00a0]")
}

// Marked undoes Unmarked, so that the words can be found in their source; the no-break
// spaces may have become plain ones.
func Marked(text string) string { return unmarked.ReplaceAllString(text, "[$1]") }

var unmarked = regexp.MustCompile("\\[[ \u00a0](\\d{1,3}(?:\\s*,\\s*\\d{1,3})*)[ \u00a0]\\]")
