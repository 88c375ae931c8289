package amend

import "strings"

// isWordsNoun reports whether a folded noun announces quoted words.
func isWordsNoun(word string) bool {
	switch strings.TrimSuffix(word, "s") {
	case "mot", "reference", "nombre", "chiffre", "taux", "montant", "annee", "date", "signe", "somme", "pourcentage", "terme", "expression",
		"membre", "mention", "quantite", "millesime", "duree", "numero", "valeur", "coefficient", "intitule", "symbole", "bout", "partie", "tau", "lettre":
		return true
	}
	return false
}

// quotedAt reads « les mots : « a » et « b » », with or without an article, and returns the
// words.
func (p *parser) quotedAt(i int) (list []string, next int) {
	at := i
	if n, ok := p.determiner(at, nominative); ok {
		at = n
	}
	nouns := 0
	for isWordsNoun(p.word(at)) {
		at, nouns = at+1, nouns+1
		for p.word(at) == "suivant" || p.word(at) == "suivante" || p.word(at) == "suivants" || p.word(at) == "suivantes" {
			at++
		}
		if p.word(at) == "et" { // « le mot et le nombre », « les mots et le signe »
			n, ok := p.determiner(at+1, nominative)
			if !ok {
				n = at + 1
			}
			if isWordsNoun(p.word(n)) {
				at = n
			}
		}
	}
	if nouns == 0 {
		if at, nouns = p.otherNoun(i); nouns == 0 {
			return nil, i
		}
	}
	if p.word(at) == "de" && (isWordsNoun(p.word(at+1)) || p.word(at+1) == "phrase") { // « le membre de phrase »
		at += 2
	}
	if p.word(at) == ":" {
		at++
	}
	for at < len(p.toks) && p.toks[at].quote >= 0 {
		list = append(list, p.quotes[p.toks[at].quote].words)
		next = at + 1
		at = next
		joined, ok := p.joint(at)
		if !ok {
			break
		}
		at = joined
		if n, more := p.nounQuote(at); more { // « et les mots : « b » »
			at = n
		}
	}
	if len(list) == 0 {
		return nil, i
	}
	return list, next
}

// otherNoun reads a noun of any meaning right before a quotation: « la fonction de « Chef du
// Gouvernement » », « celle de « Premier ministre » ».
func (p *parser) otherNoun(i int) (next, nouns int) {
	at, ok := p.determiner(i, nominative)
	if !ok {
		switch p.word(i) {
		case "celle", "celui", "celles", "ceux":
			at = i
		default:
			return i, 0
		}
	}
	if p.at(at) < 0 || !wordRune(firstRune(p.word(at))) {
		return i, 0
	}
	at++
	if w := p.word(at); w == "de" || w == "d'" || w == "du" {
		at++
	}
	if p.word(at) == ":" {
		at++
	}
	if at >= len(p.toks) || p.toks[at].quote < 0 {
		return i, 0
	}
	return at, 1
}

// nounQuote reads a noun with its article before a quotation, if what follows the quotation
// shows that it goes on with the list: a verb or a further joint.
func (p *parser) nounQuote(i int) (next int, ok bool) {
	at, ok := p.determiner(i, nominative)
	if !ok || !isWordsNoun(p.word(at)) {
		return i, false
	}
	if at++; p.word(at) == ":" {
		at++
	}
	if at >= len(p.toks) || p.toks[at].quote < 0 {
		return i, false
	}
	if p.c.verb != noVerb { // after the verb, « les mots … » begins a clause if a verb follows
		for k := at + 1; k < len(p.toks) && k < at+4; k++ {
			if p.word(k) == "est" || p.word(k) == "sont" {
				return i, false
			}
		}
	}
	return at, true
}

// quoted reads quoted words as the subject or the object of the clause.
func (p *parser) quoted(i int) int {
	list, next := p.quotedAt(i)
	if next == i {
		return i
	}
	p.begin(i)
	switch p.c.verb {
	case replaces:
		if len(p.c.words) > 0 || len(p.c.subject) > 0 {
			p.c.new = append(p.c.new, list...)
		} else {
			p.c.words = append(p.c.words, list...)
		}
	case inserts, completes, precedes, rewrites:
		p.c.new = append(p.c.new, list...)
	default:
		p.c.words = append(p.c.words, list...)
	}
	return next
}

// neighbor reads « après le mot : « a » », « avant le dernier alinéa », « après la première
// occurrence du mot : « a » ».
func (p *parser) neighbor(i int) int {
	var side Side
	switch p.word(i) {
	case "apres":
		side = After
	case "entre":
		if list, next, ok := p.spots(i+1, nominative); ok && len(list) == 2 {
			p.begin(i)
			p.note(list)
			p.c.places, p.c.beside = list[:1], After
			return next
		}
		return i
	case "a":
		if p.word(i+1) != "la" || p.word(i+2) != "suite" {
			return i
		}
		list, next, ok := p.spots(i+3, of)
		if !ok {
			return i
		}
		p.begin(i)
		p.note(list)
		p.c.places, p.c.beside = list, After
		return next
	case "avant":
		side = Before
	default:
		return i
	}
	at := i + 1
	nth := 0
	if n, next, ok := p.occurrence(at); ok {
		nth, at = n, next
	}
	if list, next := p.quotedAt(at); next > at && len(list) == 1 {
		p.begin(i)
		p.c.anchor, p.c.beside, p.c.nth = list[0], side, nth
		return next
	}
	if at < len(p.toks) && p.toks[at].quote >= 0 {
		p.begin(i)
		p.c.anchor, p.c.beside, p.c.nth = p.quotes[p.toks[at].quote].words, side, nth
		return at + 1
	}
	list, next, ok := p.spots(at, nominative)
	if !ok {
		return i
	}
	p.begin(i)
	p.note(list)
	p.c.places, p.c.beside = list, side
	return next
}

// occurrence reads « la première occurrence du mot : », up to the noun.
func (p *parser) occurrence(i int) (nth, next int, ok bool) {
	at, ok := p.determiner(i, nominative)
	if !ok {
		return 0, i, false
	}
	n, ok := ordinalOf(p.word(at))
	if !ok || p.word(at+1) != "occurrence" {
		return 0, i, false
	}
	at, ok = p.determiner(at+2, of)
	if !ok {
		return 0, i, false
	}
	return n, at, true
}

// occurrences reads how often the words are meant: « deux fois », « à chaque occurrence »,
// « partout où », « la seconde occurrence du mot : « a » », « les deux occurrences ».
func (p *parser) occurrences(i int) int {
	if n, next, ok := p.occurrence(i); ok {
		if list, end := p.quotedAt(next); end > next && len(list) == 1 {
			p.begin(i)
			p.c.words, p.c.nth = list, n
			return end
		}
		return i
	}
	if p.word(i) == "(" {
		if n, ok := numberWords[p.word(i+1)]; ok && p.word(i+2) == "fois" && p.word(i+3) == ")" {
			p.c.times = n
			return i + 4
		}
	}
	if n, ok := numberWords[p.word(i)]; ok && p.word(i+1) == "fois" {
		p.c.times = n
		return i + 2
	}
	switch {
	case p.word(i) == "a" && (p.word(i+1) == "chaque" || p.word(i+1) == "chacune") && p.word(i+2) == "occurrence":
		p.c.times = everyTime
		return i + 3
	case p.word(i) == "a" && p.word(i+1) == "toutes" && p.word(i+2) == "les" && p.word(i+3) == "occurrences":
		p.c.times = everyTime
		return i + 4
	case p.word(i) == "partout" && p.word(i+1) == "ou":
		p.c.times = everyTime
		at := i + 2
		for p.word(at) == "ils" || p.word(at) == "elles" || p.word(at) == "il" || p.word(at) == "elle" || p.word(at) == "figurent" || p.word(at) == "figure" || p.word(at) == "apparaissent" || p.word(at) == "se" || p.word(at) == "trouvent" {
			at++
		}
		return at
	}
	if at, ok := p.determiner(i, nominative); ok {
		n, counted := numberWords[p.word(at)]
		if counted && p.word(at+1) == "occurrences" {
			if end, ok := p.determiner(at+2, of); ok {
				if list, next := p.quotedAt(end); next > end {
					p.begin(i)
					p.c.words, p.c.times = list, n
					return next
				}
			}
		}
	}
	return i
}
