package law

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/kit/lazyre"
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
	start := n + blanks
	name := nameAt(text[start:])
	folded := Fold(text[start : start+name])
	month, whole := anyMonths[folded], longMonths[folded] != 0
	pos := start + name
	if pos < len(text) && (text[pos] == ',' || text[pos] == '.' && !whole) {
		pos++
	}
	blank := blanksAt(text[pos:])
	year, digits := numberAt(text[pos+blank:], 4)
	if month == 0 || digits != 4 || !whole && (blank == 0 || blanks == 0) {
		return date, 0, false
	}
	date, ok = calendar(year, int(month), day)
	return date, pos + blank + digits, ok
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
	pos := nameAt(text)
	month := slices.Index(englishMonths[:], strings.ToLower(text[:pos])) + 1
	blank := blanksAt(text[pos:])
	if month == 0 || blank == 0 {
		return date, 0, false
	}
	pos += blank
	day, n := dayAt(text[pos:])
	if pos += n; n == 0 {
		return date, 0, false
	}
	if pos < len(text) && text[pos] == ',' {
		pos++
	}
	blank = blanksAt(text[pos:])
	year, n := numberAt(text[pos+blank:], 4)
	if blank == 0 || n != 4 {
		return date, 0, false
	}
	date, ok = calendar(year, month, day)
	return date, pos + blank + n, ok
}

// figuresAt reads a month and a year in digits after a day of n bytes. The same separator
// must stand between all three, and the year must have four digits.
func figuresAt(text string, day, n int) (date time.Time, length int, ok bool) {
	sign, size := signAt(text[n:])
	month, m := numberAt(text[n+size:], 2)
	pos := n + size + m
	again, second := signAt(text[pos:])
	year, y := numberAt(text[pos+second:], 4)
	if sign == 0 || again != sign || m == 0 || y != 4 {
		return date, 0, false
	}
	date, ok = calendar(year, month, day)
	return date, pos + second + y, ok
}

// isoAt reads a date such as « 2010-05-03 ». No separator with a further digit may follow.
func isoAt(text string) (date time.Time, length int, ok bool) {
	year, n := numberAt(text, 4)
	sign, size := signAt(text[n:])
	pos := n + size
	month, m := numberAt(text[pos:], 2)
	again, second := signAt(text[pos+m:])
	pos += m + second
	day, d := numberAt(text[pos:], 2)
	if n != 4 || m != 2 || d != 2 || sign != '-' || again != '-' {
		return date, 0, false
	}
	pos += d
	if next, size := signAt(text[pos:]); next != 0 && pos+size < len(text) && digit(text[pos+size]) {
		return date, 0, false
	}
	date, ok = calendar(year, month, day)
	return date, pos, ok
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

// republicanMonths are the folded names of the months of the French Republican calendar.
var republicanMonths = map[string]int{"vendemiaire": 1, "brumaire": 2, "frimaire": 3, "nivose": 4, "pluviose": 5, "ventose": 6,
	"germinal": 7, "floreal": 8, "prairial": 9, "messidor": 10, "thermidor": 11, "fructidor": 12}

// lastRepublican is the last year of the Republican calendar.
const lastRepublican = 14

// republicanAt reads « frimaire an VII », which follows the day from byte from on. A linked
// Gregorian date is not needed: the calendar's days are certain.
func republicanAt(text string, day, start int) (date time.Time, length int, ok bool) {
	name := nameAt(text[start:])
	month := republicanMonths[Fold(text[start:start+name])]
	pos := start + name
	blank := blanksAt(text[pos:])
	if month == 0 || blank == 0 || day < 1 || day > 30 {
		return date, 0, false
	}
	rest := text[pos+blank:]
	if len(rest) < 3 || !strings.EqualFold(rest[:2], "an") {
		return date, 0, false
	}
	gap := blanksAt(rest[2:])
	figures := rest[2+gap:]
	n := strings.IndexFunc(figures, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if n < 0 {
		n = len(figures)
	}
	year, size := numberAt(figures[:n], 2)
	if size == 0 {
		year, size = Roman(figures[:n]), n
	}
	if gap == 0 || size != n || year < 1 || year > lastRepublican {
		return date, 0, false
	}
	leaps := year / 4 // the years III, VII and XI had a sixth complementary day
	days := 365*(year-1) + leaps + 30*(month-1) + day - 1
	return time.Date(1792, time.September, 22, 0, 0, 0, 0, time.UTC).AddDate(0, 0, days), pos + blank + 2 + gap + n, true
}

// Roman returns the value of a Roman numeral below 400, in capitals or small letters, with or without the ending of « Ier »; 0 if
// s is none. Old prints write IIII for IV.
func Roman(s string) (n int) {
	rest := strings.ToUpper(s)
	if first, ending := strings.CutPrefix(rest, "I"); ending && (first == "ER" || first == "RE" || first == "ÈRE") {
		return 1
	}
	for _, f := range romanFigures {
		for times := f.most; times > 0 && strings.HasPrefix(rest, f.figures); times-- {
			n, rest = n+f.value, rest[len(f.figures):]
		}
	}
	if rest != "" {
		return 0
	}
	return n
}

// WriteRoman writes a number in Roman capitals.
func WriteRoman(n int) (s string) {
	for _, f := range romanFigures {
		for ; n >= f.value; n -= f.value {
			s += f.figures
		}
	}
	return s
}

var romanFigures = []struct {
	figures     string
	value, most int // most times in a row
}{{"C", 100, 3}, {"XC", 90, 1}, {"L", 50, 1}, {"XL", 40, 1}, {"X", 10, 4}, {"IX", 9, 1}, {"V", 5, 1}, {"IV", 4, 1}, {"I", 1, 4}}

// DateReading is how a date was read.
type DateReading int

// How dates are read, from the surest.
const (
	AsPrinted DateReading = iota
	Repaired              // letters or figures of it were misread
	Converted             // from the Hijri calendar: the day may be the one before or after
)

// Dating is a date as a text prints it.
type Dating struct {
	Day        time.Time // at midnight UTC
	Start, End int       // its bytes
	How        DateReading
}

// FindDating finds the first date of a text, like FindDate, and also reads dates of the Hijri
// calendar that no Gregorian date follows, and dates with misread letters and figures
// (« l2 décernbre 20l6 »). A date of the Hijri calendar is converted by the tabular Islamic
// calendar, from which the observed one differs by a day at times; a weekday before it says
// which day is meant.
func FindDating(text string) (Dating, bool) {
	for i := range len(text) {
		if i > 0 && (wordByte(text[i-1]) || text[i-1] >= utf8.RuneSelf && !Blank(lastRune(text[:i]))) || !mayDate(text[i]) {
			continue
		}
		rest := text[i:]
		if d, n, ok := DateAt(rest); ok && d.Year() >= earliestGazette {
			return Dating{Day: d, Start: i, End: i + n}, true
		}
		if month, day, year, n, ok := hijriAt(rest); ok {
			hijri, how := pickWeekday(hijriDay(year, month, day), text[:i])
			if d, ok := linkedAt(rest[n:], hijri); ok {
				d.Start, d.End = i+n+d.Start, i+n+d.End
				return d, true
			}
			return Dating{Day: hijri, Start: i, End: i + n, How: how}, true
		}
		if d, n, how, ok := misreadAt(rest); ok {
			return Dating{Day: d, Start: i, End: i + n, How: how}, true
		}
	}
	return Dating{}, false
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

// mayDate reports whether a date of FindDating may begin with a byte: beside the bytes of
// FindDate, those of figures misread as letters, and of « aouel ».
func mayDate(c byte) bool { return dayBegins(c) || c|0x20 == 'i' }

// linkedAt reads the Gregorian date that names the same day as the Hijri date before it. A
// misread one counts if it is that day or a neighbor of it.
func linkedAt(text string, hijri time.Time) (Dating, bool) {
	for i := range min(len(text), linkRoom) {
		if i > 0 && wordByte(text[i-1]) || !mayDate(text[i]) || !linksCalendars(text[:i]) {
			continue
		}
		if d, n, ok := DateAt(text[i:]); ok {
			return Dating{Day: d, Start: i, End: i + n}, true
		}
		if d, n, _, ok := misreadAt(text[i:]); ok && d.Sub(hijri).Abs() <= 24*time.Hour {
			return Dating{Day: d, Start: i, End: i + n}, true
		}
	}
	return Dating{}, false
}

// linkRoom is the maximum number of bytes between the dates of two calendars.
const linkRoom = 48

// calendarLink matches the letters that link a Hijri date to the Gregorian one. Recognition
// may have lost or added blanks between them.
var calendarLink = lazyre.New(`^(?:h|delhegire)?(?:correspondant|correspond|soit|cestadire|ou|et)?(?:a|au|le|du)?(?:dimanche|lundi|mardi|mercredi|jeudi|vendredi|samedi)?$`)

// linksCalendars reports whether the words between two dates name one day in two calendars.
func linksCalendars(gap string) bool {
	return calendarLink.MatchString(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(".;", r) && len(gap) > 4 {
			return r
		}
		return -1
	}, Fold(gap)))
}

// hijriMonths match the months of the Hijri calendar in order, as French and English
// gazettes transcribe them, folded, with a blank for each hyphen and without apostrophes.
var hijriMonths = [...]string{
	`m[ou]u?harr?[ae]m`,
	`saf[ae]r`,
	`rabi(?:a|e|i|ia)? (?:el |al |l )?(?:i|1|1er|aoue?l|aoual|a[ou]?wwa?l|awal|premier)`,
	`rabi(?:a|e|i|ia)? (?:el |al |eth |et |ath |ett )?(?:ii|2|2eme|e?t?th?ani|akhi?r|deuxieme|second)`,
	`d?[jg]h?(?:ou|o|u)mada? (?:el |al |l )?(?:i|1|1ere?|oula|aoula|ouala|oola|ula|aouel|premiere?)`,
	`d?[jg]h?(?:ou|o|u)mada? (?:el |al |eth |et |ath |ett )?(?:ii|2|2eme|e?t?th?ania?|akhira|deuxieme|seconde?)`,
	`r[ae]d?j[ae]b`,
	`cha+ba+ne?`,
	`ramad[h]?a+ne?`,
	`cha?(?:ou|o|u|ww?)[ae]l`,
	`(?:[dz]h?ou? ?(?:el |al |l )?)?[kq]u?[ai]+da+h?`,
	`(?:[dz]h?ou? ?(?:el |al |l )?)?hid?jj?ah?`,
}

// hijriDate matches a date of the Hijri calendar. The groups are the day, the month and the
// year.
var hijriDate = pattern(`^(\d{1,2}|1 ?er|ler|aoue?l|premier) +(\p{L}[\p{L}\p{M}'‚~]*(?: +(?:\p{L}[\p{L}\p{M}'‚~]*|[12](?:er|[èe]me|[èe]re)?)){0,3}) +(1[1-5]\d\d)(?:\D|$)`)

// hijriMonth finds the month of a folded name.
var hijriMonth = pattern(`^(?:(` + strings.Join(hijriMonths[:], `)|(`) + `))$`)

// hijriAt reads a date of the Hijri calendar at the beginning of text, of n bytes.
func hijriAt(text string) (month, day, year, n int, ok bool) {
	if !digit(text[0]) && strings.IndexByte("alp", text[0]|0x20) < 0 { // spares most words the expression
		return 0, 0, 0, 0, false
	}
	if len(text) > hijriRoom {
		text = text[:hijriRoom]
	}
	m := hijriDate.FindStringSubmatchIndex(text)
	if m == nil {
		return 0, 0, 0, 0, false
	}
	name := strings.Map(func(r rune) rune {
		switch {
		case Hyphen(r), Blank(r):
			return ' '
		case unicode.IsLetter(r), unicode.IsDigit(r):
			return r
		}
		return -1
	}, Fold(text[m[4]:m[5]]))
	found := hijriMonth.FindStringSubmatchIndex(strings.Join(strings.Fields(name), " "))
	for i := range hijriMonths {
		if len(found) > 2*i+2 && found[2*i+2] >= 0 {
			month = i + 1
		}
	}
	day, size := numberAt(text[m[2]:m[3]], 2)
	if size == 0 || size < m[3]-m[2] {
		day = 1 // « 1er », « aouel »
	}
	year, _ = numberAt(text[m[6]:m[7]], 4)
	return month, day, year, m[7], month > 0 && day >= 1 && day <= 30
}

// hijriRoom is the maximum number of bytes of a Hijri date.
const hijriRoom = 64

// hijriDay returns the day of a date of the tabular Islamic calendar: months of 30 and 29
// days in turn, and 11 years of 355 days in each 30. The first day of year 1 is Friday
// 16 July 622 of the Julian calendar, whose Julian day number is 1,948,440.
func hijriDay(year, month, day int) time.Time {
	julianDay := day + (59*(month-1)+1)/2 + 354*(year-1) + (3+11*year)/30 + 1948439
	const unixEpoch = 2440588 // the Julian day number of 1 January 1970
	return time.Unix(int64(julianDay-unixEpoch)*24*60*60, 0).UTC()
}

// weekdayBefore matches a weekday at the end of a text.
var weekdayBefore = pattern(`(?:^|[^\p{L}])(dimanche|lundi|mardi|mercredi|jeudi|vendredi|samedi),? +$`)

// pickWeekday returns the day on the weekday that the words before it name, if that is the
// day or one of its neighbors, and otherwise the day, as unsure.
func pickWeekday(day time.Time, left string) (time.Time, DateReading) {
	m := weekdayBefore.FindStringSubmatch(left[max(0, len(left)-len("mercredi ,  ")):])
	if m == nil {
		return day, Converted
	}
	for _, step := range []int{0, -1, 1} {
		if d := day.AddDate(0, 0, step); weekdays[d.Weekday()] == strings.ToLower(m[1]) {
			return d, AsPrinted
		}
	}
	return day, Converted
}

var weekdays = [...]string{"dimanche", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi"}

// misreadDate matches a date whose figures recognition may have taken for letters that look
// like them.
var misreadDate = Pattern(`^([\dOolI|]{1,2}) +(\p{L}[\p{L}\p{M}1|]{2,11})[.,]? +([\dOolI|SB](?: ?[\dOolI|SB]){3})(?:[^\p{L}\d]|$)`)

// figureOf maps the letters for which recognition takes figures to the figures.
var figureOf = strings.NewReplacer(" ", "", "\u00a0", "", "\u202f", "", "\n", "", "O", "0", "o", "0", "l", "1", "I", "1", "|", "1", "S", "5", "B", "8")

// misreadAt reads a date with misread letters and figures at the beginning of text. Day and
// year must each contain a figure that was read. Blanks within the year alone leave no doubt.
func misreadAt(text string) (date time.Time, n int, how DateReading, ok bool) {
	if !strings.ContainsAny(text[:min(len(text), 2)], arabicFigures) {
		return date, 0, how, false
	}
	m := misreadDate.FindStringSubmatchIndex(text[:min(len(text), hijriRoom)])
	if m == nil {
		return date, 0, how, false
	}
	printed := func(i int) string { return text[m[2*i]:m[2*i+1]] }
	if !strings.ContainsAny(printed(1), arabicFigures) || !strings.ContainsAny(printed(3), arabicFigures) {
		return date, 0, how, false
	}
	month := nearMonth(Fold(printed(2)))
	day, _ := numberAt(figureOf.Replace(printed(1)), 2)
	year, _ := numberAt(figureOf.Replace(printed(3)), 4)
	if month == 0 || year < earliestGazette {
		return date, 0, how, false
	}
	if MonthOf(Fold(printed(2))) == 0 || strings.Trim(printed(1), arabicFigures) != "" || strings.TrimFunc(printed(3), func(r rune) bool { return Blank(r) || r < utf8.RuneSelf && digit(byte(r)) }) != "" {
		how = Repaired
	}
	date, ok = calendar(year, int(month), day)
	return date, m[7], how, ok
}

const arabicFigures = "0123456789"

// nearMonth returns the one French month whose name differs from a folded word by the fewest
// letters: by one at most for a name of five letters, by two for a longer one. Shorter names
// must be read exactly, because one letter makes « mars » of « mais ». 0 if there is none.
func nearMonth(folded string) time.Month {
	if m := months[folded]; m != 0 {
		return m
	}
	best, found := 3, time.Month(0)
	for i, name := range monthNames {
		name = Fold(name)
		most := min(2, len(name)-4)
		d := Distance(folded, name)
		switch {
		case d > most || d > best:
		case d == best:
			found = 0
		default:
			best, found = d, time.Month(i+1)
		}
	}
	return found
}
