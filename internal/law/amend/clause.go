package amend

import (
	"strconv"
	"strings"
	"time"

	"vigueur/internal/law"
)

// verb is what a clause says.
type verb int

const (
	noVerb    verb = iota
	replaces       // « est remplacé par »
	deletes        // « est supprimé », « est abrogé »
	inserts        // « est inséré »
	completes      // « est complété par »
	precedes       // « est précédé de »
	rewrites       // « est ainsi rédigé »
	modifies       // « est ainsi modifié »
	becomes        // « devient »
)

// verbOf returns the verb of which a folded word is a participle or a form.
func verbOf(word string) verb {
	stem := strings.TrimRight(word, "s")
	stem = strings.TrimSuffix(stem, "e")
	if stem == "" {
		return noVerb
	}
	switch stem {
	case "remplace", "remplac", "substitue", "substitu":
		return replaces
	case "supprime", "supprim", "abroge", "abrog":
		return deletes
	case "insere", "inser", "ajoute", "ajout", "intercale", "intercal", "introduit", "cree", "cre", "retabli", "institue", "institu":
		return inserts
	case "complete", "complet":
		return completes
	case "precede", "preced":
		return precedes
	case "redige", "redig", "reformule", "reformul", "libelle", "libell", "concu":
		return rewrites
	case "apporte", "apport":
		return modifies
	case "modifie", "modifi", "amende", "amend", "revise":
		return modifies
	case "devient", "deviennent":
		return becomes
	}
	return noVerb
}

// addition is what is added: « un alinéa », « deux phrases », « un 3° », « un article 5-1 ».
type addition struct {
	unit     Unit
	articles []string
	labels   []string
	division bool
	count    int
}

// clause is an instruction with one verb.
type clause struct {
	in         []spot // « au premier alinéa »
	side       Side   // « à la fin », « au début »
	anchor     string // « après les mots : … »
	places     []spot // « après le premier alinéa »
	beside     Side
	nth        int
	times      int
	words      []string // the words that are the subject
	subject    []spot   // the place that is the subject
	tail       bool     // « la fin de »
	verb       verb
	new        []string  // « … par les mots : … »
	added      *addition // « un alinéa ainsi rédigé »
	named      bool      // a division gets a title and articles that exist
	pairs      bool      // « respectivement »
	announces  bool      // « ainsi rédigé », « les dispositions suivantes »
	start, end int       // bytes of the instruction
}

// complete reports whether the clause says all that its verb needs.
func (c *clause) complete() bool {
	switch c.verb {
	case deletes:
		return len(c.words) > 0 || len(c.subject) > 0
	case replaces:
		return (len(c.words) > 0 || len(c.subject) > 0) && (len(c.new) > 0 || c.added != nil || c.announces)
	case inserts:
		return len(c.new) > 0 || c.added != nil || c.announces
	case completes, precedes:
		return (len(c.subject) > 0 || len(c.in) > 0) && (len(c.new) > 0 || c.added != nil || c.announces)
	case rewrites:
		return len(c.subject) > 0
	case becomes:
		return len(c.subject) > 0 && c.added != nil
	}
	return false
}

// bare reports whether the clause names nothing but places.
func (c *clause) bare() bool {
	return c.verb == noVerb && len(c.words) == 0 && len(c.subject) == 0 && len(c.new) == 0 && c.added == nil && c.anchor == "" && len(c.places) == 0
}

// parser reads one instruction.
type parser struct {
	source  string
	toks    []token
	quotes  []quotation
	mem     *memory
	clauses []clause
	c       clause
	unknown int       // tokens that no rule reads
	day     time.Time // entry into force
	waits   bool      // an entry into force that is not a day
	named   []spot    // all places that were read
	depth   int       // how deep the list of places that is read lies in others
	listed  bool      // the current clause names places of its own
}

// word returns the folded word of token i, "" for a quotation and beyond the end.
func (p *parser) word(i int) string {
	if i < 0 || i >= len(p.toks) {
		return ""
	}
	return p.toks[i].text
}

// at returns the first byte of token i, -1 beyond the end.
func (p *parser) at(i int) int {
	if i < 0 || i >= len(p.toks) || p.toks[i].quote >= 0 {
		return -1
	}
	return p.toks[i].start
}

// after returns the first token that begins at byte at or later.
func (p *parser) after(at int) int {
	low, high := 0, len(p.toks)
	for low < high {
		if mid := (low + high) / 2; p.toks[mid].start < at {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// parse reads the clauses of the instruction.
func (p *parser) parse() {
	p.c = clause{}
	for i := 0; i < len(p.toks); {
		i = max(p.element(i), i+1)
		p.c.end = p.toks[i-1].end
	}
	p.finish()
}

// begin ends the current clause if it is complete, because a further one begins at token i.
// The new clause keeps the places of the last one.
func (p *parser) begin(i int) {
	if !p.c.complete() {
		return
	}
	in := p.c.in
	if p.c.verb != inserts && p.c.verb != deletes && p.c.verb != replaces {
		in = nil
	}
	p.finish()
	p.c, p.listed = clause{in: in, start: p.toks[i].start}, false
}

// finish stores the current clause, unless it is empty.
func (p *parser) finish() {
	c := p.c
	p.c = clause{}
	if c.bare() {
		if n := len(p.clauses); n > 0 && len(c.in) > 0 && len(p.clauses[n-1].in) == 0 { // « … sont supprimés à l'article 5 »
			p.clauses[n-1].in = c.in
		} else if n == 0 && len(c.in) > 0 {
			p.clauses = append(p.clauses, c)
		}
		return
	}
	p.clauses = append(p.clauses, c)
}

// element reads what begins at token i, and returns the token after it.
func (p *parser) element(i int) int {
	tok := p.toks[i]
	if tok.quote >= 0 {
		p.quotation(i)
		return i + 1
	}
	for _, read := range []func(int) int{p.position, p.neighbor, p.occurrences, p.entry, p.addition, p.quoted, p.tailOf, p.place, p.verbAt, p.filler} {
		if next := read(i); next > i {
			return next
		}
	}
	p.unknown++
	return i + 1
}

// quotation takes a quotation that no noun announces: the new wording after a colon, else
// words.
func (p *parser) quotation(i int) {
	q := p.quotes[p.toks[i].quote]
	if p.c.verb != noVerb && (p.c.announces || p.c.added != nil || p.c.verb == replaces || p.c.verb == completes || p.c.verb == rewrites || p.c.verb == inserts || p.c.verb == precedes) {
		p.c.new = append(p.c.new, q.words)
		return
	}
	p.c.words = append(p.c.words, q.words)
}

// position reads « à la fin », « à la fin du premier alinéa », « au début », « in fine ».
func (p *parser) position(i int) int {
	var side Side
	var next int
	switch {
	case p.word(i) == "a" && p.word(i+1) == "la" && p.word(i+2) == "fin":
		side, next = AtEnd, i+3
	case p.word(i) == "en" && p.word(i+1) == "fin", p.word(i) == "in" && p.word(i+1) == "fine":
		side, next = AtEnd, i+2
	case p.word(i) == "au" && (p.word(i+1) == "debut" || p.word(i+1) == "commencement"), p.word(i) == "en" && p.word(i+1) == "tete":
		side, next = AtStart, i+2
	default:
		return i
	}
	p.begin(i)
	list, end, ok := p.spots(next, of)
	if !ok {
		p.c.side = side
		return next
	}
	for k := range list {
		list[k].side = side
	}
	p.within(i, list)
	return end
}

// within sets the places of the clause, which begin at token i. After a joint they go on
// with the list: « au 9° de l'article 5 et à la fin du 1° de l'article 6 ».
func (p *parser) within(i int, list []spot) {
	p.note(list)
	if w := p.word(i - 1); len(p.c.in) > 0 && (w == "," || w == "et" || w == "ou" || w == "que") && p.c.bare() && p.listed {
		p.c.in = append(inherit(p.c.in, list[0]), list...)
		return
	}
	p.listed = true
	if len(p.c.in) > 0 && len(list) > 0 && len(p.c.words) == 0 && p.c.verb == noVerb && narrows(p.c.in, list) {
		var joined []spot
		for _, outer := range p.c.in {
			for _, inner := range list {
				joined = append(joined, within(outer, inner))
			}
		}
		p.c.in = joined
		return
	}
	p.c.in = list
}

// narrows reports whether places are parts of other places: they name no article and no
// level that those have.
func narrows(outer, inner []spot) bool {
	for _, o := range outer {
		for _, n := range inner {
			if n.article != "" || n.division != "" || len(n.path) == 0 || outsideOf(o.path, n.path[0]) {
				return false
			}
		}
	}
	return true
}

// outsideOf reports whether a path has a step of a step's level, or a smaller one.
func outsideOf(path Path, step Step) bool {
	for _, s := range path {
		if s.Level > step.Level || s.Level == step.Level && s.Level != Item {
			return true
		}
	}
	return false
}

// note remembers places for « même ».
func (p *parser) note(list []spot) {
	p.named = append(p.named, list...)
	for _, s := range list {
		p.mem.remember(s.text)
		if s.article != "" {
			p.mem.article = s
		}
		if len(s.path) > 0 {
			p.mem.place = s
		}
	}
}

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

// everyTime is the value of times for words that are meant wherever they are.
const everyTime = -1

// entry reads the entry into force: « à compter du 1er janvier 2011 ».
func (p *parser) entry(i int) int {
	switch {
	case p.word(i) == "a" && (p.word(i+1) == "compter" || p.word(i+1) == "partir"):
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
	if _, ok := ordinalOf(p.word(at)); ok { // « un troisième alinéa »
		if _, ok := levelOf(p.word(at + 1)); ok {
			at++
		}
	}
	add := &addition{count: count}
	var next int
	if level, ok := levelOf(p.word(at)); ok {
		add.unit, next = Alineas, at+1
		if _, err := strconv.Atoi(p.word(next)); err == nil { // « un alinéa 3 »
			next++
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

// ainsiAfter reports whether « ainsi rédigé » follows within a few tokens.
func (p *parser) ainsiAfter(i int) bool {
	for k := i; k < len(p.toks) && k < i+12; k++ {
		if p.word(k) == "ainsi" && verbOf(p.word(k+1)) == rewrites {
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

// place reads a place, as the circumstance or the subject of the clause.
func (p *parser) place(i int) int {
	if list, next, ok := p.spots(i, inside); ok {
		p.begin(i)
		p.within(i, list)
		return next
	}
	list, next, ok := p.spots(i, nominative)
	if !ok {
		return i
	}
	if p.c.verb == becomes && len(p.c.subject) > 0 {
		return i
	}
	p.begin(i)
	p.note(list)
	p.c.subject = append(p.c.subject, list...)
	return next
}

// verbAt reads a verb, with « est » or « sont » and « ainsi ».
func (p *parser) verbAt(i int) int {
	at := i
	passive := false
	for p.word(at) == "est" || p.word(at) == "sont" || p.word(at) == "ainsi" || p.word(at) == "soit" || p.word(at) == "demeurent" || p.word(at) == "egalement" {
		passive = passive || p.word(at) != "ainsi"
		at++
	}
	v := verbOf(p.word(at))
	if strings.HasPrefix(p.word(at), "amend") && !passive { // « une amende »
		return i
	}
	if v == noVerb {
		if w := p.word(i); (w == "prend" || w == "prennent") && (p.word(i+1) == "la" || p.word(i+1) == "les") && strings.HasPrefix(p.word(i+2), "teneur") {
			p.verb(i, rewrites)
			return p.filled(i + 3)
		}
		return i
	}
	if v == inserts && p.word(at-1) == "ainsi" && len(p.c.subject) > 0 { // « le chapitre II est ainsi rétabli »
		v = rewrites
	}
	at++
	for {
		next, joined := p.joint(at)
		if p.word(next) == "/" || p.word(next) == "et" || p.word(next) == "ou" || p.word(next) == "," { // « et/ou », « et, »
			next++
			if p.word(next) == "ou" || p.word(next) == "et" {
				next++
			}
		}
		if !joined || verbOf(p.word(next)) == noVerb || verbOf(p.word(next)) == becomes {
			break
		}
		at = next - 1
		// « abrogé et remplacé »
		switch second := verbOf(p.word(at + 1)); {
		case v == inserts && second == rewrites:
			p.c.announces = true
		case second == replaces || second == rewrites, v == modifies:
			v = second
		}
		if v == completes { // « modifié et complété comme suit »
			v = modifies
		}
		at += 2
	}
	if v == modifies && strings.TrimRight(p.word(at-1), "es") == "remplac" {
		v = replaces
	}
	if p.word(at) == "ainsi" && verbOf(p.word(at+1)) == rewrites && passive { // « est modifié ainsi rédigé »
		at += 2
	}
	p.verb(i, v)
	return p.filled(at)
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
		case "par", "comme", "suit", "ainsi", "qu'", "que", "il", "de", "d'", "ce", "qui":
			if p.word(i) == "il" && p.word(i+1) != "suit" || (p.word(i) == "de" || p.word(i) == "d'") && p.c.verb != precedes {
				return i
			}
			if p.word(i) == "suit" {
				p.c.announces = true
			}
			i++
			continue
		case "les", "la", "le", "l'":
			at := i + 1
			if _, counted := numberWords[p.word(at)]; counted {
				at++
			}
			if !strings.HasPrefix(p.word(at+1), "suivant") && p.word(at+1) != "ci-apres" {
				return i
			}
			level, isPlace := levelOf(p.word(at))
			switch w := p.word(at); {
			case w == "modifications" && p.c.verb == modifies:
			case w == "dispositions" || w == "texte" || w == "disposition" || w == "redaction" || w == "article" || w == "articles":
			case isPlace:
				p.c.added = &addition{unit: Alineas}
				if level == Sentence {
					p.c.added.unit = Sentences
				}
			default:
				return i
			}
			p.c.announces = true
			i = at + 2
			continue
		}
		return i
	}
}

// filler reads words without meaning for the change.
func (p *parser) filler(i int) int {
	switch p.word(i) {
	case ",", ";", ":", ".", "et", "il", "y", "a", "puis", "enfin", "toutefois", "egalement", "par":
		if p.word(i) == "a" && p.word(i-1) != "y" {
			return i
		}
		return i + 1
	case "en":
		if p.word(i+1) == "consequence" || p.word(i+1) == "outre" {
			return i + 2
		}
	case "intitule", "intitulee", "intitules", "intitulees", "comprenant", "denomme", "denommee":
		if p.c.added != nil && p.c.added.division {
			at := i + 1
			for at < len(p.toks) && (p.word(at) != "ainsi" || verbOf(p.word(at+1)) != rewrites) {
				at++
			}
			if at == len(p.toks) {
				p.c.named = true
				return at
			}
			return p.announced(at)
		}
	case "comme", "ainsi":
		if p.c.verb != noVerb && (p.word(i) == "comme" && p.word(i+1) == "suit" || p.word(i) == "ainsi" && strings.HasPrefix(p.word(i+1), "qu") && p.word(i+3) == "suit") {
			p.c.announces = true
			return p.filled(i)
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
	case "precite", "precitee", "susvise", "susvisee", "precites", "precitees":
		return i + 1
	case "(":
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
