package amend

import (
	"slices"
	"strconv"
	"strings"

	"vigueur/internal/law"
)

// spot is a place as an instruction names it: parts that it leaves out come from the
// heading above it.
type spot struct {
	text     Text
	here     bool // the article of the heading above: « la fin de l'article »
	article  string
	side     Side   // « à la fin de », « au début de »
	division string // « chapitre I », where no article is named
	path     Path
}

// divisionSign parts the divisions of a spot, the smallest first.
const divisionSign = ", "

// preposition is the way in which a place is tied to the sentence.
type preposition int

const (
	nominative preposition = iota // « le », « les »
	inside                        // « au », « à la », « dans le »
	of                            // « du », « de la »
)

// determiner reads the article or preposition at token i and returns the token after it.
func (p *parser) determiner(i int, want preposition) (next int, ok bool) {
	word := p.word(i)
	switch want {
	case nominative:
		switch word {
		case "le", "la", "les", "l'", "ledit", "ladite", "lesdits", "lesdites", "cet", "ce", "cette", "ces":
			return i + 1, true
		}
	case inside:
		if (word == "dans" || word == "a") && p.word(i+1) == "l'" && p.word(i+2) == "ensemble" {
			return p.determiner(i+3, of)
		}
		switch word {
		case "au", "aux", "audit", "auxdits":
			return i + 1, true
		case "a", "dans", "en", "sous":
			if n, ok := p.determiner(i+1, nominative); ok {
				return n, true
			}
			if word == "a" && (p.word(i+1) == "chacun" || p.word(i+1) == "chaque" || p.word(i+1) == "ses") {
				return i + 2, true
			}
			if word == "dans" && p.word(i+1) == "tous" && p.word(i+2) == "les" || word == "dans" && p.word(i+1) == "tout" && p.word(i+2) == "le" {
				return i + 3, true
			}
		}
	case of:
		switch word {
		case "du", "des", "dudit", "desdits":
			return i + 1, true
		case "de":
			if n, ok := p.determiner(i+1, nominative); ok {
				return n, true
			}
		}
	}
	return i, false
}

// spots reads a list of places whose members have the same preposition: « au premier alinéa
// de l'article 5, à l'article 6 et aux articles 7 et 8 ». What a member leaves out, it takes
// from the next one.
func (p *parser) spots(i int, want preposition) (list []spot, next int, ok bool) {
	at, ok := p.determiner(i, want)
	if !ok {
		return nil, i, false
	}
	list, next, ok = p.chain(at)
	if !ok {
		return nil, i, false
	}
	for {
		at, ok := p.joint(next)
		if !ok {
			return list, next, true
		}
		at, ok = p.determiner(at, want)
		if !ok {
			return list, next, true
		}
		more, end, ok := p.chain(at)
		if !ok || len(list[len(list)-1].path) == 0 && len(more[0].path) > 0 && p.depth > 1 {
			return list, next, true // « de l'article 5 et du I de l'article 6 » continues a larger list
		}
		list, next = append(inherit(list, more[0]), more...), end
	}
}

// joint reads « , », « et », « ou » or « , et ».
func (p *parser) joint(i int) (next int, ok bool) {
	if p.word(i) == "," {
		i, ok = i+1, true
	}
	switch p.word(i) {
	case "et", "ou":
		return i + 1, true
	case "ainsi":
		if p.word(i+1) == "que" || p.word(i+1) == "qu'" {
			return i + 2, true
		}
	}
	return i, ok
}

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
	inner, next = p.narrowed(inner, next)
	if p.depth >= deepest {
		return inner, next, true
	}
	p.depth++
	outer, end, ok := p.spots(next, of)
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

// narrowed reads the parts that follow an article: « article 5, paragraphe 2, alinéa 1er, ».
func (p *parser) narrowed(list []spot, next int) ([]spot, int) {
	for list[0].article != "" || list[0].here {
		at := next
		if p.word(at) == "," {
			at++
		}
		if several(list) { // « articles 5 et 6, alinéa 2 »: of both, or of the last one?
			break
		}
		var parts []spot
		var end int
		ok := false
		if level, isLevel := levelOf(p.word(at)); isLevel {
			parts, end, ok = p.afterNoun(at, level, false)
		} else if isPoint(p.word(at)) {
			parts, end, ok = p.labels(at)
		} else if at > next {
			if parts, end, ok = p.ordinals(at, false); ok && len(parts[0].path) == 0 {
				ok = false
			}
		}
		if !ok {
			break
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
	if _, ok := p.determiner(next+1, of); ok && p.word(next) == "," && len(list[0].path) > 0 {
		next++
	}
	return list, next
}

// several reports whether places are in more than one article.
func several(list []spot) bool {
	return slices.ContainsFunc(list, func(s spot) bool { return s.article != list[0].article })
}

// inBrackets reads the part that follows the last article of a list: « 32 (2e alinéa) », « 319
// alinéas 1 et 2 ». Only one part can follow.
func (p *parser) inBrackets(list []spot, next int) int {
	last := &list[len(list)-1]
	if p.word(next) == "(" {
		parts, end, ok := p.ordinals(next+1, false)
		if !ok {
			parts, end, ok = p.labels(next + 1)
		}
		if ok && len(parts) == 1 && len(parts[0].path) > 0 && p.word(end) == ")" {
			last.path = parts[0].path
			return end + 1
		}
		return next
	}
	if level, ok := levelOf(p.word(next)); ok && len(list) > 1 {
		if parts, end, ok := p.afterNoun(next, level, false); ok && len(parts) == 1 {
			last.path = parts[0].path
			return end
		}
	}
	return next
}

// isPoint reports whether a folded noun comes before the label of an item.
func isPoint(word string) bool {
	switch strings.TrimSuffix(word, "s") {
	case "point", "paragraphe", "numero", "lettre", "littera", "item":
		return true
	}
	return false
}

// within returns the place inner seen from the larger place outer.
func within(outer, inner spot) spot {
	out := spot{here: inner.here || outer.here, text: inner.text, article: inner.article, division: inner.division, side: inner.side}
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
		if as, ok := textNouns[p.word(i+1)]; ok {
			return []spot{{text: Text{Self: true, Type: as}}}, i + 2, true
		}
		return nil, i, false
	}
	if w := p.word(i); w == "dispositions" || w == "prescriptions" { // « les dispositions de l'article 5 »
		return p.spots(i+1, of)
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
var articleNumber = law.Pattern(`^(?:(?:[LRDA]|L\.? ?O|LO)\.? ?\*{0,2} ?)?(?:\d+(?:(?:~|\.)\d+)*(?: ?(?:er|re)\b)?(?:\.? ?~?` + suffixes + `\b)?(?: [A-Z]{1,3}\b)?(?: ` + suffixes + `\b)?(?:~\d+)*|(?i:premier|1er|unique)\b)`)

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
	switch p.word(i) {
	case "article", "articles", "art":
	default:
		return nil, i, false
	}
	i++
	if p.word(i) == "." {
		i++
	}
	if same {
		if p.mem.article.article == "" {
			return nil, i, false
		}
		return []spot{{article: p.mem.article.article, text: p.mem.article.text}}, i, true
	}
	if p.word(i) == "precite" || p.word(i) == "susvise" {
		return []spot{{article: p.mem.article.article, text: p.mem.article.text}}, i + 1, true
	}
	if w := p.word(i - 2); p.word(i-1) == "article" && (w == "l'" || w == "cet" || w == "le") && (p.at(i) < 0 || !startsNumber(p.source[p.at(i):])) {
		return []spot{{here: true}}, i, true
	}
	if p.word(i-1) == "articles" && p.word(i-3) == "tous" && (p.at(i) < 0 || !startsNumber(p.source[p.at(i):])) {
		return []spot{{}}, i, true
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
			for _, between := range law.References("articles " + list[len(list)-1].article + " à " + number) {
				for _, a := range between.Articles[1:max(1, len(between.Articles)-1)] {
					list = append(list, spot{article: a})
				}
			}
		}
		list = append(list, spot{article: number})
		next = p.after(p.at(next) + n)
		next = p.inBrackets(list, next)
		if p.word(next) == "(" && strings.HasPrefix(p.word(next+1), "nouve") && p.word(next+2) == ")" {
			next += 3
		}
		at, joined := p.joint(next)
		if !joined {
			if p.word(next) != "a" {
				break
			}
			at = next + 1
		}
		if p.at(at) < 0 {
			break
		}
		if _, n := articleAt(p.source[p.at(at):]); n == 0 {
			break
		}
		next = at
	}
	if len(list) == 0 {
		return nil, i, false
	}
	return list, next, true
}

var ordinalWords = map[string]int{
	"premier": 1, "premiere": 1, "1er": 1, "1ere": 1, "second": 2, "seconde": 2, "deuxieme": 2, "troisieme": 3, "quatrieme": 4,
	"cinquieme": 5, "sixieme": 6, "septieme": 7, "huitieme": 8, "neuvieme": 9, "dixieme": 10, "onzieme": 11, "douzieme": 12,
	"treizieme": 13, "quatorzieme": 14, "quinzieme": 15, "seizieme": 16, "dix-septieme": 17, "dix-huitieme": 18,
	"dix-neuvieme": 19, "vingtieme": 20, "vingt-et-unieme": 21, "vingt-deuxieme": 22, "vingt-troisieme": 23, "vingt-quatrieme": 24,
	"vingt-cinquieme": 25, "vingt-sixieme": 26, "vingt-septieme": 27, "vingt-huitieme": 28, "vingt-neuvieme": 29, "trentieme": 30,
	"dernier": -1, "derniere": -1, "avant-dernier": -2, "avant-derniere": -2, "antepenultieme": -3, "penultieme": -2,
}

var numberWords = map[string]int{
	"un": 1, "une": 1, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "six": 6, "sept": 7, "huit": 8, "neuf": 9, "dix": 10,
	"onze": 11, "douze": 12, "treize": 13, "quatorze": 14, "quinze": 15, "seize": 16, "vingt": 20,
}

// ordinalOf reads an ordinal: a word, or « 2e ».
func ordinalOf(word string) (int, bool) {
	if n, ok := ordinalWords[strings.TrimSuffix(word, "s")]; ok {
		return n, true
	}
	if n, ok := ordinalWords[word]; ok {
		return n, true
	}
	for _, end := range []string{"eme", "e"} {
		if digits, ok := strings.CutSuffix(word, end); ok {
			if n, err := strconv.Atoi(digits); err == nil && n > 0 && n < 1000 {
				return n, true
			}
		}
	}
	return 0, false
}

// levelOf returns the level that a noun names.
func levelOf(noun string) (Level, bool) {
	switch strings.TrimSuffix(noun, "s") {
	case "alinea":
		return Alinea, true
	case "phrase":
		return Sentence, true
	case "tiret":
		return Item, true
	}
	return 0, false
}

// ordinals reads « premier alinéa », « deux derniers alinéas », « première et dernière
// phrases », « quatrième à sixième alinéas », « alinéa 2 », « alinéas 1 et 2 », « même
// alinéa ».
func (p *parser) ordinals(i int, same bool) (list []spot, next int, ok bool) {
	if level, ok := levelOf(p.word(i)); ok {
		return p.afterNoun(i, level, same)
	}
	var index []int
	for at := i; ; {
		count, isNumber := numberWords[p.word(at)]
		if n, err := strconv.Atoi(p.word(at)); err == nil && n < 100 { // « les 3 derniers alinéas »
			count, isNumber = n, true
		}
		if n, ok := ordinalOf(p.word(at + 1)); isNumber && ok && (n == 1 || n == -1) {
			for k := range count {
				if n > 0 {
					index = append(index, k+1)
				} else {
					index = append(index, k-count)
				}
			}
			at += 2
		} else if n, ok := ordinalOf(p.word(at)); ok {
			at++
			if count, ok := numberWords[p.word(at)]; ok && (n == 1 || n == -1) { // « premiers deux alinéas »
				for k := 1; k < count; k++ {
					index = append(index, n*(k+1))
				}
				at++
			}
			index = append(index, n)
		} else {
			return nil, i, false
		}
		level, ok := levelOf(p.word(at))
		if w := p.word(at); !ok && (w == "paragraphe" || w == "paragraphes") { // « deuxième paragraphe »
			level, ok = Alinea, true
		}
		if ok {
			for _, n := range index {
				list = append(list, spot{path: Path{stepOf(level, n)}})
			}
			return list, at + 1, true
		}
		if isDivision(p.word(at)) && len(index) == 1 {
			return []spot{{division: p.word(at) + " " + strconv.Itoa(index[0])}}, at + 1, true
		}
		if p.word(at) == "a" {
			last, ok := ordinalOf(p.word(at + 1))
			first := index[len(index)-1]
			if level, isLevel := levelOf(p.word(at + 2)); ok && isLevel && (last > first && first > 0 && last-first < 100) {
				for n := first + 1; n <= last; n++ {
					index = append(index, n)
				}
				for _, n := range index {
					list = append(list, spot{path: Path{stepOf(level, n)}})
				}
				return list, at + 3, true
			}
			return nil, i, false
		}
		joined := false
		if at, joined = p.joint(at); !joined {
			return nil, i, false
		}
	}
}

// stepOf returns the step to the n-th alinea, sentence or dash.
func stepOf(level Level, n int) Step {
	if level == Item {
		return Step{Level: Item, Label: "-", Index: n}
	}
	return Step{Level: level, Index: n}
}

// afterNoun reads « alinéa 2 », « alinéas 1 et 2 », « alinéa premier » and, after « même »,
// « alinéa ». The noun is token i.
func (p *parser) afterNoun(i int, level Level, same bool) (list []spot, next int, ok bool) {
	if same {
		for _, s := range slices.Backward(p.mem.place.path) {
			if s.Level == level {
				return []spot{{path: Path{s}}}, i + 1, true
			}
		}
		return nil, i, false
	}
	next = i + 1
	for {
		word := strings.Trim(p.word(next), "()")
		n, err := strconv.Atoi(word)
		if err != nil {
			var isOrdinal bool
			if n, isOrdinal = ordinalOf(word); !isOrdinal {
				break
			}
		}
		if n > 999 {
			break
		}
		list = append(list, spot{path: Path{stepOf(level, n)}})
		next++
		at, joined := p.joint(next)
		if !joined {
			break
		}
		if _, err := strconv.Atoi(p.word(at)); err != nil {
			break
		}
		next = at
	}
	return list, next, len(list) > 0
}

// labels reads « 1° et 2° », « I », « a bis », « 1° à 3° ».
func (p *parser) labels(i int) (list []spot, next int, ok bool) {
	paragraph := p.word(i) == "paragraphe" || p.word(i) == "paragraphes"
	if isPoint(p.word(i)) {
		i++
	}
	for next = i; ; {
		label, n, ok := p.label(next)
		if !ok {
			break
		}
		if len(list) > 0 && p.word(next-1) == "a" {
			for _, between := range labelsBetween(list[len(list)-1].path[0].Label, label) {
				list = append(list, spot{path: Path{{Level: Item, Label: between}}})
			}
		}
		list = append(list, spot{path: Path{{Level: Item, Label: label, Or: paragraph}}})
		next = n
		at, joined := p.joint(next)
		if !joined {
			if p.word(next) != "a" {
				break
			}
			at = next + 1
		}
		if _, _, ok := p.label(at); !ok || p.source[p.toks[at].start:p.toks[at].end] == "a" && p.word(at+1) != "du" && p.word(at+1) != "de" && joined {
			break
		}
		next = at
	}
	return list, next, len(list) > 0
}

// label reads the label of an item at token i.
func (p *parser) label(i int) (label string, next int, ok bool) {
	if i >= len(p.toks) || p.toks[i].quote >= 0 {
		return "", i, false
	}
	if p.word(i) == "(" && p.word(i+2) == ")" {
		label, _, ok := p.label(i + 1)
		return label, i + 3, ok
	}
	raw := p.source[p.toks[i].start:p.toks[i].end]
	switch {
	case strings.HasSuffix(raw, "°"), strings.HasSuffix(raw, "º"):
		label = strings.TrimRight(raw, "°º") + "°"
	case len(raw) <= 3 && strings.Trim(raw, "0123456789") == "":
		label = raw
	case len(raw) == 1 && (raw[0] >= 'a' && raw[0] <= 'z' || raw[0] >= 'A' && raw[0] <= 'Z'),
		strings.Trim(raw, "IVX") == "", strings.Trim(raw, "ivx") == "", len(raw) == 2 && raw[0] == raw[1] && raw[0] >= 'a' && raw[0] <= 'z':
		label = raw
	case numberSuffix.MatchString(raw):
		m := numberSuffix.FindStringSubmatch(raw)
		label = m[1] + " " + strings.ToLower(m[2])
	case raw == "Ier" || raw == "1er":
		label = raw[:1]
	default:
		return "", i, false
	}
	next = i + 1
	if isSuffix(p.word(next)) {
		label, next = label+" "+p.word(next), next+1
	}
	if p.word(next) == ")" {
		next++
	}
	return label, next, true
}

// numberSuffix matches a label with its suffix in one word: « 1bis ».
var numberSuffix = law.Pattern(`^(\d{1,3})((?i:` + suffixes + `))$`)

func isSuffix(word string) bool {
	return word == "novies" || slices.Contains(suffixOrder, word) || strings.HasSuffix(word, "decies") && len(word) > 6 || word == "vicies"
}

// labelsBetween returns the labels strictly between two labels, none if they cannot be
// counted.
func labelsBetween(from, to string) (out []string) {
	a, s, okA := rank(from)
	b, t, okB := rank(to)
	if !okA || !okB || s != 0 || t != 0 || !sharesKind(from, to) || b-a > 100 {
		return nil
	}
	for n := a + 1; n < b; n++ {
		out = append(out, labelNumber(from, n))
	}
	return out
}

// labelNumber returns the label with number n in the enumeration of like.
func labelNumber(like string, n int) string {
	switch kindsOfLabel(like)[0] {
	case degree:
		return strconv.Itoa(n) + "°"
	case figure:
		return strconv.Itoa(n)
	case roman:
		return romanOf(n)
	case smallRoman:
		return strings.ToLower(romanOf(n))
	case capital:
		return string(rune('A' + n - 1))
	}
	return string(rune('a' + n - 1))
}

// romanOf writes a number below 40 in Roman numerals.
func romanOf(n int) string {
	units := [...]string{"", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"}
	return strings.Repeat("X", n/10) + units[n%10]
}

func isDivision(word string) bool {
	switch strings.TrimSuffix(word, "s") {
	case "livre", "titre", "chapitre", "section", "sous-section", "partie", "annexe", "sous-titre", "sous-paragraphe":
		return true
	}
	return false
}

// division reads « chapitre II », « section 3 », « titre Ier », « intitulé du chapitre II ».
func (p *parser) division(i int) (list []spot, next int, ok bool) {
	if w := p.word(i); w == "intitule" || w == "denomination" {
		return []spot{{division: w}}, i + 1, true
	}
	if w := p.word(i); !isDivision(w) && (w != "paragraphe" || p.word(i+2) == "" || !p.sectionParagraph(i)) {
		return nil, i, false
	}
	noun := strings.TrimSuffix(p.word(i), "s")
	next = i + 1
	for {
		number := p.word(next)
		if number == "preliminaire" || number == "additionnel" || number == "additionnelle" || number == "liminaire" {
			list, next = append(list, spot{division: noun + " " + number}), next+1
			break
		}
		if number == "" || len(number) > 8 || !(strings.Trim(number, "0123456789") == "" || isRoman(number) || ordinalWords[number] == 1 || len(number) == 1 || number == "unique") || number == "a" || number == "," {
			break
		}
		name := noun + " " + number
		next++
		for isSuffix(p.word(next)) {
			name, next = name+" "+p.word(next), next+1
		}
		list = append(list, spot{division: name})
		at, joined := p.joint(next)
		if !joined {
			if p.word(next) != "a" {
				break
			}
			at = next + 1
		}
		if w := p.word(at); !isRoman(w) && strings.Trim(w, "0123456789") != "" || w == "" {
			break
		}
		next = at
	}
	if noun == "annexe" && len(list) == 0 {
		return []spot{{division: noun}}, next, true
	}
	return list, next, len(list) > 0
}

// sectionParagraph reports whether the paragraph at token i is one of a section, not of an
// article.
func (p *parser) sectionParagraph(i int) bool {
	n, ok := p.determiner(i+2, of)
	return ok && isDivision(p.word(n))
}

// isRoman reports whether a folded word is a Roman numeral, such as « ier » and « xiv ».
func isRoman(word string) bool {
	word = strings.TrimSuffix(word, "er")
	return word != "" && strings.Trim(word, "ivxl") == ""
}
