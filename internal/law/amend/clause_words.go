package amend

import (
	"strings"

	"vigueur/internal/law/french"
)

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
	pos := i
	if n, ok := p.determiner(pos, nominative); ok {
		pos = n
	}
	nouns := 0
	for isWordsNoun(p.word(pos)) {
		pos, nouns = pos+1, nouns+1
		for p.word(pos) == "suivant" || p.word(pos) == "suivante" || p.word(pos) == "suivants" || p.word(pos) == "suivantes" {
			pos++
		}
		if p.word(pos) == "et" { // « le mot et le nombre », « les mots et le signe »
			n, ok := p.determiner(pos+1, nominative)
			if !ok {
				n = pos + 1
			}
			if isWordsNoun(p.word(n)) {
				pos = n
			}
		}
	}
	if nouns == 0 {
		if pos, nouns = p.otherNoun(i); nouns == 0 {
			return nil, i
		}
	}
	if p.word(pos) == "de" && (isWordsNoun(p.word(pos+1)) || p.word(pos+1) == "phrase") { // « le membre de phrase »
		pos += 2
	}
	if p.word(pos) == ":" {
		pos++
	}
	for pos < len(p.toks) && p.toks[pos].quote >= 0 {
		list = append(list, p.quotes[p.toks[pos].quote].Words)
		next = pos + 1
		pos = next
		joined, ok := p.joint(pos)
		if !ok {
			break
		}
		pos = joined
		if n, more := p.nounQuote(pos); more { // « et les mots : « b » »
			pos = n
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
	pos, ok := p.determiner(i, nominative)
	if !ok {
		switch p.word(i) {
		case "celle", "celui", "celles", "ceux":
			pos = i
		default:
			return i, 0
		}
	}
	if p.at(pos) < 0 || !wordRune(firstRune(p.word(pos))) {
		return i, 0
	}
	pos++
	if w := p.word(pos); w == "de" || w == "d'" || w == "du" {
		pos++
	}
	if p.word(pos) == ":" {
		pos++
	}
	if pos >= len(p.toks) || p.toks[pos].quote < 0 {
		return i, 0
	}
	return pos, 1
}

// nounQuote reads a noun with its article before a quotation, if what follows the quotation
// shows that it goes on with the list: a verb or a further joint.
func (p *parser) nounQuote(i int) (next int, ok bool) {
	pos, ok := p.determiner(i, nominative)
	if !ok || !isWordsNoun(p.word(pos)) {
		return i, false
	}
	if pos++; p.word(pos) == ":" {
		pos++
	}
	if pos >= len(p.toks) || p.toks[pos].quote < 0 {
		return i, false
	}
	if p.c.verb != noVerb { // after the verb, « les mots … » begins a clause if a verb follows
		for k := pos + 1; k < len(p.toks) && k < pos+4; k++ {
			if p.word(k) == "est" || p.word(k) == "sont" {
				return i, false
			}
		}
	}
	return pos, true
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
	pos := i + 1
	nth := 0
	if n, next, ok := p.occurrence(pos); ok {
		nth, pos = n, next
	}
	if list, next := p.quotedAt(pos); next > pos && len(list) == 1 {
		p.begin(i)
		p.c.anchor, p.c.beside, p.c.nth = list[0], side, nth
		return next
	}
	if pos < len(p.toks) && p.toks[pos].quote >= 0 {
		p.begin(i)
		p.c.anchor, p.c.beside, p.c.nth = p.quotes[p.toks[pos].quote].Words, side, nth
		return pos + 1
	}
	list, next, ok := p.spots(pos, nominative)
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
	pos, ok := p.determiner(i, nominative)
	if !ok {
		return 0, i, false
	}
	n, ok := ordinalOf(p.word(pos))
	if !ok || p.word(pos+1) != "occurrence" {
		return 0, i, false
	}
	pos, ok = p.determiner(pos+2, of)
	if !ok {
		return 0, i, false
	}
	return n, pos, true
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
		if n, ok := french.CountOf(p.word(i + 1)); ok && p.word(i+2) == "fois" && p.word(i+3) == ")" {
			p.c.times = n
			return i + 4
		}
	}
	if n, ok := french.CountOf(p.word(i)); ok && p.word(i+1) == "fois" {
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
		pos := i + 2
		for p.word(pos) == "ils" || p.word(pos) == "elles" || p.word(pos) == "il" || p.word(pos) == "elle" || p.word(pos) == "figurent" || p.word(pos) == "figure" || p.word(pos) == "apparaissent" || p.word(pos) == "se" || p.word(pos) == "trouvent" {
			pos++
		}
		return pos
	}
	if pos, ok := p.determiner(i, nominative); ok {
		n, counted := french.CountOf(p.word(pos))
		if counted && p.word(pos+1) == "occurrences" {
			if end, ok := p.determiner(pos+2, of); ok {
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
