package question

import (
	"slices"
	"strings"
	"time"

	"vigueur/internal/law"
)

// moment is an expression of time in a question: a day, a month, a part of a year, a year, or words that point at one.
type moment struct {
	from, to    int       // words [from,to) of the question, with those that introduce it
	first, last time.Time // its days; zero if the words name none: « à l'époque », « entre 2015 et 2018 »
	how         relation
	by          string // the words that introduce it
}

// known reports whether the words say which days the moment covers.
func (m moment) known() bool { return !m.last.IsZero() }

// relation is the role of a moment in its sentence.
type relation int

const (
	bare    relation = iota // time of an event: « embauché en 2015 »
	asked                   // time of the law asked about: « au 3 mai 2015 », « en vigueur en 2015 »
	of                      // it belongs to a noun: « le contrat de 2015 »
	present                 // it reaches to the present: « aujourd'hui », « depuis 2015 »
)

// reading is a question whose time is read.
type reading struct {
	text  string
	words []word
	signs []signs   // of each word, and of the end
	today time.Time // zero if unknown; moments that depend on it are then unknown, too
}

// at returns the folded word with an index, "" beyond the ends.
func (r *reading) at(i int) string {
	if i < 0 || i >= len(r.words) {
		return ""
	}
	return r.words[i].text
}

// has reports whether the words from index i on are the given ones.
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

// vague are words for an unspecified past. Those of the second group refer to the law asked about.
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

// vagueAt reads words for an unspecified time, or for the present.
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

// withoutSpans replaces the two ends of a span by one moment of unknown day: « entre 2015 et 2018 », « du 3 au 5 mai
// 2015 ».
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
	// The first day of a span shares the month or the year of the second: « du 3 au 5 mai 2015 ».
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
