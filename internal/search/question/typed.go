package question

import (
	"strings"

	"golang.org/x/text/unicode/norm"

	"vigueur/internal/law"
)

// Forms of references that are typed but never printed: « article26 », « loi n° 2023 - 07 ». Blanks within a
// number are only removed if one of its groups is a year, because « n° 5 - 12 jours » is no number.
var (
	glued   = law.Pattern(`(?i)\b(art(?:icle)?s?)([0-9])`)
	parted  = law.Pattern(`(?i)(n ?[°º] ?(?:1[89]|2[01])[0-9]{2}) ?(~) ?([0-9]{1,4})\b`)
	partedY = law.Pattern(`(?i)(n ?[°º] ?[0-9]{1,4}) ?(~) ?((?:1[89]|2[01])[0-9]{2})\b`)
)

// normalizeTyped normalizes typed and pasted text to its printed form: accents become part of their letter (some systems
// write them after it, as characters of their own), invisible characters (soft hyphens, zero-width spaces) are removed,
// « article » is separated from its number by a blank, and the number of a text contains no blanks.
func normalizeTyped(text string) string {
	text = strings.Map(func(r rune) rune {
		if law.Invisible(r) {
			return -1
		}
		return r
	}, text)
	text = glued.ReplaceAllString(norm.NFC.String(text), "$1 $2")
	return partedY.ReplaceAllString(parted.ReplaceAllString(text, "$1$2$3"), "$1$2$3")
}

// NormalizeTyped writes a text that somebody typed or pasted as it is printed, so that References reads it: whole letters, no
// invisible characters, « article 26 » for « article26 ».
func NormalizeTyped(text string) string { return normalizeTyped(text) }

// normalize returns a question as it is printed: plain and, if it is French, written out by spelled. Other
// languages stay, because « men » and « its » are English words.
func normalize(text string) string {
	if text = normalizeTyped(text); languageOf(text) != French {
		return text
	}
	return correctSpelling(text)
}

// Limits of a conversation, which clients send and which may contain anything: only its last turns are read, and only
// the beginning of each question and answer.
const (
	TurnsRead      = 5
	CharactersRead = 8000
)

// normalize returns the part of the conversation within the limits, in its printed form.
func (c Conversation) normalize() Conversation {
	from := max(0, len(c.Asked)-TurnsRead)
	all := func(texts []string, written func(string) string) (out []string) {
		for _, t := range texts[min(from, len(texts)):] {
			out = append(out, written(Beginning(t)))
		}
		return out
	}
	return Conversation{Asked: all(c.Asked, normalize), Answers: all(c.Answers, normalizeTyped), Country: c.Country, Today: c.Today, Names: c.Names}
}

// Beginning returns the first characters of a text, CharactersRead at most.
func Beginning(text string) string {
	if len(text) <= CharactersRead {
		return text
	}
	left := CharactersRead
	for i := range text {
		if left == 0 {
			return text[:i]
		}
		left--
	}
	return text
}
