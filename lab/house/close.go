package house

import "strings"

// close adds the place, the date and the signatures.
func (p *pen) close(a *act) {
	s := p.style.sign
	date := p.date(a.day)
	if a.blank {
		date = blanks
	}
	place := p.plain(Place, p.pick("Fait à ", "Fait à ", "Fait à ", "Donné à ", "Ainsi fait à ", "Signé à ", "Fait au Palais national, à ", "Délibéré et adopté à ")+p.capital+", le "+date+p.pick("", "", "."))
	if p.chance(10) {
		place = p.plain(Place, p.capital+", le "+date+".")
	}
	place.align, place.before = s.place, 0.7
	if s.place == right {
		place.first = 0
	}
	signers := p.signers(a)
	if !s.under {
		place.keep = true
		p.text(a, place)
	}
	p.signatures(a, signers)
	if s.under {
		p.text(a, place)
	}
	if p.chance(p.style.extras / 6) {
		p.copies(a)
	}
}

// copies is the list of who gets a copy.
func (p *pen) copies(a *act) {
	words := p.pick("Ampliations : ", "AMPLIATIONS :\n", "Destinataires : ", "Copies : ")
	sep := p.pick(" - ", " ; ", "\n", ", ")
	for i := range p.between(4, 14) {
		if i > 0 {
			words += sep
		}
		words += p.initials(p.between(2, 5)) + " " + p.slot("n", "1-20")
	}
	b := p.plain(Note, words)
	b.size, b.before, b.align = 0.85, 1, ragged
	p.text(a, b)
}

// signer is an office and who holds it.
type signer struct{ office, name string }

func (p *pen) signers(a *act) []signer {
	ruler := signer{p.ruler, p.name()}
	minister := signer{a.minister, p.name()}
	var more []signer
	for p.chance(35) && len(more) < 5 {
		more = append(more, signer{capital(p.minister()), p.name()})
	}
	switch a.by {
	case byParliament:
		if p.chance(50) {
			return []signer{ruler}
		}
		return append([]signer{ruler, {"Le Premier ministre", p.name()}}, more...)
	case byRuler:
		if p.chance(40) {
			return []signer{ruler}
		}
		return append([]signer{ruler, {"Le Premier ministre", p.name()}, minister}, more...)
	case byUnion:
		return []signer{{p.pick("Pour le Conseil des ministres,\nLe Président", "Pour la Conférence,\nLe Président en exercice"), p.name()}}
	case byParties:
		return []signer{{"Pour le Gouvernement " + contract("de", p.country), p.name()}, {"Pour le Gouvernement du Royaume de " + p.place(), p.name()}}
	}
	if p.chance(25) {
		return []signer{{"Pour le ministre et par délégation,\nLe " + p.say("fonction"), p.name()}}
	}
	if strings.Contains(a.name, "interm") || strings.Contains(a.name, "conjoint") {
		return append([]signer{minister, {capital(p.minister()), p.name()}}, more...)
	}
	if p.chance(30) {
		minister.office = "" // a name alone
	}
	return []signer{minister}
}

// signatures sets who signs: under each other, or side by side.
func (p *pen) signatures(a *act, list []signer) {
	s := p.style.sign
	if p.style.form == Beside {
		n := len(p.blocks)
		defer func() { // all is drawn that would be without the form
			p.blocks = p.blocks[:n]
			p.rowOfSigners(a, list)
		}()
	}
	if s.beside && len(list) > 1 {
		for len(list) > 1 {
			p.text(a, block{label: Signature, beside: [][]block{p.signature(list[0], false), p.signature(list[1], false)}, shares: []float64{0, 0.52}, before: 0.8})
			list = list[2:]
		}
	}
	for i, one := range list {
		p.text(a, p.signature(one, s.by && i == 0 && len(list) > 1)...)
	}
}

func (p *pen) signature(one signer, by bool) []block {
	s := p.style.sign
	set := func(text string, bold, ital bool) block {
		b := para(Signature, p.style.spell(text))
		b.runs[0].bold, b.runs[0].ital = bold, ital
		b.align, b.before, b.keep, b.narrow = s.align, 0.4, true, true
		if s.align == centered || s.align == right {
			b.left = 2
		}
		return b
	}
	var out []block
	office := one.office
	switch {
	case office != "" && by:
		out = append(out, set("Par "+lowerFirst(office)+" :", false, false))
	case office != "":
		if p.style.head.caps == 2 {
			office = p.style.upper(office)
		}
		out = append(out, set(office+p.pick(",", ",", ""), false, p.chance(20)))
	}
	name := set(p.pick("", "", "", "", "", "Signé : ", "(é) ")+one.name+p.pick("", "", "."), p.style.bold, false)
	name.keep = false
	if s.align == inherit || s.align == ragged {
		name.left = float64(p.pick("a", "b", "c")[0]-'a') * 3
	}
	return append(out, name)
}
