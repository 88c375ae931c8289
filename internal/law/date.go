package law

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// The years that a date may have. No gazette is older than earliestGazette: if a gazette
// seems to have an earlier date, the date was misread.
const (
	earliestYear    = 1500
	earliestGazette = 1700
	latestYear      = 2199
)

// Months matches the name of a month, in French or English, whole or abbreviated. Day
// matches a day as these texts write it: « 3 », « 1er », « premier », « 03 », « 3rd », and
// « ler », as text recognition often reads « 1er ». Both are for patterns that find the
// place of a date; FindDate reads the date.
const (
	Months = `(?:janvier|f[ée]vrier|mars|avril|mai|juin|juillet|ao[ûu]t|septembre|octobre|novembre|d[ée]cembre` +
		`|january|february|march|april|may|june|july|august|september|october|november|december` +
		`|(?:janv?|f[ée]vr?|feb|mar|avr|apr|jun|juill?|jul|ao[ûu]|aug|sept?|oct|nov|d[ée]c)\b\.?)`
	Day = `(?:\d{1,2}(?:st|nd|rd|th)?|1 ?er|l ?er|premier)`
)

var monthNames = [...]string{"janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre"}

// englishMonths are the names of the months in the English side of bilingual gazettes.
var englishMonths = [...]string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"}

// shortMonths are the folded abbreviations of the months, as dictionaries and date stamps
// have them in both languages. « jui » is missing: it abbreviates two months.
var shortMonths = [...]string{"jan janv", "fev fevr feb", "mar", "avr apr", "", "jun", "juil juill jul", "aou aug", "sep sept", "oct", "nov", "dec"}

// months maps the folded French names of months to the months, longMonths these and the
// English ones, anyMonths also the abbreviations.
var months, longMonths, anyMonths = func() (french, long, all map[string]time.Month) {
	french, long, all = map[string]time.Month{}, map[string]time.Month{}, map[string]time.Month{}
	for i, name := range monthNames {
		m := time.Month(i + 1)
		french[Fold(name)] = m
		long[Fold(name)], long[englishMonths[i]] = m, m
		for _, short := range strings.Fields(shortMonths[i]) {
			all[short] = m
		}
	}
	maps.Copy(all, long)
	return french, long, all
}()

// MonthOf returns the month with the given folded French name, 0 if there is none.
func MonthOf(folded string) time.Month { return months[folded] }

// ISODay writes a day as « 2025-05-01 », "" for nil.
func ISODay(day *time.Time) string {
	if day == nil {
		return ""
	}
	return day.Format(time.DateOnly)
}

// WriteDate writes a day in French: « 1er mai 2025 ».
func WriteDate(d time.Time) string {
	day := strconv.Itoa(d.Day())
	if d.Day() == 1 {
		day = "1er"
	}
	return day + " " + monthNames[d.Month()-1] + " " + strconv.Itoa(d.Year())
}

// FindDate finds the first date of a text (« 1er mars 2010 », « 3 MAI 2010 », « 3 déc. 2010 »,
// « 03/05/2010 », « 2010-05-03 », « December 19, 1990 », « 22 frimaire an VII »), as DateAt
// reads it. It returns the day at midnight UTC and its place, the bytes [start,end). ok is
// false if there is no date. FindDating also reads dates of the Hijri calendar and dates
// with misread letters.
func FindDate(text string) (date time.Time, start, end int, ok bool) {
	for i := range len(text) {
		if i > 0 && wordByte(text[i-1]) || !dayBegins(text[i]) {
			continue
		}
		if d, n, ok := DateAt(text[i:]); ok && d.Year() >= earliestGazette {
			return d, i, i + n, true
		}
	}
	return date, 0, 0, false
}

// wordByte reports whether a byte is part of an ASCII word or number.
func wordByte(c byte) bool { return digit(c) || c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }

func digit(c byte) bool { return c >= '0' && c <= '9' }

// dayBegins reports whether a date may begin with a byte: a digit, the first letter of
// « premier » or « ler », or that of an English month.
func dayBegins(c byte) bool { return digit(c) || strings.IndexByte("plfjmasond", c|0x20) >= 0 }

// DateAt reads the date at the beginning of text and returns its length in bytes. A day
// that does not exist (« 31 février ») is not a date.
func DateAt(text string) (date time.Time, length int, ok bool) {
	day, n := dayAt(text)
	if n == 0 {
		if text != "" && !digit(text[0]) {
			return monthFirstAt(text)
		}
		return isoAt(text)
	}
	blank := blanksAt(text[n:])
	if next, _ := utf8.DecodeRuneInString(text[n+blank:]); blank > 0 || unicode.IsLetter(next) {
		if date, length, ok = republicanAt(text, day, n+blank); ok {
			return date, length, ok
		}
		return longAt(text, day, n, blank)
	}
	if !digit(text[n-1]) {
		return date, 0, false
	}
	return figuresAt(text, day, n)
}

// dayAt reads a day and returns its number and its length in bytes.
func dayAt(text string) (day, n int) {
	if first := firstAt(text); first > 0 {
		return 1, first
	}
	day, n = numberAt(text, 2)
	if n == 0 || len(text) < n+2 {
		return day, n
	}
	switch strings.ToLower(text[n : n+2]) { // « 3rd May 2010 »
	case "st", "nd", "rd", "th":
		if next, _ := utf8.DecodeRuneInString(text[n+2:]); !unicode.IsLetter(next) && !unicode.IsDigit(next) {
			n += 2
		}
	}
	return day, n
}

// firstAt returns the length in bytes of « 1er », « 1 er », « 1° », « ler » or « premier »
// at the beginning of text, 0 if there is none.
func firstAt(text string) int {
	n := 0
	switch {
	case len(text) >= len("premier") && strings.EqualFold(text[:len("premier")], "premier"):
		n = len("premier")
	case strings.HasPrefix(text, "1°"), strings.HasPrefix(text, "1º"):
		return len("1°")
	case strings.HasPrefix(text, "1ᵉʳ"):
		return len("1ᵉʳ")
	case text != "" && (text[0] == '1' || text[0]|0x20 == 'l'):
		n = 1
		if r, size := utf8.DecodeRuneInString(text[n:]); Blank(r) {
			n += size
		}
		if len(text) < n+2 || !strings.EqualFold(text[n:n+2], "er") {
			return 0
		}
		n += 2
	}
	if r, _ := utf8.DecodeRuneInString(text[n:]); unicode.IsLetter(r) || unicode.IsNumber(r) {
		return 0
	}
	return n
}

// numberAt reads up to limit digits. It returns 0, 0 if a further digit follows.
func numberAt(text string, limit int) (value, n int) {
	for n < len(text) && n < limit && digit(text[n]) {
		value = 10*value + int(text[n]-'0')
		n++
	}
	if n < len(text) && digit(text[n]) {
		return 0, 0
	}
	return value, n
}

// blanksAt returns the length in bytes of the white space at the beginning of text.
func blanksAt(text string) int {
	return len(text) - len(strings.TrimLeftFunc(text, Blank))
}

// longAt reads the name of the month and the year, which follow a day of n bytes and blanks.
// Recognition loses blanks, which whole names do not need: « 3mai2010 ».
func longAt(text string, day, n, blanks int) (date time.Time, length int, ok bool) {
	from := n + blanks
	name := nameAt(text[from:])
	folded := Fold(text[from : from+name])
	month, whole := anyMonths[folded], longMonths[folded] != 0
	at := from + name
	if at < len(text) && (text[at] == ',' || text[at] == '.' && !whole) {
		at++
	}
	blank := blanksAt(text[at:])
	year, digits := numberAt(text[at+blank:], 4)
	if month == 0 || digits != 4 || !whole && (blank == 0 || blanks == 0) {
		return date, 0, false
	}
	date, ok = calendar(year, int(month), day)
	return date, at + blank + digits, ok
}

// nameAt returns the length in bytes of the letters at the beginning of text, 0 if they are
// too many for the name of a month.
func nameAt(text string) int {
	const longest = len("vendémiaire") + 4 // the longest name, with room for combining accents
	for i, r := range text {
		switch {
		case i > longest:
			return 0
		case !unicode.IsLetter(r) && !unicode.IsMark(r):
			return i
		}
	}
	return 0 // a year must follow
}

// monthFirstAt reads a date as English writes it: « December 19, 1990 ».
func monthFirstAt(text string) (date time.Time, length int, ok bool) {
	at := nameAt(text)
	month := slices.Index(englishMonths[:], strings.ToLower(text[:at])) + 1
	blank := blanksAt(text[at:])
	if month == 0 || blank == 0 {
		return date, 0, false
	}
	at += blank
	day, n := dayAt(text[at:])
	if at += n; n == 0 {
		return date, 0, false
	}
	if at < len(text) && text[at] == ',' {
		at++
	}
	blank = blanksAt(text[at:])
	year, n := numberAt(text[at+blank:], 4)
	if blank == 0 || n != 4 {
		return date, 0, false
	}
	date, ok = calendar(year, month, day)
	return date, at + blank + n, ok
}

// figuresAt reads a month and a year in digits after a day of n bytes. The same separator
// must stand between all three, and the year must have four digits.
func figuresAt(text string, day, n int) (date time.Time, length int, ok bool) {
	sign, size := signAt(text[n:])
	month, m := numberAt(text[n+size:], 2)
	at := n + size + m
	again, second := signAt(text[at:])
	year, y := numberAt(text[at+second:], 4)
	if sign == 0 || again != sign || m == 0 || y != 4 {
		return date, 0, false
	}
	date, ok = calendar(year, month, day)
	return date, at + second + y, ok
}

// isoAt reads a date such as « 2010-05-03 ». No separator with a further digit may follow.
func isoAt(text string) (date time.Time, length int, ok bool) {
	year, n := numberAt(text, 4)
	sign, size := signAt(text[n:])
	at := n + size
	month, m := numberAt(text[at:], 2)
	again, second := signAt(text[at+m:])
	at += m + second
	day, d := numberAt(text[at:], 2)
	if n != 4 || m != 2 || d != 2 || sign != '-' || again != '-' {
		return date, 0, false
	}
	at += d
	if next, size := signAt(text[at:]); next != 0 && at+size < len(text) && digit(text[at+size]) {
		return date, 0, false
	}
	date, ok = calendar(year, month, day)
	return date, at, ok
}

// signAt reads a separator of a date. All hyphens count as the same separator.
func signAt(text string) (sign rune, size int) {
	switch r, size := utf8.DecodeRuneInString(text); {
	case r == '/' || r == '.':
		return r, size
	case Hyphen(r):
		return '-', size
	}
	return 0, 0
}

// calendar returns the day with these parts; ok is false if there is no such day.
func calendar(year, month, day int) (time.Time, bool) {
	t := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	return t, year >= earliestYear && year <= latestYear && int(t.Month()) == month && t.Day() == day
}
