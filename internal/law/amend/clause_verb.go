package amend

import (
	"strings"

	"vigueur/internal/law"
	"vigueur/internal/law/french"
)

// place reads a place, as the circumstance or the subject of the clause.
func (p *parser) place(i int) int {
	if list, next, ok := p.spots(i, inside); ok {
		if c := &p.c; c.verb == inserts && c.added != nil && !c.announces && len(c.in)+len(c.new)+len(c.places) == 0 && list[0].path == nil {
			if _, joined := p.joint(i - 1); !joined && p.word(i-1) != ";" { // « est inséré un article 5 bis au code rural »
				p.within(i, list)
				return next
			}
		}
		p.begin(i)
		p.within(i, list)
		return next
	}
	list, next, ok := p.spots(i, nominative)
	if !ok && i == 0 {
		list, next, ok = p.articles(0, false) // « Article 5 du code : ajouter … »
		if spots, end, more := p.spots(next, of); ok && more && len(spots) == 1 && spots[0].article == "" && len(spots[0].path) == 0 {
			for k := range list {
				list[k] = within(spots[0], list[k])
			}
			next = end
		}
		if ok = ok && (p.word(next) == ":" || p.word(next) == ","); ok {
			p.within(i, list)
			return next
		}
	}
	if !ok {
		return i
	}
	if p.c.verb == becomes && len(p.c.subject) > 0 {
		return i
	}
	if mentions(p.word(next)) && list[0].article != "" { // « les articles 28 et 29 mentionnés à l'article 234 »: it is article 234 that changes
		if spots, end, ok := p.spots(next+1, inside); ok && spots[0].article != "" {
			list, next = spots, end
			p.unknown++
		}
	}
	p.begin(i)
	p.note(list)
	p.c.subject = append(p.c.subject, list...)
	return next
}

// verbAt reads a verb, with « est » or « sont » and « ainsi ».
func (p *parser) verbAt(i int) int {
	pos := i
	passive := false
	for p.word(pos) == "est" || p.word(pos) == "sont" || p.word(pos) == "sera" || p.word(pos) == "seront" || p.word(pos) == "ainsi" || p.word(pos) == "soit" || p.word(pos) == "demeurent" || p.word(pos) == "demeure" || p.word(pos) == "egalement" || p.word(pos) == "expressement" || p.word(pos) == "et" && strings.HasPrefix(p.word(pos+1), "demeure") {
		passive = passive || p.word(pos) != "ainsi"
		pos++
	}
	v := verbOf(p.word(pos))
	if w := p.word(pos); !passive && (strings.HasPrefix(w, "amend") || strings.HasPrefix(w, "rapport") || strings.HasPrefix(w, "annul")) { // « une amende », « le rapport »
		return i
	}
	if v == noVerb {
		if next := p.tenor(i); next > i {
			p.verb(i, rewrites)
			return p.filled(next)
		}
		return i
	}
	if v == inserts && p.word(pos-1) == "ainsi" && len(p.c.subject) > 0 { // « le chapitre II est ainsi rétabli »
		v = rewrites
	}
	active := !passive && (v == deletes || v == replaces) && strings.HasSuffix(strings.TrimSuffix(p.word(pos), "nt"), "e") && !strings.ContainsAny(p.source[p.toks[pos].start:p.toks[pos].end], "éÉ") && p.subjectIsAct()
	completing := v == completes
	pos++
	for {
		next, joined := p.joint(pos)
		if p.word(next) == "/" || p.word(next) == "et" || p.word(next) == "ou" || p.word(next) == "," { // « et/ou », « et, »
			next++
			if p.word(next) == "ou" || p.word(next) == "et" {
				next++
			}
		}
		if !joined || verbOf(p.word(next)) == noVerb || verbOf(p.word(next)) == becomes {
			break
		}
		pos = next - 1
		// « abrogé et remplacé »
		switch second := verbOf(p.word(pos + 1)); {
		case v == inserts && second == rewrites:
			p.c.announces = true
		case second == replaces || second == rewrites, v == modifies:
			v = second
		}
		if v == completes { // « modifié et complété comme suit »
			v = modifies
		}
		completing = completing || verbOf(p.word(pos+1)) == completes
		pos += 2
	}
	if v == modifies && strings.TrimRight(p.word(pos-1), "es") == "remplac" {
		v = replaces
	}
	if p.word(pos) == "ainsi" && verbOf(p.word(pos+1)) == rewrites && passive { // « est modifié ainsi rédigé »
		pos += 2
	}
	if active { // « la présente loi abroge et remplace la loi … »
		p.c.subject, v = nil, deletes
	}
	p.verb(i, v)
	p.c.completing = p.c.completing || completing
	return p.filled(pos)
}

// imperative reads an infinitive that orders by itself, at the beginning or after the place: « À l'article 5, remplacer … ».
func (p *parser) imperative(i int) int {
	v, ok := infinitives[p.word(i)]
	if !ok || p.c.verb != noVerb {
		return i
	}
	switch p.word(i - 1) {
	case "", ":", "-":
	case ",":
		if len(p.named) == 0 {
			return i
		}
	case "de":
		if w := p.word(i - 2); w != "lieu" && w != "convient" {
			return i
		}
	default:
		return i
	}
	p.verb(i, v)
	return p.filled(i + 1)
}

// infinitives are the verbs of orders that errata and short acts give in the infinitive.
var infinitives = map[string]verb{"remplacer": replaces, "substituer": replaces, "supprimer": deletes, "inserer": inserts, "ajouter": inserts, "intercaler": inserts, "completer": completes}

// tenor reads « prend la teneur », « auront la teneur », « se lit ».
func (p *parser) tenor(i int) int {
	switch p.word(i) {
	case "se":
		if w := p.word(i + 1); w == "lit" || w == "lisent" || w == "lira" || w == "liront" { // « se lit comme suit »
			return i + 2
		}
	case "prend", "prennent", "prendra", "prendront", "a", "ont", "aura", "auront":
		if p.word(i+1) == "la" && p.word(i+2) == "teneur" {
			return i + 3
		}
	}
	return i
}

// subjectIsAct reports whether the subject is the act itself: « le présent décret », « le règlement ».
func (p *parser) subjectIsAct() bool {
	if w := p.word(0); len(p.c.subject) == 0 && verbOf(p.word(1)) != noVerb && (w == "elle" || w == "il") { // « Elle abroge la loi »
		return true
	}
	return len(p.c.subject) == 1 && p.c.subject[0].text.Self && len(p.c.subject[0].path) == 0 && p.c.subject[0].article == ""
}

// verb sets the verb of the clause at token i.
func (p *parser) verb(i int, v verb) {
	if p.c.verb != noVerb {
		if v == rewrites && (p.c.added != nil || p.c.announces) {
			p.c.announces = true
			return
		}
		if p.c.verb == deletes && v == replaces && p.word(i-1) == "et" && len(p.c.subject) > 0 && verbOf(p.word(i)) == v { // « sont abrogés … et remplacés »
			p.c.verb = v
			return
		}
		if p.c.verb == modifies && (v == completes || v == replaces || v == modifies) { // « modifiés … et complétés »
			if v == replaces {
				p.c.verb = v
			}
			return
		}
		p.begin(i)
		if p.c.verb != noVerb {
			p.unknown++
			return
		}
	}
	p.c.verb = v
	if v == rewrites {
		p.c.announces = true
	}
}

// filled reads what may follow a verb and says nothing of its own.
func (p *parser) filled(i int) int {
	for {
		switch p.word(i) {
		case "de", "dans":
			if n := p.manner(i); n > i {
				p.c.announces = true
				i = n
				continue
			}
			if p.word(i) == "dans" || p.c.verb != precedes {
				return i
			}
			i++
			continue
		case "par", "comme", "suit", "suivent", "ainsi", "qu'", "que", "il", "d'", "ce", "qui":
			if p.word(i) == "par" && p.word(i+1) == "voie" && p.word(i+2) == "de" && p.word(i+3) == "consequence" {
				i += 4
				continue
			}
			if p.word(i) == "il" && p.word(i+1) != "suit" || p.word(i) == "d'" && p.c.verb != precedes {
				return i
			}
			if p.word(i) == "suit" || p.word(i) == "suivent" {
				p.c.announces = true
			}
			i++
			continue
		case "les", "la", "le", "l'":
			pos := i + 1
			if _, counted := french.CountOf(p.word(pos)); counted {
				pos++
			}
			if !strings.HasPrefix(p.word(pos+1), "suivant") && p.word(pos+1) != "ci-apres" {
				return i
			}
			level, isPlace := levelOf(p.word(pos))
			switch w := p.word(pos); {
			case w == "modifications" && p.c.verb == modifies:
			case w == "dispositions" || w == "texte" || w == "disposition" || w == "redaction" || w == "titre" || w == "intitule" || w == "article" || w == "articles":
			case isPlace:
				p.c.added = &addition{unit: Alineas}
				if level == Sentence {
					p.c.added.unit = Sentences
				}
			default:
				return i
			}
			p.c.announces = true
			i = pos + 2
			continue
		}
		return i
	}
}

// manner reads « de la façon suivante », « dans les termes suivants ».
func (p *parser) manner(i int) int {
	pos := i + 1
	if w := p.word(pos); w != "la" && w != "les" && w != "le" {
		return i
	}
	switch p.word(pos + 1) {
	case "facon", "maniere", "sorte", "termes", "forme", "redaction", "teneur", "texte", "sens":
		if strings.HasPrefix(p.word(pos+2), "suivant") || p.word(pos+2) == "ci-apres" {
			return pos + 3
		}
	}
	return i
}

// mentions reports whether a folded word says that one place is named in another.
func mentions(word string) bool {
	switch strings.TrimSuffix(strings.TrimSuffix(word, "s"), "e") {
	case "mentionn", "vis", "prevu", "cit", "enonc", "enumer", "figurant":
		return true
	}
	return false
}

// filler reads words without meaning for the change.
func (p *parser) filler(i int) int {
	switch p.word(i) {
	case ",", ";", ":", ".", "et", "il", "y", "a", "puis", "enfin", "toutefois", "egalement", "par":
		if p.word(i) == "a" && p.word(i-1) != "y" {
			return i
		}
		return i + 1
	case "elle":
		if i == 0 && verbOf(p.word(1)) != noVerb {
			return 1
		}
	case "en":
		if p.word(i+1) == "ce" && p.word(i+2) == "qui" && p.word(i+3) == "concerne" && p.c.verb == modifies { // « rectifié en ce qui concerne le nom … ainsi qu'il suit »
			for pos := i + 4; pos < len(p.toks); pos++ {
				if n := p.filled(pos); n > pos && (p.word(pos) == "ainsi" || p.word(pos) == "comme") {
					return n
				}
			}
			return i
		}
		if p.word(i+1) == "consequence" || p.word(i+1) == "outre" {
			return i + 2
		}
	case "intitule", "intitulee", "intitules", "intitulees", "comprenant", "denomme", "denommee":
		if p.c.added != nil && p.c.added.division {
			pos := i + 1
			for pos < len(p.toks) && (p.word(pos) != "ainsi" || verbOf(p.word(pos+1)) != rewrites) {
				pos++
			}
			if pos == len(p.toks) {
				p.c.named = true
				return pos
			}
			return p.announced(pos)
		}
	case "comme", "ainsi":
		if p.c.verb != noVerb && (p.word(i) == "comme" && p.word(i+1) == "suit" || p.word(i) == "ainsi" && strings.HasPrefix(p.word(i+1), "qu") && p.word(i+3) == "suit") {
			p.c.announces = true
			return p.filled(i)
		}
	case "qui":
		if verbOf(p.word(i+1)) == deletes && p.c.verb == noVerb && p.subjectIsAct() { // « la présente loi, qui abroge … »
			return i + 1
		}
	case "respectivement":
		p.c.pairs = true
		return i + 1
	case "tel", "telle", "tels", "telles", "dans":
		if strings.HasPrefix(p.word(i), "tel") && (strings.HasPrefix(p.word(i+1), "qu") || p.word(i+1) == "que") || p.word(i) == "dans" && (p.word(i+1) == "sa" || p.word(i+1) == "leur") && p.word(i+2) == "redaction" {
			for i++; i < len(p.toks) && p.toks[i].quote < 0 && p.word(i) != "," && p.word(i) != ":"; i++ {
			}
			return i
		}
	case "prevu", "prevue", "prevus", "prevues", "figurant", "mentionne", "mentionnee", "mentionnes", "mentionnees", "vise", "visee", "vises", "visees", "contenus", "contenues", "contenu", "contenue":
		if _, ok := p.determiner(i+1, inside); ok && len(p.c.words) > 0 && len(p.c.new) == 0 {
			return i + 1
		}
	case "precite", "precitee", "susvise", "susvisee", "precites", "precitees", "susvises", "susvisees", "susmentionne", "susmentionnee", "ci-dessus", "nouveau", "nouvelle":
		return i + 1
	case "(":
		if len(p.named) > 0 && p.at(i+1) >= 0 {
			if _, n, ok := law.DateAt(p.source[p.at(i+1):]); ok {
				if end := p.after(p.at(i+1) + n); p.word(end) == ")" { // « du 11 ramadan 1394 (28 septembre 1974) »
					return end + 1
				}
			}
		}
		for k := i + 1; k < len(p.toks) && k < i+8 && p.toks[k].quote < 0; k++ {
			if p.word(k) == ")" {
				if w := p.word(i + 1); w == "non" || w == "nouveau" || w == "nouvelle" || w == "nouveaux" || w == "supprime" {
					return k + 1
				}
				break
			}
		}
	case "suivant", "suivante", "suivants", "suivantes", "ci-apres":
		if p.c.verb != noVerb {
			p.c.announces = true
			return i + 1
		}
	}
	return i
}
