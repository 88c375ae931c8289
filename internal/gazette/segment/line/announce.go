package line

import (
	"strings"

	"vigueur/internal/law"
)

// Announces reports whether the last one of the given lines announces a wording for another text.
func Announces(lines []Line) bool {
	text := lines[len(lines)-1].Text
	return strings.HasSuffix(text, ":") && Rewords.MatchString(text) && Changing.MatchString(Join(lastSentence(lines)))
}

// sentenceLines is the maximum number of lines that lastSentence returns: a sentence may list many articles that it
// changes.
const sentenceLines = 12

// lastSentence returns the last lines, from the one that follows the last full stop at a line's end, but at most
// sentenceLines.
func lastSentence(lines []Line) []Line {
	for n := 1; n < len(lines) && n < sentenceLines; n++ {
		if strings.HasSuffix(lines[len(lines)-1-n].Text, ".") {
			return lines[len(lines)-n:]
		}
	}
	return lines[max(0, len(lines)-sentenceLines):]
}

var (
	// Rewords matches « … est remplacé par les dispositions suivantes : ». Articles of another text may follow.
	Rewords = law.Pattern(`(?i)(?:suivante?s?|suit|rédigée?s?|libellée?s?|conçue?s?) *:$`)
	// Changing matches the stems of verbs that change a text.
	Changing = law.Pattern(`(?i)\b(?:abrog|remplac|modifi|amendé|reformul|complét|ajout|insér|substitu)`)
)
