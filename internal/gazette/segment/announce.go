package segment

import (
	"strings"
	"vigueur/internal/law"
)

// announces reports whether the last one of the given lines announces a wording for another text.
func announces(lines []line) bool {
	text := lines[len(lines)-1].text
	return strings.HasSuffix(text, ":") && rewords.MatchString(text) && changing.MatchString(joined(lastSentence(lines)))
}

// sentenceLines is the maximum number of lines that lastSentence returns: a sentence may list many articles that it
// changes.
const sentenceLines = 12

// lastSentence returns the last lines, from the one that follows the last full stop at a line's end, but at most
// sentenceLines.
func lastSentence(lines []line) []line {
	for n := 1; n < len(lines) && n < sentenceLines; n++ {
		if strings.HasSuffix(lines[len(lines)-1-n].text, ".") {
			return lines[len(lines)-n:]
		}
	}
	return lines[max(0, len(lines)-sentenceLines):]
}

var (
	// « … est remplacé par les dispositions suivantes : »: another text's articles
	// may follow.
	rewords  = law.Pattern(`(?i)(?:suivante?s?|suit|rédigée?s?|libellée?s?|conçue?s?) *:$`)
	changing = law.Pattern(`(?i)\b(?:abrog|remplac|modifi|amendé|reformul|complét|ajout|insér|substitu)`)
)
