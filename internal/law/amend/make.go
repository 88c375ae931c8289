package amend

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"vigueur/internal/law"
)

// entry is the entry into force that an instruction names.
type entry struct {
	day   time.Time
	waits bool
}

// maker makes the operations of an instruction.
type maker struct {
	r     *reader
	p     *parser
	b     block
	base  scope
	entry entry
	last  []spot // the places of the clause before

	noticed bool // the instruction may order a change, understood or not
	likely  bool // it more likely does than not
}

// heading reads a clause that only opens a heading: « L'article 5 est ainsi modifié : »,
// « Sont abrogés : », « À l'article 5 : ».
func (m *maker) heading(c clause) bool {
	s := scope{spots: m.base.spots, verb: m.base.verb, entry: m.entry}
	switch {
	case (c.verb == modifies || c.verb == completes && c.added == nil && len(m.b.wording) == 0) && len(c.new) == 0 && (c.announces || !strings.HasSuffix(m.b.text, ".")) && (len(c.subject) > 0 || len(c.in) > 0):
		s.spots = m.places(append(slices.Clone(c.in), c.subject...))
	case c.verb == noVerb && m.base.verb == noVerb && len(c.in) > 0 && len(c.words) == 0 && len(c.subject) == 0 && c.anchor == "" && len(c.places) == 0:
		s.spots = m.places(c.in)
	case c.verb == deletes && len(c.words) == 0 && len(c.subject) == 0:
		s.verb = c.verb
		if len(c.in) > 0 {
			s.spots = m.places(c.in)
		}
	default:
		return false
	}
	m.r.set(s)
	return true
}

// places completes places by those of the headings above.
func (m *maker) places(list []spot) []spot {
	if len(list) == 0 {
		return m.base.spots
	}
	var out []spot
	for _, s := range list {
		if s.here && s.article == "" {
			for _, b := range m.base.spots {
				b.path, b.side = s.path, s.side
				out = append(out, b)
			}
			continue
		}
		if s.article != "" || s.division != "" {
			out = append(out, m.withText(s))
			continue
		}
		if len(s.path) == 0 { // a text
			out = append(out, s)
			continue
		}
		outer := m.base.spots
		if s.path[0].Level == Sentence && len(m.last) > 0 {
			outer = nil
			for _, l := range m.last {
				l.path = slices.DeleteFunc(slices.Clone(l.path), func(step Step) bool { return step.Level == Sentence })
				outer = append(outer, l)
			}
		}
		if len(outer) == 0 {
			out = append(out, s)
		}
		for _, o := range outer {
			out = append(out, within(o, s))
		}
	}
	return out
}

// inside completes places by those that the clause is in, if it is in any.
func (m *maker) inside(c clause, spots, list []spot) []spot {
	if len(c.in) > 0 {
		defer func(saved []spot) { m.base.spots = saved }(m.base.spots)
		m.base.spots = spots
	}
	return m.places(list)
}

// withText gives an article the text of the heading above it, else the one named last.
func (m *maker) withText(s spot) spot {
	if !s.text.Zero() {
		return s
	}
	for _, b := range m.base.spots {
		if !b.text.Zero() {
			s.text = b.text
			return s
		}
	}
	s.text = m.r.mem.home
	if n := len(m.r.mem.texts); n > 0 {
		s.text = m.r.mem.texts[n-1]
	}
	return s
}

// operation returns an operation with what all operations of the instruction share.
func (m *maker) operation(kind OperationKind, s spot) Operation {
	s = m.withText(s)
	op := Operation{Kind: kind, Under: labelsOf(m.r.stack), Text: s.text, Article: s.article, By: m.r.own, Effective: m.entry.day, Waits: m.entry.waits,
		Evidence: m.b.Span, Wording: m.b.quoted}
	if s.text.Self {
		op.Doubt = OwnText
	}
	if s.article == "" {
		op.Every = true
		if s.division != "" {
			op.Divisions = strings.Split(s.division, divisionSign)
		}
	}
	return op
}

// add adds an operation for each article of the places.
func (m *maker) add(kind OperationKind, list []spot, fill func(*Operation)) {
	for _, s := range list {
		if s.unclear {
			op := m.operation(Unread, s)
			op.Doubt, op.Likely = PlaceUnclear, m.likely
			m.r.ops = append(m.r.ops, op)
		}
	}
	list = slices.DeleteFunc(slices.Clone(list), func(s spot) bool { return s.unclear })
	if kind == InsertPlace || kind == InsertWords {
		var op Operation
		if fill(&op); op.Words == "" && slices.ContainsFunc(list, func(s spot) bool { return s.article == "" && s.division == "" }) {
			m.unread(PlaceUnclear) // nothing is added to each article of a text
			return
		}
	}
	var previous *spot
	if slices.ContainsFunc(list, func(s spot) bool { return s.article == "" && len(s.path) > 0 }) && kind != Unread {
		m.unread(PlaceUnclear) // the heading that names the article is not read
		return
	}
	for _, s := range list {
		follows := previous != nil && previous.side == s.side && previous.times == s.times && previous.article == s.article && previous.text == s.text && s.article != ""
		previous = &s
		if n := len(m.r.ops); follows && n > 0 {
			m.r.ops[n-1].Places = append(m.r.ops[n-1].Places, s.path)
			continue
		}
		op := m.operation(kind, s)
		if len(s.path) > 0 {
			op.Places = []Path{s.path}
		}
		fill(&op)
		if s.side != Nowhere {
			op.Side = s.side
		}
		if s.times > 0 {
			op.Times = s.times
		}
		m.r.ops = append(m.r.ops, op)
	}
}

// unread adds an operation for each article that an instruction is about and that is not
// understood.
func (m *maker) unread(why Reason) {
	if !m.noticed {
		return
	}
	list := m.articlesNamed()
	seen := map[string]bool{}
	for _, s := range list {
		seen[law.ArticleKey(s.article)] = true
	}
	for _, made := range articlesIn(m.b.wording) {
		if key := law.ArticleKey(made.number); made.number != "" && !seen[key] {
			seen[key] = true
			list = append(list, m.withText(spot{article: made.number}))
		}
	}
	if len(list) == 0 {
		list = m.before()
	}
	if text := m.textNamed(); len(list) == 0 && !text.Zero() {
		op := m.operation(Unread, spot{text: text})
		op.Every, op.Doubt, op.Likely = false, why, m.likely
		m.r.ops = append(m.r.ops, op)
		return
	}
	m.add(Unread, list, func(op *Operation) { op.Doubt, op.Likely = why, m.likely })
}

// textNamed returns the text that an instruction names, or the headings above it.
func (m *maker) textNamed() TargetText {
	for _, s := range slices.Concat(m.p.named, m.base.spots) {
		if !s.text.Zero() {
			return s.text
		}
	}
	return TargetText{}
}

// articlesNamed returns the articles that an instruction or its headings name.
func (m *maker) articlesNamed() (list []spot) {
	seen := map[string]bool{}
	for _, s := range append(m.places(m.p.named), m.base.spots...) {
		key := law.ArticleKey(s.article)
		if s.article == "" || seen[key] {
			continue
		}
		seen[key] = true
		s.path = nil
		list = append(list, s)
	}
	return list
}

// before returns the articles of the last instruction in the same article of the act: one
// that names no article is likely about them.
func (m *maker) before() (list []spot) {
	for _, op := range slices.Backward(m.r.ops) {
		if op.By != m.r.own || len(list) > 0 && op.Evidence != m.r.ops[len(m.r.ops)-1].Evidence {
			break
		}
		if s := (spot{article: op.Article, text: op.Text}); op.Article != "" && !slices.ContainsFunc(list, func(o spot) bool { return o.article == s.article }) {
			list = append(list, s)
		}
	}
	return list
}

// clause makes the operations of a clause. The wording of the block belongs to the last one.
func (m *maker) clause(c clause, last bool) {
	if c.verb == noVerb {
		c.verb = m.base.verb
	}
	if list := slices.Concat(c.in, c.subject); slices.ContainsFunc(list, ofTitle) {
		m.title(c, list)
		return
	}
	if none := (Span{}); m.b.quoted == none && c.quoted != none {
		m.b.quoted = Span{m.b.Start + c.quoted.Start, m.b.Start + c.quoted.End}
		defer func() { m.b.quoted = none }()
	}
	wording := c.new
	var doubt Reason
	quoted := len(c.new) > 0
	if last && len(m.b.wording) > 0 {
		wording = append(slices.Clone(c.new), m.b.wording...)
		if m.b.bare && m.reachesNext(c, wording) || m.b.bare && c.ofPart() && slices.ContainsFunc(wording, hasHead) || m.b.torn || m.b.open && !m.r.o.Excerpt && !m.b.bare || m.b.bare && headAt(wording[0]).n == 0 && !bareHead.MatchString(wording[0]) && (m.b.open || slices.ContainsFunc(wording, m.r.suspects)) {
			doubt = WordingOpen // of articles without marks, only the last one may have words of the act
		}
	}
	spots := m.places(c.in)
	if len(c.in) == 0 && len(m.last) > 0 && len(c.subject) == 0 && len(c.places) == 0 && c.verb != inserts {
		spots = m.last
	}
	if len(c.in) > 0 {
		m.last = spots
	}
	if len(c.words) > 0 && len(c.in) == 0 && !slices.ContainsFunc(spots, func(s spot) bool { return s.article != "" || s.here }) && c.times == 0 && m.base.verb == noVerb {
		m.unread(PlaceUnclear) // words of a whole code, or of a place that is not read?
		return
	}
	set := func(op *Operation) {
		op.New, op.Side, op.Nth, op.Times = wording, c.side, c.nth, c.times
		if op.Doubt == "" {
			op.Doubt = doubt
		}
	}
	switch c.verb {
	case deletes:
		m.deletion(c, spots, set)
	case replaces, rewrites, modifies:
		m.replacement(c, spots, wording, quoted, set)
	case inserts:
		m.insertion(c, spots, wording, quoted, set)
	case completes, precedes:
		subject := m.places(c.subject)
		if len(c.subject) == 0 {
			subject = spots
		}
		m.last = subject
		side := AtEnd
		if c.verb == precedes {
			side = AtStart
		}
		m.completion(c, subject, side, wording, set)
	case becomes:
		m.renumbering(c)
	default:
		if len(c.words)+len(c.subject)+len(c.new) > 0 || c.added != nil || c.anchor != "" {
			m.unread(NotUnderstood)
		}
	}
}

// hasHead reports whether a line begins with the head of an article.
func hasHead(line string) bool { return headAt(line).n > 0 }

// ofPart reports whether a clause adds a part of an article, which has the head of none.
func (c *clause) ofPart() bool {
	return c.added != nil && !c.added.division && len(c.added.articles) == 0
}

// reachesNext reports whether a wording without marks has the head of the next article of the act, which the instruction
// does not name.
func (m *maker) reachesNext(c clause, wording []string) bool {
	own := numberOf(m.r.own)
	return own > 0 && slices.ContainsFunc(wording[1:], func(line string) bool {
		h := headAt(line)
		return h.n > 0 && numberOf(h.number) == own+1 && !slices.ContainsFunc(m.p.named, func(s spot) bool { return law.ArticleKey(s.article) == law.ArticleKey(h.number) }) &&
			(c.added == nil || !slices.ContainsFunc(c.added.articles, func(n string) bool { return law.ArticleKey(n) == law.ArticleKey(h.number) }))
	})
}

// title makes the operation that changes the title of a division or of a text, and no article.
func (m *maker) title(c clause, list []spot) {
	at := list[slices.IndexFunc(list, ofTitle)]
	op := m.operation(ReplaceHeading, at)
	op.Every, op.New = false, append(slices.Clone(c.new), m.b.wording...)
	if op.Divisions = op.Divisions[1:]; c.verb == noVerb || c.verb == becomes {
		op.Doubt = NotUnderstood
	}
	if len(c.words) > 0 {
		op.Words = c.words[0]
	}
	if c.verb != deletes {
		m.missing(&op)
	}
	m.r.ops = append(m.r.ops, op)
}

// ofTitle reports whether a place is the title of a division or of a text.
func ofTitle(s spot) bool {
	return s.article == "" && (strings.HasPrefix(s.division, "intitule") || strings.HasPrefix(s.division, "denomination"))
}

func (m *maker) deletion(c clause, spots []spot, set func(*Operation)) {
	if len(c.words) > 0 {
		for _, w := range c.words {
			m.add(DeleteWords, spots, func(op *Operation) { set(op); op.New, op.Words = nil, w })
		}
		return
	}
	if c.tail || c.anchor != "" { // « après le mot : « a », la fin du premier alinéa est supprimée »
		m.tail(c, spots, nil, set)
		return
	}
	for _, s := range groupSpots(m.inside(c, spots, c.subject)) { // « À l'article 5, le dernier alinéa est supprimé »
		m.last = s
		if len(s[0].path) == 0 {
			m.add(RepealArticle, s, func(op *Operation) {
				if op.Except = c.except; op.Every && len(op.Divisions)+len(op.Except) == 0 {
					op.Kind, op.Every = RepealText, false
				}
			})
			continue
		}
		m.add(DeletePlace, s, func(*Operation) {})
	}
}

// groupSpots parts places into those of whole articles and those of parts, in order.
func groupSpots(list []spot) (out [][]spot) {
	for i, s := range list {
		if i > 0 && (len(s.path) == 0) == (len(list[i-1].path) == 0) {
			out[len(out)-1] = append(out[len(out)-1], s)
			continue
		}
		out = append(out, []spot{s})
	}
	return out
}

func (m *maker) replacement(c clause, spots []spot, wording []string, quoted bool, set func(*Operation)) {
	switch {
	case len(c.words) > 0:
		m.wordsReplaced(c, spots, wording, set)
	case c.tail && c.anchor != "":
		m.tail(c, spots, wording, set)
	case len(c.subject) == 0 || c.tail || c.anchor != "" || len(c.places) > 0:
		m.unread(NotUnderstood)
	default:
		subject := m.inside(c, spots, c.subject)
		m.last = subject
		m.rewritten(c, subject, wording, quoted, set)
	}
}

// tail makes the operation that gives a new wording to all that follows words in a place, or deletes it.
func (m *maker) tail(c clause, spots []spot, wording []string, set func(*Operation)) {
	if !c.tail || c.anchor == "" {
		m.unread(NotUnderstood)
		return
	}
	m.add(ReplaceTail, m.inside(c, spots, c.subject), func(op *Operation) {
		set(op)
		if op.New, op.Words, op.Unit = wording, c.anchor, Words; c.verb != deletes {
			m.missing(op)
		}
	})
}

func (m *maker) wordsReplaced(c clause, spots []spot, wording []string, set func(*Operation)) {
	pairs := len(c.words) > 1 && len(wording) == len(c.words)
	if len(c.words) > 1 && !pairs && len(wording) != 1 || c.pairs && !pairs && len(c.words) > 1 {
		m.unread(NotUnderstood)
		return
	}
	for i, w := range c.words {
		m.add(ReplaceWords, spots, func(op *Operation) {
			set(op)
			op.Words, op.Unit = w, Words
			if pairs {
				op.New = wording[i : i+1]
			}
			m.missing(op)
		})
	}
}

// missing notes that an announced wording does not follow.
func (m *maker) missing(op *Operation) {
	if len(op.New) == 0 && op.Doubt == "" {
		op.Doubt = WordingMissing
	}
}

// rewritten makes the operations that give articles, divisions or places a new wording.
func (m *maker) rewritten(c clause, subject []spot, wording []string, quoted bool, set func(*Operation)) {
	if len(subject) == 0 { // « la fin de l'article », below no heading that names one
		m.unread(PlaceUnclear)
		return
	}
	whole := len(subject[0].path) == 0 || len(wording) > 0 && headAt(wording[0]).n > 0 && slices.ContainsFunc(subject, func(s spot) bool { return s.article != "" })
	if c.verb == modifies && len(wording) == 0 {
		m.unread(WordingMissing)
		return
	}
	if whole {
		m.articles(subject, wording, true, func(op *Operation) {
			set(op)
			op.Over = c.verb == modifies || c.completing // « modifiés et complétés » may list new articles
		})
		return
	}
	unit := unitOf(subject[0].path)
	if c.added != nil {
		unit = c.added.unit
		if c.added.division || len(c.added.articles) > 0 {
			m.unread(NotUnderstood)
			return
		}
	} else if quoted && len(m.b.wording) == 0 && c.verb == replaces && !c.announces {
		unit = Words
	}
	wording, ok := withoutLabel(subject, wording)
	m.add(ReplacePlace, subject, func(op *Operation) {
		set(op)
		op.New, op.Unit = wording, unit
		if m.missing(op); !ok {
			op.Doubt = cmp.Or(op.Doubt, PlaceUnclear)
		}
	})
}

// placeLabel matches the name of a part before its wording, which is no word of it: « Alinéa 2 nouveau : », « 2e alinéa (nouveau). - ».
var placeLabel = law.Pattern(`^([\pL\d°' ]{0,40}\b(?i:alin[ée]as?|paragraphes?|points?|tirets?)(?:[\pL\d°' ]{0,20}?)?)(?: *\(? *(?i:nouve\pL+) *\)?)? *(?:[.:]? *[~―_]+|:) *`)

// withoutLabel returns the wording of parts without the label that names them, which the first line may begin with; ok is false if it names
// others.
func withoutLabel(parts []spot, wording []string) (words []string, ok bool) {
	if len(wording) == 0 {
		return wording, true
	}
	label := placeLabel.FindStringSubmatch(wording[0])
	if label == nil {
		return wording, true
	}
	named, ok := partOf(label[1])
	if !ok {
		return wording, true // words like others
	}
	if len(named) != 1 || len(parts) != 1 || !slices.Equal(named[0].path, parts[0].path) {
		return wording, false
	}
	words = append([]string{wording[0][len(label[0]):]}, wording[1:]...)
	if words[0] == "" {
		words = words[1:]
	}
	return words, true
}

// unitOf returns the unit that a place consists of.
func unitOf(path Path) Unit {
	switch last := path[len(path)-1]; last.Level {
	case Sentence:
		return Sentences
	case Item:
		return Items
	}
	return Alineas
}

// divisionLine matches the heading of a division in a new wording.
var divisionLine = law.Pattern(`^(?i:livre|titre|chapitre|section|sous~section|sous~paragraphe|paragraphe|partie) +(?:[0-9IVXL]+|[A-Z]\b|(?i:premi[eè]re?|unique))(?: +` + suffixes + `\b)?(?:\. *[~―]+)?[^.;]{0,200}$`)

// unchanged matches the words by which a wording leaves out what it does not change.
var unchanged = law.Pattern(`(?i)\bsans +(?:changement|modification)\b|\.{5,}|…{2,}|^\[…\]|^\(…\)`)

func (m *maker) renumbering(c clause) {
	subject := m.places(append(slices.Clone(c.in), c.subject...))
	if len(c.in) > 0 {
		subject = m.inside(c, m.places(c.in), c.subject)
	}
	switch {
	case len(c.added.articles) == len(subject) && len(subject) > 0 && len(subject[0].path) == 0:
		for i, s := range subject {
			m.add(RenumberArticle, []spot{s}, func(op *Operation) { op.Number = c.added.articles[i] })
		}
	case len(c.added.labels) == len(subject) && len(subject) > 0:
		for i, s := range subject {
			m.add(RenumberPlace, []spot{s}, func(op *Operation) { op.Labels = c.added.labels[i : i+1] })
		}
	case len(subject) > 0 && subject[0].division != "":
		// A division changes its name; its articles do not change.
	default:
		m.unread(NotUnderstood)
	}
}

// madeArticle is an article of a new wording.
type madeArticle struct {
	number string
	lines  []string
	part   string // « paragraphe 2 », if only that part is new
	gone   bool   // « (Abrogé) »
	fresh  bool   // its head says « nouveau »
}

// partOf reads parts of an article: « alinéa 2 », « premier alinéa du II », « alinéas 2 et 3 ».
func partOf(part string) (places []spot, ok bool) {
	p := parser{source: part, mem: &memory{}}
	p.toks = tokens(part, 0, nil)
	places, next, ok := p.chain(p.skip(0, "<the>"))
	return places, ok && p.skip(next, "nouve*") == len(p.toks) && !slices.ContainsFunc(places, func(s spot) bool { return len(s.path) == 0 })
}

// articlesIn parts a wording into its articles. Lines before the first head belong to an
// article without a number; headings of divisions are left out.
func articlesIn(wording []string) (out []madeArticle) {
	heading := false
	for _, line := range wording {
		if h := headAt(line); h.n > 0 {
			heading = false
			a := madeArticle{number: h.number, part: h.part, fresh: h.fresh}
			rest := strings.TrimFunc(line[h.n:], blankOrInvisible)
			if strings.HasPrefix(law.Fold(strings.TrimLeft(rest, "(")), "abrog") && len(rest) < 20 {
				a.gone = true
			} else if rest != "" {
				a.lines = append(a.lines, rest)
			}
			out = append(out, a)
			continue
		}
		if divisionLine.MatchString(line) {
			heading = true
		}
		if heading {
			continue
		}
		if len(out) == 0 {
			out = append(out, madeArticle{})
		}
		out[len(out)-1].lines = append(out[len(out)-1].lines, line)
	}
	return out
}

// articles makes the operations of a wording of whole articles. exceeded says that the wording
// replaces the articles of the places.
func (m *maker) articles(list []spot, wording []string, exceeded bool, set func(*Operation)) {
	made := articlesIn(parted(wording, numbersOf(list)))
	if len(made) > 0 && made[0].number == "" {
		switch {
		case len(made) > 1:
			made = made[1:] // the headings of a division
		case len(list) == 1 && list[0].article != "":
			made[0].number = list[0].article
		default:
			m.unread(NotUnderstood)
			return
		}
	}
	named := map[string]spot{}
	for _, s := range list {
		if s.article == "" {
			continue
		}
		key := law.ArticleKey(s.article)
		if _, twice := named[key]; twice {
			s.path = Path{{}} // several parts of one article
		}
		named[key] = s
	}
	for i, a := range made {
		s, replaced := named[law.ArticleKey(a.number)]
		if !replaced {
			s = spot{article: a.number}
			if len(list) > 0 {
				s.text = list[0].text
			}
		}
		delete(named, law.ArticleKey(a.number))
		if a.gone {
			m.add(RepealArticle, []spot{s}, func(*Operation) {})
			continue
		}
		kind := InsertArticle
		if exceeded && (replaced || a.fresh && isNumber(law.ArticleKey(a.number))) { // « la loi est modifiée ainsi : Article 3 nouveau »
			kind = ReplaceArticle
		}
		places := []spot{s}
		var why Reason
		switch named := s.path; {
		case a.part != "":
			parts, ok := partOf(a.part)
			if kind = ReplacePlace; !ok {
				kind, why = Unread, NotUnderstood
				break
			}
			places = nil
			for _, part := range parts {
				s.path = part.path
				places = append(places, s)
			}
		case len(named) == 1 && named[0].Level == Alinea && !slices.ContainsFunc(a.lines, unchanged.MatchString) && len(a.lines) == 1:
			kind = ReplacePlace // « l'article 5 (1er alinéa) est modifié comme suit : « Art. 5. … » »
		case len(named) > 0: // the wording is that of a part, or of the whole article
			why, places[0].path = PlaceUnclear, nil
		}
		m.add(kind, places, func(op *Operation) {
			set(op)
			op.Doubt = cmp.Or(op.Doubt, why)
			op.Over = op.Over || exceeded && m.p.garbled
			if exceeded && !replaced && !op.Over && !m.divided(list) { // the instruction is about other articles
				op.Doubt = cmp.Or(op.Doubt, NotUnderstood)
			}
			if m.b.bare && (m.b.open && i == len(made)-1 || slices.ContainsFunc(a.lines, m.r.suspects)) {
				op.Doubt = cmp.Or(op.Doubt, WordingOpen)
			}
			op.New, op.Unit, op.Over = trimLines(a.lines), Alineas, op.Over || m.divided(list) && exceeded
			m.missing(op)
			op.Elided = slices.ContainsFunc(op.New, unchanged.MatchString)
			var known bool
			if op.New, op.Rest, known = elided(op.New); kind == ReplacePlace { // the rest is no part of the place
				op.Rest, op.Elided = false, slices.ContainsFunc(op.New, unchanged.MatchString)
				known = !op.Elided
			}
			if !known {
				op.Doubt = cmp.Or(op.Doubt, NotUnderstood)
			}
		})
	}
	if !exceeded || m.r.o.Excerpt && len(made) > 0 {
		return
	}
	if m.divided(list) { // what the division had and the new wording has not is gone
		m.makeHeading(ReplaceHeading, list[0], wording)
		m.add(RepealArticle, list[:1], func(op *Operation) {
			for _, a := range made {
				op.Except = append(op.Except, a.number)
			}
		})
	}
	for _, s := range list { // in the order of the instruction
		if _, left := named[law.ArticleKey(s.article)]; left && s.article != "" {
			m.add(ReplaceArticle, []spot{s}, func(op *Operation) { op.Doubt = WordingMissing })
		}
	}
}

// numbersOf returns the articles of places.
func numbersOf(list []spot) (out []string) {
	for _, s := range list {
		if s.article != "" {
			out = append(out, s.article)
		}
	}
	return out
}

// makeHeading makes the operation on the title of a division that a new wording begins with.
func (m *maker) makeHeading(kind OperationKind, s spot, wording []string) {
	if len(wording) == 0 {
		return
	}
	title := divisionTitle.FindStringSubmatch(wording[0])
	if title == nil {
		return
	}
	op := m.operation(kind, s)
	op.Every = false
	if op.New = []string{title[2]}; title[2] == "" && len(wording) > 1 && headAt(wording[1]).n == 0 {
		op.New = []string{wording[1]}
	}
	if kind == InsertDivision {
		op.Divisions = append([]string{law.Fold(title[1])}, op.Divisions...)
	}
	m.missing(&op)
	m.r.ops = append(m.r.ops, op)
}

// divisionTitle matches the heading of a division and its title.
var divisionTitle = law.Pattern(`^((?i:livre|titre|chapitre|section|sous~section|sous~paragraphe|paragraphe|partie) +(?:[0-9IVXL]+(?i:er|re|ère)?|[A-Z]\b|(?i:premi[eè]re?|unique|préliminaire))(?: +` + suffixes + `\b)?)(?: *[.:~―_]+)* *(.*)$`)

// divided reports whether places are divisions, whose articles the wording makes anew.
func (m *maker) divided(list []spot) bool {
	return len(list) > 0 && list[0].division != "" && list[0].article == ""
}

// trimLines returns paragraphs without marks of omission between articles of an excerpt.
func trimLines(lines []string) []string {
	for len(lines) > 0 && (lines[len(lines)-1] == "[…]" || lines[len(lines)-1] == "(…)") {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// newArticles makes the operations of an insertion of articles or of a division.
func (m *maker) newArticles(c clause, home []spot, wording []string, set func(*Operation)) {
	if c.added.division && len(home) > 0 {
		s := home[0]
		if s.division == "new" {
			s.division = ""
		}
		m.makeHeading(InsertDivision, s, wording)
	}
	made := articlesIn(wording)
	if len(made) == 1 && made[0].number == "" && len(c.added.articles) == 1 && c.added.articles[0] != "" {
		wording = slices.Concat([]string{"Article " + c.added.articles[0]}, wording)
	}
	if c.named || len(wording) == 0 && len(m.b.wording) > 0 { // the wording of a later clause has them
		return
	}
	if len(wording) == 0 {
		var list []spot
		for _, a := range c.added.articles {
			if a != "" {
				s := spot{article: a}
				if len(home) > 0 {
					s.text = home[0].text
				}
				list = append(list, s)
			}
		}
		m.add(InsertArticle, list, func(op *Operation) { op.Doubt = WordingMissing })
		return
	}
	if announced := c.added.articles; len(announced) > 0 && !slices.Contains(announced, "") {
		first, last := slices.MinFunc(announced, CompareNumbers), slices.MaxFunc(announced, CompareNumbers)
		for _, a := range made {
			if a.number != "" && (CompareNumbers(a.number, first) < 0 || CompareNumbers(a.number, last) > 0) {
				m.unread(NotUnderstood)
				return
			}
		}
	}
	m.articles(home, wording, false, set)
}

func (m *maker) insertion(c clause, spots []spot, wording []string, quoted bool, set func(*Operation)) {
	switch {
	case c.anchor != "" && (len(c.new) > 0 || quoted) && c.added == nil:
		m.add(InsertWords, spots, func(op *Operation) {
			set(op)
			op.Words, op.Side = c.anchor, c.beside
		})
	case c.added != nil && (len(c.added.articles) > 0 || c.added.division):
		near := m.places(c.places)
		if len(c.places) == 0 {
			near = spots
		}
		var home []spot
		for _, s := range near {
			home = append(home, spot{text: m.withText(s).text, division: s.division})
		}
		if c.added.division && len(home) == 0 {
			home = []spot{{division: "new"}}
		}
		m.newArticles(c, home, wording, set)
	case c.anchor != "":
		m.unread(NotUnderstood)
	case len(c.places) > 0:
		places := m.inside(c, spots, c.places)
		m.last = places
		if c.added == nil && len(c.new) == 0 {
			m.unread(NotUnderstood)
			return
		}
		m.add(InsertPlace, places, func(op *Operation) {
			set(op)
			op.Side, op.Unit = c.beside, Words
			if c.added != nil {
				op.Unit, op.Labels, op.Ordinal = c.added.unit, c.added.labels, c.added.ordinal
			}
			m.missing(op)
		})
	default:
		side := c.side
		if side == Nowhere {
			side = AtEnd
		}
		m.completion(c, spots, side, wording, set)
	}
}

// completion makes the operations that add something at an end of places.
func (m *maker) completion(c clause, list []spot, side Side, wording []string, set func(*Operation)) {
	if c.added != nil && (c.added.division || len(c.added.articles) > 0) {
		m.newArticles(c, list, wording, set)
		return
	}
	if c.added == nil {
		if len(c.new) == 0 {
			if len(m.b.wording) == 0 {
				m.unread(WordingMissing)
				return
			}
			if made := articlesIn(wording); len(made) > 0 && made[0].number != "" { // « l'article 5 est complété comme suit : « Art. 5. … » »
				m.articles(list, wording, len(list) == 0 || list[0].article != "", set) // « le code est complété par les articles suivants »
				return
			}
			m.add(InsertPlace, list, func(op *Operation) {
				set(op)
				op.Side, op.Unit = side, Alineas
				if slices.ContainsFunc(op.New, unchanged.MatchString) {
					op.Doubt = cmp.Or(op.Doubt, NotUnderstood)
				}
			})
			return
		}
		m.add(InsertWords, list, func(op *Operation) { set(op); op.Side, op.Unit = side, Words })
		return
	}
	kind := InsertPlace
	if c.added.unit == Words {
		kind = InsertWords
	}
	m.add(kind, list, func(op *Operation) {
		set(op)
		op.Side, op.Unit, op.Labels, op.Ordinal = side, c.added.unit, c.added.labels, c.added.ordinal
		m.missing(op)
	})
}
