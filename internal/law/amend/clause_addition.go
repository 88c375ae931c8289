package amend

import (
	"strconv"
	"strings"

	"vigueur/internal/law"
)

// entry reads the entry into force: « à compter du 1er janvier 2011 ».
func (p *parser) entry(i int) int {
	switch {
	case p.word(i) == "a" && (p.word(i+1) == "compter" || p.word(i+1) == "partir"):
	case (p.word(i) == "entre" || p.word(i) == "prend") && (p.word(i+1) == "en" && p.word(i+2) == "vigueur" || p.word(i+1) == "effet"):
		if e := entryOf(p.source[p.toks[i].end:]); e != (entry{}) {
			p.day, p.waits = e.day, e.waits
		}
		for i < len(p.toks) && p.word(i) != "." && p.word(i) != ";" {
			i++
		}
		return i
	case (p.word(i) == "sera" || p.word(i) == "seront") && published(p.word(i+1)):
		for i < len(p.toks) && p.word(i) != "." {
			i++
		}
		return i
	case p.word(i) == "a" && (p.word(i+1) == "l'" && p.word(i+2) == "expiration" || p.word(i+1) == "la" && p.word(i+2) == "date"):
	default:
		return i
	}
	for at := i; at < len(p.toks) && at < i+8; at++ {
		if p.at(at) < 0 {
			break
		}
		if day, n, ok := law.DateAt(p.source[p.at(at):]); ok {
			p.day = day
			return p.after(p.at(at) + n)
		}
	}
	p.waits = true
	at := i
	for at < len(p.toks) && p.word(at) != "," && p.word(at) != ":" && p.toks[at].quote < 0 && (at < i+3 || verbOf(p.word(at)) == noVerb && p.word(at) != "est" && p.word(at) != "sont" && p.word(at) != "il") {
		at++
	}
	return at
}

// published reports whether a folded word says that an act is made known or carried out.
func published(word string) bool {
	for _, stem := range []string{"publi", "execut", "enregistr", "inser", "communiqu", "notifi"} {
		if strings.HasPrefix(word, stem) {
			return true
		}
	}
	return false
}

// addition reads what is added: « un alinéa ainsi rédigé », « des 8° et 9° », « deux
// articles L. 5-1 et L. 5-2 ».
func (p *parser) addition(i int) int {
	if at := i + 4; p.word(i) == "les" && strings.HasPrefix(p.word(i+1), "mot") && p.word(i+2) == "et" && p.c.verb != noVerb && !p.c.complete() {
		_, counted := numberWords[p.word(i+3)]
		if level, ok := levelOf(p.word(at)); counted && ok && level == Sentence { // « les mots et deux phrases ainsi rédigés »
			p.c.added = &addition{unit: Words}
			return p.announced(at + 1)
		}
	}
	count, ok := numberWords[p.word(i)]
	at := i + 1
	if w := p.word(i); (w == "article" || w == "articles" || w == "nouvel") && p.c.verb == inserts && !p.c.complete() { // « est ajouté au code article 5 bis »
		count, ok, at = 1, true, i
	}
	if !ok {
		switch p.word(i) {
		case "des", "d'", "les", "le", "l'", "la": // « complété par les 3° et 4° ainsi rédigés », « devient le 3° »
			if p.word(i) == "d'" && (p.word(at) == "un" || p.word(at) == "une") {
				at++
			}
		case "de":
			if n, ok := numberWords[p.word(at)]; ok {
				count, at = n, at+1
			}
		default:
			return i
		}
		if p.c.verb == noVerb || p.c.verb == deletes || p.c.verb == rewrites {
			return i
		}
		if p.c.complete() {
			return i
		}
	}
	if w := p.word(i); (w == "les" || w == "le" || w == "l'" || w == "la") && p.c.verb != becomes && !(p.c.verb == replaces && p.ainsiAfter(at)) && !(p.c.verb == completes && p.ainsiAfter(at)) && !(p.c.verb == inserts && p.ainsiAfter(at)) {
		return i
	}
	for p.word(at) == "nouvel" || p.word(at) == "nouveau" || p.word(at) == "nouveaux" || p.word(at) == "nouvelle" || p.word(at) == "nouvelles" || p.word(at) == "autre" {
		at++
	}
	add := &addition{count: count}
	if n, ok := ordinalOf(p.word(at)); ok { // « un troisième alinéa »
		if _, ok := levelOf(p.word(at + 1)); ok {
			add.ordinal, at = n, at+1
		}
	}
	var next int
	if level, ok := levelOf(p.word(at)); ok {
		add.unit, next = Alineas, at+1
		if n, err := strconv.Atoi(p.word(next)); err == nil { // « un alinéa 3 »
			add.ordinal, next = n, next+1
		}
		if level == Sentence {
			add.unit = Sentences
		}
	} else if list, end, ok := p.articles(at, false); ok {
		for _, s := range list {
			add.articles = append(add.articles, s.article)
		}
		next = end
	} else if w := p.word(at); (w == "article" || w == "articles") && p.c.verb != becomes {
		next = at + 1
		add.articles = []string{""}
	} else if list, end, ok := p.division(at); ok && len(list) > 0 {
		add.division, next = true, end
	} else if w := p.word(at); isDivision(w) {
		add.division, next = true, at+1
		if w := p.word(next); strings.HasPrefix(w, "additionnel") || w == "preliminaire" {
			next++
		}
	} else if list, end, ok := p.labels(at); ok {
		add.unit, next = Items, end
		for _, s := range list {
			add.labels = append(add.labels, s.path[0].Label)
		}
	} else {
		return i
	}
	if p.c.added == nil || p.c.announces || p.word(i-1) != "et" && p.word(i-1) != "," {
		p.begin(i)
	}
	if p.c.added != nil && p.c.verb != noVerb { // « un III et un IV »
		if p.c.added.unit != add.unit || add.division != p.c.added.division {
			p.unknown++
		}
		p.c.added.labels = append(p.c.added.labels, add.labels...)
		p.c.added.articles = append(p.c.added.articles, add.articles...)
		p.c.added.count += add.count
	} else {
		p.c.added = add
	}
	return p.announced(next)
}

// ainsiAfter reports whether « ainsi rédigé », « libellés comme suit » or « suivants » follows, before any other verb.
func (p *parser) ainsiAfter(i int) bool {
	for k := i; k < len(p.toks) && k < i+60 && p.toks[k].quote < 0 && p.word(k) != "est" && p.word(k) != "sont"; k++ {
		if verbOf(p.word(k)) == rewrites || strings.HasPrefix(p.word(k), "suivant") && k > i+1 {
			return true
		}
	}
	return false
}

// announced reads « ainsi rédigé », « ainsi conçu », « suivant », after an addition.
func (p *parser) announced(i int) int {
	if p.word(i) == "ainsi" && verbOf(p.word(i+1)) == rewrites {
		p.c.announces = true
		return i + 2
	}
	at := i
	for strings.HasPrefix(p.word(at), "nouve") || p.word(at) == "," && strings.HasPrefix(p.word(i), "nouve") {
		at++
	}
	if verbOf(p.word(at)) == rewrites { // « libellé comme suit »
		p.c.announces = true
		return p.filled(at + 1)
	}
	if p.word(at) == "qui" && p.word(at+1) == "prend" && p.word(at+2) == "la" && p.word(at+3) == "teneur" {
		p.c.announces = true
		return at + 5
	}
	if p.word(at) == "ayant" || p.word(at) == "de" || p.word(at) == "dont" || p.word(at) == "a" { // « de la teneur suivante »
		if w := p.word(at + 2); p.word(at+1) == "la" && (w == "teneur" || w == "redaction") {
			p.c.announces = true
			return at + 4
		}
	}
	if w := strings.TrimRight(p.word(i), "es"); w == "suivant" {
		p.c.announces = true
		return i + 1
	}
	return i
}

// tailOf reads « la fin du premier alinéa ».
func (p *parser) tailOf(i int) int {
	if p.word(i) != "la" || p.word(i+1) != "fin" {
		return i
	}
	list, next, ok := p.spots(i+2, of)
	if !ok {
		return i
	}
	p.begin(i)
	p.note(list)
	p.c.subject, p.c.tail = list, true
	return next
}
