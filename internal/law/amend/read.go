package amend

import (
	"slices"
	"strconv"
	"strings"

	"vigueur/internal/law"
	"vigueur/internal/law/read"
)

// Options says what Read may take for granted.
type Options struct {
	// Home is the text that « même code » and articles without a text mean where the act has
	// named none before, as in an excerpt.
	Home TargetText
	// Excerpt says that the text is a part of an act, whose wordings for other articles are
	// left out: a wording may end without its closing mark.
	Excerpt bool
	// Parts are the articles of the act, as Written returns them: no wording goes beyond the article
	// that it begins in. Without them, heads are sought.
	Parts []Part
	// Title is that of the act, which may name the text that it changes.
	Title string
	// Noticing decides what orders a change; nil: the carried model.
	Noticing *Noticing

	decided func(Decision) // told of each decision
}

// Read reads an amending act: a paragraph a line, with the heads of its articles (« Art. 5.
// - »). It returns the operations in order. An instruction about an article that is not
// understood to its last word is an operation of the kind Unread. Sentences that amend
// nothing are left out.
func Read(act string, o Options) []Operation {
	if len(act) > MaxBytes {
		return []Operation{{Kind: Unread, Doubt: TooLong, Evidence: Span{0, len(act)}}}
	}
	if o.Home.Zero() {
		o.Home = changedBy(o.Title)
	}
	r := reader{act: act, o: o, mem: memory{home: o.Home}, headed: o.Parts == nil}
	if r.headed {
		o.Parts = []Part{{&law.Article{}, Span{0, len(act)}}}
	}
	lines := paragraphs(act)
	for i, part := range o.Parts {
		for len(lines) > 0 && lines[0].Start < part.Start {
			lines = lines[1:]
		}
		n := 0
		for n < len(lines) && lines[n].Start < part.End {
			n++
		}
		r.own, r.stack, r.root, r.ends = law.ArticleNumber(part.Article.Number), nil, scope{}, i == len(o.Parts)-1 || numberOf(o.Parts[i+1].Article.Number) != numberOf(part.Article.Number)+1
		r.blocks(blocks(act, withoutMark(act, lines[:n])))
	}
	r.obey()
	r.titled()
	return r.ops
}

// ordersByTitle matches the title of an act that says itself what it changes or repeals.
var ordersByTitle = law.Pattern(`^(?i:[^,:]{0,120}?\b(?:(modifiant|complétant)|(abrogeant|rapportant|portant +abrogation))\b)`)

// titled adds what only the title of an act says: « Décret n° 7 abrogeant le décret n° 5 ».
func (r *reader) titled() {
	said := ordersByTitle.FindStringSubmatch(r.o.Title)
	if said == nil || r.headed || strings.Count(law.Fold(said[0]), "portant") > strings.Count(law.Fold(said[2]), "portant") {
		return
	}
	t := changedBy(r.o.Title)
	if t.Zero() || t.Self || said[2] == "" && len(r.ops) > 0 || slices.ContainsFunc(r.ops, func(op Operation) bool { return op.Text.Fits(t) }) {
		return
	}
	r.ops = append(r.ops, Operation{Kind: Unread, Text: t, Likely: true, Doubt: NotUnderstood})
}

// blocks reads the blocks of an act, or of an article of it, in order.
func (r *reader) blocks(all []block) {
	for i := 0; i < len(all); {
		i += r.block(all[i], all[i+1:])
	}
}

// level is a heading of the act with a label, and what its children take from it.
type level struct {
	kind  labelKind
	label string
	scope scope
}

// scope is what an instruction takes from the headings above it.
type scope struct {
	spots []spot // the places that are modified
	verb  verb   // the verb of a list: « Sont abrogés : »
	entry entry
	lost  bool // the heading above is not understood
}

// reader reads the blocks of an act in order.
type reader struct {
	act    string
	o      Options
	mem    memory
	ops    []Operation
	headed bool    // the articles of the act are found by their heads
	own    string  // number of the act's article
	ends   bool    // it is the last one, or the next one does not follow it: more than the article may be in its text
	root   scope   // of the last heading without a label
	stack  []level // the headings above the block
	rules  []forceRule
}

// ownHead matches the head of an article of the act before an instruction.
var ownHead = law.Pattern(`^(?i:art(?:icle)?s?\b\.? *)`)

// block reads a block and returns how many blocks it took.
func (r *reader) block(b block, next []block) int {
	if h, ok := erratumHead(b, next); ok && len(r.above().spots) > 0 { // « Article 3 : au lieu de …, lire … »
		above := r.above()
		r.set(scope{spots: []spot{{article: h.number, text: above.spots[0].text}}, entry: above.entry})
		if h.n == len(b.text) {
			return 1 // the lines below are the erratum
		}
		part := b.from(h.n)
		taken, ok := r.erratum(part, next)
		if !ok {
			taken = r.instruction(part, 0, true, next)
		}
		r.set(above)
		return 1 + taken
	}
	if taken, ok := r.erratum(b, next); ok {
		return 1 + taken
	}
	text, pos := b.text, 0
	if h := headAt(text); h.n > 0 && r.headed {
		r.own, r.stack, r.root, pos = h.number, nil, scope{}, h.n
	}
	labeled := false
	for range 6 { // « I. - A. - 1° »
		kind, label, n := labelOf(text[pos:], r.lastLabel)
		if n == 0 || pos+n >= len(text) && len(b.wording) == 0 || kind == dash && r.lastLabel(dash) == "" && len(r.stack) == 0 && r.root.verb == noVerb {
			break
		}
		if len(b.quotes) > 0 && b.quotes[0].Start < pos+n {
			break
		}
		r.enter(kind, label, labeled)
		labeled, pos = true, pos+n
		for strings.HasPrefix(text[pos:], "(") { // « (Non modifié) », « (Supprimé) »
			end := strings.IndexByte(text[pos:], ')')
			if end < 0 || end > 40 {
				break
			}
			pos += end + 1
			pos += len(text[pos:]) - len(strings.TrimLeftFunc(text[pos:], blankOrInvisible))
		}
	}
	if b.open && len(next) > 0 && r.goesOn(next[0]) { // a wording marked at its beginning only
		b.torn = true
	}
	if len(b.wording) == 0 && leftOut.MatchString(text[pos:]) {
		return 1
	}
	return 1 + r.instruction(b, pos, labeled, next)
}

// goesOn reports whether a block may be a further paragraph of the wording before it: it has
// no head, no label and changes nothing.
func (r *reader) goesOn(b block) bool {
	if headAt(b.text).n > 0 || len(b.wording) > 0 || len(b.quotes) > 0 || strings.HasPrefix(b.text, "[") {
		return false
	}
	if kind, label, _ := labelOf(b.text, r.lastLabel); kind != noLabel {
		return r.lastLabel(kind) == "" && label != "I"
	}
	return !saysChange(law.Fold(b.text))
}

// leftOut matches what a bill has in place of an instruction that it does not have.
var leftOut = law.Pattern(`^ *(?:\((?i:supprim|sans +modif|non +modif|suppression|division)[^)]*\))? *[.;]?$`)

// lastLabel returns the label of the innermost heading of a kind.
func (r *reader) lastLabel(kind labelKind) string {
	for _, l := range slices.Backward(r.stack) {
		if l.kind == kind {
			return l.label
		}
	}
	return ""
}

// enter opens the heading with a label: it ends the last one of the same kind and those
// within it. directly says that the label follows another one in the same paragraph.
func (r *reader) enter(kind labelKind, label string, directly bool) {
	if !directly {
		for i, l := range r.stack {
			if l.kind == kind {
				r.stack = r.stack[:i]
				break
			}
		}
	}
	r.stack = append(r.stack, level{kind: kind, label: label, scope: r.above()})
}

// above returns the scope of the innermost heading.
func (r *reader) above() scope {
	if n := len(r.stack); n > 0 {
		return r.stack[n-1].scope
	}
	return r.root
}

// set gives the innermost heading its scope.
func (r *reader) set(s scope) {
	if n := len(r.stack); n > 0 {
		r.stack[n-1].scope = s
		return
	}
	r.root = s
}

// changing are the stems of the words without which an instruction changes nothing.
var changing = []string{"remplac", "supprim", "abrog", "inser", "ajout", "intercal", "introdui", "cree", "retabli", "institu", "complet", "preced", "redig", "reformul",
	"modifi", "amend", "apport", "devien", "teneur", "rectifi", "substitu", "libell", "biff", "nouvelle redaction", "ainsi concu"}

// changingBy are these stems by their first two letters.
var changingBy = func() (by [26][26][]string) {
	for _, stem := range changing {
		list := &by[stem[0]-'a'][stem[1]-'a']
		*list = append(*list, stem)
	}
	return by
}()

// saysChange reports whether a stem of changing is in a folded text. All stems are sought in
// one pass, because most articles of most acts change nothing and are read to their end.
func saysChange(plain string) bool {
	for i := range len(plain) - 1 {
		a, b := plain[i]-'a', plain[i+1]-'a'
		if a >= 26 || b >= 26 {
			continue
		}
		for _, stem := range changingBy[a][b] {
			if strings.HasPrefix(plain[i:], stem) {
				return true
			}
		}
	}
	return false
}

// instruction reads the instruction of a block from byte at on. It returns how many further
// blocks are its wording.
func (r *reader) instruction(b block, pos int, labeled bool, next []block) int {
	labeled = labeled || r.listed(b, pos)
	base := scope{}
	if labeled {
		base = r.above()
	}
	plain := law.Fold(law.OutsideQuotations(b.text[pos:]))
	changes := saysChange(plain) || corrects(plain)
	p := parser{source: b.text, quotes: b.quotes, mem: &r.mem}
	if m := byAct.FindString(b.text[pos:]); m != "" {
		pos += len(m)
	}
	p.toks = tokens(b.text, pos, b.quotes)
	if len(b.quotes) == 0 && len(b.wording) == 0 && r.force(&p) {
		return 0
	}
	taken := 0
	if head := inlineHead(b, pos); head > 0 {
		b.wording = []string{b.text[head:]}
		b.quoted = Span{b.Start + head, b.End}
		p.toks = p.toks[:p.after(head)]
	}
	p.items = labeled && base.verb == deletes
	p.parse()
	if p.unknown > 0 && taken == 0 {
		if n, ok := r.sentences(b, pos, labeled, next); ok {
			return n
		}
	}
	noticed := len(base.spots) > 0 || base.verb != noVerb
	likely := noticed
	if !noticed && changes && (p.unknown == 0 || corrects(plain) || !p.mentions()) {
		noticed, likely = r.notices(&p, b)
	}
	noticed = noticed || p.annexed()
	if p.unknown > 0 && !noticed {
		return taken
	}
	taken = r.take(&p, &b, next)
	if !changes && base.verb == noVerb && len(base.spots) == 0 && !(strings.HasSuffix(strings.TrimRight(plain, " "), ":") && len(p.clauses) == 1 && len(p.clauses[0].in) > 0) {
		return taken
	}
	if !labeled {
		r.stack, r.root = nil, scope{}
	}
	e := entry{base.entry.day, base.entry.waits}
	if !p.day.IsZero() || p.waits {
		e = entry{p.day, p.waits}
	}
	r.emit(&p, b, base, e, noticed, likely)
	return taken
}

// annexed reports whether a clause changes an annex of another text, whose words are no articles.
func (p *parser) annexed() bool {
	return slices.ContainsFunc(p.clauses, func(c clause) bool {
		return c.verb != noVerb && slices.ContainsFunc(c.subject, func(s spot) bool {
			return strings.HasPrefix(s.division, "annexe") && !s.text.Zero() && !s.text.Self
		})
	})
}

// sentences reads the sentences of a paragraph that is not understood as a whole, each as an instruction of its own, and
// the last one with the blocks that follow. ok is false if there is only one.
func (r *reader) sentences(b block, pos int, labeled bool, next []block) (taken int, ok bool) {
	s := structure{text: b.text, lines: []line{{Span: Span{0, len(b.text)}, body: pos}}}
	all := s.sentences(0)
	for n := len(all); n > 1 && len(b.quotes) > 0 && all[n-1].Start > b.quotes[0].Start; n-- { // what is quoted is of the last one
		all[n-2].End = all[n-1].End
		all = all[:n-1]
	}
	if len(all) < 2 {
		return 0, false
	}
	for _, span := range all[:len(all)-1] {
		r.instruction(block{Span: Span{b.Start + span.Start, b.Start + span.End}, text: b.text[span.Start:span.End]}, 0, labeled, nil)
	}
	return r.instruction(b.from(all[len(all)-1].Start), 0, labeled, next), true
}

// from returns what a block has from a byte on.
func (b block) from(start int) block {
	b.Start, b.text = b.Start+start, b.text[start:]
	b.quotes = law.Quotations(b.text)
	return b
}

// erratumHead reads the head of an article with an erratum behind or below it.
func erratumHead(b block, next []block) (h head, ok bool) {
	h = headAt(b.text)
	return h, h.n > 0 && (insteadOf.MatchString(b.text[h.n:]) || h.n == len(b.text) && len(next) > 0 && insteadOf.MatchString(next[0].text))
}

// byAct matches the beginning of an act that is printed without its title and articles: « Par arrêté du 3 mai 2010, ».
var byAct = law.Pattern(`^(?i:par) +(?i:arrêté|décret|décision|ordonnance|dahir)\b[^,.;:]{0,160}?\d{4}(?: +\([^)]*\))?, *`)

// listed reports whether a block without a label is an item of a list of repeals: « Sont abrogés : », « la loi n° 7 ; ».
// Another one ends the list.
func (r *reader) listed(b block, pos int) bool {
	if r.root.verb != deletes || len(r.stack) > 0 {
		return false
	}
	p := parser{source: b.text, mem: &r.mem}
	p.toks = tokens(b.text, pos, nil)
	next, ok := p.match(0, "<the>")
	if ok && (p.numbered(next) || p.word(next) == "articles" || p.word(next) == "article") && !slices.ContainsFunc(p.toks, func(t token) bool { return t.text == "est" || t.text == "sont" }) {
		return true
	}
	r.root = scope{}
	return false
}

// emit turns the clauses of an instruction into operations, or into the scope of the
// instructions below it.
func (r *reader) emit(p *parser, b block, base scope, e entry, noticed, likely bool) {
	if p.nothing {
		p.clauses = slices.DeleteFunc(p.clauses, func(c clause) bool { return c.verb == deletes && len(c.subject)+len(c.words) == 0 })
		if len(p.clauses) == 0 {
			return
		}
	}
	m := maker{r: r, b: b, base: base, entry: e, p: p, noticed: noticed, likely: likely}
	lost := base.lost && !slices.ContainsFunc(p.named, func(s spot) bool { return s.article != "" })
	if p.unknown > 0 || lost {
		m.unread(NotUnderstood)
		r.set(scope{lost: true, spots: m.articlesNamed(), entry: e})
		return
	}
	if len(p.clauses) == 0 {
		return
	}
	if c := p.clauses[0]; len(p.clauses) == 1 && len(b.wording) == 0 && m.heading(c) {
		return
	}
	r.set(scope{spots: base.spots, verb: base.verb, entry: e})
	clauses := p.clauses
	if n := len(clauses); n > 1 && len(b.wording) == 0 && clauses[n-1].verb == modifies && len(clauses[n-1].subject)+len(clauses[n-1].in) == 0 {
		// « L'article 5 devient l'article 6 et est ainsi modifié : »
		r.set(scope{spots: m.places(clauses[n-2].subject), entry: e})
		clauses = clauses[:n-1]
	}
	for i, c := range clauses {
		if last := i == len(clauses)-1; !last && c.verb == modifies && len(c.new) == 0 {
			m.base.spots = m.places(append(slices.Clone(c.in), c.subject...))
		} else {
			m.clause(c, last)
		}
	}
}

// wants reports whether an instruction announces a wording that its paragraph does not have.
func (p *parser) wants() bool {
	if len(p.clauses) == 0 {
		return false
	}
	c := p.clauses[len(p.clauses)-1]
	switch c.verb {
	case replaces, rewrites, inserts, completes, precedes, modifies:
		return len(c.new) == 0 && (c.announces || c.added != nil || strings.HasSuffix(strings.TrimRight(p.source, " "), ":"))
	}
	return false
}

// take gives an instruction of an act whose articles are known the paragraphs after it as its wording, if it announces
// one that is in no quotation marks, or not all of it, and returns how many it took. They end where a further
// instruction begins, at the closing words of the act, or with the article.
func (r *reader) take(p *parser, b *block, next []block) (n int) {
	marked := len(b.wording) > 0
	if marked && b.open && len(next) == 0 && !r.ends {
		b.open = false // a mark is printed before each paragraph only
	}
	if !p.wants() || marked && (len(next) == 0 || headAt(b.wording[0]).n == 0 && !bareHead.MatchString(b.wording[0])) {
		return 0
	}
	var taken []string
	for n < len(next) && !r.begins(next[n], p) && !closes.MatchString(next[n].text) && !insteadOf.MatchString(next[n].text) && !r.orders(next[n], n == 0) {
		if _, erratum := erratumHead(next[n], next[n+1:]); erratum {
			break
		}
		taken = append(append(taken, next[n].text), next[n].wording...)
		n++
		if rest.MatchString(next[n-1].text) && (n == len(next) || !headFollows(next[n])) {
			break
		}
	}
	if n == 0 {
		return 0
	}
	if !marked {
		b.quoted.Start = next[0].Start
	}
	b.wording, b.quoted.End = unquote(append(b.wording, taken...)), next[n-1].last()
	b.bare, b.torn, b.open = true, false, n == len(next) && r.ends && !r.o.Excerpt && !rest.MatchString(next[n-1].text)
	return n
}

// begins reports whether a block begins the next article of an act whose articles are found by their heads: one that the instruction
// does not name.
func (r *reader) begins(b block, p *parser) bool {
	h := headAt(b.text)
	return r.headed && h.n > 0 && numberOf(h.number) == numberOf(r.own)+1 && !h.fresh && !slices.ContainsFunc(p.named, func(s spot) bool { return law.ArticleKey(s.article) == law.ArticleKey(h.number) })
}

// orders reports whether a block is understood as an instruction, and so is no paragraph of a wording. An item that is the first below
// another instruction need not be understood.
func (r *reader) orders(b block, first bool) bool {
	_, _, labeled := labelOf(b.text, r.lastLabel)
	if labeled > 0 && leftOut.MatchString(b.text[labeled:]) {
		return true
	}
	if !saysChange(law.Fold(law.OutsideQuotations(b.text))) || headAt(b.text).n > 0 {
		return false
	}
	mem := r.mem
	mem.texts = slices.Clone(mem.texts)
	p := parser{source: b.text, quotes: b.quotes, mem: &mem}
	if labeled > 0 && (len(b.wording) > 0 || first && (inlineHead(b, labeled) > 0 || r.suspects(b.text))) {
		return true
	}
	p.toks = tokens(b.text, labeled, b.quotes)
	p.parse()
	return p.unknown == 0 && slices.ContainsFunc(p.clauses, func(c clause) bool {
		return (c.complete() || c.verb == modifies) && (len(c.subject)+len(c.in)+len(c.places)+len(c.words) > 0 || c.anchor != "" && labeled > 0)
	})
}

// suspects reports whether a paragraph of a wording may be an instruction that is not understood.
func (r *reader) suspects(paragraph string) bool {
	if !saysChange(law.Fold(paragraph)) {
		return false
	}
	b := instruction(paragraph, Span{0, len(paragraph)})
	if len(b.quotes) > 0 || strings.HasSuffix(strings.TrimRight(paragraph, " "), ":") {
		return true
	}
	p := parser{source: b.text, quotes: b.quotes, mem: &memory{}}
	p.toks = tokens(b.text, 0, b.quotes)
	p.parse()
	if slices.ContainsFunc(p.clauses, actsInPlace) || p.addsSomewhere() {
		return true
	}
	return r.model().Sum(r.features(&p, b)) >= 0 // more likely than not
}

// actsInPlace reports whether a clause says that something in a place of an article is replaced, deleted or added: « À
// l'alinéa 1er, le terme tiers est remplacé par le terme quart. », though no marks show which words.
func actsInPlace(c clause) bool {
	place := func(s spot) bool { return s.article != "" || len(s.path) > 0 }
	return (c.verb == replaces || c.verb == deletes || c.verb == inserts) && slices.ContainsFunc(c.in, place) ||
		(c.verb == replaces || c.verb == deletes) && slices.ContainsFunc(c.subject, place)
}

// addsSomewhere reports whether a paragraph begins with a place, and says that it, or something there, is replaced, deleted,
// added or renamed: « Au dernier point de l'énumération sont ajoutés … », « la lettre i) devient la lettre k) ».
func (p *parser) addsSomewhere() bool {
	pos := 0
	if _, _, n := labelOf(p.source, nil); n > 0 {
		pos = p.after(n)
	}
	if !p.is(pos, "<in> / <the> <level>|<point>|<noun> / apres|avant|entre") {
		return false
	}
	for i := pos; i < len(p.toks) && i < pos+40; i++ {
		if p.is(i, "<done>") || verbOf(p.word(i)) == becomes {
			return true
		}
	}
	return false
}

// closes matches the closing words of an act, which belong to no wording.
var closes = law.Pattern(`^(?i:mandons et ordonnons|(?:la présente|le présent|les présents) +\pL+(?: +\pL+){0,3}? +(?:sera|est|entre|prend|qui)\b.{0,80}\b(?:publi|exécut|enregistr|insér|vigueur|effet)|fait (?:à|au|en)\b|promulgu|vu pour|donné (?:à|au)\b)`)

// rest matches a line that leaves the rest of an article as it is.
var rest = law.Pattern(`(?i)^[ («.…]*(?:la suite|le reste)\b.{0,30}\bsans +(?:changement|modification)`)

// numberOf returns the number of an article of an act, 0 if it has none that can be counted.
func numberOf(article string) int {
	key := law.ArticleKey(article)
	if n, err := strconv.Atoi(key); err == nil {
		return n
	}
	return law.Roman(key)
}

func headFollows(b block) bool { return headAt(b.text).n > 0 }

// inlineHead returns the byte at which a wording without marks begins in the paragraph of
// its instruction (« … est remplacé comme suit : Art. L. 5. Le … »), 0 if there is none.
func inlineHead(b block, pos int) int {
	if len(b.wording) > 0 || len(b.quotes) > 0 {
		return 0
	}
	colon := strings.IndexByte(b.text[pos:], ':')
	if colon < 0 {
		return 0
	}
	head := pos + colon + 1
	rest := strings.TrimLeftFunc(b.text[head:], blankOrInvisible)
	head = len(b.text) - len(rest)
	if headAt(rest).n > 0 {
		return head
	}
	if m := bareHead.FindStringSubmatch(rest); m != nil { // « … par les dispositions suivantes : 971. - Le … »
		for _, ref := range read.Printed(b.text[pos:head]) {
			if slices.ContainsFunc(ref.Articles, func(n string) bool { return law.ArticleKey(n) == law.ArticleKey(m[1]) }) {
				return head
			}
		}
	}
	return 0
}
