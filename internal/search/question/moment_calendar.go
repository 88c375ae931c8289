package question

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"vigueur/internal/kit/lazyre"
	"vigueur/internal/law"
	"vigueur/internal/law/french"
)

// newReading reads the words of a question. Numbers in words are one word in figures: « deux mille quinze » is « 2015 ».
func newReading(text string, today time.Time) *reading {
	r := &reading{text: text, words: wordsOutsideQuotes(text), today: today}
	for i := 0; i < len(r.words); i++ {
		if value, next := r.numberAt(i); next > i {
			r.words[i].text, r.words[i].end = strconv.Itoa(value), r.words[next-1].end
			r.words = slices.Delete(r.words, i+1, next)
		}
	}
	var line strings.Builder
	for _, w := range r.words {
		r.offsets = append(r.offsets, line.Len())
		line.WriteString(w.text + " ")
	}
	r.line, r.offsets = line.String(), append(r.offsets, line.Len())
	return r
}

// numerals begin numbers in words; « un » and « premier » may be something else.
var numerals = wordSet("deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize vingt trente quarante cinquante soixante septante huitante octante nonante cent mille mil " +
	"deuxieme troisieme quatrieme")

// wordRoom is a length in bytes that is larger than any date in words.
const wordRoom = 96

// numberAt reads a whole number in words and returns the index of the word after it.
func (r *reading) numberAt(i int) (value, next int) {
	start := r.words[i].start
	if !numerals[r.at(i)] {
		return 0, i
	}
	tokens := french.Analyze(r.text[start:min(len(r.text), start+wordRoom)])
	if len(tokens) == 0 || tokens[0].Start != 0 || tokens[0].Kind != french.Number && tokens[0].Kind != french.Ordinal {
		return 0, i
	}
	value, err := strconv.Atoi(strings.TrimSuffix(tokens[0].Term, "e"))
	if err != nil {
		return 0, i
	}
	return value, r.after(i, start+tokens[0].End)
}

// Parts of the forms of calendar. Folded words end with a blank each.
const (
	dayOfMonth = `^(?:(\d{1,2})(?:er)?|premier) (?:er )?` + month
	month      = `(janvier|fevrier|mars|avril|mai|juin|juillet|aout|septembre|octobre|novembre|decembre|janv|fevr|avr|juil|sept|oct|nov|dec) `
	ofYear     = `(?:de l' (?:annee|an|exercice) |l' an |de |en )?(1[89]\d\d|2[01]\d\d) `
	lately     = `(?:dernier|passe|ecoule)e? `
	lastYear   = `l' (?:an|annee) (?:dernier|passe|ecoule|precedent)e? `
)

// calendar holds the forms of days, months and parts of a year, of which the first that fits counts. days returns the days that the groups of
// a form mean, none if the words do not say which; false if there are none such.
var calendar = []struct {
	form    *lazyre.Regexp
	printed bool // the form is of the printed text, not of folded words
	passing bool // the days depend on today
	days    func(g []string, today time.Time) (first, last time.Time, ok bool)
}{
	{form: law.Pattern(`^(\d{1,2})(?:/(\d{1,2})/|~(\d{1,2})~|\.(\d{1,2})\.)(\d\d)(?:[^\d/~]|$)`), printed: true, days: func(g []string, _ time.Time) (first, last time.Time, ok bool) {
		return dayOn(century(g[5]), number(g[2]+g[3]+g[4]), number(g[1]))
	}},
	{form: lazyre.New(`^(\d\d)/(1[89]\d\d|2[01]\d\d)(?:[^\d/.-]|[.-](?:\D|$)|$)`), printed: true, days: func(g []string, _ time.Time) (first, last time.Time, ok bool) {
		return monthsFrom(number(g[2]), number(g[1]), 1)
	}},
	{form: lazyre.New(dayOfMonth + `(\d\d) `), days: func(g []string, _ time.Time) (first, last time.Time, ok bool) {
		return dayOn(century(g[3]), monthNamed(g[2]), number(g[1]))
	}},
	{form: lazyre.New(dayOfMonth + `(?:de )?` + lastYear), passing: true, days: func(g []string, today time.Time) (first, last time.Time, ok bool) {
		return dayOn(today.Year()-1, monthNamed(g[2]), number(g[1]))
	}},
	{form: lazyre.New(dayOfMonth + lately), passing: true, days: func(g []string, today time.Time) (first, last time.Time, ok bool) {
		if first, last, ok = dayOn(today.Year(), monthNamed(g[2]), number(g[1])); ok && first.Before(today) {
			return first, last, ok
		}
		return dayOn(today.Year()-1, monthNamed(g[2]), number(g[1]))
	}},
	{form: lazyre.New(dayOfMonth), days: func(g []string, _ time.Time) (first, last time.Time, ok bool) { return first, last, number(g[1]) <= 31 }},
	{form: lazyre.New(`^` + month + ofYear), days: func(g []string, _ time.Time) (first, last time.Time, ok bool) {
		return monthsFrom(number(g[2]), monthNamed(g[1]), 1)
	}},
	{form: lazyre.New(`^` + month + `(?:de )?` + lastYear), passing: true, days: func(g []string, today time.Time) (first, last time.Time, ok bool) {
		return monthsFrom(today.Year()-1, monthNamed(g[1]), 1)
	}},
	{form: lazyre.New(`^` + month + lately), passing: true, days: func(g []string, today time.Time) (first, last time.Time, ok bool) {
		if first, last, ok = monthsFrom(today.Year(), monthNamed(g[1]), 1); last.AddDate(0, 0, 1).Before(today) {
			return first, last, ok
		}
		return monthsFrom(today.Year()-1, monthNamed(g[1]), 1)
	}},
	{form: lazyre.New(`^(?:(\d)(?:er?|eme|nde?)?|premiere?|(seconde?)) (trimestre|quadrimestre|semestre) ` + ofYear), days: func(g []string, _ time.Time) (first, last time.Time, ok bool) {
		each, nth := map[string]int{"trimestre": 3, "quadrimestre": 4, "semestre": 6}[g[3]], max(1, number(g[1]))
		if g[2] != "" {
			nth = 2
		}
		return monthsFrom(number(g[4]), each*(nth-1)+1, each)
	}},
	{form: lazyre.New(`^(printemps|ete|automne) ` + ofYear), days: func(g []string, _ time.Time) (first, last time.Time, ok bool) {
		return monthsFrom(number(g[2]), map[string]int{"printemps": 3, "ete": 6, "automne": 9}[g[1]], 3)
	}},
	{form: lazyre.New(`^(avant )?hier `), passing: true, days: func(g []string, today time.Time) (first, last time.Time, ok bool) {
		d := today.AddDate(0, 0, -1-min(1, len(g[1])))
		return d, d, true
	}},
	{form: lazyre.New(`^il y a (?:environ |plus de |presque |pres de |a peu pres |exactement |deja )?(?:(\d+)|(une?)|quelques|plusieurs|des|longtemps) (jour|semaine|mois|an)(?:s|nees?)? `), passing: true, days: func(g []string, today time.Time) (first, last time.Time, ok bool) {
		n := number(g[1]) + min(1, len(g[2]))
		if n == 0 {
			return first, last, true
		}
		d := map[string]time.Time{"jour": today.AddDate(0, 0, -n), "semaine": today.AddDate(0, 0, -7*n), "mois": today.AddDate(0, -n, 0), "an": today.AddDate(-n, 0, 0)}[g[3]]
		return d, d, true
	}},
	{form: lazyre.New(`^` + lastYear), passing: true, days: func(_ []string, today time.Time) (first, last time.Time, ok bool) {
		return monthsFrom(today.Year()-1, 1, 12)
	}},
	{form: lazyre.New(`^le mois ` + lately), passing: true, days: func(_ []string, today time.Time) (first, last time.Time, ok bool) {
		day := today.AddDate(0, 0, -today.Day()) // the last of that month
		return monthsFrom(day.Year(), int(day.Month()), 1)
	}},
	{form: lazyre.New(`^la semaine ` + lately), passing: true, days: func(_ []string, today time.Time) (first, last time.Time, ok bool) {
		monday := today.AddDate(0, 0, -(int(today.Weekday())+6)%7)
		return monday.AddDate(0, 0, -7), monday.AddDate(0, 0, -1), true
	}},
}

// ahead returns the folded words from index i on, as far as a form may need.
func (r *reading) ahead(i int) string {
	return r.line[r.offsets[i]:min(len(r.line), r.offsets[i]+wordRoom)]
}

// opening are the words that begin forms of calendar, beside months and figures.
var opening = wordSet("premier premiere second seconde printemps ete automne avant hier il l' le la")

// calendarAt reads the days that the words from index i on name.
func (r *reading) calendarAt(i int) (first, last time.Time, next int) {
	start := r.words[i].start
	if d, n, ok := law.DateAt(r.text[start:]); ok { // as gazettes write it
		return d, d, r.after(i, start+n)
	}
	if law.MonthOf(r.at(i+1)) != 0 {
		if d, n, ok := law.DateAt(r.ahead(i)); ok { // with numbers in words
			return d, d, r.wordAt(r.offsets[i] + n)
		}
	}
	if w := r.at(i); !opening[w] && monthNamed(w) == 0 && !('0' <= w[0] && w[0] <= '9') {
		return first, last, i
	}
	for _, c := range calendar {
		line := r.ahead(i)
		if c.printed {
			line = r.text[start:min(len(r.text), start+len("31.12.99 "))]
		}
		g := c.form.FindStringSubmatch(line)
		if g == nil || r.at(i) == "hier" && r.at(i-1) == "d'" {
			continue
		}
		if next = r.wordAt(r.offsets[i] + len(g[0])); c.printed {
			next = r.after(i, start+len(strings.TrimRightFunc(g[0], func(r rune) bool { return !unicode.IsDigit(r) })))
		}
		year := r.words[next-1]
		if slices.ContainsFunc(r.words[i+1:next], func(w word) bool { return w.begins }) || len(year.text) == 4 && partOfNumber(r.text, year.start, year.end) && !c.printed {
			continue
		}
		first, last, ok := c.days(g, r.today)
		if !ok {
			continue
		}
		if c.passing && r.today.IsZero() {
			first, last = time.Time{}, time.Time{}
		}
		return first, last, next
	}
	return first, last, i
}

// wordAt returns the index of the word that begins at a byte of the line of folded words.
func (r *reading) wordAt(pos int) int {
	i, _ := slices.BinarySearch(r.offsets, pos)
	return i
}

// The years that a question may mean. Years of two digits begin with 1970.
const (
	earliest, latest = 1800, 2199
	oldestShort      = 70
)

// yearAt reads a year. Digits within a longer number or before a unit are no year: « 2015-2016 », « 2000 francs ».
func (r *reading) yearAt(i int) (year, next int) {
	if w := r.at(i); len(w) == 4 && strings.Trim(w, "0123456789") == "" && !partOfNumber(r.text, r.words[i].start, r.words[i].end) {
		year = number(w)
	}
	if year < earliest || year > latest {
		return 0, i
	}
	return year, i + 1
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

// number returns the number that figures write, 0 for none.
func number(figures string) int {
	n, _ := strconv.Atoi(figures)
	return n
}

func century(figures string) int {
	if year := number(figures); year >= oldestShort {
		return 1900 + year
	}
	return 2000 + number(figures)
}

// shortMonths are the folded usual abbreviations of months that have no other meaning.
var shortMonths = map[string]time.Month{"janv": 1, "fevr": 2, "avr": 4, "juil": 7, "sept": 9, "oct": 10, "nov": 11, "dec": 12}

func monthNamed(folded string) int { return int(max(law.MonthOf(folded), shortMonths[folded])) }

// dayOn returns the day with these parts, twice, if the calendar has it. Day 0 is the first.
func dayOn(year, month, day int) (first, last time.Time, ok bool) {
	first = time.Date(year, time.Month(month), max(1, day), 0, 0, 0, 0, time.UTC)
	return first, first, month >= 1 && month <= 12 && first.Day() == max(1, day)
}

// monthsFrom returns the first and the last day of some months of a year.
func monthsFrom(year, month, n int) (first, last time.Time, ok bool) {
	first, _, ok = dayOn(year, month, 1)
	return first, first.AddDate(0, n, -1), ok && month+n <= 13
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
	r := newReading(text, today)
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
