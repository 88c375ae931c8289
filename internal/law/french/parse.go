package french

import (
	"strconv"
	"strings"
)

// parser groups lexemes into tokens. Each rule reads the lexemes from i on and returns how
// many it used, 0 if it does not apply.
type parser struct {
	text  string
	lexes []lexeme
	out   []Token
	words *Analyzer
}

func (p *parser) run() []Token {
	for i := 0; i < len(p.lexes); {
		i += p.step(i)
	}
	return p.out
}

func (p *parser) step(i int) int {
	x := p.lexes[i]
	switch x.shape {
	case digits:
		return p.first(i, p.date, p.textNumber, p.number)
	case mixed:
		return p.first(i, p.date, p.codeArticle, p.readMixed)
	}
	switch x.role {
	case plain:
		if x.fold == "ler" { // « 1er », misread by text recognition
			return p.first(i, p.date, p.word)
		}
		if len(x.fold) == 1 && p.text[x.end:min(x.end+1, len(p.text))] == "." {
			return p.first(i, p.acronym, p.word)
		}
		if x.fold == "pour" && i+1 < len(p.lexes) && p.lexes[i+1].role == hundred && p.gap(i+1) == spaceGap {
			p.emit(i, 2, Word, "%")
			return 2
		}
	case unit, hundred, thousand, one:
		return p.first(i, p.numberWords, p.word)
	case ordinalOf:
		return p.first(i, p.date, p.ordinal)
	case articleOf, articlesOf:
		return p.first(i, p.articles, p.word)
	case heading:
		return p.first(i, p.headingNumber, p.word)
	case codeOf:
		return p.first(i, p.date, p.codeArticle, p.acronym, p.word)
	}
	return p.word(i)
}

func (p *parser) ordinal(i int) int {
	p.emit(i, 1, Ordinal, strconv.FormatInt(p.lexes[i].value, 10)+"e")
	return 1
}

// first applies the rules in order until one applies. The last rule must always apply.
func (p *parser) first(i int, rules ...func(int) int) int {
	for _, rule := range rules {
		if n := rule(i); n > 0 {
			return n
		}
	}
	return 1
}

// emit appends one token that consists of n lexemes from i on.
func (p *parser) emit(i, n int, kind Kind, term string) {
	p.out = append(p.out, Token{Term: term, Start: p.lexes[i].start, End: p.lexes[i+n-1].end, Kind: kind})
}

func (p *parser) word(i int) int {
	x := p.lexes[i]
	p.out = append(p.out, Token{Term: x.stem, Start: x.start, End: x.end, Kind: Word, Stop: x.stop})
	return 1
}

// acronym reads « S.M.I.G. »: single letters with only dots between them.
func (p *parser) acronym(i int) int {
	n := 1
	for i+n < len(p.lexes) && len(p.lexes[i+n].fold) == 1 && p.lexes[i+n].shape == letters && p.gap(i+n) == dotGap {
		n++
	}
	if n < 2 || len(p.lexes[i].fold) != 1 {
		return 0
	}
	var b strings.Builder
	for _, x := range p.lexes[i : i+n] {
		b.WriteString(x.fold)
	}
	p.emit(i, n, Word, stem(b.String()))
	return n
}

// headingNumber reads « TITRE II » and « Chapitre Ier » as « titre 2 ».
func (p *parser) headingNumber(i int) int {
	if i+1 >= len(p.lexes) || p.gap(i+1) != spaceGap {
		return 0
	}
	x := p.lexes[i+1]
	n := roman(p.text[x.start:x.end])
	if n == 0 {
		return 0
	}
	p.word(i)
	p.emit(i+1, 1, Number, strconv.Itoa(n))
	return 2
}

// roman returns the value of a Roman numeral in capitals, with or without « er »; 0 if s is
// not one.
func roman(s string) int {
	for _, ending := range []string{"er", "ER", "ère", "re"} {
		if s == "I"+ending {
			return 1
		}
	}
	values := map[byte]int{'I': 1, 'V': 5, 'X': 10, 'L': 50, 'C': 100}
	total, last := 0, 0
	for i := len(s) - 1; i >= 0; i-- {
		v := values[s[i]]
		switch {
		case v == 0:
			return 0
		case v < last:
			total -= v
		default:
			total, last = total+v, v
		}
	}
	return total
}

// gapKind is the kind of separator between a lexeme and the one before it.
type gapKind uint8

const (
	otherGap gapKind = iota
	noGap
	spaceGap // blanks within a line
	dotGap
	dotSpaceGap
	commaGap
	commaSpaceGap
	hyphenGap
	slashGap
	degreeGap // « n° »
	openGap   // an opening bracket
)

// gap classifies the separator before lexeme i.
func (p *parser) gap(i int) gapKind {
	if i == 0 {
		return otherGap
	}
	s := p.text[p.lexes[i-1].end:p.lexes[i].start]
	switch s { // fast path for nearly all separators
	case "":
		return noGap
	case " ":
		return spaceGap
	case "-":
		return hyphenGap
	case ".":
		return dotGap
	}
	const longest = 16 // every separator with a meaning is shorter
	if len(s) > longest {
		return otherGap
	}
	t := strings.Trim(s, " \u00a0\u202f\u2009\t")
	kind, ok := gaps[t]
	switch {
	case !ok || kind == hyphenGap && len(t) < len(s):
		return otherGap
	case kind == dotGap && len(t) < len(s):
		return dotSpaceGap
	case kind == commaGap && len(t) < len(s):
		return commaSpaceGap
	}
	return kind
}

var gaps = map[string]gapKind{"": spaceGap, ".": dotGap, ",": commaGap, "-": hyphenGap, "‑": hyphenGap, "‐": hyphenGap,
	"/": slashGap, "°": degreeGap, "°.": degreeGap, "(": openGap}
