package titles

import (
	"time"

	"vigueur/internal/gazette/remarks"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/law"
)

// DateAbove reads a date above a head, in the form used in letters: « Tunis, le 19 août 2021 ».
func DateAbove(lines []line.Line) (day time.Time, printed string) {
	for i := len(lines) - 1; i >= 0 && i >= len(lines)-4; i-- {
		if m := letterDate.FindStringSubmatch(lines[i].Text); m != nil {
			day, _, _, _ = law.FindDate(m[1])
			return day, m[0]
		}
	}
	return day, ""
}

// LetterDay returns the date in a line that begins a letter, "" for any other line.
func LetterDay(above string) string {
	if m := letterDate.FindStringSubmatch(above); m != nil {
		return m[1]
	}
	return ""
}

// BlankNumber matches a title whose number was never filled in: « Décret n° portant … ».
var BlankNumber = law.Pattern(`(?i)(?:^|[^\p{L}])n ?[°º*˚] *(?:[.…_~ ]*(?:du\b|relati|\p{L}+ant\b))`)

// stampReach is how many lines above a title are searched for a stamped number.
const stampReach = 2

// ReadStamp reads the number that was stamped above a title, alone on its line.
func (h *Title) ReadStamp(above []line.Line) {
	for i := len(above) - 1; i >= 0 && i >= len(above)-stampReach; i-- {
		if m := stampedNumber.FindStringSubmatch(above[i].Text); m != nil {
			h.Number, h.Trust = law.TextNumber(m[1]), remarks.AsInferred
			return
		}
	}
}

var stampedNumber = law.Pattern(`^(?:n ?[°º*˚] *)?(\d{1,4} ?[~/] ?\d{1,5}(?:[~/][A-Z]+)*)$`)

var letterDate = law.Pattern(`^\p{Lu}[\p{L} ~]{1,30}, *le +(` + line.DateText + `)`)

// FindDate finds the first date in words that may name a day in another calendar or with
// misread letters. A Gregorian date that was printed clearly goes before all others.
func FindDate(words string) (law.Dating, bool) {
	if day, from, to, ok := law.FindDate(words); ok {
		return law.Dating{Day: day, Start: from, End: to}, true
	}
	return law.FindDating(words)
}
