package amend

import (
	"math/bits"
	"slices"
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
	deletes        // « est supprimé », « est abrogé », « est rapporté »
	inserts        // « est inséré »
	completes      // « est complété par »
	precedes       // « est précédé de »
	rewrites       // « est ainsi rédigé »
	modifies       // « est ainsi modifié »
	becomes        // « devient »
)

// verbStems are the participles and forms of each verb, without their endings.
var verbStems = func() map[string]verb {
	out := map[string]verb{}
	for v, stems := range []string{replaces: "remplace remplac substitue substitu", deletes: "supprime supprim abroge abrogent abrog rapport annul annule biff",
		inserts: "insere inser ajoute ajout intercale intercal introduit cree cre retabli institue institu", completes: "complete complet", precedes: "precede preced",
		rewrites: "redige redig reformule reformul libelle libell concu", modifies: "apporte apport modifie modifi amende amend revise rectifie rectifi", becomes: "devient deviennent"} {
		for stem := range strings.FieldsSeq(stems) {
			out[stem] = verb(v)
		}
	}
	return out
}()

// actions are the nouns for what verbs say.
var actions = map[string]verb{"remplacement": replaces, "substitution": replaces, "suppression": deletes, "abrogation": deletes, "retrait": deletes,
	"insertion": inserts, "ajout": inserts, "addition": inserts, "adjonction": inserts}

// verbOf returns the verb of which a folded word is a participle or a form.
func verbOf(word string) verb {
	return verbStems[strings.TrimSuffix(strings.TrimRight(word, "s"), "e")]
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
	acts       bool      // « modifié par le remplacement », which is in the place before
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
	got     captured  // by the form that is read
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
		i = max(p.read(i), i+1)
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

// productions are what an instruction may have, in the order in which they are tried, and what act makes of each.
var productions = []struct{ form, says string }{
	{"au|dans memorial*|journal|bulletin|moniteur", "where it is printed"},
	{"il y a lieu de", ""},
	{"au lieu de :? <quote>", "printed words"},
	{"lire|lisez :|,+? <quote>?", "words to read"},
	{"sous reserve / sans prejudice / nonobstant", "a limit"},
	{",? sauf|<except> de? son|ses / ,? sauf|<except> <of>|<the>?", "an exception"},
	{",|( / tel|telle|tels|telles|approuve~|promulgue~|annexe~|modifie~", "an aside"},
	{"toute|toutes|tous|les|autres|autre+ disposition~|texte~|prescription~", "contrary provisions"},
	{",? qui? comportant|comprenant|contenant|regroupant|comprend|comporte|contient|compose~|constitue~|forme~ <of>|<the>|d'|un|deux|trois?", "the articles of a division"},
	{",? intitule~|denomme~ :? <quote>", "the title of a division"},
	{"a la fin <of-places>? / en fin <of-places>? / in fine <of-places>?", "at the end"},
	{"au debut|commencement <of-places>? / en tete <of-places>?", "at the start"},
	{"entre <places>", "between"},
	{"entre <words>", "between words"},
	{"a la suite <of-places>", "beside places"},
	{"apres|avant <nth>? <words>|<quote>|<places>", "beside"},
	{"<nth> <words>", "the nth words"},
	{"( <count> fois ) / <count> fois", "so often"},
	{"a chaque|chacune occurrence / a toutes les occurrences / ,? partout? ou ils|elles|il|elle|y+? <found>|se trouvent? / partout", "everywhere"},
	{"<the> <count> occurrences <of> <words>", "so many words"},
	{"a compter|partir / a l' expiration / a la date", "a day"},
	{"entre|prend <in-force>", "entry into force"},
	{"sera|seront <published>", "publication"},
	{"remplacer|substituer|supprimer|inserer|ajouter|intercaler|completer", "an infinitive"},
	{"par? <the> <action>", "an action"},
	{"de|d' <words>|<quote>", "its object"},
	{"du <such> / des|de la|l'|les? <level>|paragraphe(s)? <such>", "what follows"},
	{"", "an addition"},
	{"<words>", "words"},
	{"la fin <of-places>", "the rest of a place"},
	{"", "a place"},
	{"", "a verb"},
	{"<tenor>", "a tenor"},
	{":", "a heading"},
	{"a|au|aux <words>|<quote>", "words that others replace"},
	{"en|dans tous|toutes ses|leurs <whole>", "all of it"},
	{"en ce sens que|qu'", "a heading"},
	{"y a? / ,|;|:|.|et|il|puis|enfin|toutefois|egalement|par / en consequence|outre / <past>|ci-dessus|nouveau|nouvelle", ""},
	{"elle", "the act"},
	{"en ce qui concerne", "what it is about"},
	{"intitule~|denomme~|comprenant", "a title below"},
	{"comme suit / ainsi qu* il|elle? suit", "a wording below"},
	{"qui <repealed>", "the act"},
	{"respectivement", "one for one"},
	{"tel|telle|tels|telles qu* / dans sa|leur redaction", "which version"},
	{"prevu~|figurant|mentionne~|vise~|contenu~ <in>", "where the words are"},
	{"( <date> )", "another calendar"},
	{"( non|nouveau|nouvelle|nouveaux|supprime", "a remark"},
	{"<such>", "a wording below"},
}

// read reads what begins at token i, and returns the token after it.
func (p *parser) read(i int) int {
	if p.toks[i].quote >= 0 {
		p.quotation(i)
		return i + 1
	}
	for set := started().of(p.word(i)); set != 0; set &= set - 1 {
		production := productions[bits.TrailingZeros64(set)]
		p.got = captured{}
		if next, ok := p.match(i, production.form); ok {
			if next = p.act(production.says, i, next); next > i {
				return next
			}
		}
	}
	p.unknown++
	return i + 1
}

// act takes what a production between tokens i and next says into the clause, and returns the token after it, i if it says nothing of
// the kind here.
func (p *parser) act(says string, i, next int) int {
	c, got := &p.c, p.got
	switch says {
	case "where it is printed": // « Au Mémorial A – n° 38 du 16 août, page 522, il y a lieu de lire »
		return p.until(next, 38, "il y / lire")
	case "printed words":
		c.words, c.times = append(c.words, got.words...), 1
	case "words to read":
		if c.verb != noVerb && c.verb != replaces && c.verb != modifies {
			return i
		}
		if c.verb = replaces; len(c.in) == 0 {
			c.in, c.subject = c.subject, nil
		}
		c.new = append(c.new, got.words...)
	case "a limit": // « Sous réserve de l'article 3 ci-dessous, »
		if len(p.named) > 0 || c.verb != noVerb {
			return i
		}
		return p.until(i, 40, ",") + 1
	case "an exception":
		return p.exception(i, next)
	case "an aside":
		return p.aside(i)
	case "contrary provisions":
		return p.contrary(i, next)
	case "the articles of a division":
		list, next, ok := p.articles(next, false)
		if !ok || slices.ContainsFunc(list, func(s spot) bool { return len(s.path) > 0 || s.article == "" }) {
			return i
		}
		if p.is(next, ", <done>") {
			next++
		}
		return next
	case "the title of a division":
		if c.added == nil || !c.added.division {
			return i
		}
	case "at the end":
		if p.position(i, AtEnd, got.list); c.verb == completes { // « est complété in fine par la phrase suivante »
			return p.filled(next)
		}
	case "at the start":
		p.position(i, AtStart, got.list)
	case "between":
		if len(got.list) != 2 {
			return i
		}
		p.beside(i, got.list, got.list[:1], After)
	case "between words": // « entre les mots « a » et « b » »
		if len(got.words) != 2 {
			return i
		}
		p.begin(i)
		c.anchor, c.beside = got.words[0], After
	case "beside places":
		p.beside(i, got.list, got.list, After)
	case "beside":
		side := After
		if p.word(i) == "avant" {
			side = Before
		}
		switch {
		case len(got.words) > 1:
			return i
		case len(got.words) == 1:
			p.begin(i)
			if c.anchor, c.beside = got.words[0], side; p.is(i+1, "<nth>") {
				c.nth = p.got.nth
			}
		default:
			p.beside(i, got.list, got.list, side)
		}
	case "the nth words":
		if len(got.words) != 1 {
			return i
		}
		p.begin(i)
		c.words, c.nth = got.words, got.nth
	case "so often":
		c.times = got.count
	case "everywhere":
		c.times = everyTime
	case "so many words":
		p.begin(i)
		c.words, c.times = got.words, got.count
	case "a day":
		return p.entry(i)
	case "entry into force":
		if e := entryOf(p.source[p.toks[i].end:]); e != (entry{}) {
			p.day, p.waits = e.day, e.waits
		}
		return p.through(i, ".|;")
	case "publication":
		return p.through(i, ".")
	case "an infinitive": // « À l'article 5, remplacer … »: at the beginning, or after the place
		if c.verb != noVerb || p.word(i-1) != "" && !p.is(i-1, ":|-") && !(p.word(i-1) == "," && len(p.named) > 0) && !p.is(i-2, "lieu|convient de") {
			return i
		}
		p.verb(i, verbOf(strings.TrimSuffix(p.word(i), "r")))
		return p.filled(next)
	case "an action": // « est modifié par le remplacement, dans le premier alinéa, de « a » par « b » »
		v, known := actions[strings.TrimSuffix(p.word(next-1), "s")]
		if !known || c.verb != modifies && c.verb != completes && (c.verb != noVerb || p.word(i) != "par") || len(c.new) > 0 {
			return i
		}
		c.verb, c.acts, c.in, c.subject = v, true, append(c.in, c.subject...), nil
	case "its object": // « par l'insertion, après « a », de « b » »
		switch {
		case c.verb == deletes || c.verb == replaces && len(c.words)+len(c.subject) == 0:
			c.words = append(c.words, got.words...)
		case c.verb == inserts:
			c.new = append(c.new, got.words...)
		default:
			return i
		}
	case "what follows": // « par l'insertion, après le deuxième alinéa, du suivant : »
		if c.verb != inserts || c.added != nil {
			return i
		}
		c.added, c.announces = &addition{unit: Alineas, count: 1}, true
		if len(c.places) > 0 && len(c.places[0].path) == 0 {
			c.added.articles = []string{""}
		} else if len(c.places) > 0 {
			c.added.unit = unitOf(c.places[0].path)
		}
	case "an addition":
		return p.addition(i)
	case "words":
		p.quoted(i, got.words)
	case "the rest of a place":
		p.begin(i)
		p.note(got.list)
		c.subject, c.tail = got.list, true
	case "a place":
		return p.place(i)
	case "a verb":
		return p.verbAt(i)
	case "a tenor":
		p.verb(i, rewrites)
		return p.filled(next)
	case "the act":
		if p.word(i) == "elle" && i == 0 && p.is(1, "<verb>") || p.word(i) == "qui" && c.verb == noVerb && p.subjectIsAct() { // « la présente loi, qui abroge … »
			return i + 1
		}
		return i
	case "what it is about": // « rectifié en ce qui concerne le nom … ainsi qu'il suit »
		for k := next; k < len(p.toks) && c.verb == modifies; k++ {
			if p.is(k, "ainsi|comme") && p.filled(k) > k {
				return p.filled(k)
			}
		}
		return i
	case "a title below":
		if c.added == nil || !c.added.division {
			return i
		}
		for k := next; k < len(p.toks); k++ {
			if p.is(k, "ainsi <worded>") {
				return p.announced(k)
			}
		}
		c.named = true
		return len(p.toks)
	case "a wording below":
		if c.verb == noVerb {
			return i
		}
		c.announces = true
		return p.filled(next)
	case "words that others replace": // « les mots « a » sont substitués aux mots « b » », « aux mots « b » sont substitués les mots « a » »
		switch {
		case p.is(next, "<substituted>") || p.is(i-1, "substitu*") && len(c.words) == 0:
			c.words = append(c.words, got.words...)
		case c.verb == replaces && p.is(i-1, "substitu*") && len(c.new) == 0:
			c.words, c.new = got.words, c.words
		default:
			return i
		}
	case "all of it": // « le décret est abrogé en toutes ses dispositions »
		if c.verb != deletes || len(c.subject) == 0 {
			return i
		}
	case "a heading": // « L'article 5 est modifié ainsi qu'il suit : le second alinéa est supprimé », « modifié en ce sens que »
		if c.verb == modifies && (c.announces || next > i+1) && len(c.subject) > 0 && len(c.new) == 0 && p.at(next) >= 0 && !p.is(next, "au lieu / lire|lisez") {
			p.finish()
		}
	case "one for one":
		c.pairs = true
	case "which version":
		return p.through(i+1, ",|:|<quote>")
	case "where the words are":
		if len(c.words) == 0 || len(c.new) > 0 {
			return i
		}
		return i + 1
	case "another calendar": // « du 11 ramadan 1394 (28 septembre 1974) »
		if len(p.named) == 0 {
			return i
		}
	case "a remark":
		return p.until(i, 8, ")") + 1
	}
	return next
}

// through returns the token from i on that has a form, or the end.
func (p *parser) through(i int, form string) int {
	for i < len(p.toks) && !p.is(i, form) {
		i++
	}
	return i
}

// quotation takes a quotation that no noun announces: the new wording after a colon, else
// words.
func (p *parser) quotation(i int) {
	q := p.quotes[p.toks[i].quote]
	if p.c.verb == replaces && len(p.c.words)+len(p.c.subject) == 0 && p.is(i+1, "par") { // « remplacer « a » par « b » »
		p.c.words = append(p.c.words, q.Words)
		return
	}
	if p.c.verb != noVerb && (p.c.announces || p.c.added != nil || p.c.verb == replaces || p.c.verb == completes || p.c.verb == rewrites || p.c.verb == inserts || p.c.verb == precedes) {
		p.c.new, p.c.quoted = append(p.c.new, q.Words), Span{q.Start, q.End}
		return
	}
	p.c.words = append(p.c.words, q.Words)
}

// position takes places, or the clause, whose beginning or end is meant.
func (p *parser) position(i int, side Side, list []spot) {
	p.begin(i)
	if len(list) == 0 {
		p.c.side = side
		return
	}
	for k := range list {
		list[k].side = side
	}
	p.within(i, list)
}

// beside takes places that something is added beside.
func (p *parser) beside(i int, named, places []spot, side Side) {
	p.begin(i)
	p.note(named)
	p.c.places, p.c.beside = places, side
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
	if len(p.c.in) > 0 && len(list) > 0 && len(p.c.words) == 0 && (p.c.verb == noVerb || p.c.acts) && narrows(p.c.in, list) {
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

// entry reads the day of « à compter du 1er janvier 2011 ».
func (p *parser) entry(i int) int {
	for k := i; k < len(p.toks) && k < i+8 && p.at(k) >= 0; k++ {
		if next, ok := p.match(k, "<date>"); ok {
			p.day = p.got.day
			return next
		}
	}
	p.waits = true
	for k := i; ; k++ {
		if p.is(k, ",|:|<quote>") || k == len(p.toks) || k >= i+3 && p.is(k, "<verb>|est|sont|il") {
			return k
		}
	}
}

// addition reads what is added: « un alinéa ainsi rédigé », « des 8° et 9° », « deux articles L. 5-1 et L. 5-2 ».
func (p *parser) addition(i int) int {
	c := &p.c
	unfinished := c.verb != noVerb && !c.complete()
	if next, ok := p.match(i, "les mot* et <count> <sentence>"); ok && unfinished { // « les mots et deux phrases ainsi rédigés »
		c.added = &addition{unit: Words}
		return p.announced(next)
	}
	add, next := &addition{}, i
	switch {
	case c.verb == inserts && unfinished && p.is(i, "article|articles|nouvel"): // « est ajouté au code article 5 bis »
		add.count = 1
	case p.take(&next, "<count>"):
		add.count = p.got.count
	case !unfinished || c.verb == deletes || c.verb == rewrites:
		return i
	case p.take(&next, "de <count>"):
		add.count = p.got.count
	case p.take(&next, "d' un|une / des|d'|de"):
	case p.take(&next, "les|le|l'|la"): // « complété par les 3° et 4° ainsi rédigés », « devient le 3° »
		if c.verb != becomes && (c.verb != replaces && c.verb != completes && c.verb != inserts || !p.ainsiAfter(next)) {
			return i
		}
	default:
		return i
	}
	next = p.skip(next, "<new>+?")
	if p.is(next, "<ordinal> <level>|paragraphe") { // « un troisième alinéa »
		add.ordinal, next = p.got.nth, next+1
	}
	if level, ok := levelOf(p.word(next)); ok {
		if add.unit = Alineas; level == Sentence {
			add.unit = Sentences
		}
		next++
		if n, err := strconv.Atoi(p.word(next)); err == nil { // « un alinéa 3 »
			for add.ordinal, next = n, next+1; p.is(next, "et|, <number>"); next += 2 {
				add.count = max(add.count, 1) + 1
			}
		}
	} else if list, end, ok := p.articles(next, false); ok {
		for _, s := range list {
			add.articles = append(add.articles, s.article)
		}
		next = end
	} else if c.verb != becomes && p.take(&next, "article|articles") {
		add.articles = []string{""}
	} else if list, end, ok := p.division(next); ok && len(list) > 0 {
		add.division, next = true, end
	} else if p.take(&next, "<division> additionnel*|preliminaire?") {
		add.division = true
	} else if list, end, ok := p.labels(next); ok {
		add.unit, next = Items, end
		for _, s := range list {
			add.labels = append(add.labels, s.path[0].Label)
		}
	} else if p.take(&next, "paragraphe(s)") {
		add.unit = Alineas
	} else {
		return i
	}
	if c.added == nil || c.announces || !p.is(i-1, "et|,") {
		p.begin(i)
	}
	if c.added != nil && c.verb != noVerb { // « un III et un IV »
		if c.added.unit != add.unit || add.division != c.added.division {
			p.unknown++
		}
		c.added.labels = append(c.added.labels, add.labels...)
		c.added.articles = append(c.added.articles, add.articles...)
		c.added.count += add.count
	} else {
		c.added = add
	}
	return p.announced(next)
}

// ainsiAfter reports whether « ainsi rédigé », « libellés comme suit » or « suivants » follows, before any other verb.
func (p *parser) ainsiAfter(i int) bool {
	k := p.until(i, 60, "<worded>|est|sont|<such>")
	return k >= 0 && (p.is(k, "<worded>") || k > i+1 && p.is(k, "<such>"))
}

// announced reads « ainsi rédigé », « libellé comme suit », « de la teneur suivante », after an addition.
func (p *parser) announced(i int) int {
	next := i
	if p.is(i, "nouve*") {
		next = p.skip(i, "nouve*|,+")
	}
	switch {
	case p.take(&i, "ainsi <worded> / <such>"):
	case p.take(&next, "qui prend la teneur <such>? / ayant|de|dont|a la teneur|redaction <such>|suit?"):
		i = next
	case p.take(&next, ", <worded>"): // « un article 5 bis, rédigé comme suit, est inséré »
		i = p.filled(next)
	case p.take(&next, "<worded>"):
		i = p.filled(next)
	default:
		return i
	}
	p.c.announces = true
	return i
}

// place reads a place, as the circumstance or the subject of the clause.
func (p *parser) place(i int) int {
	if c := &p.c; c.verb != noVerb && len(c.subject) > 0 && !c.complete() || c.verb == rewrites { // « est modifié en son alinéa 2 »
		if list, next, ok := p.spots(i, "<own>"); ok {
			var inner []spot
			for _, outer := range c.subject {
				for _, s := range list {
					inner = append(inner, within(outer, s))
				}
			}
			p.note(inner)
			c.subject = inner
			return p.filled(next)
		}
	}
	if list, next, ok := p.spots(i, "<in>"); ok {
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
	list, next, ok := p.spots(i, "<the>")
	if !ok && i == 0 {
		list, next, ok = p.articles(0, false) // « Article 5 du code : ajouter … »
		if spots, end, more := p.spots(next, "<of>"); ok && more && len(spots) == 1 && spots[0].article == "" && len(spots[0].path) == 0 {
			for k := range list {
				list[k] = within(spots[0], list[k])
			}
			next = end
		}
		if ok = ok && p.is(next, ":|,|<done> / . •|-"); ok && !p.is(next, "<done>") {
			p.within(i, list)
			return p.skip(next, ". •|-")
		}
	}
	if !ok {
		return i
	}
	if p.c.verb == becomes && len(p.c.subject) > 0 {
		return i
	}
	if p.is(next, "<mentioned>") && list[0].article != "" { // « les articles 28 et 29 mentionnés à l'article 234 »: it is article 234 that changes
		if spots, end, ok := p.spots(next+1, "<in>"); ok && spots[0].article != "" {
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
	pos := p.skip(i, "<auxiliary>+?")
	passive := slices.ContainsFunc(p.toks[i:pos], func(t token) bool { return t.text != "ainsi" })
	v := verbOf(p.word(pos))
	if p.is(pos, "a remplacer|supprimer|inserer|ajouter|completer") && passive { // « le mot « a » est à remplacer par « b » »
		pos++
		v = verbOf(strings.TrimSuffix(p.word(pos), "r"))
	}
	if v == noVerb || !passive && p.is(pos, "amend*|rapport*|annul*") && !(p.word(pos) == "annule" && p.subjectIsAct()) { // « une amende », « le rapport »
		return i
	}
	if v == inserts && len(p.c.subject) > 0 && (p.word(pos-1) == "ainsi" || p.is(pos, "retabli~ <manner>")) { // « le chapitre II est ainsi rétabli »
		v = rewrites
	}
	printed := p.source[p.toks[pos].start:p.toks[pos].end]
	active := !passive && (v == deletes || v == replaces) && strings.HasSuffix(strings.TrimSuffix(p.word(pos), "nt"), "e") && !strings.ContainsAny(printed, "éÉ") && p.subjectIsAct()
	completing := v == completes
	for pos++; p.is(pos, "<joint> /|et|ou|,? ou|et? <verb>"); { // « abrogé et remplacé », « et/ou »
		pos = p.skip(pos, "<joint> /|et|ou|,? ou|et?")
		second := verbOf(p.word(pos))
		if second == becomes {
			break
		}
		switch {
		case v == inserts && second == rewrites:
			p.c.announces = true
		case second == replaces || second == rewrites, v == modifies:
			v = second
		}
		if v == completes { // « modifié et complété comme suit »
			v = modifies
		}
		completing = completing || second == completes
		pos++
	}
	if v == modifies && p.is(pos-1, "remplace~") {
		v = replaces
	}
	if passive { // « est modifié ainsi rédigé »
		pos = p.skip(pos, "ainsi <worded>")
	}
	if active { // « la présente loi abroge et remplace la loi … »
		p.c.subject, v = nil, deletes
	}
	if !passive && v == replaces && len(p.c.words) > 0 && len(p.c.new) == 0 && p.is(pos-1, "remplace|remplacent") && p.is(pos, "<words>") { // « le mot « a » remplace le mot « b » »
		p.c.words, p.c.new, p.c.verb = p.got.words, p.c.words, v
		return p.skip(pos, "<words>")
	}
	p.verb(i, v)
	p.c.completing = p.c.completing || completing
	return p.filled(pos)
}

// subjectIsAct reports whether the subject is the act itself: « le présent décret », « le règlement ».
func (p *parser) subjectIsAct() bool {
	if len(p.c.subject) == 0 {
		return p.is(0, "elle|il <verb>") // « Elle abroge la loi »
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
		if p.c.verb == modifies && v == rewrites && len(p.c.new) == 0 { // « est modifié et se lit comme suit »
			p.c.verb, p.c.announces = v, true
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

// filled reads what may follow a verb and only announces.
func (p *parser) filled(i int) int {
	for {
		switch {
		case p.take(&i, "<manner> / il? suit|suivent|ilsuit / les|la|le|l'|une|un|des <count>|<new>? <whole> <new>? <such> / les|la|le|l' <whole>? <such> / les|la|le|l' <whole> qui suit|suivent"),
			p.c.verb == modifies && p.take(&i, "les <count>? modifications <such>"):
			p.c.announces = true
		case p.take(&i, "les|la|le|l' <count>? <level>|paragraphe(s) <such>"):
			p.c.announces, p.c.added = true, &addition{unit: Alineas}
			if p.is(i-2, "<sentence>") {
				p.c.added.unit = Sentences
			}
		case p.take(&i, "par voie de consequence / par|comme|ainsi|qu'|que|ce|qui"), p.c.verb == precedes && p.take(&i, "de|d'"):
		default:
			return i
		}
	}
}

// quotedAt reads « les mots : « a » et « b » », with or without an article, and returns the words.
func (p *parser) quotedAt(i int) (list []string, next int) {
	pos, ok := p.match(i, "<the>? <noun>+ suivant~+? <noun-too>+? suivant~+? <phrase>? :?")
	if !ok { // a noun of any meaning: « celle de « Premier ministre » »
		if pos, ok = p.match(i, "<the> <letters> de|d'|du? :? / celle|celui|celles|ceux de|d'|du? :?"); !ok {
			return nil, i
		}
	}
	for p.is(pos, "<quote>") {
		list = append(list, p.quotes[p.toks[pos].quote].Words)
		next = pos + 1
		if pos, ok = p.joint(next); !ok {
			break
		}
		pos = p.nounQuote(pos) // « et les mots : « b » »
	}
	if len(list) == 0 {
		return nil, i
	}
	return list, next
}

// nounQuote reads a noun with its article before a quotation, if the list goes on with it: after the verb, « les mots … » begins a
// clause if a verb follows.
func (p *parser) nounQuote(i int) int {
	pos, ok := p.match(i, "<the> <noun> :?")
	if !ok || !p.is(pos, "<quote>") || p.c.verb != noVerb && p.is(pos+1, "est|sont / <any> est|sont / <any> <any> est|sont") {
		return i
	}
	return pos
}

// quoted takes quoted words as the subject or the object of the clause, which they begin at token i.
func (p *parser) quoted(i int, list []string) {
	p.begin(i)
	switch c := &p.c; {
	case c.verb == replaces && len(c.words)+len(c.subject) > 0, c.verb == inserts, c.verb == completes, c.verb == precedes, c.verb == rewrites:
		c.new = append(c.new, list...)
	default:
		c.words = append(c.words, list...)
	}
}

// exception reads what a repeal of a whole leaves in force, from token next on: « , à l'exception de son article 37 qui demeure en vigueur ».
func (p *parser) exception(i, next int) int {
	if p.c.verb != deletes && p.c.verb != noVerb || len(p.c.subject) == 0 || p.c.subject[len(p.c.subject)-1].article != "" {
		return i
	}
	list, next, ok := p.articles(next, false)
	if !ok || several(list) && len(list) > most || slices.ContainsFunc(list, func(s spot) bool { return len(s.path) > 0 || s.article == "" }) {
		return i
	}
	p.c.except = append(p.c.except, numbersOf(list)...)
	return p.skip(next, ",? qui demeur*|rest* en vigueur")
}

// aside reads what stands between commas after a text or a place and says nothing of the change: « , modifié et complété, », « , tel
// qu'il résulte de la loi n° 5, », « , modifié par le décret n° 5 du 3 mai 2010, ».
func (p *parser) aside(i int) int {
	pos, closing := i, ","
	switch p.word(i) {
	case ",":
		pos++
	case "(":
		pos, closing = i+1, ")"
	}
	ends := (p.c.verb == deletes || p.items) && closing == "," // with the sentence
	if len(p.named) == 0 || p.c.verb != noVerb && p.c.verb != deletes || pos == i && p.is(i-1, "est|sont|ainsi") || p.is(pos, "<done>") ||
		!p.is(pos, "<changed>|abrog*|remplac*|tel|telle|tels|telles|approuv*|promulg*|ratifi*|annex*|signe|signee|ensemble|susvise|susvisee|relatif|relative") {
		return i
	}
	if p.is(pos, "signe*") { // « , signé à Port-Louis, le 17 octobre 1993 sont modifiés »
		if k := p.until(pos+1, 15, "<year> <done>"); k >= 0 {
			return k + 1
		}
	}
	for k := pos; k < len(p.toks) && k < pos+60; k++ {
		switch {
		case p.is(k, "<quote>|:|;|."):
			if ends {
				return k
			}
			return i
		case closing == ")" && p.word(k) == ")", closing == "," && k > pos && p.is(k+1, "<done>"):
			return k + 1
		case closing == "," && k > pos && p.word(k) == "," && (p.elementFollows(k+1) || p.c.verb == deletes && !describes(p.word(k+1))):
			return k
		}
	}
	if ends && len(p.toks) < pos+60 {
		return len(p.toks)
	}
	return i
}

// describes reports whether a folded word goes on with the title of a text: « , régissant les relations … ».
func describes(word string) bool {
	return len(word) > 5 && strings.HasSuffix(word, "ant") || word == "relatif" || word == "relative"
}

// contrary reads « toutes dispositions contraires », which names nothing, up to what it names in particular: « , notamment la loi
// n° 5 ». What it names has the case of the whole.
func (p *parser) contrary(i, next int) int {
	contrary := false
	for k := next; k < len(p.toks) && k < next+39; k++ {
		switch {
		case p.is(k, "<quote>|.|;|:"):
			return p.void(i, k, contrary)
		case p.is(k, "contraire*|anterieures|incompatibles"):
			contrary = true
		case contrary && (p.is(k, "<done>") || p.is(k, "<repealed>") && p.word(k-1) != "demeurent"):
			if n := p.until(k+1, 5, "notamment"); n >= 0 { // « toutes dispositions contraires sont abrogées, notamment la loi … »
				p.begin(i)
				p.contraries, p.c.verb = true, deletes
				return p.listBelow(p.skip(n+1, ":|,+?"))
			}
			return p.void(i, k, true)
		case contrary && p.is(k, "notamment / en particulier"):
			p.begin(i)
			p.contraries = true
			return p.listBelow(p.skip(k, "notamment|en particulier? :|,|-+?"))
		}
	}
	return p.void(i, len(p.toks), contrary)
}

// void leaves out the subject of a repeal that names nothing, from token i up to token end.
func (p *parser) void(i, end int, contrary bool) int {
	if !contrary {
		return i
	}
	p.nothing = true
	return end
}

// listBelow reads « les dispositions des dahirs suivants : », whose list follows in the paragraphs below.
func (p *parser) listBelow(i int) int {
	if k := p.until(i, 8, "<such>"); k >= 0 && p.is(k+1, ":") && k+2 >= len(p.toks) {
		return k + 2
	}
	return i
}
