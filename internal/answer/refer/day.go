package refer

import "vigueur/internal/law"

// undatedWarning is the warning of an answer that asks which day is meant.
const undatedWarning = "La question ne dit pas de quel jour est le droit demandé."

// isUndated reports whether a question is about the law of the past, and neither it nor its filters say of which day.
func (p *page) isUndated() bool { return p.asked.Asked.Undated && p.asked.Filters.Date == nil }

// askWhichDay asks for the day whose law is meant: a text may have had other words on each.
func (p *page) askWhichDay() {
	p.warn(undatedWarning)
	p.paragraph()
	p.note("La question est au passé et ne dit pas de quel jour est le droit demandé. De quel jour s’agit-il ? Répondez par exemple « au 1er janvier 2020 » ou « en 2015 », ou « aujourd’hui » pour le droit actuel.")
}

// sayDay says which day's law follows if the question names a day, a month or a year. Of a month or a year, it is the
// last day.
func (p *page) sayDay() {
	if day := p.asked.Asked.Day; day != nil && p.day.Equal(*day) {
		p.paragraph()
		p.note("Date retenue : " + law.WriteDate(*day) + ".")
	}
}
