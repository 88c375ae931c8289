package house

import (
	"strconv"
	"strings"
)

// mast is how an issue begins.
type mast int

const (
	noMast  mast = iota
	boxed        // with a table of prices
	spare        // name, date, number
	stately      // with the state's motto, the year of the gazette
)

// masthead adds the head of an issue and gives its number.
func (p *pen) masthead() string {
	number := strconv.Itoa(p.issue)
	if p.chance(15) {
		number += p.pick(" bis", "-"+strconv.Itoa(p.day.Year()), " spécial")
	}
	if p.style.mast == noMast {
		return number
	}
	year := strconv.Itoa(p.between(2, 160)) + p.pick("e année", "ème ANNÉE", "e ANNÉE", "ème année")
	line := func(s string, size float64, bold bool) {
		b := p.middle(Masthead, s, bold)
		b.size, b.wide, b.keep = size, true, false
		p.add(b)
	}
	date := p.weekday(p.day)
	if p.style.dates != plain {
		date = capital(weekdays[p.day.Weekday()]) + " " + p.date(p.day)
	}
	top := block{label: Masthead, owner: -1, wide: true, shares: []float64{0, 0.6}, beside: [][]block{
		{para(Masthead, p.style.spell(p.pick(year+" - N° "+number, year+"\nN° "+number, "N° "+number+" "+year)))}, {para(Masthead, p.style.spell(p.pick(date, strings.ToUpper(date))))}}}
	top.beside[1][0].align = right
	if p.style.mast != spare || p.chance(50) {
		p.add(top)
	}
	if p.style.mast == stately {
		line(p.style.upper(strings.TrimPrefix(strings.TrimPrefix(p.country, "la "), "le ")), 1.1, true)
		line(p.pick("Unité - Travail - Progrès", "Paix - Justice - Labeur", "Liberté, Ordre, Justice", "Un Peuple – Un But"), 0.9, false)
	}
	if p.style.dates != plain && p.chance(50) { // the name in Arabic too
		line(strings.Join(strings.Fields(p.say("arabic"))[:4], " "), 2.2, true)
	}
	line(p.style.upper(p.style.gazette), 2.6, true)
	line(p.style.upper(contract("de", p.country)), 1.5, true)
	line(p.pick("paraissant le jeudi de chaque semaine à "+p.capital, "CONVENTIONS ET ACCORDS - LOIS ET DÉCRETS", "Paraissant les 1er et 15 de chaque mois", "Recueil des lois, décrets, arrêtés et décisions", "LOIS ET RÈGLEMENTS\nARRÊTÉS, DÉCISIONS, AVIS ET ANNONCES"), 1, false)
	if p.style.mast == spare {
		line("N° "+number+" du "+p.date(p.day), 1, true)
		return number
	}
	p.prices()
	return number
}

// prices is the table of what the gazette costs, and where it is to be had.
func (p *pen) prices() {
	b := block{label: Masthead, owner: -1, wide: true, before: 1, size: 0.85, edges: []float64{0, 0.38, 0.52, 0.68}}
	b.cells = [][]string{{"ABONNEMENTS", "1 AN", "6 MOIS", "DIRECTION ET RÉDACTION"}}
	addresses := []string{"Secrétariat général du Gouvernement", "Imprimerie nationale, B.P. " + p.slot("n", "10-9000") + " " + p.capital, "Tél. : " + p.slot("n", "20-99") + " " + p.slot("n", "20-99") + " " + p.slot("n", "20-99"), "C.C.P. " + p.slot("n", "1000-9000")}
	for i, where := range []string{p.land, "Étranger", "Par avion", "Prix du numéro"} {
		b.cells = append(b.cells, []string{where + strings.Repeat(".", p.between(0, 20)), grouped(p.between(10, 900)*100, p.style.thousands), grouped(p.between(5, 400)*100, p.style.thousands), addresses[i]})
	}
	p.add(b)
	for range p.between(1, 3) {
		line := para(Masthead, p.style.spell(p.pick("Annonces judiciaires et légales : "+p.slot("n", "100-900")+" "+p.money+" la ligne. Les annonces doivent parvenir au plus tard le jeudi précédant la parution.",
			"Prière de joindre la dernière bande pour les renouvellements et réclamations. Pour un changement d'adresse, ajouter "+p.slot("n", "10-90")+" "+p.money+".",
			"Règlement par chèque visé, mandat postal ou versement au compte de l'Imprimerie nationale. Toute demande doit être accompagnée de son prix.",
			"Numéros des années antérieures : suivant barème. Les tables sont fournies gratuitement aux abonnés.")))
		line.wide, line.size, line.before = true, 0.85, 0.3
		p.add(line)
	}
}

// imprint is what the printer puts under an issue.
func (p *pen) imprint() {
	b := p.middle(Furniture, p.pick("Imprimerie nationale - "+p.capital, "Dépôt légal n° "+p.slot("n", "100-900")+" - Imprimerie du "+p.style.gazette+", B.P. "+p.slot("n", "10-900"),
		"Le directeur de la publication : "+p.name(), "Achevé d'imprimer en "+months[p.rng.IntN(12)]+" sur les presses de l'Imprimerie officielle"), false)
	b.before, b.wide, b.size, b.keep = 2, p.chance(60), 0.9, false
	p.add(b)
}

// runningHeads are the running heads of the issue.
func (p *pen) runningHeads() heads {
	s := p.style
	name := s.spell(p.title)
	if p.chance(60) {
		name = s.upper(name)
	}
	date := s.spell(p.gregorian(p.day))
	number := "N° " + strconv.Itoa(p.issue)
	switch s.heads {
	case 1: // folio at the outer edge
		return heads{odd: [3]string{date, name, "#"}, even: [3]string{"#", name, date}}
	case 2: // date over date on the right pages
		return heads{odd: [3]string{p.hijri(p.day, 0) + "\n" + date, name + " " + number, "#"}, even: [3]string{"#", name + " " + number, p.hijri(p.day, 0) + "\n" + date}}
	case 3:
		return heads{foot: [3]string{number, name + " - " + date, "#"}, first: true}
	case 4:
		return heads{odd: [3]string{"Du " + strings.ToLower(p.weekday(p.day)), name, "#"}, even: [3]string{"#", name, number + "-" + strconv.Itoa(p.day.Year())}}
	case 5:
		return heads{foot: [3]string{"", p.pick("- # -", "#", "Page #", "# / 48"), ""}, first: p.chance(50)}
	case 6:
		url := "https://www." + strings.ToLower(bareLetters.Replace(strings.ReplaceAll(p.land, " ", ""))) + ".example/textes/" + p.slot("n", "100-9000")
		return heads{odd: [3]string{p.day.AddDate(3, 0, 0).Format("02/01/2006 15:04"), s.spell(p.title), ""}, foot: [3]string{url, "", "#/12"}, first: true}
	case 7:
		return heads{odd: [3]string{"", name, ""}, foot: [3]string{date, "", "Page # sur 30"}, first: p.bare}
	case 8:
		return heads{odd: [3]string{"", "— # —", ""}}
	}
	return heads{}
}
