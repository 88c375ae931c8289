package question

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"vigueur/internal/law"
	"vigueur/internal/law/french"
)

// dayAt reads a day as gazettes write it, too.
func (r *reading) dayAt(i int) (first, last time.Time, next int) {
	if d, n, ok := law.DateAt(r.text[r.words[i].start:]); ok {
		return d, d, r.after(i, r.words[i].start+n)
	}
	return first, last, i
}

// wordRoom is a length in bytes that is larger than any date in words.
const wordRoom = 96

// wordedDayAt reads a day whose parts are written in words: « premier janvier deux mille quinze ».
func (r *reading) wordedDayAt(i int) (first, last time.Time, next int) {
	start := r.words[i].start
	number, n := r.numberAt(i)
	month := law.MonthOf(r.at(n))
	if number < 1 || number > 31 || month == 0 {
		return first, last, i
	}
	if year, next := r.yearAt(n + 1); next > n+1 {
		if d, _, ok := law.DateAt(strconv.Itoa(number) + " " + r.at(n) + " " + strconv.Itoa(year)); ok && start < r.words[n].start {
			return d, d, next
		}
	}
	return first, last, i
}

// numerals begin numbers in words.
var numerals = wordSet("un une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize vingt trente quarante cinquante soixante septante huitante octante nonante cent mille mil " +
	"premier premiere second seconde deuxieme troisieme quatrieme")

// numberAt reads a whole number in figures or words and returns the index of the word after it.
func (r *reading) numberAt(i int) (value, next int) {
	if w := r.at(i); w == "" || !unicode.IsDigit(rune(w[0])) && !numerals[w] {
		return 0, i
	}
	start := r.words[i].start
	room := r.text[start:min(len(r.text), start+wordRoom)]
	tokens := french.Analyze(room)
	if len(tokens) == 0 || tokens[0].Start != 0 || tokens[0].Kind != french.Number && tokens[0].Kind != french.Ordinal {
		return 0, i
	}
	value, err := strconv.Atoi(strings.TrimSuffix(tokens[0].Term, "e"))
	if err != nil {
		return 0, i
	}
	return value, r.after(i, start+tokens[0].End)
}

// The years that a question may mean. Years of two digits begin with 1970.
const (
	earliest, latest = 1800, 2199
	oldestShort      = 70
)

// yearAt reads a year in digits or words. Digits within a longer number or before a unit are no year: « 2015-2016 », «
// 2000 francs ».
func (r *reading) yearAt(i int) (year, next int) {
	switch w := r.at(i); {
	case len(w) == 4 && strings.Trim(w, "0123456789") == "":
		year, _ = strconv.Atoi(w)
		if next = i + 1; partOfNumber(r.text, r.words[i].start, r.words[i].end) {
			return 0, i
		}
	case w == "mille" || w == "mil" || w == "deux" && r.at(i+1) == "mille":
		year, next = r.numberAt(i)
	default:
		return 0, i
	}
	if year < earliest || year > latest {
		return 0, i
	}
	return year, next
}

// partOfNumber reports whether the figures in a range are part of a longer number or mark.
func partOfNumber(text string, start, end int) bool {
	left, size := utf8.DecodeLastRuneInString(text[:start])
	further, _ := utf8.DecodeLastRuneInString(text[:start-size])
	next, size := utf8.DecodeRuneInString(text[end:])
	beyond, _ := utf8.DecodeRuneInString(text[end+size:])
	joins := func(r rune) bool { return law.Dash(r) || strings.ContainsRune("/.,_°", r) }
	return joins(left) && unicode.IsDigit(further) || left == '°' || left == '/' || joins(next) && unicode.IsDigit(beyond) || law.Dash(next)
}

// shortDate matches a date in figures with two for the year.
var shortDate = law.Pattern(`^(\d{1,2})(?:/(\d{1,2})/|~(\d{1,2})~|\.(\d{1,2})\.)(\d\d)(?:[^\d/~]|$)`)

// shortDayAt reads a day with a year of two digits, or a day without a year. The latter is known only if the words ask
// for the last such day.
func (r *reading) shortDayAt(i int) (first, last time.Time, next int) {
	start := r.words[i].start
	if m := shortDate.FindStringSubmatch(r.text[start:min(len(r.text), start+len("31.12.99 "))]); m != nil {
		day, _ := strconv.Atoi(m[1])
		month, _ := strconv.Atoi(m[2] + m[3] + m[4])
		if d, ok := dayOn(century(m[5]), time.Month(month), day); ok {
			return d, d, r.after(i, start+len(m[0])-1)
		}
		return first, last, i
	}
	day, n := r.numberAt(i)
	month := law.MonthOf(r.at(n))
	if day < 1 || day > 31 || month == 0 || n == i {
		return first, last, i
	}
	n++
	if w := r.at(n); len(w) == 2 && strings.Trim(w, "0123456789") == "" && !r.words[n].begins {
		if d, ok := dayOn(century(w), month, day); ok {
			return d, d, n + 1
		}
	}
	if age, next := r.lastYearAt(n); next > n {
		if d, ok := dayOn(r.today.Year()-age, month, day); ok && !r.today.IsZero() {
			return d, d, next
		}
		return first, last, next
	}
	if r.passedAt(n) {
		if d, ok := dayOn(r.today.Year(), month, day); ok && !r.today.IsZero() {
			if !d.Before(r.today) {
				d, ok = dayOn(r.today.Year()-1, month, day)
			}
			if ok {
				return d, d, n + 1
			}
		}
		return first, last, n + 1
	}
	return first, last, n
}

func century(figures string) int {
	year, _ := strconv.Atoi(figures)
	if year < oldestShort {
		return 2000 + year
	}
	return 1900 + year
}

// dayOn returns the day with these parts, if the calendar has it.
func dayOn(year int, month time.Month, day int) (time.Time, bool) {
	d := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	return d, month >= 1 && month <= 12 && d.Day() == day
}

// passedAt reports whether a word asks for the last such time: « en mai dernier ».
func (r *reading) passedAt(i int) bool {
	switch r.at(i) {
	case "dernier", "derniere", "passe", "passee", "ecoule", "ecoulee":
		return true
	}
	return false
}

// lastYearAt reads « de l'an dernier », « de l'année dernière » after a month.
func (r *reading) lastYearAt(i int) (years, next int) {
	pos := i
	if r.at(pos) == "de" {
		pos++
	}
	if r.at(pos) == "l'" && (r.at(pos+1) == "an" || r.at(pos+1) == "annee") && (r.passedAt(pos+2) || r.at(pos+2) == "precedente") {
		return 1, pos + 3
	}
	return 0, i
}

// shortMonths are the folded names and usual abbreviations of months that have no other meaning.
var shortMonths = map[string]time.Month{"janv": 1, "fevr": 2, "avr": 4, "juil": 7, "sept": 9, "oct": 10, "nov": 11, "dec": 12}

// monthAt reads a month: « mai 2015 », « mai de l'an dernier », « 05/2015 ». A month without a year is unknown.
func (r *reading) monthAt(i int) (first, last time.Time, next int) {
	w := r.at(i)
	month := law.MonthOf(w)
	if month == 0 {
		month = shortMonths[w]
	}
	if month == 0 {
		if n := r.at(i + 1); len(w) == 2 && strings.Trim(w, "0123456789") == "" && len(n) == 4 && r.text[r.words[i].end] == '/' && r.words[i+1].start == r.words[i].end+1 {
			m, _ := strconv.Atoi(w)
			y, err := strconv.Atoi(n)
			if d, ok := dayOn(y, time.Month(m), 1); ok && err == nil && y >= earliest && y <= latest && (i == 0 || r.words[i-1].end+1 < r.words[i].start || !strings.ContainsRune("/.-", rune(r.text[r.words[i].start-1]))) {
				return d, d.AddDate(0, 1, -1), i + 2
			}
		}
		return first, last, i
	}
	pos := r.throughYear(i + 1)
	if year, next := r.yearAt(pos); next > pos {
		first, _ = dayOn(year, month, 1)
		return first, first.AddDate(0, 1, -1), next
	}
	if years, next := r.lastYearAt(i + 1); next > i+1 {
		if r.today.IsZero() {
			return first, last, next
		}
		first, _ = dayOn(r.today.Year()-years, month, 1)
		return first, first.AddDate(0, 1, -1), next
	}
	if r.passedAt(i + 1) {
		if r.today.IsZero() {
			return first, last, i + 2
		}
		if first, _ = dayOn(r.today.Year(), month, 1); !first.AddDate(0, 1, 0).Before(r.today) {
			first = first.AddDate(-1, 0, 0)
		}
		return first, first.AddDate(0, 1, -1), i + 2
	}
	return first, last, i
}

// throughYear skips the words between a month or a part of a year and the year.
func (r *reading) throughYear(i int) int {
	for _, words := range []string{"de l' annee", "de l' an", "de l' exercice", "l' an", "de", "en"} {
		if r.has(i, words) {
			return i + len(strings.Fields(words))
		}
	}
	return i
}

func yearDays(year int) (first, last time.Time) {
	first, _ = dayOn(year, time.January, 1)
	last, _ = dayOn(year, time.December, 31)
	return first, last
}

// partAt reads a quarter, a half or a season of a year.
func (r *reading) partAt(i int) (first, last time.Time, next int) {
	var number, n int
	seasons := map[string][2]int{"printemps": {3, 5}, "ete": {6, 8}, "automne": {9, 11}}
	months, season := seasons[r.at(i)]
	if season {
		n = i + 1
	} else {
		number, n = r.ordinalAt(i)
		each := map[string]int{"trimestre": 3, "semestre": 6, "quadrimestre": 4}[r.at(n)]
		if number < 1 || each == 0 || number*each > 12 {
			return first, last, i
		}
		months, n = [2]int{(number-1)*each + 1, number * each}, n+1
	}
	pos := r.throughYear(n)
	year, next := r.yearAt(pos)
	if next == pos {
		return first, last, i
	}
	first, _ = dayOn(year, time.Month(months[0]), 1)
	last, _ = dayOn(year, time.Month(months[1]), 1)
	return first, last.AddDate(0, 1, -1), next
}

// ordinalAt reads « premier », « 2e », « deuxième » or « second », but not « dernier ».
func (r *reading) ordinalAt(i int) (number, next int) {
	switch r.at(i) {
	case "premier", "premiere", "1er", "t1", "s1":
		return 1, i + 1
	case "second", "seconde":
		return 2, i + 1
	}
	return r.numberAt(i)
}

// relativeAt reads a day that depends on the day of the question: « hier », « il y a deux ans », « l'an dernier ».
func (r *reading) relativeAt(i int) (first, last time.Time, next int) {
	days := func(first, last time.Time, next int) (time.Time, time.Time, int) {
		if r.today.IsZero() {
			return time.Time{}, time.Time{}, next
		}
		return first, last, next
	}
	today := r.today
	switch {
	case r.has(i, "avant hier"):
		return days(today.AddDate(0, 0, -2), today.AddDate(0, 0, -2), i+2)
	case r.at(i) == "hier" && r.at(i-1) != "d'":
		return days(today.AddDate(0, 0, -1), today.AddDate(0, 0, -1), i+1)
	case r.has(i, "il y a"):
		return r.agoAt(i, days)
	case r.has(i, "l' an") || r.has(i, "l' annee"):
		if r.passedAt(i+2) || r.at(i+2) == "precedente" {
			a, b := yearDays(today.Year() - 1)
			return days(a, b, i+3)
		}
	case r.has(i, "le mois") && r.passedAt(i+2):
		month := time.Date(today.Year(), today.Month(), 1, 0, 0, 0, 0, time.UTC)
		return days(month.AddDate(0, -1, 0), month.AddDate(0, 0, -1), i+3)
	case r.has(i, "la semaine") && r.passedAt(i+2):
		monday := today.AddDate(0, 0, -(int(today.Weekday())+6)%7)
		return days(monday.AddDate(0, 0, -7), monday.AddDate(0, 0, -1), i+3)
	}
	return first, last, i
}

// agoAt reads « il y a deux ans ».
func (r *reading) agoAt(i int, days func(first, last time.Time, next int) (time.Time, time.Time, int)) (first, last time.Time, next int) {
	pos := i + len([]string{"il", "y", "a"})
	for _, words := range []string{"environ", "plus de", "presque", "pres de", "a peu pres", "exactement", "deja"} {
		if r.has(pos, words) {
			pos += len(strings.Fields(words))
		}
	}
	n, unit := r.numberAt(pos)
	switch r.at(pos) {
	case "un", "une":
		n, unit = 1, pos+1
	case "quelques", "plusieurs", "des", "longtemps":
		unit = pos + 1
	}
	var d time.Time
	switch r.at(unit) {
	case "jour", "jours":
		d = r.today.AddDate(0, 0, -n)
	case "semaine", "semaines":
		d = r.today.AddDate(0, 0, -7*n)
	case "mois":
		d = r.today.AddDate(0, -n, 0)
	case "an", "ans", "annee", "annees":
		d = r.today.AddDate(-n, 0, 0)
	default:
		return first, last, i
	}
	if n == 0 {
		return first, last, unit + 1
	}
	return days(d, d, unit+1)
}

// timeOf is the time whose law a question asks about.
type timeOf struct {
	day     *time.Time // nil if it is the present, or not known
	undated bool       // whether it is in the past without a known day
	now     bool       // the question names the present
	at      [2]int     // byte range of the words that give the day
}

// timeIn reads the time whose law a question asks about. A moment counts if it is given as that of the law (« au »,
// « à la date du », « en vigueur en »), if the question is in the past, or if it stands in the clause that asks and
// nothing happens there: « quel est le préavis en 2015 ? », but not « embauché en 2015, quel est mon préavis ? »,
// because a case may have begun at any time. Of a month or a year it is the last day. The date in the name of a text,
// « loi du 3 mai 2010 », does not count. today is the day of the question, zero if it is not known.
func timeIn(text string, refs []Reference, today time.Time) (out timeOf) {
	r := &reading{text: text, words: wordsOutsideQuotes(text), today: today}
	moments := r.moments(func(pos int) bool {
		return slices.ContainsFunc(refs, func(r Reference) bool {
			dateless := r.Alone || r.Title != "" && r.Number == "" && r.Date.IsZero() && r.Year == 0
			return r.Start <= pos && pos < r.End && !dateless
		})
	})
	clauses := r.clauses()
	passed := r.past(clauses)
	var given, told []moment
	lost := passed // whether the question asks about a time that is not known
	for _, m := range moments {
		switch {
		case m.how == present || m.known() && !today.IsZero() && !m.first.After(today) && !m.last.Before(today):
			out.now = true
		case m.how == asked && m.known():
			given = append(given, m)
		case m.how == asked && m.by == "": // « l'ancienne version »
			lost = true
		case m.known() && (passed || r.timesTheQuestion(clauses, m)):
			told = append(told, m)
		}
	}
	if len(given) > 0 {
		return r.on(given[0])
	}
	if oneDay(told) {
		return r.on(told[0])
	}
	if told = slices.DeleteFunc(slices.Clone(told), func(m moment) bool { return r.happens(clauses, m, !passed) }); oneDay(told) {
		return r.on(told[0])
	}
	out.undated = (lost || len(told) > 0) && !out.now && !r.asksWhen(clauses)
	return out
}

// oneDay reports whether moments mean the same day.
func oneDay(all []moment) bool {
	return len(all) > 0 && !slices.ContainsFunc(all, func(m moment) bool { return !m.last.Equal(all[0].last) })
}

func (r *reading) on(m moment) timeOf {
	return timeOf{day: &m.last, at: [2]int{r.words[m.from].start, r.words[m.to-1].end}}
}

// asksWhen reports whether the question asks for a day: « quand », « à quelle date ».
func (r *reading) asksWhen(clauses []clause) bool {
	for _, c := range clauses {
		for i := c.from; i < c.to; i++ {
			switch r.at(i) {
			case "quand":
				if i == c.from || governing[r.at(i-1)] {
					return true
				}
			case "date", "dates", "jour", "annee":
				if strings.HasPrefix(r.at(i-1), "quel") {
					return true
				}
			}
		}
	}
	return false
}

// timesTheQuestion reports whether a moment of a question in the present is the time of what is asked: it stands in the
// clause that asks, or alone beside it, and nothing happens there.
func (r *reading) timesTheQuestion(clauses []clause, m moment) bool {
	n := r.signs[m.from].clause
	c := clauses[n]
	if m.how == of || r.happens(clauses, m, true) {
		return false
	}
	if c.asks {
		return m.from > c.by || m.from == c.from
	}
	if n == len(clauses)-1 && r.isQuestion() && !slices.ContainsFunc(clauses, func(c clause) bool { return c.asks }) { // « et l'article 37 en 2015 ? »
		return true
	}
	beside := func(n int) bool {
		return n >= 0 && n < len(clauses) && clauses[n].asks && !r.hasEvent(clauses[n].from, clauses[n].to)
	}
	return c.from == m.from && c.to == m.to && (beside(n+1) || beside(n-1))
}

// happens reports whether a clause tells, before a moment, of an event, or of the asker if own is set. The moment is
// then the time of the event, not of the law.
func (r *reading) happens(clauses []clause, m moment, own bool) bool {
	c := clauses[r.signs[m.from].clause]
	previous, signs := r.signs[c.from], r.signs[m.from]
	return own && previous.own < signs.own || previous.told < signs.told || r.hasEvent(m.to, c.to)
}

// hasEvent reports whether the words [start,end) have a verb in the compound past.
func (r *reading) hasEvent(start, end int) bool {
	return start < end && r.signs[start].compound < r.signs[end].compound
}

// having are the forms of avoir in the present, with which the compound past is made.
var having = wordSet("a ont ai as avons avez")

// determiners stand before a noun: « un salarié ».
var determiners = wordSet("le la les l' un une des du de d' au aux ce cet cette ces son sa ses leur leurs quel quelle quels quelles chaque tout en")

// irregular are participles that do not end in -é, in the masculine singular, of what begins or ends a case.
var irregular = wordSet("conclu acquis mis pris commis remis promis reçu vendu perdu rompu mort écrit inscrit construit ouvert intervenu survenu venu devenu parti sorti obtenu paru rendu fait subi accompli fini garanti prévu retenu tenu élu")

// participle reports whether a word, as printed, is a past participle.
func participle(printed string) bool {
	printed = norm.NFC.String(strings.ToLower(printed))
	one := strings.TrimSuffix(strings.TrimSuffix(printed, "s"), "e")
	return irregular[printed] || irregular[one] || irregular[strings.TrimSuffix(printed, "e")] || irregular[strings.TrimSuffix(printed, "es")] || strings.HasSuffix(one, "é")
}
