package french

import "strings"

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
