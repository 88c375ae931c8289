package segment

import (
	"time"
	"vigueur/internal/gazette/remarks"
	"vigueur/internal/law"
)

// dateAbove reads a date above a head, in the form used in letters: « Tunis, le 19 août 2021 ».
func dateAbove(lines []line) (day time.Time, printed string) {
	for i := len(lines) - 1; i >= 0 && i >= len(lines)-4; i-- {
		if m := letterDate.FindStringSubmatch(lines[i].text); m != nil {
			day, _, _, _ = law.FindDate(m[1])
			return day, m[0]
		}
	}
	return day, ""
}

// letterDay returns the date in a line that begins a letter, "" for any other line.
func letterDay(above string) string {
	if m := letterDate.FindStringSubmatch(above); m != nil {
		return m[1]
	}
	return ""
}

// blankNumber matches a title whose number was never filled in: « Décret n° portant … ».
var blankNumber = law.Pattern(`(?i)(?:^|[^\p{L}])n ?[°º*˚] *(?:[.…_~ ]*(?:du\b|relati|\p{L}+ant\b))`)

// stampReach is how many lines above a title are searched for a stamped number.
const stampReach = 2

// stamped reads the number that was stamped above a title, alone on its line.
func (h *head) stamped(above []line) {
	for i := len(above) - 1; i >= 0 && i >= len(above)-stampReach; i-- {
		if m := stampedNumber.FindStringSubmatch(above[i].text); m != nil {
			h.number, h.trust = law.TextNumber(m[1]), remarks.AsInferred
			return
		}
	}
}

var stampedNumber = law.Pattern(`^(?:n ?[°º*˚] *)?(\d{1,4} ?[~/] ?\d{1,5}(?:[~/][A-Z]+)*)$`)

var letterDate = law.Pattern(`^\p{Lu}[\p{L} ~]{1,30}, *le +(` + dateText + `)`)

// dateIn finds the first date in words that may name a day in another calendar or with
// misread letters. A Gregorian date that was printed clearly goes before all others.
func dateIn(words string) (law.Dating, bool) {
	if day, from, to, ok := law.FindDate(words); ok {
		return law.Dating{Day: day, Start: from, End: to}, true
	}
	return law.FindDating(words)
}
