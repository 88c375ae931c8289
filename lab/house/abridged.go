package house

import (
	"strings"
	"time"
)

// How acts in short are printed.
const (
	shortStop    = iota // « Décret n° 2025-226 du 11 juin 2025. M. X est nommé … »
	shortLine           // « Par arrêté … du … . » and below it what it does
	shortComma          // « Par arrêté du …, M. X est nommé … »
	shortHeading        // a heading over several: « Arrêtés des 12 et 15 … », then shortComma
	shortTitled         // a title of its own, then « Par décret du …, M. X est nommé … »
	shortDash           // « ARRÊTÉ n° 18652 M.I.T. du … — Est approuvé … »
)

// brief adds an act in short, or several under one heading.
func (p *pen) brief() {
	form := p.style.abridged[p.rng.IntN(len(p.style.abridged))]
	if p.style.form == Applying {
		form = shortTitled
	}
	keys := []string{"arrêté", "décret", "décision"}
	for _, k := range p.style.natures {
		if natures[k].number > 0 && natures[k].by < byMayor {
			keys = append(keys, k)
		}
	}
	key := keys[p.rng.IntN(len(keys))]
	switch form {
	case shortHeading:
		p.several(key)
	case shortTitled:
		p.titled(key)
	default:
		a := p.begin(key)
		p.short(a, form)
	}
}

// several is a heading and the acts under it.
func (p *pen) several(key string) {
	n := natures[key]
	days := p.days(p.between(1, 3))
	about := "portant " + p.pick("nomination ", "mouvement ", "promotion ", "titularisation ") + contract("de", p.say("acteurP"))
	dates := p.style.head.dateSign + " " + p.date(days[0])
	if len(days) > 1 {
		var all []string
		for _, d := range days[:len(days)-1] {
			all = append(all, strings.Fields(p.gregorian(d))[0])
		}
		dates = "des " + strings.Join(all, ", ") + " et " + p.gregorian(days[len(days)-1])
	}
	title := n.plural + " " + dates + " " + about + p.pick(".", "")
	b := p.middle(Rubric, title, p.style.head.bold)
	b.align, b.before = p.style.head.align, 1.4
	p.add(b)
	at := len(p.pending)
	p.pending = append(p.pending, entry{text: p.style.spell(strings.TrimSuffix(title, ".")), rubric: n.rubric, ministry: p.say("adjMin"), day: days[0], short: true, owner: len(p.texts)})
	for range p.between(2, 6) {
		a := p.begin(key)
		a.day = days[p.rng.IntN(len(days))]
		p.texts[a.owner].Date = dayOf(a.day)
		if p.style.dates != plain || p.chance(60) {
			a.number, p.texts[a.owner].Number = "", ""
		}
		p.short(a, shortComma)
	}
	p.pending = p.pending[:at+1]
}

// days are days shortly before the issue's, of one month, in order.
func (p *pen) days(n int) []time.Time {
	from := p.earlier(90)
	from = from.AddDate(0, 0, 1-min(from.Day(), 25))
	var out []time.Time
	for i := range n {
		out = append(out, from.AddDate(0, 0, i*p.between(2, 6)+i))
	}
	return out
}

// titled is an act with a title whose text names it again.
func (p *pen) titled(key string) {
	a := p.begin(key)
	a.number, p.texts[a.owner].Number = "", ""
	a.about = p.pick("portant nomination d'un ", "mettant fin aux fonctions d'un ", "portant promotion d'un ") + p.say("fonction")
	p.head(a)
	if p.chance(30) { // dots for what is left out
		p.text(a, p.plain(Paragraph, "................................"))
	}
	name := "Par " + strings.ToLower(a.name) + " " + p.style.head.dateSign + " " + p.date(a.day) + ", "
	if p.often(Applying, 35) {
		p.members(a, name)
		return
	}
	p.text(a, p.plain(Paragraph, name+p.career()))
}

// members is an act that names those who sit in something, one a line.
func (p *pen) members(a *act, name string) {
	body := p.pick("sont nommés membres ", "sont désignés, pour une durée de trois ans, membres ", "la composition est fixée comme suit, au titre ", "il est mis fin, à leur demande, aux fonctions de membres ")
	body += contract("de", p.say("organe"))
	if p.style.form == Applying {
		p.apartFrom(func() {
			body = p.pick("les membres dont les noms suivent sont désignés", "les personnes dont les noms suivent sont nommées membres") + ", en application des dispositions de l'article " + p.slot("n", "2-30") + " " +
				contract("de", cite(p, "décret", "décret exécutif", "loi")+" "+p.about(true)) + ", " + contract("a", p.say("organe"))
		})
	}
	p.text(a, p.plain(Paragraph, name+body+p.pick(" :", ", les personnes suivantes :", ", Mesdames et Messieurs :")))
	mark := p.pick("- ", "— ", "• ", "")
	for range p.between(2, 9) {
		b := p.plain(Paragraph, mark+p.person()+p.pick(", représentant "+contract("de", lowerFirst(p.minister())), ", "+p.say("fonction"), "")+p.pick(" ;", ",", ""))
		b.before = 0.1
		p.text(a, b)
	}
	if p.chance(30) {
		p.text(a, p.plain(Paragraph, p.pick("Les dispositions de l'arrêté "+p.style.head.dateSign+" "+p.date(p.earlier(2000))+" sont abrogées.", "La présidence est assurée par le premier nommé.")))
	}
}

// short is one act in short.
func (p *pen) short(a *act, form int) {
	name := a.name
	if a.key == "arrêté" && p.chance(50) {
		name += " " + contract("de", lowerFirst(a.minister))
	}
	if form == shortComma || form == shortLine {
		name = "Par " + strings.ToLower(name[:1]) + name[1:]
	}
	if p.style.head.caps >= 1 && form != shortComma && form != shortLine {
		name = strings.Replace(name, a.name, p.style.upper(a.name), 1)
	}
	if a.number != "" {
		name += " " + p.style.head.number(a.number)
	}
	name += " " + p.style.head.dateSign + " " + p.date(a.day)
	t := &p.texts[a.owner]
	t.Abridged, t.Title = true, p.style.spell(name)
	p.pending = append(p.pending, entry{text: p.listed(t.Title), rubric: a.rubric, ministry: a.office, day: a.day, owner: a.owner, short: true})
	what := p.measure(form == shortComma)
	bold := p.style.head.bold && p.chance(70)
	b := block{label: Abridged, rest: Paragraph, first: p.style.indent, before: max(p.style.gap, 0.5)}
	switch form {
	case shortStop, shortDash:
		mark := "."
		if form == shortDash {
			mark = " —"
		}
		b.runs = []run{{p.style.spell(name + mark), bold, false}, {p.style.spell(what), false, false}}
		p.text(a, b)
	case shortLine:
		b.runs = []run{{p.style.spell(name + "."), bold, false}}
		b.keep = true
		p.text(a, b, p.plain(Paragraph, what))
	default:
		b.runs = []run{{p.style.spell(name + ", " + what), false, false}}
		p.text(a, b)
	}
	if p.chance(20) {
		p.text(a, p.plain(Paragraph, p.sentence("suite")))
	}
	if p.chance(8) {
		p.close(a)
	}
}
