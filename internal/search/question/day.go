package question

import (
	"slices"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"
)

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
	moments := r.moments(func(at int) bool {
		return slices.ContainsFunc(refs, func(r Reference) bool {
			dateless := r.Alone || r.Title != "" && r.Number == "" && r.Date.IsZero() && r.Year == 0
			return r.Start <= at && at < r.End && !dateless
		})
	})
	clauses := r.clauses()
	past := r.past(clauses)
	var given, told []moment
	lost := past // whether the question asks about a time that is not known
	for _, m := range moments {
		switch {
		case m.how == present || m.known() && !today.IsZero() && !m.first.After(today) && !m.last.Before(today):
			out.now = true
		case m.how == asked && m.known():
			given = append(given, m)
		case m.how == asked && m.by == "": // « l'ancienne version »
			lost = true
		case m.known() && (past || r.timesTheQuestion(clauses, m)):
			told = append(told, m)
		}
	}
	if len(given) > 0 {
		return r.on(given[0])
	}
	if oneDay(told) {
		return r.on(told[0])
	}
	if told = slices.DeleteFunc(slices.Clone(told), func(m moment) bool { return r.happens(clauses, m, !past) }); oneDay(told) {
		return r.on(told[0])
	}
	out.undated = (lost || len(told) > 0) && !out.now && !r.asksWhen(clauses)
	return out
}

// oneDay reports whether moments mean the same day.
func oneDay(all []moment) bool {
	return len(all) > 0 && !slices.ContainsFunc(all, func(m moment) bool { return !m.last.Equal(all[0].last) })
}

// on returns the time of a moment.
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
	before, at := r.signs[c.from], r.signs[m.from]
	return own && before.own < at.own || before.told < at.told || r.hasEvent(m.to, c.to)
}

// hasEvent reports whether the words [from,to) have a verb in the compound past.
func (r *reading) hasEvent(from, to int) bool {
	return from < to && r.signs[from].compound < r.signs[to].compound
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
