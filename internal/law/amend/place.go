package amend

import (
	"slices"
	"strings"

	"vigueur/internal/law"
	"vigueur/internal/law/read"
)

// spot is a place as an instruction names it: parts that it leaves out come from the
// heading above it.
type spot struct {
	text     TargetText
	here     bool // the article of the heading above: « la fin de l'article »
	article  string
	side     Side   // « à la fin de », « au début de »
	division string // « chapitre I », where no article is named
	path     Path
	times    int  // how often words are in it, where the act says so of this place
	unclear  bool // the path is only where the place begins, or cannot be read: « paragraphe 2 et suivants »
}

// divisionSign parts the divisions of a spot, the smallest first.
const divisionSign = ", "

// spots reads a list of places whose members have the same preposition: « au premier alinéa
// de l'article 5, à l'article 6 et aux articles 7 et 8 ». What a member leaves out, it takes
// from the next one.
func (p *parser) spots(i int, want string) (list []spot, next int, ok bool) {
	pos, ok := p.match(i, want)
	if w := p.word(i); !ok && want == "<the>" && (w == "celles" || w == "ceux" || i == 0 && p.named == nil && p.items && textNouns[w] != "") {
		pos, ok = i, true // « notamment celles de la loi … »; « - loi n° 5 » in a list
	}
	if !ok {
		return nil, i, false
	}
	list, next, ok = p.chain(pos)
	if !ok {
		return nil, i, false
	}
	next = p.timesIn(list, next)
	for {
		times := 0
		start, ok := p.match(next, "<joint> ,? <count> fois ,?") // « à l'article 5 et, deux fois, à l'article 6 »
		if ok {
			times = p.got.count
		} else {
			start = p.skip(next, "<joint>")
		}
		if next == start {
			return list, next, true
		}
		if start, ok = p.match(start, want); !ok && !(want == "<the>" && p.is(start, "celles|ceux <of>")) {
			return list, next, true
		}
		more, end, ok := p.chain(start)
		for k := range more {
			more[k].times = max(more[k].times, times)
		}
		if ok {
			end = p.timesIn(more, end)
		}
		if !ok || len(list[len(list)-1].path) == 0 && len(more[0].path) > 0 && p.depth > 1 {
			return list, next, true // « de l'article 5 et du I de l'article 6 » continues a larger list
		}
		list, next = append(inherit(list, more[0]), more...), end
	}
}

// freshPart is what may follow a place that the act has made new.
const freshPart = "( nouve* ) / nouveau|nouveaux"

// timesIn reads « (deux fois) » after places, which says it of them.
func (p *parser) timesIn(list []spot, i int) (next int) {
	next, ok := p.match(i, "( <count> fois )")
	for k := range list {
		if ok {
			list[k].times = p.got.count
		}
	}
	return next
}

// joint reads « , », « et », « ou » or « , et ».
func (p *parser) joint(i int) (next int, ok bool) { return p.match(i, "<joint>") }

// No place is as deep in others, and no instruction names as many places, as these bounds:
// what goes beyond is not read, so that the instruction is not understood.
const (
	deepest = 24
	most    = 5000
)

// chain reads a place and the larger ones that it is in: « première phrase du 2° de
// l'article 5 du code de commerce ».
func (p *parser) chain(i int) (list []spot, next int, ok bool) {
	inner, next, ok := p.group(i)
	if !ok {
		return nil, i, false
	}
	inner, next = p.narrow(inner, next)
	if p.depth >= deepest {
		return inner, next, true
	}
	p.depth++
	outer, end, ok := p.spots(next, "<of>")
	p.depth--
	if !ok || len(outer)*len(inner) > most {
		return inner, next, true
	}
	for _, o := range outer {
		for _, in := range inner {
			list = append(list, within(o, in))
		}
	}
	return list, end, true
}

// narrow reads the parts that follow an article: « article 5, paragraphe 2, alinéa 1er, ».
func (p *parser) narrow(list []spot, next int) ([]spot, int) {
	for (list[0].division != "" || !list[0].text.Zero()) && len(list) == 1 && p.is(next, ",? <division>") { // « titre VI du code pénal, livre II »
		more, end, ok := p.division(p.skip(next, ","))
		if !ok || len(more) != 1 {
			break
		}
		if list[0].division != "" {
			list[0].division += divisionSign
		}
		list[0].division += more[0].division
		next = end
	}
	for {
		pos := p.skip(next, ",|-")
		if inner := list[0].path; list[0].article == "" && !list[0].here && !(len(inner) > 0 && inner[len(inner)-1].Level == Item && p.is(pos, "<level>")) { // « paragraphe 2, alinéa 2 »
			break
		}
		if several(list) { // « articles 5 et 6, alinéa 2 »: of both, or of the last one?
			break
		}
		var parts []spot
		var end int
		ok := false
		switch level, isLevel := levelOf(p.word(pos)); {
		case isLevel:
			parts, end, ok = p.afterNoun(pos, level, false)
		case p.is(pos, "paragraphe <ordinal>") && !isFigure(p.word(pos+1)):
			parts, end, ok = p.ordinals(pos, false)
		case p.is(pos, "<point>"), pos > next && isDegree(p.word(pos)) && !p.is(pos+1, "<level>"):
			parts, end, ok = p.labels(pos)
		case pos > next && p.finer(list[0].path, pos): // « § 2, b) »
			parts, end, ok = p.labels(pos)
		case pos > next, p.is(pos, "<ordinal> <level>"):
			if parts, end, ok = p.ordinals(pos, false); ok && len(parts[0].path) == 0 {
				ok = false
			}
		}
		if !ok {
			break
		}
		if outer, n, ok := p.labelOfParts(end); ok { // « alinéa 5 du paragraphe 16 »
			for k := range parts {
				parts[k].path = slices.Concat(outer, parts[k].path)
			}
			end = n
		}
		var narrow []spot
		for _, s := range list {
			for _, part := range parts {
				s.path = slices.Concat(s.path[:len(s.path):len(s.path)], part.path)
				narrow = append(narrow, s)
				s.path = s.path[:len(s.path)-len(part.path)]
			}
		}
		list, next = narrow, end
	}
	if _, ok := p.match(next+1, "<of>"); ok && p.word(next) == "," && len(list[0].path) > 0 {
		next++
	}
	return list, next
}

// finer reports whether the label of an item within the last one of a path is at token i.
func (p *parser) finer(path Path, i int) bool {
	label, end, ok := p.label(i)
	if !ok || len(path) == 0 || path[len(path)-1].Level != Item {
		return false
	}
	return !sharesKind(path[len(path)-1].Label, label) && (p.word(end-1) == ")" || isDegree(p.word(i)))
}

// isDegree reports whether a word is the label of an item with its degree sign: « 5° ».
func isDegree(word string) bool {
	return isFigure(word) && (strings.HasSuffix(word, "°") || strings.HasSuffix(word, "º"))
}

// labelOfParts reads the item that parts of an article are in: « du paragraphe 16 ».
func (p *parser) labelOfParts(i int) (path Path, next int, ok bool) {
	pos, ok := p.match(i, "<of>")
	if !ok {
		return nil, i, false
	}
	list, next, ok := p.labels(pos)
	if !ok || len(list) != 1 {
		return nil, i, false
	}
	return list[0].path, next, true
}

// within returns the place inner seen from the larger place outer.
func within(outer, inner spot) spot {
	out := spot{here: inner.here || outer.here, times: max(inner.times, outer.times), unclear: inner.unclear || outer.unclear, text: inner.text, article: inner.article, division: inner.division, side: inner.side}
	if out.text.Zero() {
		out.text = outer.text
	}
	if out.article == "" {
		out.article = outer.article
	}
	if out.division == "" {
		out.division = outer.division
	} else if outer.division != "" {
		out.division += divisionSign + outer.division
	}
	if inner.article != "" {
		out.path = inner.path
		out.unclear = out.unclear || len(outer.path) > 0 // « à l'article 5 de l'alinéa 2 »
	} else {
		out.path = slices.Concat(outer.path, inner.path)
	}
	return out
}

// inherit completes the places of a list from the place that follows them: « au premier
// alinéa et à la première phrase du second alinéa de l'article 5 » are both of article 5.
func inherit(list []spot, next spot) []spot {
	for i, s := range list {
		if s.text.Zero() {
			s.text = next.text
		}
		if s.article == "" && s.division == "" {
			s.article = next.article
			if len(s.path) > 0 {
				s.path = slices.Concat(outside(next.path, s.path[0]), s.path)
			}
		}
		list[i] = s
	}
	return list
}

// outside returns the steps of path that are larger than a step: those before the first step
// of its kind, none if the path has no step of its kind.
func outside(path Path, step Step) Path {
	for i, s := range path {
		if s.Level == step.Level && (s.Level != Item || sharesKind(s.Label, step.Label)) {
			return path[:i]
		}
	}
	return nil
}

func sharesKind(a, b string) bool {
	for _, k := range kindsOfLabel(a) {
		if slices.Contains(kindsOfLabel(b), k) {
			return true
		}
	}
	return false
}

// group reads the places of one level: « première et dernière phrases », « 1° et 2° »,
// « articles 3 à 5 », « chapitre II », « code de commerce ».
func (p *parser) group(i int) (list []spot, next int, ok bool) {
	same := false
	for p.word(i) == "meme" || p.word(i) == "memes" || p.word(i) == "dit" || p.word(i) == "dite" {
		same, i = true, i+1
	}
	if p.word(i) == "present" || p.word(i) == "presente" {
		if kind, ok := textNouns[p.word(i+1)]; ok {
			return []spot{{text: TargetText{Self: true, Type: kind}}}, i + 2, true
		}
		return nil, i, false
	}
	if p.is(i, "dispositions|disposition|prescriptions|celles|ceux / texte <of> article|articles|<kind>") { // « les dispositions de l'article 5 »
		return p.spots(i+1, "<of>")
	}
	if list, next, ok = p.articles(i, same); ok {
		return list, next, true
	}
	if list, next, ok = p.ordinals(i, same); ok {
		return list, next, true
	}
	if list, next, ok = p.division(i); ok {
		return list, next, true
	}
	if t, n, ok := p.text(i, same); ok {
		return []spot{{text: t}}, n, true
	}
	if list, next, ok = p.labels(i); ok {
		return list, next, true
	}
	return nil, i, false
}

// articleNumber matches the number of an article at the beginning of a text.
var articleNumber = law.Pattern(`^(?:(?:[LRDA]|L\.? ?O|LO)\.? ?\*{0,2} ?)?(?:\d+(?:(?:~|\.)\d+)*(?: ?(?:er|re)\b|[a-df-z]\b)?(?:\.? ?~?` + suffixes + `\b)?(?: [A-Z]{1,3}\b)?(?: ` + suffixes + `\b)?(?:~\d+)*|(?i:premier|1er|unique)\b|[Il]er\b)`)

// spacedNumber matches the second part of a number that is printed with blanks, where the
// head of a new wording or a list shows that it is one.
var spacedNumber = law.Pattern(`^( ?~ ?\d+)(?: *\((?i:nouve)|,| et | du | de )`)

// articleAt reads the number of an article at byte at of an instruction, and returns its
// length.
func articleAt(text string) (number string, n int) {
	m := articleNumber.FindString(text)
	if m == "" {
		return "", 0
	}
	if s := spacedNumber.FindStringSubmatch(text[len(m):]); s != nil && isFigure(m) { // « 6 - 2 (nouveau) »
		m += s[1]
	}
	if i := strings.LastIndexByte(m, ' '); i > 0 && (m[i+1:] == "A" || m[i+1:] == "L") {
		rest := strings.TrimLeftFunc(text[len(m):], law.Blank)
		if strings.HasPrefix(rest, "la ") || strings.HasPrefix(rest, "'") || strings.HasPrefix(rest, "’") {
			m = m[:i] // « l'article 5 À la fin »
		}
	}
	return law.ArticleNumber(m), len(m)
}

func startsNumber(text string) bool {
	_, n := articleAt(text)
	return n > 0
}

// articles reads « article 5 », « articles L. 1, L. 2 et L. 4 à L. 6 ».
func (p *parser) articles(i int, same bool) (list []spot, next int, ok bool) {
	start := i
	if i, ok = p.match(i, "article|articles|art|arts .?"); !ok {
		return nil, i, false
	}
	if p.is(start, "articles de <number>") { // « les articles de 24 à 41 »
		i++
	}
	switch numbered := p.is(i, "<number>"); {
	case p.is(i, "precite|susvise"), same && !numbered && p.mem.article.article != "": // « le même article »
		return []spot{{article: p.mem.article.article, text: p.mem.article.text}}, p.skip(i, "precite|susvise"), true
	case same && !numbered:
		return nil, start, false
	case !numbered && p.is(start-1, "l'|cet|le article"):
		return []spot{{here: true}}, i, true
	case !numbered && p.is(start-2, "tous <any> articles"):
		return []spot{{}}, i, true
	case !numbered && len(p.word(i)) <= 3 && p.is(i, "<any> , <number>"):
		i, p.garbled = i+2, true // a number that is misread; the wording has it too
	}
	for next = i; ; {
		if p.at(next) < 0 {
			break
		}
		number, n := articleAt(p.source[p.at(next):])
		if n == 0 {
			break
		}
		if len(list) > 0 && p.word(next-1) == "a" {
			for _, reference := range read.Printed("articles " + list[len(list)-1].article + " à " + number) {
				for _, a := range reference.Articles[1:max(1, len(reference.Articles)-1)] {
					list = append(list, spot{article: a})
				}
			}
		}
		list = append(list, spot{article: number})
		next = p.after(p.at(next) + n)
		next = p.inBrackets(&list, next, p.is(start, "articles|arts"))
		next = p.timesIn(list[len(list)-1:], next)
		next = p.skip(next, freshPart)
		pos, joined := p.match(next, "<joint>|a")
		if !joined && p.is(next, ". <number>") && isFigure(p.word(next+1)) && (len(list) > 1 || p.word(next+2) == ",") { // « 24. 42. 319 »
			pos, joined = next+1, true
		}
		if !joined || !p.is(pos, "<number>") || isDegree(p.word(pos)) || len(list) == 1 && p.is(pos, "<ordinal> <level>") { // « l'article 556, 5° », « article 5, 1er alinéa »
			break
		}
		next = pos
	}
	if len(list) > 0 && len(list[len(list)-1].path) == 0 && several(list) && slices.ContainsFunc(list, func(s spot) bool { return len(s.path) > 0 }) && p.word(next) == "," {
		if n := p.inBrackets(&list, next, true); n > next { // « 25, alinéa 1er, et 31, alinéa 2 »: each has its own
			next = n
		}
	}
	if len(list) == 0 {
		return nil, start, false
	}
	return list, next, true
}

// lastPlaces are the places that are counted from the end.
var lastPlaces = map[string]int{"dernier": -1, "derniere": -1, "avant-dernier": -2, "avant-derniere": -2, "penultieme": -2, "final": -1, "finale": -1, "antepenultieme": -3}

// numberSuffix matches a label with its suffix in one word: « 1bis ».
var numberSuffix = law.Pattern(`^(\d{1,3})((?i:` + suffixes + `))$`)

// several reports whether places are in more than one article.
func several(list []spot) bool {
	return slices.ContainsFunc(list, func(s spot) bool { return s.article != list[0].article })
}

// inBrackets reads the parts that follow the last article of a list: « 32 (2e alinéa) », « 212 (du 2e alinéa jusqu'au
// 6e) », « 319 alinéas 1 et 2 », and, before a further article or where others have parts too, « 25, alinéa 1er, ».
func (p *parser) inBrackets(list *[]spot, next int, plural bool) int {
	last := (*list)[len(*list)-1]
	pos, bracket := next, p.word(next) == "("
	if bracket {
		pos++
	} else if p.word(next) == "," {
		pos++
	}
	_, isLevel := levelOf(p.word(pos))
	if !bracket && !isLevel && !(plural && pos == next && p.is(pos, "<ordinal> <level>") && p.is(pos+2, "<joint> <number>")) { // « 22 1er alinéa, 29 »
		return next
	}
	parts, end, ok := p.partsAt(pos)
	if n, joined := p.joint(pos + 1); !ok && isLevel && joined && isFigure(p.word(n)) && len(*list) > 1 { // « 319 alinéas et 2 »: a number is lost
		(*list)[len(*list)-1].unclear = true
		return n + 1
	}
	if !ok || len(parts) == 0 || len(parts[0].path) == 0 || bracket && p.word(end) != ")" {
		return next
	}
	if bracket {
		end++
	} else {
		others := slices.ContainsFunc(*list, func(s spot) bool { return len(s.path) > 0 })
		if len(*list) == 1 && pos == next && !(plural && p.is(end, "<joint> <number>")) || pos > next && !others && !p.is(end, "<joint> <number>") {
			return next
		}
	}
	*list = (*list)[:len(*list)-1]
	for _, part := range parts {
		last.path = part.path
		*list = append(*list, last)
	}
	return end
}

// partsAt reads parts of an article: « 2e alinéa », « alinéa 1er a) », « du 2e alinéa jusqu'au 6e alinéa inclus ».
func (p *parser) partsAt(i int) (parts []spot, next int, ok bool) {
	if p.is(i, "<of> <ordinal>") {
		first := p.got.nth
		next, ok = p.match(i, "<of> <ordinal> alinea|alineas|al? jusqu'|au|a|la+ <ordinal> alinea|alineas|al? inclus*|compris?")
		for k := first; ok && k <= min(p.got.nth, first+100); k++ {
			parts = append(parts, spot{path: Path{stepOf(Alinea, k)}})
		}
		return parts, next, len(parts) > 1
	}
	parts, next, ok = p.ordinals(i, false)
	if !ok {
		return p.labels(i)
	}
	if label, end, isLabel := p.label(next); isLabel && len(parts) == 1 && p.toks[end-1].text == ")" && p.word(next) != "(" { // « alinéa 1er a) »
		parts[0].path = append(parts[0].path[:1:1], Step{Level: Item, Label: label})
		next = end
	}
	return parts, next, true
}
