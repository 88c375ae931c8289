package question

import (
	"slices"
	"strings"
	"time"
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

// introducers maps the words that introduce a moment to their meaning. The longest match counts.
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

// ofLaw are words for a state of the law: a moment that belongs to one of them is the time of the law asked about.
var ofLaw = wordSet("version versions redaction redactions etat teneur mouture formulation vigueur applicable applicables valable valables consolide consolidee libelle")

// leadIns are words that may stand between an introducer and its moment.
var leadIns = wordSet("lundi mardi mercredi jeudi vendredi samedi dimanche annee annees an l'an l'annee exercice jour")

// introduce extends a moment to the words that introduce it, not before word least, and sets their meaning. It reports
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
