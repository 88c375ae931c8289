package question

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/law"
	"vigueur/internal/law/french"
)

// word is a word or a number of a question.
type word struct {
	text       string // folded; an elided word keeps its apostrophe: « l' »
	start, end int    // bytes [start,end) of the question
	begins     bool   // it begins a clause: punctuation stands before it
	joined     bool   // a hyphen joins it to the word before
}

// unquoted returns the words of a text, without those that it quotes.
func unquoted(text string) (out []word) {
	begins, joined, quoted := true, false, false
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			switch {
			case r == '«' || r == '“':
				quoted = true
			case r == '»' || r == '”':
				quoted = false
			case r == '"':
				quoted = !quoted
			case r == '.' && abbreviates(out, text[i+size:]):
			case strings.ContainsRune(",;:.!?()\n…", r):
				begins = true
			}
			joined = law.Dash(r)
			i += size
			continue
		}
		end := len(text)
		if n := strings.IndexFunc(text[i:], func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }); n >= 0 {
			end = i + n
		}
		if next, size := utf8.DecodeRuneInString(text[end:]); next == '\'' || next == '’' {
			end += size
		}
		if !quoted {
			folded := law.Fold(text[i:end])
			out = append(out, word{strings.ReplaceAll(folded, "’", "'"), i, end, begins, joined})
			begins, joined = false, false
		}
		i = end
	}
	return out
}

// abbreviates reports whether a full stop belongs to the last of some words and ends no sentence: « art. 36 ».
func abbreviates(words []word, rest string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(rest, law.Blank))
	return len(words) > 0 && len(words[len(words)-1].text) <= 4 && (unicode.IsDigit(r) || unicode.IsLower(r))
}

// moment is an expression of time in a question: a day, a month, a part of a year, a year, or words that point at one.
type moment struct {
	from, to    int       // words [from,to) of the question, with those that introduce it
	first, last time.Time // its days; zero if the words do not say which: « à l'époque », « entre 2015 et 2018 »
	how         relation
	by          string // the words that introduce it
}

// known reports whether the words say which days the moment has.
func (m moment) known() bool { return !m.last.IsZero() }

// relation is how a moment stands in its sentence.
type relation int

const (
	bare    relation = iota // the time of what the sentence tells: « embauché en 2015 »
	asked                   // the time of the law that is asked about: « au 3 mai 2015 », « en vigueur en 2015 »
	of                      // it belongs to a noun: « le contrat de 2015 »
	present                 // it reaches to the present: « aujourd'hui », « depuis 2015 »
)

// edge is which of its days a moment means.
type edge int

const (
	lastDay edge = iota
	firstDay
	middleDay
	dayBefore
	dayAfter
	noDay
)

// introducers are the words that introduce a moment, with what they mean. The longest that fit count.
var introducers = func() map[string]struct {
	how relation
	day edge
} {
	out := map[string]struct {
		how relation
		day edge
	}{}
	for _, group := range []struct {
		how   relation
		day   edge
		words string
	}{
		{asked, lastDay, "au|a la date du|a la date de|a cette date du|au jour du|date du|consolide au|consolidee au|a jour au|etait au|valeur au|arrete au|arretee au"},
		{asked, firstDay, "a compter du|a compter de|a compter d'|a partir du|a partir de|a partir d'"},
		{bare, lastDay, "en|courant|durant|pendant|lors de|lors du|lors d'|au cours de|au cours du|au cours d'|au titre de|au titre du|au titre d'|dans|vers|sous|le|la|du temps de|au mois de|au mois d'|a|au long de|tout au long de"},
		{of, lastDay, "pour|de|du|d'|datant de|datant du|date de"},
		{bare, firstDay, "des|des le|debut|au debut de|au debut du|au debut d'|en debut de|en debut d'|a l'ouverture de|au commencement de"},
		{bare, middleDay, "mi|a la mi|milieu|au milieu de|au milieu du|au milieu d'"},
		{bare, lastDay, "fin|la fin de|la fin du|la fin d'|a la fin de|a la fin du|a la fin d'|en fin de|en fin d'|jusqu'en|jusqu'a|jusqu'au|jusqu'a fin|jusqu'a la fin de|jusqu'a la fin du|jusqu'a la fin d'"},
		{bare, dayBefore, "avant|avant le|avant l'|avant la|avant la fin de|anterieurement a|anterieurement au|la veille du|a la veille du|jusqu'a la veille du|jusqu'avant"},
		{bare, dayAfter, "le lendemain du|au lendemain du"},
		{bare, noDay, "apres|apres le|apres l'|posterieurement a|posterieurement au|entre|entre le|parmi"},
		{present, noDay, "depuis|depuis le|depuis l'|depuis la|a ce jour depuis"},
	} {
		for words := range strings.SplitSeq(group.words, "|") {
			out[words] = struct {
				how relation
				day edge
			}{group.how, group.day}
		}
	}
	return out
}()

// longestIntroducer is the maximum number of words that introduce a moment.
const longestIntroducer = 5

// ofLaw are the words for a state of the law: a moment that belongs to one of them is that of the question.
var ofLaw = wordSet("version versions redaction redactions etat teneur mouture formulation vigueur applicable applicables valable valables consolide consolidee libelle")

// leadIns stand between what introduces a moment and the moment.
var leadIns = wordSet("lundi mardi mercredi jeudi vendredi samedi dimanche annee annees an l'an l'annee exercice jour")

// reading is a question whose time is read.
type reading struct {
	text  string
	words []word
	signs []signs   // of each word, and of the end
	today time.Time // zero if it is not known; then no moment depends on it
}

// at returns the folded word with an index, "" beyond the ends.
func (r *reading) at(i int) string {
	if i < 0 || i >= len(r.words) {
		return ""
	}
	return r.words[i].text
}

// has reports whether some words follow from an index on.
func (r *reading) has(i int, words string) bool {
	for w := range strings.FieldsSeq(words) {
		if r.at(i) != w {
			return false
		}
		i++
	}
	return true
}

// after returns the index of the first word from byte at on.
func (r *reading) after(i, at int) int {
	for i < len(r.words) && r.words[i].start < at {
		i++
	}
	return i
}

// moments finds the expressions of time in order. skip reports whether a byte belongs to the name of a text: the date
// of a law is no moment.
func (r *reading) moments(skip func(at int) bool) (out []moment) {
	for i := 0; i < len(r.words); {
		m, alone, ok := r.momentAt(i)
		if !ok || skip(r.words[i].start) {
			i++
			continue
		}
		next := m.to
		least := 0
		if len(out) > 0 {
			least = out[len(out)-1].to
		}
		if vague := m.how != bare; vague || r.introduce(&m, least) || alone {
			out = append(out, m)
		}
		i = next
	}
	return r.withoutSpans(out)
}

// momentAt reads the moment that begins with a word, without what introduces it. alone reports whether it is one
// without an introduction: « 2015 » may be any number.
func (r *reading) momentAt(i int) (m moment, alone, ok bool) {
	for _, read := range []func(int) (first, last time.Time, next int){r.dayAt, r.wordedDayAt, r.shortDayAt, r.monthAt, r.partAt, r.relativeAt} {
		if first, last, next := read(i); next > i {
			return moment{from: i, to: next, first: first, last: last}, true, true
		}
	}
	if how, next := r.vagueAt(i); next > i {
		return moment{from: i, to: next, how: how}, true, true
	}
	if year, next := r.yearAt(i); next > i {
		first, last := yearDays(year)
		return moment{from: i, to: next, first: first, last: last}, false, true
	}
	return m, false, false
}

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

// The years that a question may mean. Two figures stand for a year from 1970 on.
const (
	earliest, latest = 1800, 2199
	oldestShort      = 70
)

// yearAt reads a year in figures or words. Figures within a longer number are no year, nor is what counts
// something: « 2015-2016 », « 2000 francs ».
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
	before, size := utf8.DecodeLastRuneInString(text[:start])
	further, _ := utf8.DecodeLastRuneInString(text[:start-size])
	next, size := utf8.DecodeRuneInString(text[end:])
	beyond, _ := utf8.DecodeRuneInString(text[end+size:])
	joins := func(r rune) bool { return law.Dash(r) || strings.ContainsRune("/.,_°", r) }
	return joins(before) && unicode.IsDigit(further) || before == '°' || before == '/' || joins(next) && unicode.IsDigit(beyond) || law.Dash(next)
}

// shortDate matches a date in figures with two for the year.
var shortDate = law.Pattern(`^(\d{1,2})(?:/(\d{1,2})/|~(\d{1,2})~|\.(\d{1,2})\.)(\d\d)(?:[^\d/~]|$)`)

// shortDayAt reads a day without a century, with figures or a word for the month, or one without a year: it is known
// only if it is the last one of that name.
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
	if since, next := r.lastYearAt(n); next > n {
		if d, ok := dayOn(r.today.Year()-since, month, day); ok && !r.today.IsZero() {
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

// passedAt reports whether a word says that the last one is meant: « en mai dernier ».
func (r *reading) passedAt(i int) bool {
	switch r.at(i) {
	case "dernier", "derniere", "passe", "passee", "ecoule", "ecoulee":
		return true
	}
	return false
}

// lastYearAt reads « de l'an dernier », « de l'année dernière » after a month.
func (r *reading) lastYearAt(i int) (years, next int) {
	at := i
	if r.at(at) == "de" {
		at++
	}
	if r.at(at) == "l'" && (r.at(at+1) == "an" || r.at(at+1) == "annee") && (r.passedAt(at+2) || r.at(at+2) == "precedente") {
		return 1, at + 3
	}
	return 0, i
}

// shortMonths are the folded names of months that are no other word, with their common abbreviations.
var shortMonths = map[string]time.Month{"janv": 1, "fevr": 2, "avr": 4, "juil": 7, "sept": 9, "oct": 10, "nov": 11, "dec": 12}

// monthAt reads a month: « mai 2015 », « mai de l'an dernier », « 05/2015 ». A month without a year is not known.
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
	at := r.throughYear(i + 1)
	if year, next := r.yearAt(at); next > at {
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

// yearDays returns the first and the last day of a year.
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
	at := r.throughYear(n)
	year, next := r.yearAt(at)
	if next == at {
		return first, last, i
	}
	first, _ = dayOn(year, time.Month(months[0]), 1)
	last, _ = dayOn(year, time.Month(months[1]), 1)
	return first, last.AddDate(0, 1, -1), next
}

// ordinalAt reads « premier », « 2e », « deuxième », « second », « dernier » stands for no number.
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
	at := i + len([]string{"il", "y", "a"})
	for _, words := range []string{"environ", "plus de", "presque", "pres de", "a peu pres", "exactement", "deja"} {
		if r.has(at, words) {
			at += len(strings.Fields(words))
		}
	}
	n, unit := r.numberAt(at)
	switch r.at(at) {
	case "un", "une":
		n, unit = 1, at+1
	case "quelques", "plusieurs", "des", "longtemps":
		unit = at + 1
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

// vague are words for a past that does not say when. Those of the second group belong to the law that is asked about.
var vague = map[relation][]string{
	bare: {"a l' epoque", "a cette epoque", "en ce temps la", "a ce moment la", "ce jour la", "autrefois", "jadis", "naguere", "anciennement", "auparavant", "par le passe",
		"dans le temps", "dans le passe", "avant cela", "avant ca", "avant la reforme", "avant la loi", "avant l' entree en vigueur", "avant la modification", "avant la revision",
		"avant le changement", "avant l' abrogation", "avant l' ordonnance", "avant le decret", "avant le code", "avant la nouvelle loi", "avant le nouveau code", "avant la constitution",
		"avant la derniere reforme", "avant l' independance", "avant les reformes", "avant son abrogation", "avant sa modification", "avant cette loi", "avant ce decret", "avant ce code"},
	asked: {"ancienne version", "ancienne redaction", "ancien article", "anciens articles", "version anterieure", "redaction anterieure", "version precedente", "redaction precedente",
		"precedente version", "version initiale", "redaction initiale", "version originale", "redaction originale", "version d' origine", "redaction d' origine", "premiere version", "version ancienne",
		"redaction ancienne", "version d' avant", "redaction d' avant", "teneur anterieure", "version de l' epoque", "redaction de l' epoque"},
	present: {"aujourd' hui", "actuellement", "maintenant", "a ce jour", "de nos jours", "en ce moment", "desormais", "a present", "a l' heure actuelle"},
}

// vagueAt reads words for a time that do not say which day, or for the present.
func (r *reading) vagueAt(i int) (how relation, next int) {
	longest := 0
	for as, phrases := range vague {
		for _, words := range phrases {
			if n := len(strings.Fields(words)); n > longest && r.has(i, words) {
				how, longest = as, n
			}
		}
	}
	if longest == 0 && (r.at(i) == "annees" && len(r.at(i+1)) >= 2 && strings.Trim(r.at(i+1), "0123456789") == "") { // « les années 90 »
		return bare, i + 2
	}
	if longest == 0 && r.at(i) == "avant" && (i+1 == len(r.words) || r.words[i+1].begins) {
		return bare, i + 1
	}
	return how, i + longest
}

// introduce adds the words before a moment that introduce it, from the word least on, and what they mean. It reports
// whether there are any.
func (r *reading) introduce(m *moment, least int) bool {
	at := m.from
	for at > least && !r.words[at].begins && (leadIns[r.at(at-1)] || (r.at(at-1) == "de" || r.at(at-1) == "d'") && r.at(at-2) == "mois" || r.at(at-1) == "mois" || r.at(at-1) == "l'" && leadIns[r.at(at)]) {
		at--
	}
	for n := min(longestIntroducer, at-least); n > 0; n-- {
		var parts []string
		for i := at - n; i < at; i++ {
			parts = append(parts, r.at(i))
		}
		if slices.ContainsFunc(r.words[at-n+1:at+1], func(w word) bool { return w.begins }) {
			continue
		}
		by := strings.ReplaceAll(strings.Join(parts, " "), "' ", "'")
		as, ok := introducers[by]
		if !ok {
			continue
		}
		m.from, m.by = at-n, by
		if m.how == bare {
			m.how = as.how
		}
		if by == "au" && !m.first.Equal(m.last) { // « au mois de mai 2015 », « au premier trimestre 2015 »
			m.how = bare
		}
		if n <= 1 && r.belongsToLaw(m.from) {
			m.how = asked
		}
		m.narrow(as.day)
		return true
	}
	return at < m.from && leadIns[r.at(m.from-1)]
}

// belongsToLaw reports whether a word that introduces a moment follows a word for a state of the law:
// « en vigueur le », « dans sa version du ».
func (r *reading) belongsToLaw(i int) bool {
	if by := r.at(i); by != "le" && by != "en" && by != "du" && by != "de" && by != "d'" && by != "pour" && by != "au" && by != "courant" && by != "a" {
		return false
	}
	for n := 1; n <= 2; n++ {
		if ofLaw[r.at(i-n)] {
			return true
		}
	}
	return false
}

// narrow makes one day of a moment, the one that the words before it mean.
func (m *moment) narrow(by edge) {
	if !m.known() {
		return
	}
	switch by {
	case firstDay:
		m.last = m.first
	case middleDay:
		m.last = m.first.Add(m.last.Sub(m.first) / 2).Truncate(24 * time.Hour)
	case dayBefore:
		m.last = m.first.AddDate(0, 0, -1)
	case dayAfter:
		m.last = m.last.AddDate(0, 0, 1)
	case noDay:
		m.first, m.last = time.Time{}, time.Time{}
	}
}

// withoutSpans makes one moment, which says no day, of the two that bound a span: « entre 2015 et 2018 »,
// « du 3 au 5 mai 2015 ».
func (r *reading) withoutSpans(all []moment) (out []moment) {
	for _, m := range all {
		from, ok := r.spanBefore(m, out)
		if !ok {
			out = append(out, m)
			continue
		}
		for len(out) > 0 && out[len(out)-1].to > from {
			out = out[:len(out)-1]
		}
		out = append(out, moment{from: from, to: m.to})
	}
	return out
}

// spanBefore returns the word with which the span begins that a moment ends.
func (r *reading) spanBefore(m moment, before []moment) (from int, ok bool) {
	at := m.from // the word that links the two ends
	switch {
	case slices.Contains([]string{"au", "a", "jusqu'au", "jusqu'en", "jusqu'a"}, m.by):
	case r.at(m.from-1) == "et" || r.at(m.from-1) == "a":
		at--
	default:
		return 0, false
	}
	if n := len(before); n > 0 && before[n-1].to == at {
		first := before[n-1]
		switch first.by {
		case "du", "de", "d'", "entre", "entre le", "depuis", "depuis le", "depuis l'", "a partir du", "a partir de", "a compter du":
			return first.from, true
		}
		return 0, false
	}
	// The month or the year of the first end is that of the second: « du 3 au 5 mai 2015 ».
	for i := at - 1; i >= max(0, at-4); i-- {
		if r.at(i) != "du" && r.at(i) != "de" && r.at(i) != "entre" {
			continue
		}
		day := i + 1
		if r.at(day) == "le" {
			day++
		}
		if leadIns[r.at(day)] {
			day++
		}
		number, next := r.ordinalAt(day)
		if law.MonthOf(r.at(next)) != 0 {
			next++
		}
		if number >= 1 && number <= 31 && next == at {
			return i, true
		}
		if number == 1 && r.at(next) == "er" && next+1 == at {
			return i, true
		}
	}
	return 0, false
}
