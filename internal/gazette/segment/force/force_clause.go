package force

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"vigueur/internal/kit/lazyre"
	"vigueur/internal/law"
	"vigueur/internal/law/french"
	"vigueur/internal/law/read"
)

// The words after the verb of a clause on entry into force are read in a normal form: folded, with numbers and ordinals
// as figures, without brackets and without the names of other texts. « le premier jour du troisième mois suivant »
// becomes « le 1 jour du 3 mois suivant ». A clause has each part at most once: a day, or an event from which it counts
// (publication, promulgation); a period after the event (unit, count, whole or « francs »); and the beginning of a
// month, quarter, half-year or year after both. If words about time or conditions are left over, the clause is not
// understood, and the day is doubted.

// The parts of clauses in their normal form.
const (
	unitWords   = `(jours?|semaines?|quinzaines?|mois|trimestres?|semestres?|ans?|annees?)\b`
	wholeWords  = `(?: (?:(francs?)|(?:plein|revolu|entier|calendaire|complet|civil)e?s?))?`
	eventNouns  = `(publication|parution|insertion|promulgation|signature|notification)`
	eventVerbs  = `(?:est|a ete|aura ete|sera|ait ete|soit)(?: officiellement)? (publi|promulg|sign|inser|notifi)\w*`
	ofItsOwn    = `(?:sa|son|ladite|cette|la|l'|leur)`
	thisText    = `(?:la presente|le present|les presentes|elle|il|celle-ci|celui-ci|ce texte|ce dernier|cette derniere)(?: \w+)?`
	eventPrefix = `(?:(?:celui|celle|ceux|la date|le jour|du jour|jour|date|meme|officielle|effective|du|de|d'|des|la|le|l'|sa|son|leur|ladite|cette|au|a) ?)*`
	// eventWords matches what a period counts from: « sa publication », « la date de publication de la présente loi », « celui au cours
	// duquel elle est publiée ».
	eventWords = eventPrefix + `(?:` + eventNouns + `\b|(?:au cours (?:duquel|de laquelle)|ou|duquel|pendant lequel|durant lequel|que) ` + thisText + ` ` + eventVerbs +
		`|(?:au cours (?:duquel|de laquelle)|ou|pendant lequel|durant lequel) (?:intervient|interviendra|a lieu|aura lieu|est intervenue) ` + ofItsOwn + ` ?` + eventNouns + `\b` +
		`|au cours (?:duquel|de laquelle) ` + ofItsOwn + ` ?` + eventNouns + ` (?:intervient|interviendra|a lieu|aura lieu|est intervenue)\b)`
	afterWords  = `(?:apres|suivant|suivante?s?|qui suit|qui suivent|qui suivra|qui suivront|a compter|a partir|a dater|depuis|faisant suite a|consecuti\w+ a|courant)`
	periodWord  = `(\d{1,3}) ` + unitWords + wholeWords
	sinceEvent  = `(?: ` + afterWords + `)?(?: ` + eventWords + `| a la date| du jour)`
	delayBefore = `(?:(?:a|apres|passe|au|dans|des|a compter|a partir|de|d') ?)*(?:(?:l'expiration|expiration|l'issue|terme|la fin|l'echeance|du|de|d'|le|un|les) ?)*(?:delai |periode )?(?:de |d')?`
)

// boundaries are the units at whose beginning a text may enter into force.
const boundaries = `(mois|trimestre|semestre|annee|an|semaine)`

var (
	brackets = lazyre.New(`\([^()]{1,24}\)`)

	// unitStart matches « le premier jour du troisième mois suivant »: the groups are the day, the unit's ordinal and the unit.
	unitStart = lazyre.New(`(?:^|[ ,'])(?:le |au |du |a compter du |a partir du |des le )*(\d{1,2}|dernier|debut)(?: (jour))? (?:du|d'une? ?|de l'|de la|de) ?(?:(\d{1,2}) )?` + boundaries + `\b` +
		`(?: (?:civile?|calendaire|entiere?))?(?: immediatement)? (?:` + afterWords + `)(?: (?:immediatement))?`)
	// dayInYear matches « le 1er janvier (de l'année) suivant »: the groups are the day, the month and the year's words.
	dayInYear = lazyre.New(`(?:^|[ ,'])(?:le |au |du |a compter du |a partir du |des le )*(\d{1,2}) (` + strings.Join([]string{"janvier", "fevrier", "mars", "avril", "mai", "juin", "juillet", "aout", "septembre", "octobre", "novembre", "decembre"}, "|") +
		`)( (?:de |d')l'(?:annee|an))? ` + afterWords + `( celle)?`)
	nthDay  = lazyre.New(`(?:^|[ ,'])(?:le |au |du |a compter du |a partir du |des le )+(\d{1,3}) jour(?: (franc|ouvrable|ouvre))? ` + afterWords + `(?: ` + eventWords + `)?`)
	morrow  = lazyre.New(`(?:^|[ ,'])(?:le |au |du |a compter du |a partir du |des le )*(?:lendemain(?: du jour)?|jour suivant(?: celui)?|jour qui suit)(?: ` + eventWords + `)?`)
	period  = lazyre.New(delayBefore + `\b` + periodWord + `(?:` + sinceEvent + `|(?: ` + afterWords + `)?)`)
	happens = lazyre.New(`(?:immediatement|des|a compter|a partir|a la date|le jour|au jour|a dater|lors|au moment|apres|le meme jour que)? ?` + eventWords)
	// ofText matches what follows an event of the text itself: where it is published.
	ofText   = lazyre.New(`^ (?:(?:de la presente|du present|de cette|de ladite|dudit|de ce|de l'|de celle-ci|de celui-ci)(?: \w+)?|(?:au|dans le|dans l[ae'] ?|aux|a la) ?(?:journal|bulletin|memorial|moniteur|recueil|j\.? ?o|jo|gazette|partie)\b[^,;]*)`)
	ofOthers = lazyre.New(`^ (?:de ses|de son|de leurs|des|du|de l'|de la|d'un|d'une|par|de tous|de toutes) ?(?:\w+ )?(?:decret|texte|arrete|mesure|acte|instrument|loi|reglement|ordonnance|arret)s?\b`)

	// apposed matches what explains a day: « le 1er juin 2019, date de publication du décret ».
	apposed = lazyre.New(`, date (?:de|du|d')[^,;]*`)
	// further matches what another verb of the sentence says.
	further = lazyre.New(`(?:,|;| et)(?: (?:elle|il|qui))?(?: y)? (?:abroge|remplace|annule|sera|seront|est|sont|s'applique|modifie|rapporte|cesse|prend fin|prendra fin|complete)\w*\b.*$`)
	// timed matches words about time and conditions. A clause that leaves one of them over is not understood.
	timed = lazyre.New(`\b(?:jours?|mois|ans?|annees?|semaines?|trimestres?|semestres?|exercices?|delais?|suivante?s?|suit|suivent|apres|avant|expiration|terme|issue|dates?|lorsque?|lorsqu|quand|des que|conditions?|reserves?|exceptions?|sauf|decrets?|arretes?|` +
		`au plus (?:tard|tot)|campagnes?|rentree|elections?|depots?|arrivee|affichage|ouvrables?|ouvres?|` + placeNouns + `)\b`)
	places = lazyre.New(`\b(?:` + placeNouns + `)\b`)
)

// placeNouns are words for places where a text enters into force on a day of its own.
const placeNouns = `regions?|departements?|provinces?|wilayas?|prefectures?|chefs?-lieux|chef-lieu|localites?|districts?|communes?|capitale|ailleurs|reste du|territoires?|interieur|circonscriptions?|iles?`

// normal returns the normal form of what follows the verb of a clause.
func normal(rest string) string {
	for _, r := range read.Printed(rest) {
		if r.Number != "" || r.Title != "" || len(r.Articles) > 0 {
			rest = rest[:r.Start] + strings.Repeat(" ", r.End-r.Start) + rest[r.End:]
		}
	}
	rest = strings.Map(func(r rune) rune {
		if law.Dash(r) { // « vingt–quatre »
			return '-'
		}
		return r
	}, rest)
	rest = brackets.ReplaceAllStringFunc(rest, func(s string) string { return strings.Repeat(" ", len(s)) })
	var b strings.Builder
	pos := 0
	tokens := french.Analyze(rest)
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		if t.Kind != french.Number && t.Kind != french.Ordinal {
			continue
		}
		n, err := strconv.Atoi(strings.TrimSuffix(t.Term, "e"))
		if err != nil {
			continue
		}
		end := t.End
		if i+1 < len(tokens) && t.Kind == french.Number && tokens[i+1].Kind == french.Ordinal && tokens[i+1].Start <= t.End+len("‑") { // « quatre-vingt-dixième »
			if more, err := strconv.Atoi(strings.TrimSuffix(tokens[i+1].Term, "e")); err == nil {
				n, end = n+more, tokens[i+1].End
				i++
			}
		}
		b.WriteString(law.Fold(rest[pos:t.Start]) + " " + strconv.Itoa(n) + " ")
		pos = end
	}
	b.WriteString(law.Fold(rest[pos:]))
	return strings.ReplaceAll(strings.Join(strings.Fields(strings.ReplaceAll(b.String(), "’", "'")), " "), "' ", "'")
}

// boundary is the beginning of a unit of the calendar after a day.
type boundary struct {
	unit  string // French, without accents, of a month, quarter, half-year, year or week; "" for none
	count int    // the first, second … of them
	day   int    // the day in it, 0 for the last
	month time.Month
}

// forceAfter reads what follows the verb, up to the end of its clause. unread is set if it does not understand all that the
// clause says about time.
func forceAfter(rest string) Force {
	rest, _, _ = strings.Cut(rest, ";")
	if m := sameTime.FindStringSubmatch(rest); m != nil {
		return Force{With: law.Fold(m[1])}
	}
	if ratified.MatchString(rest) {
		return Force{After: Ratification}
	}
	if tookOffice.MatchString(rest) {
		return Force{}
	}
	if d, start, end, ok := ownDate(rest); ok {
		if f := clauseOf(normal(rest[:start])); f.After == unsaid || f.After == Publication && f.Unread && f.plain() {
			left := normal(rest[:start] + " " + apposedOut(rest[end:]))
			return Force{On: d, Unread: isTimed(left)}
		}
	}
	return clauseOf(normal(rest))
}

// tookOffice matches the day on which a person takes office. An appointment takes effect on that day, but it is not the
// day of the act.
var tookOffice = law.Pattern(`(?i)\b(?:prise|entrée) +(?:effective +)?(?:de|d'|en) *(?:leurs? +|ses? +|sa +)?(?:fonctions?|service)\b|\bd'installation\b`)

// apposedOut removes what explains the day before it.
func apposedOut(rest string) string {
	if m := apposed.FindStringIndex(law.Fold(rest)); len(m) > 0 && m[0] == 0 {
		return ""
	}
	return rest
}

// isTimed reports whether words that a clause left over say something about time or conditions.
func isTimed(left string) bool { return timed.MatchString(further.ReplaceAllString(left, "")) }

// plain reports whether the clause counts no period.
func (f Force) plain() bool {
	return f.years == 0 && f.Months == 0 && f.days == 0 && f.start.unit == ""
}

// clauseOf reads a clause in its normal form.
func clauseOf(s string) Force {
	s = further.ReplaceAllString(" "+s, "")
	f, left := readPart(s)
	if f.After == unsaid && f.plain() {
		return Force{Unread: timed.MatchString(left)}
	}
	if f.After == unsaid {
		f.After = Publication
	}
	if !timed.MatchString(left) {
		return f
	}
	// « à Dakar, trois jours après sa publication, et dans les autres régions, dix jours après »: each place has a day.
	if other, left := readPart(left); places.MatchString(left) && !other.plain() && !timed.MatchString(places.ReplaceAllString(left, "")) {
		if other.After == unsaid {
			other.After = f.After
		}
		f.Elsewhere = &other
		return f
	}
	f.Unread = true
	return f
}

// readPart reads the first day that a clause counts, and returns the clause without the words that say it.
func readPart(s string) (f Force, left string) {
	cut := func(m []int) {
		s = s[:m[0]] + " § " + s[m[1]:]
	}
	group := func(m []int, i int) string {
		if 2*i+1 >= len(m) || m[2*i] < 0 {
			return ""
		}
		return s[m[2*i]:m[2*i+1]]
	}
	number := func(s string) int { n, _ := strconv.Atoi(s); return n }
	if m := dayInYear.FindStringSubmatchIndex(s); m != nil {
		f.start = boundary{unit: "annee", day: number(group(m, 1)), month: law.MonthOf(group(m, 2))}
		if group(m, 3) != "" || group(m, 4) != "" {
			f.start.count = 1
		}
		cut(m)
	} else if m := unitStart.FindStringSubmatchIndex(s); m != nil && (group(m, 2) != "" || strings.HasPrefix(group(m, 4), "mois")) {
		f.start = boundary{unit: group(m, 4), count: max(1, number(group(m, 3))), day: number(group(m, 1))}
		if group(m, 1) == "debut" {
			f.start.day = 1
		}
		f.Unread = f.start.day > 1 && f.start.unit != "mois"
		cut(m)
	} else if m := nthDay.FindStringSubmatchIndex(s); m != nil {
		f.days, f.Unread = number(group(m, 1)), group(m, 2) != ""
		f.After = eventIn(s[m[0]:m[1]])
		rest := s[m[1]:]
		s = s[:m[0]] + " § " + withoutPlace(rest)
		return f, s + ifOthers(rest) + ifUnread(f)
	} else if m := morrow.FindStringSubmatchIndex(s); m != nil {
		f.days, f.After = 1, eventIn(s[m[0]:m[1]])
		rest := s[m[1]:]
		return f, s[:m[0]] + " § " + withoutPlace(rest) + ifOthers(rest)
	}
	if m := period.FindStringSubmatchIndex(s); m != nil {
		f.count(number(group(m, 1)), group(m, 2), group(m, 3) != "")
		f.After = eventIn(s[m[0]:m[1]])
		rest := s[m[1]:]
		return f, s[:m[0]] + " § " + withoutPlace(rest) + ifOthers(rest) + ifUnread(f)
	}
	if m := happens.FindStringIndex(s); m != nil {
		f.After = eventIn(s[m[0]:m[1]])
		rest := s[m[1]:]
		return f, s[:m[0]] + " § " + withoutPlace(rest) + ifOthers(rest) + ifUnread(f)
	}
	return f, s + ifUnread(f)
}

// ifUnread returns a word that marks a clause as not understood if a part of it was not understood.
func ifUnread(f Force) string {
	if f.Unread {
		return " condition"
	}
	return ""
}

// ifOthers returns a word that marks a clause as not understood if its event belongs to another text: « la publication
// de ses décrets ».
func ifOthers(rest string) string {
	if ofOthers.MatchString(withoutPlace(rest)) {
		return " condition"
	}
	return ""
}

// withoutPlace removes what says where a text is published.
func withoutPlace(rest string) string {
	for m := ofText.FindStringIndex(rest); m != nil; m = ofText.FindStringIndex(rest) {
		rest = rest[m[1]:]
	}
	return rest
}

var eventStem = regexp.MustCompile(`publi|parution|inser|promulg|signature|\bsign|notif`)

// eventIn returns the event that some words of a clause name.
func eventIn(words string) Event {
	switch stems := eventStem.FindAllString(words, -1); {
	case len(stems) == 0:
		return unsaid
	case strings.HasPrefix(stems[len(stems)-1], "promulg"), strings.HasPrefix(stems[len(stems)-1], "sign"):
		return Promulgation
	}
	return Publication
}

// ownDate finds the first date of a clause that does not belong to the name of another text: « la loi n° 5-98
// du 3 mars 1998 ».
func ownDate(rest string) (d time.Time, start, end int, ok bool) {
	for _, r := range read.Printed(rest) {
		rest = rest[:r.Start] + strings.Repeat(" ", r.End-r.Start) + rest[r.End:]
	}
	d, start, end, ok = law.FindDate(rest)
	return d, start, end, ok
}

// count adds a period. After « jours francs » neither the day of the event nor the last day counts.
func (f *Force) count(n int, unit string, clear bool) {
	switch {
	case strings.HasPrefix(unit, "jour"):
		f.days += n
		if clear {
			f.days++
		}
	case strings.HasPrefix(unit, "semaine"):
		f.days += 7 * n
	case strings.HasPrefix(unit, "quinzaine"):
		f.days += 15 * n
	case unit == "mois":
		f.Months += n
	case strings.HasPrefix(unit, "trimestre"):
		f.Months += 3 * n
	case strings.HasPrefix(unit, "semestre"):
		f.Months += 6 * n
	default:
		f.years += n
	}
	f.Unread = f.Unread || clear && !strings.HasPrefix(unit, "jour")
}

// countFrom returns the day at the end of a period from a day, and at the boundary after it. A month ends on the day with
// the same number, or on its last day.
func (f Force) countFrom(start time.Time) time.Time {
	start = addMonths(start, 12*f.years+f.Months).AddDate(0, 0, f.days)
	b := f.start
	first := time.Date(start.Year(), start.Month(), 1, 0, 0, 0, 0, time.UTC)
	switch every := map[string]int{"mois": 1, "trimestre": 3, "semestre": 6, "annee": 12, "an": 12}[b.unit]; {
	case b.unit == "semaine":
		monday := start.AddDate(0, 0, -(int(start.Weekday())+6)%7)
		return monday.AddDate(0, 0, 7*b.count)
	case b.month != 0: // « le 1er janvier suivant »
		day := time.Date(start.Year()+b.count, b.month, b.day, 0, 0, 0, 0, time.UTC)
		if b.count == 0 && !day.After(start) {
			day = day.AddDate(1, 0, 0)
		}
		return day
	case every == 0:
		return start
	default:
		first = first.AddDate(0, -(int(first.Month())-1)%every, 0).AddDate(0, every*b.count, 0)
		if b.day == 0 {
			return first.AddDate(0, every, -1)
		}
		return first.AddDate(0, 0, b.day-1)
	}
}

// addMonths returns the day n months later. If that month is shorter, it returns the last day of the month.
func addMonths(d time.Time, n int) time.Time {
	first := time.Date(d.Year(), d.Month()+time.Month(n), 1, 0, 0, 0, 0, time.UTC)
	return first.AddDate(0, 0, min(d.Day(), first.AddDate(0, 1, -1).Day())-1)
}
