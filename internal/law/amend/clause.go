package amend

import (
	"strconv"
	"strings"
	"time"

	"vigueur/internal/law"
	"vigueur/internal/law/french"
)

// verb is what a clause says.
type verb int

const (
	noVerb    verb = iota
	replaces       // « est remplacé par »
	deletes        // « est supprimé », « est abrogé », « est rapporté »
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
	case "supprime", "supprim", "abroge", "abrogent", "abrog", "rapport", "annul", "annule", "biff":
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
	case "modifie", "modifi", "amende", "amend", "revise", "rectifie", "rectifi":
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
	ordinal  int // of an added alinea that the act counts: « un alinéa 3 »
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
	quoted     Span      // of the last of new that no noun announces
	new        []string  // « … par les mots : … »
	added      *addition // « un alinéa ainsi rédigé »
	named      bool      // a division gets a title and articles that exist
	pairs      bool      // « respectivement »
	completing bool      // « modifié, complété et remplacé »
	except     []string  // articles that a repeal of a whole leaves in force
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
	quotes  []law.Quotation
	mem     *memory
	clauses []clause
	c       clause
	unknown int       // tokens that no rule reads
	day     time.Time // entry into force
	waits   bool      // an entry into force that is not a day
	named   []spot    // all places that were read
	depth   int       // how deep the list of places that is read lies in others
	listed  bool      // the current clause names places of its own
	// contraries says that what follows is named among provisions that are contrary to the act, nothing that a repeal
	// names nothing but these.
	contraries, nothing bool
	garbled             bool // the list of articles has a number that cannot be read
	items               bool // the instruction is an item of a list, and needs no article
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
func (p *parser) after(pos int) int {
	low, high := 0, len(p.toks)
	for low < high {
		if mid := (low + high) / 2; p.toks[mid].start < pos {
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
	spots := p.c.in
	if p.c.verb != inserts && p.c.verb != deletes && p.c.verb != replaces {
		spots = nil
	}
	p.finish()
	p.c, p.listed = clause{in: spots, start: p.toks[i].start}, false
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
	for _, read := range []func(int) int{p.corrected, p.reserve, p.exception, p.aside, p.contrary, p.comprising, p.position, p.neighbor, p.occurrences, p.entry, p.imperative, p.addition, p.quoted, p.tailOf, p.place, p.verbAt, p.filler} {
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
		p.c.new, p.c.quoted = append(p.c.new, q.Words), Span{q.Start, q.End}
		return
	}
	p.c.words = append(p.c.words, q.Words)
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

// everyTime is the value of times for words that are meant wherever they are.
const everyTime = -1

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
	for pos := i; pos < len(p.toks) && pos < i+8; pos++ {
		if p.at(pos) < 0 {
			break
		}
		if day, n, ok := law.DateAt(p.source[p.at(pos):]); ok {
			p.day = day
			return p.after(p.at(pos) + n)
		}
	}
	p.waits = true
	index := i
	for index < len(p.toks) && p.word(index) != "," && p.word(index) != ":" && p.toks[index].quote < 0 && (index < i+3 || verbOf(p.word(index)) == noVerb && p.word(index) != "est" && p.word(index) != "sont" && p.word(index) != "il") {
		index++
	}
	return index
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
	if pos := i + 4; p.word(i) == "les" && strings.HasPrefix(p.word(i+1), "mot") && p.word(i+2) == "et" && p.c.verb != noVerb && !p.c.complete() {
		_, counted := french.CountOf(p.word(i + 3))
		if level, ok := levelOf(p.word(pos)); counted && ok && level == Sentence { // « les mots et deux phrases ainsi rédigés »
			p.c.added = &addition{unit: Words}
			return p.announced(pos + 1)
		}
	}
	count, ok := french.CountOf(p.word(i))
	index := i + 1
	if w := p.word(i); (w == "article" || w == "articles" || w == "nouvel") && p.c.verb == inserts && !p.c.complete() { // « est ajouté au code article 5 bis »
		count, ok, index = 1, true, i
	}
	if !ok {
		switch p.word(i) {
		case "des", "d'", "les", "le", "l'", "la": // « complété par les 3° et 4° ainsi rédigés », « devient le 3° »
			if p.word(i) == "d'" && (p.word(index) == "un" || p.word(index) == "une") {
				index++
			}
		case "de":
			if n, ok := french.CountOf(p.word(index)); ok {
				count, index = n, index+1
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
	if w := p.word(i); (w == "les" || w == "le" || w == "l'" || w == "la") && p.c.verb != becomes && !(p.c.verb == replaces && p.ainsiAfter(index)) && !(p.c.verb == completes && p.ainsiAfter(index)) && !(p.c.verb == inserts && p.ainsiAfter(index)) {
		return i
	}
	for p.word(index) == "nouvel" || p.word(index) == "nouveau" || p.word(index) == "nouveaux" || p.word(index) == "nouvelle" || p.word(index) == "nouvelles" || p.word(index) == "autre" {
		index++
	}
	add := &addition{count: count}
	if n, ok := ordinalOf(p.word(index)); ok { // « un troisième alinéa »
		if _, ok := levelOf(p.word(index + 1)); ok {
			add.ordinal, index = n, index+1
		}
	}
	var next int
	if level, ok := levelOf(p.word(index)); ok {
		add.unit, next = Alineas, index+1
		if n, err := strconv.Atoi(p.word(next)); err == nil { // « un alinéa 3 »
			add.ordinal, next = n, next+1
		}
		if level == Sentence {
			add.unit = Sentences
		}
	} else if list, end, ok := p.articles(index, false); ok {
		for _, s := range list {
			add.articles = append(add.articles, s.article)
		}
		next = end
	} else if w := p.word(index); (w == "article" || w == "articles") && p.c.verb != becomes {
		next = index + 1
		add.articles = []string{""}
	} else if list, end, ok := p.division(index); ok && len(list) > 0 {
		add.division, next = true, end
	} else if w := p.word(index); isDivision(w) {
		add.division, next = true, index+1
		if w := p.word(next); strings.HasPrefix(w, "additionnel") || w == "preliminaire" {
			next++
		}
	} else if list, end, ok := p.labels(index); ok {
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
	pos := i
	for strings.HasPrefix(p.word(pos), "nouve") || p.word(pos) == "," && strings.HasPrefix(p.word(i), "nouve") {
		pos++
	}
	if verbOf(p.word(pos)) == rewrites { // « libellé comme suit »
		p.c.announces = true
		return p.filled(pos + 1)
	}
	if p.word(pos) == "qui" && p.word(pos+1) == "prend" && p.word(pos+2) == "la" && p.word(pos+3) == "teneur" {
		p.c.announces = true
		return pos + 5
	}
	if p.word(pos) == "ayant" || p.word(pos) == "de" || p.word(pos) == "dont" || p.word(pos) == "a" { // « de la teneur suivante »
		if w := p.word(pos + 2); p.word(pos+1) == "la" && (w == "teneur" || w == "redaction") {
			p.c.announces = true
			return pos + 4
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
