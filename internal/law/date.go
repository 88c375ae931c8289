package law

import (
	"strconv"
	"strings"
	"time"
)

// day is 1 to 31 as French texts write it: « 3 », « 1er », « premier », « 03 »,
// and the « ler » that text recognition makes of « 1er ».
const day = `(\d{1,2}|1 ?er|l ?er|premier)`

var (
	longDate = pattern(`\b` + day + ` +(janvier|f[ée]vrier|mars|avril|mai|juin|juillet|ao[ûu]t|septembre|octobre|novembre|d[ée]cembre),? +(\d{4})(?:\D|$)`)
	// Figures only: the day comes first, the year is written in full.
	figureDate = pattern(`\b(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(?:\D|$)`)
	isoDate    = pattern(`\b(\d{4})-(\d{2})-(\d{2})(?:[^\d/.-]|$)`)
)

var months = map[string]time.Month{
	"janvier": time.January, "fevrier": time.February, "mars": time.March, "avril": time.April,
	"mai": time.May, "juin": time.June, "juillet": time.July, "aout": time.August,
	"septembre": time.September, "octobre": time.October, "novembre": time.November, "decembre": time.December,
}

// FindDate finds the first date of a French text (« 1er mars 2010 », « 3 MAI
// 2010 », « 03/05/2010 », « 2010-05-03 »). It gives the day at midnight UTC and
// the bytes [start,end) where it stands; ok is false when there is none. A day
// that no calendar has (« 31 février ») is no date.
func FindDate(text string) (date time.Time, start, end int, ok bool) {
	found := func(at []int, d time.Time, good bool) {
		if good && (!ok || at[2] < start) {
			date, start, end, ok = d, at[2], max(at[3], at[5], at[7]), true
		}
	}
	for _, m := range longDate.FindAllStringSubmatchIndex(text, -1) {
		d, good := calendar(text[m[6]:m[7]], months[Fold(text[m[4]:m[5]])], text[m[2]:m[3]])
		found(m, d, good)
	}
	for _, m := range figureDate.FindAllStringSubmatchIndex(text, -1) {
		d, good := calendar(text[m[6]:m[7]], monthOf(text[m[4]:m[5]]), text[m[2]:m[3]])
		found(m, d, good)
	}
	for _, m := range isoDate.FindAllStringSubmatchIndex(text, -1) {
		d, good := calendar(text[m[2]:m[3]], monthOf(text[m[4]:m[5]]), text[m[6]:m[7]])
		found(m, d, good)
	}
	return date, start, end, ok
}

func monthOf(figures string) time.Month {
	n, _ := strconv.Atoi(figures)
	return time.Month(n)
}

// calendar makes a day of its printed parts, if there is such a day between
// 1700 and 2199.
func calendar(year string, month time.Month, dayOfMonth string) (time.Time, bool) {
	y, _ := strconv.Atoi(year)
	d, err := strconv.Atoi(dayOfMonth)
	if err != nil {
		d = 1 // « 1er », « premier »
	}
	t := time.Date(y, month, d, 0, 0, 0, 0, time.UTC)
	return t, y >= 1700 && y < 2200 && t.Month() == month && t.Day() == d
}

// WriteDate writes a day as French does: « 1er mai 2025 ».
func WriteDate(day time.Time) string {
	names := strings.Fields("janvier février mars avril mai juin juillet août septembre octobre novembre décembre")
	number := strconv.Itoa(day.Day())
	if day.Day() == 1 {
		number = "1er"
	}
	return number + " " + names[day.Month()-1] + " " + strconv.Itoa(day.Year())
}
