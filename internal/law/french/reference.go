package french

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/law"
)

// mostParts is the maximum number of parts of a number with hyphens or groups. A longer
// chain is not a number; the limit keeps it from being read again from each of its parts.
const mostParts = 6

// articles reads « article 14 », « art. 26 bis », « articles 3 à 7 et 9 » or « article L.
// 1224-1 ». The result is a token for the word, followed by a token for each article.
func (p *parser) articles(i int) int {
	many := p.lexes[i].role == articlesOf
	n := 1
	for {
		if n > 1 && !many {
			break
		}
		j := i + n
		if n > 1 {
			if j = p.readListed(j); j < 0 {
				break
			}
		} else if j >= len(p.lexes) || !near(p.gap(j)) {
			return 0
		}
		key, m := p.articleNumber(j)
		if m == 0 {
			break
		}
		if n == 1 {
			p.word(i)
		}
		p.emit(j, m, Article, "art"+key)
		n = j + m - i
	}
	if n == 1 {
		return 0
	}
	return n
}

// readListed returns the index of the lexeme at which the next article of a list begins, -1 if
// the list does not continue at j.
func (p *parser) readListed(j int) int {
	if j >= len(p.lexes) {
		return -1
	}
	if gap := p.gap(j); gap == commaGap || gap == commaSpaceGap {
		return j
	}
	switch p.lexes[j].fold {
	case "et", "a", "ou", "au":
		if j+1 < len(p.lexes) && p.gap(j) == spaceGap && p.gap(j+1) == spaceGap {
			return j + 1
		}
	}
	return -1
}

func near(g gapKind) bool { return g == spaceGap || g == dotGap || g == dotSpaceGap || g == degreeGap }

// articleNumber reads the number of an article at j. It returns the key of the number and
// the number of its lexemes, 0 if there is none.
func (p *parser) articleNumber(j int) (key string, n int) {
	if key, n = p.codeNumber(j); n > 0 {
		return key, n
	}
	if j >= len(p.lexes) {
		return "", 0
	}
	x := p.lexes[j]
	switch {
	case x.shape == digits:
		return p.readHyphenated(j, trimZeros(x.fold))
	case x.shape == mixed && firstOf(x.fold), x.role == ordinalOf && x.value == 1:
		key, n = "1", 1
	case x.shape == mixed && x.fold[0] >= '0' && x.fold[0] <= '9':
		key, n = trimZeros(x.fold), 1 // « 12bis », « 7a »
	default:
		return "", 0
	}
	return p.readSuffix(j, key, n)
}

// readSuffix adds a suffix such as « bis » that follows the n lexemes of a number at j.
func (p *parser) readSuffix(j int, key string, n int) (string, int) {
	if k := j + n; k < len(p.lexes) && p.lexes[k].role == suffix && p.gap(k) == spaceGap {
		return key + p.lexes[k].fold, n + 1
	}
	return key, n
}

// parseInserted splits « 12bis » into the digits and the suffix. ok is false if fold has another
// form.
func parseInserted(fold string) (number, end string, ok bool) {
	number = strings.TrimRight(fold, "abcdefghijklmnopqrstuvwxyz")
	end = fold[len(number):]
	role, _ := roleOf(end)
	return number, end, number != "" && shapeOf(number) == digits && role == suffix
}

func firstOf(fold string) bool { return fold == "1er" || fold == "1ere" || fold == "1e" }

// readHyphenated adds parts such as « -1 », and a suffix such as « bis », to the number at j.
func (p *parser) readHyphenated(j int, key string) (string, int) {
	n := 1
	for n < mostParts && j+n < len(p.lexes) && p.gap(j+n) == hyphenGap {
		part := p.lexes[j+n].fold
		if number, end, ok := parseInserted(part); ok {
			return key + "-" + trimZeros(number) + end, n + 1
		}
		if p.lexes[j+n].shape != digits {
			break
		}
		key += "-" + trimZeros(part)
		n++
	}
	return p.readSuffix(j, key, n)
}

// codeArticle reads the number of a code's article without the word « article »:
// « L. 1224-1 », « L1224-1 », « l 1224-1 ».
func (p *parser) codeArticle(i int) int {
	key, n := p.codeNumber(i)
	if n == 0 {
		return 0
	}
	p.emit(i, n, Article, "art"+key)
	return n
}

func (p *parser) codeNumber(j int) (key string, n int) {
	if j >= len(p.lexes) {
		return "", 0
	}
	x := p.lexes[j]
	if x.shape == mixed {
		letter, number := x.fold[:1], x.fold[1:]
		if letter != "l" && letter != "r" && letter != "d" {
			return "", 0
		}
		if figures, end, ok := parseInserted(number); ok {
			return letter + trimZeros(figures) + end, 1
		}
		if shapeOf(number) != digits {
			return "", 0
		}
		return p.readHyphenated(j, letter+trimZeros(number))
	}
	if x.role != codeOf || j+1 >= len(p.lexes) {
		return "", 0
	}
	if figures, end, ok := parseInserted(p.lexes[j+1].fold); ok && near(p.gap(j+1)) {
		return x.fold + trimZeros(figures) + end, 2
	}
	if p.lexes[j+1].shape != digits {
		return "", 0
	}
	gap := p.gap(j + 1)
	if gap != dotGap && gap != dotSpaceGap && gap != spaceGap {
		return "", 0
	}
	key, n = p.readHyphenated(j+1, x.fold+trimZeros(p.lexes[j+1].fold))
	if n == 1 && gap == spaceGap {
		return "", 0 // « d 12 » alone is too ambiguous
	}
	return key, n + 1
}

// textNumber reads the official number of a text: « 2010-05 », « 028-2008/AN ». « 10-15
// jours » is not one, unless « n° » or « loi » precedes it.
func (p *parser) textNumber(i int) int {
	n := 1
	certain := certainNumber(p.lexes[i].fold)
	for i+n < len(p.lexes) && n < mostParts {
		x, gap := p.lexes[i+n], p.gap(i+n)
		if gap != hyphenGap && gap != slashGap || x.shape == letters && (gap != slashGap || len(x.fold) > 6) {
			break
		}
		certain = certain || certainNumber(x.fold)
		n++
	}
	marked := i > 0 && p.gap(i) == degreeGap
	named := marked || i > 0 && (p.lexes[i-1].role == textOf || p.lexes[i-1].fold == "no")
	if n == 1 && !marked || n > 1 && !named && !certain {
		return 0
	}
	term := trimZeros(p.lexes[i].fold)
	for _, x := range p.lexes[i+1 : i+n] {
		term += "-" + trimZeros(x.fold)
	}
	p.emit(i, n, Text, term)
	return n
}

// certainNumber reports whether a part shows that a number with hyphens is the number of a
// text: the part is a year or begins with a zero.
func certainNumber(part string) bool { return part[0] == '0' || len(part) >= 4 }

// Span is the bytes [Start,End) of a text.
type Span struct{ Start, End int }

// Sentences splits text into sentences without the white space around them; together they
// contain all other bytes. A sentence ends at the end of a line or at a full stop, but not
// at a full stop after « art. », « al. », « M. » or « L. », inside a number or before a
// small letter. Closing marks after the end (a guillemet, a bracket, a citation « [2] »)
// belong to the sentence.
func Sentences(text string) []Span {
	var out []Span
	start := 0
	cut := func(end int) {
		first, last := trim(text, start, end)
		if first < last {
			out = append(out, Span{first, last})
		}
		start = end
	}
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '\n':
			cut(i + 1)
			i++
		case c == '.' || c == '!' || c == '?' || strings.HasPrefix(text[i:], "…"):
			end := closers(text, terminators(text, i))
			if endsSentence(text, start, i, end) {
				cut(end)
			}
			i = end
		default:
			i++
		}
	}
	cut(len(text))
	return out
}

func trim(text string, start, end int) (int, int) {
	s := strings.TrimLeftFunc(text[start:end], unicode.IsSpace)
	start = end - len(s)
	return start, start + len(strings.TrimRightFunc(s, unicode.IsSpace))
}

// terminators returns the end of the punctuation that begins at i and can end a sentence.
func terminators(text string, i int) int {
	for i < len(text) {
		switch {
		case text[i] == '.' || text[i] == '!' || text[i] == '?':
			i++
		case strings.HasPrefix(text[i:], "…"):
			i += len("…")
		default:
			return i
		}
	}
	return i
}

// closers returns the end of the closing marks and citations « [n] » after i, including
// blanks between them.
func closers(text string, i int) int {
	for j := i; j < len(text); {
		r, size := utf8.DecodeRuneInString(text[j:])
		switch {
		case strings.ContainsRune("»”\")]", r):
			j += size
			i = j
		case r == '[':
			n := marker(text[j:])
			if n == 0 {
				return i
			}
			j += n
			i = j
		case r == ' ' || r == '\u00a0' || r == '\u202f':
			j += size
		default:
			return i
		}
	}
	return i
}

// marker returns the length of the citation « [12] » or « [1, 2] » at the beginning of s, 0
// if there is none.
func marker(s string) int {
	const longest = 32
	end := strings.IndexByte(s[:min(len(s), longest)], ']')
	if end < 2 || strings.Trim(s[1:end], "0123456789, ") != "" || strings.Trim(s[1:end], ", ") == "" {
		return 0
	}
	return end + 1
}

// endsSentence reports whether the full stop at dot ends the sentence that began at start.
// More text follows at end.
func endsSentence(text string, start, dot, end int) bool {
	rest := strings.TrimLeft(text[end:], " \u00a0\u202f\t")
	if rest == "" || rest[0] == '\n' {
		return true
	}
	r, _ := utf8.DecodeRuneInString(rest)
	if left, _ := utf8.DecodeLastRuneInString(text[start:dot]); len(rest) == len(text)-end && end == dot+1 && (unicode.IsUpper(left) || !unicode.IsUpper(r)) {
		return false // « 1.000 », « L.12 », « S.M.I.G. », but not « le cas.S'il »
	}
	if unicode.IsLower(r) || r == '—' || r == '–' || r == '•' {
		return false // « Art. 14. — La durée … »
	}
	return text[dot] != '.' || end != dot+1 || !abbreviated(text[start:dot])
}

// abbreviated reports whether the text before a full stop ends with an abbreviation or an
// initial, or is the number of an item at the beginning of a sentence.
func abbreviated(left string) bool {
	i := strings.LastIndexFunc(left, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	tail := left
	if i >= 0 {
		_, size := utf8.DecodeRuneInString(left[i:])
		tail = left[i+size:]
	}
	if abbreviations[law.Fold(tail)] {
		return true
	}
	if r, size := utf8.DecodeRuneInString(tail); size == len(tail) && unicode.IsUpper(r) {
		// « L. 1224-1 », « M. Diallo », « S. M. I. G. », but not « 5.000 F. »
		head := strings.TrimRight(left[:len(left)-len(tail)], " \u00a0\u202f")
		return head == "" || head[len(head)-1] < '0' || head[len(head)-1] > '9'
	}
	return strings.TrimSpace(left[:len(left)-len(tail)]) == "" && len(tail) <= 3 && shapeOf(tail) == digits
}

var abbreviations = set("art arts al alin ch chap p pp par cf ex fig vol t tit sect mm mme mmes mlle dr pr me st ste n no nos op cit ibid ed ord reg dec av bd tel env max min")
