package amend

import (
	"slices"
	"strings"
)

// reserve reads what comes before an order and only limits it: « Sous réserve de l'article 3 ci-dessous, ».
func (p *parser) reserve(i int) int {
	if w := p.word(i); !(w == "sous" && p.word(i+1) == "reserve" || w == "sans" && p.word(i+1) == "prejudice" || w == "nonobstant") || len(p.named) > 0 || p.c.verb != noVerb {
		return i
	}
	for k := i; k < len(p.toks) && k < i+40 && p.toks[k].quote < 0; k++ {
		if p.word(k) == "," {
			return k + 1
		}
	}
	return i
}

// exception reads what a repeal of a whole leaves in force: « , à l'exception de son article 37 qui demeure en vigueur ».
func (p *parser) exception(i int) int {
	if p.c.verb != deletes && p.c.verb != noVerb || len(p.c.subject) == 0 || p.c.subject[len(p.c.subject)-1].article != "" {
		return i
	}
	at := i
	if p.word(at) == "," {
		at++
	}
	switch {
	case p.word(at) == "sauf":
		at++
	case p.word(at) == "a" && p.word(at+1) == "l'" && (p.word(at+2) == "exception" || p.word(at+2) == "exclusion"):
		at += 3
	default:
		return i
	}
	if p.word(at) == "de" && (p.word(at+1) == "son" || p.word(at+1) == "ses") {
		at++
	}
	if w := p.word(at); w == "son" || w == "ses" {
		at++
	} else if n, ok := p.determiner(at, of); ok {
		at = n
	} else if n, ok := p.determiner(at, nominative); ok {
		at = n
	}
	list, next, ok := p.articles(at, false)
	if !ok || several(list) && len(list) > most || slices.ContainsFunc(list, func(s spot) bool { return len(s.path) > 0 || s.article == "" }) {
		return i
	}
	if p.word(next) == "," && p.word(next+1) == "qui" {
		next++
	}
	if w := p.word(next + 1); p.word(next) == "qui" && (strings.HasPrefix(w, "demeur") || strings.HasPrefix(w, "rest")) && p.word(next+2) == "en" && p.word(next+3) == "vigueur" {
		next += 4
	}
	p.c.except = append(p.c.except, numbersOf(list)...)
	return next
}

// aside reads what stands between commas after a text or a place and says nothing of the change: « , modifié et
// complété, », « , tel qu'il résulte de la loi n° 5, », « , modifié par le décret n° 5 du 3 mai 2010, ».
func (p *parser) aside(i int) int {
	if len(p.named) == 0 || p.c.verb != noVerb && p.c.verb != deletes {
		return i
	}
	at, closing := i, ","
	switch p.word(i) {
	case ",":
		at++
	case "(":
		at, closing = i+1, ")"
	case "tel", "telle", "tels", "telles", "approuve", "approuvee", "promulgue", "promulguee", "annexe", "annexee", "modifie", "modifiee":
		if p.word(i-1) == "est" || p.word(i-1) == "sont" || p.word(i-1) == "ainsi" {
			return i
		}
	default:
		return i
	}
	word := p.word(at)
	switch {
	case verbOf(word) == modifies || verbOf(word) == completes || strings.HasPrefix(word, "abrog") || strings.HasPrefix(word, "remplac"):
	case strings.HasPrefix(word, "tel") && len(word) < 7, strings.HasPrefix(word, "approuv"), strings.HasPrefix(word, "promulg"), strings.HasPrefix(word, "ratifi"), strings.HasPrefix(word, "annex"),
		word == "signe" || word == "signee", word == "ensemble", word == "susvise", word == "susvisee", word == "relatif", word == "relative":
	default:
		return i
	}
	if p.passive(at) {
		return i
	}
	if strings.HasPrefix(word, "signe") {
		for k := at + 2; k < len(p.toks) && k < at+16 && p.toks[k].quote < 0; k++ {
			if p.passive(k) && isYear(p.word(k-1)) { // « , signé à Port-Louis, le 17 octobre 1993 sont modifiés »
				return k
			}
		}
	}
	for k := at; k < len(p.toks) && k < at+60; k++ {
		switch {
		case p.toks[k].quote >= 0 || p.word(k) == ":" || p.word(k) == ";" || p.word(k) == ".":
			if (p.c.verb == deletes || p.items) && closing == "," {
				return k // the aside ends the sentence
			}
			return i
		case closing == ")" && p.word(k) == ")":
			return k + 1
		case closing == "," && p.passive(k+1) && k > at:
			return k + 1
		case closing == "," && k > at && p.word(k) == "," && (p.passive(k+1) || p.elementFollows(k+1) || p.c.verb == deletes && !describes(p.word(k+1))):
			return k
		}
	}
	if (p.c.verb == deletes || p.items) && closing == "," && len(p.toks) < at+60 {
		return len(p.toks)
	}
	return i
}

// comprising reads which articles a division has, « , comportant les articles 12 à 14 », and what it is called, « intitulé
// « Des registres » ».
func (p *parser) comprising(i int) int {
	at := i
	if p.word(at) == "," {
		at++
	}
	switch strings.TrimSuffix(strings.TrimSuffix(p.word(at), "s"), "e") {
	case "comportant", "comprenant", "contenant", "regroupant":
		at++
	case "compos", "constitu", "form":
		at++
	case "intitul", "denomm":
		if p.word(at+1) == ":" {
			at++
		}
		if at+1 < len(p.toks) && p.toks[at+1].quote >= 0 && p.c.added != nil && p.c.added.division {
			return at + 2
		}
		return i
	default:
		return i
	}
	if n, ok := p.determiner(at, of); ok {
		at = n
	} else if n, ok := p.determiner(at, nominative); ok {
		at = n
	} else if w := p.word(at); w == "d'" || w == "un" || w == "deux" || w == "trois" {
		at++
	}
	list, next, ok := p.articles(at, false)
	if !ok || slices.ContainsFunc(list, func(s spot) bool { return len(s.path) > 0 || s.article == "" }) {
		return i
	}
	if p.word(next) == "," && p.passive(next+1) {
		next++
	}
	return next
}

// isYear reports whether a word is a year in figures.
func isYear(word string) bool { return len(word) == 4 && strings.Trim(word, "0123456789") == "" }

// describes reports whether a folded word goes on with the title of a text: « , régissant les relations … ».
func describes(word string) bool {
	return len(word) > 5 && strings.HasSuffix(word, "ant") || word == "relatif" || word == "relative"
}

// passive reports whether « est » or « sont » with a verb begins at token i.
func (p *parser) passive(i int) bool {
	if w := p.word(i); w != "est" && w != "sont" && w != "sera" && w != "seront" {
		return false
	}
	for i++; p.word(i) == "ainsi" || p.word(i) == "egalement" || p.word(i) == "expressement" || p.word(i) == "et" || p.word(i) == "demeurent"; i++ {
	}
	return verbOf(p.word(i)) != noVerb
}

// contrary reads « toutes dispositions contraires », which names nothing, up to what it names in particular:
// « , notamment la loi n° 5 ». What it names has the case of the whole.
func (p *parser) contrary(i int) int {
	at := i
	if w := p.word(at); w == "toute" || w == "toutes" || w == "tous" || w == "les" {
		at++
	}
	for p.word(at) == "les" || p.word(at) == "autres" || p.word(at) == "autre" {
		at++
	}
	if w := strings.TrimSuffix(p.word(at), "s"); at == i || w != "disposition" && w != "texte" && w != "prescription" {
		return i
	}
	against := false
	for k := at + 1; k < len(p.toks) && k < at+40; k++ {
		switch w := p.word(k); {
		case p.toks[k].quote >= 0 || w == "." || w == ";" || w == ":":
			return p.void(i, k, against)
		case strings.HasPrefix(w, "contraire") || w == "anterieures" || w == "incompatibles":
			against = true
		case against && (p.passive(k) || verbOf(p.word(k)) == deletes && p.word(k-1) != "demeurent"):
			for n := k + 1; n < len(p.toks) && n < k+6; n++ {
				if p.word(n) == "notamment" { // « toutes dispositions contraires sont abrogées, notamment la loi … »
					p.begin(i)
					p.contraries, p.c.verb = true, deletes
					for n++; p.word(n) == ":" || p.word(n) == ","; n++ {
					}
					return p.listBelow(n)
				}
			}
			return p.void(i, k, true)
		case against && w == "notamment", against && w == "particulier" && p.word(k-1) == "en":
			p.begin(i)
			p.contraries = true
			for k++; p.word(k) == ":" || p.word(k) == "," || p.word(k) == "-"; k++ {
			}
			return p.listBelow(k)
		}
	}
	return p.void(i, len(p.toks), against)
}

// void leaves out the subject of a repeal that names nothing, from token i up to token end.
func (p *parser) void(i, end int, against bool) int {
	if !against {
		return i
	}
	p.nothing = true
	return end
}

// listBelow reads « les dispositions des dahirs suivants : », whose list follows in the paragraphs below.
func (p *parser) listBelow(i int) int {
	for k := i; k < len(p.toks) && k < i+8; k++ {
		if strings.HasPrefix(p.word(k), "suivant") || p.word(k) == "ci-apres" {
			if p.word(k+1) == ":" && k+2 >= len(p.toks) {
				return k + 1
			}
			break
		}
	}
	return i
}
