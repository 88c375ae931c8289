package question

import (
	"strings"

	"golang.org/x/text/unicode/norm"

	"vigueur/internal/law"
)

// What the references of a question are typed with and without, where no print has
// it so: « article26 », « loi n° 2023 - 07 ». The two groups of a number are one only
// where one of them is a year: « n° 5 - 12 jours » is none.
var (
	glued   = law.Pattern(`(?i)\b(art(?:icle)?s?)([0-9])`)
	parted  = law.Pattern(`(?i)(n ?[°º] ?(?:1[89]|2[01])[0-9]{2}) ?(~) ?([0-9]{1,4})\b`)
	partedY = law.Pattern(`(?i)(n ?[°º] ?[0-9]{1,4}) ?(~) ?((?:1[89]|2[01])[0-9]{2})\b`)
)

// plain writes what people type, and paste, as it is printed: letters with their
// accents (some systems put these behind the letter, as signs of their own), without
// what is not seen (a soft hyphen, a blank of no width), with the blank between
// « article » and its number and without those within the number of a text.
func plain(text string) string {
	text = strings.Map(func(r rune) rune {
		if law.Invisible(r) {
			return -1
		}
		return r
	}, text)
	text = glued.ReplaceAllString(norm.NFC.String(text), "$1 $2")
	return partedY.ReplaceAllString(parted.ReplaceAllString(text, "$1$2$3"), "$1$2$3")
}

// asked is a question in the words that are printed: plain, and as spelled writes out a French one. Another language is
// left as it is: « men » and « its » are English words.
func asked(text string) string {
	if text = plain(text); languageOf(text) != French {
		return text
	}
	return spelled(text)
}

// plain is the conversation in the words that are printed.
func (c Conversation) plain() Conversation {
	all := func(texts []string, written func(string) string) []string {
		out := make([]string, len(texts))
		for i, t := range texts {
			out[i] = written(t)
		}
		return out
	}
	return Conversation{Asked: all(c.Asked, asked), Answers: all(c.Answers, plain)}
}
