package segment

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/law"
)

// Recognition misreads heads in scans: « Artic1e 8 », « Aficle 11 : », « Art icle 9 », « CHAPIÏRE II ». A
// line that resembles the head of an article counts as one only if the numbers around it leave a gap for
// exactly that article. So misread heads are repaired, and no head is invented.

// blurredHead is a line that is, or resembles, the head of an article.
type blurredHead struct {
	line   int
	number int  // 0 if it cannot be read
	end    int  // byte at which the head ends
	clear  bool // it reads as a head, with a number
	scan   bool // on a scan, with a plain number, which may be misread
}

// mendHeads finds misread heads of articles and divisions and records on their lines what they are.
func mendHeads(lines []line) {
	mendLettered(lines)
	var heads []blurredHead
	for i := range lines {
		l := &lines[i]
		prev := before(lines, i)
		if l.number != "" || !mayHead(prev, *l) {
			continue
		}
		if number, end, ok := articleOf(l.text, ""); ok {
			n, ok := leading(number)
			otherText := l.marksNew(end) // it heads a wording for another text
			heads = append(heads, blurredHead{i, n, end, ok, l.scan && allDigits(number) && !otherText})
			continue
		}
		if h, ok := readSpecked(l); ok {
			h.line = i
			heads = append(heads, h)
			continue
		}
		if h, ok := headAtStart(l.text); ok && h.opened {
			continue // correctly read, and another text's
		}
		if number, _ := letteredSlip(l); number != "" {
			continue // mendLettered repairs these
		}
		if h, ok := blurredArticle(l.text); ok && (l.opens || h.number > 0 || numberless.MatchString(l.text)) {
			h.line, h.scan = i, l.scan
			heads = append(heads, h)
			continue
		}
		l.division = blurredDivision(*l)
	}
	for k := 0; k < len(heads); {
		n := 1
		if !heads[k].trusted(heads, k) {
			n = mendRun(lines, heads, k)
		}
		k += n
	}
}

// readSpecked reads the head of an article that follows specks of dirt. It counts as a head only if the numbers
// around it leave a gap for it.
func readSpecked(l *line) (h blurredHead, ok bool) {
	dirt := specks.FindString(l.text)
	if !l.scan || dirt == "" {
		return h, false
	}
	number, end, ok := articleOf(l.text[len(dirt):], "")
	if !ok || l.marksNew(len(dirt)+end) {
		return h, false
	}
	n, ok := leading(number)
	return blurredHead{number: n, end: len(dirt) + end, scan: true}, ok
}

// trusted reports whether a head needs no repair: it was read well, and its number follows the one before or
// is not contradicted by its neighbors.
func (h blurredHead) trusted(all []blurredHead, k int) bool {
	if !h.clear {
		return false
	}
	if !h.scan || k == 0 || k+1 == len(all) {
		return true // misprints are kept
	}
	prev, next := all[k-1].number, all[k+1].number
	return h.number == prev+1 || next != prev+2 || !all[k-1].clear || !all[k+1].clear
}

// mendRun numbers the doubtful heads from k up to the next clear one, where the numbers fit, and returns the
// number of these heads.
func mendRun(lines []line, heads []blurredHead, k int) int {
	last := 0
	if k > 0 {
		last = heads[k-1].number
	}
	own := ownCount(heads[:k])
	from, end := k, k+1
	for end < len(heads) && !heads[end].clear {
		end++
	}
	fits := end < len(heads) && heads[end].number == last+(end-k)+1
	for ; k < end; k++ {
		h := &heads[k]
		switch {
		case fits || h.number == last+1 || confirmedLater(heads[k:end], last):
			h.number = last + 1
		case h.number > 1 && h.number == own+1 && h.scan && !comesAgain(heads[end:], h.number): // after a wording for another text
		case h.number == 1 && !h.clear: // the first article of another text
		case h.clear:
			last = h.number
			continue
		default:
			h.number = last // not an article: the next head is compared with the same number
			continue
		}
		last = h.number
		l := &lines[h.line]
		if l.number = strconv.Itoa(last); last == 1 {
			l.number = "1er"
		}
		l.headEnd = h.end
	}
	return end - from
}

// ownCount returns the number of the text's last own article. Articles of wordings for other texts interrupt
// the numbering and are skipped.
func ownCount(heads []blurredHead) int {
	n := 0
	for _, h := range heads {
		if h.number == n+1 {
			n++
		}
	}
	return n
}

// comesAgain reports whether a clear head of that number follows.
func comesAgain(heads []blurredHead, number int) bool {
	return slices.ContainsFunc(heads, func(h blurredHead) bool { return h.clear && h.number == number })
}

// confirmedLater reports whether a later head of the run has a number that it can only have if the first head is
// article last+1.
func confirmedLater(run []blurredHead, last int) bool {
	for i, h := range run[1:] {
		if h.number == last+i+2 {
			return true
		}
	}
	return false
}

// The maximum number of misread letters in « article » and in the word of a division.
const (
	slipsInArticle  = 2
	slipsInDivision = 1
)

// numberless matches « Article : », a head whose number the printer forgot.
var numberless = law.Pattern(`^(?:ARTICLE|Article) ?: *`)

// blurredShort matches « Art. 16 - » with one misread letter in the word: « Aït. 16 - », « Arl. 16. — ».
var blurredShort = law.Pattern(`^[^\p{L}\d«"“(]{0,2}A(?:[^\s\d.,]t|r[^\s\d.,])[.,] ?(\d{1,4}) *(?:(?:[.:]|~|_) *)+`)

// blurredReach is the byte of a line by which its first word must end.
const blurredReach = 14

// blurredArticle reads a line that begins with something like « Article 12 ».
func blurredArticle(text string) (blurredHead, bool) {
	if m := numberless.FindStringIndex(text); len(m) == 2 && startsBig(text[m[1]:]) {
		return blurredHead{end: m[1]}, true
	}
	if m := blurredShort.FindStringSubmatchIndex(text); m != nil {
		if number := figuresLike(text[m[2]:m[3]]); number > 0 && startsBig(text[m[1]:]) {
			return blurredHead{number: number, end: m[1]}, true
		}
	}
	best, ok := blurredWord(text)
	if !ok {
		return blurredHead{}, false
	}
	rest := strings.TrimLeft(text[best:], " .:;,-–—_")
	if rest == text[best:] && rest != "" && unicode.IsLower(rune(rest[0])) {
		return blurredHead{}, false
	}
	token, _, _ := strings.Cut(rest, " ")
	token = strings.TrimRight(token, ".:;,-–—)_")
	if token == "" || utf8.RuneCountInString(token) > 8 {
		return blurredHead{}, false
	}
	end := len(text) - len(rest) + len(token)
	after := strings.TrimLeft(text[end:], " .:;,-–—)_°")
	number := figuresLike(token)
	if number == 0 && (after == text[end:] || after != "" && !startsBig(after)) {
		return blurredHead{}, false
	}
	return blurredHead{number: number, end: len(text) - len(after)}, true
}

// blurredWord returns the byte at which the first word of a line ends, if that word is « Article » with at
// most slipsInArticle misread letters.
func blurredWord(text string) (end int, ok bool) {
	from := len(text) - len(strings.TrimLeftFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }))
	if from > 4 {
		return 0, false
	}
	best, slips := -1, slipsInArticle+1
	if whole := lettersLike(text[from:min(from+blurredReach+utf8.UTFMax, len(text))]); whole == "" || whole[0] != 'a' {
		return 0, false // most lines end here, before the slow comparison of each prefix
	}
	for i, r := range text[from:] {
		if i > blurredReach {
			break
		}
		at := from + i + utf8.RuneLen(r)
		word := lettersLike(text[from:min(at, len(text))])
		if n := slipsOf(word, "article"); len(word) >= 5 && word[0] == 'a' && n < slips {
			best, slips = at, n
		}
	}
	return best, best >= 0 && best <= len(text)
}

// lettersLike returns the letters of a folded word, with digits and signs replaced by the letters that they
// resemble.
func lettersLike(word string) string {
	var b strings.Builder
	for _, r := range law.Fold(word) {
		switch {
		case r >= 'a' && r <= 'z':
			b.WriteRune(r)
		case r == '1', r == '|', r == '!':
			b.WriteByte('l')
		case r == '4':
			b.WriteByte('a')
		case r == '0':
			b.WriteByte('o')
		}
	}
	return b.String()
}

var figureLike = map[rune]rune{'l': '1', 'I': '1', 'i': '1', '|': '1', '!': '1', 't': '1', 'O': '0', 'o': '0', 'D': '0', 'Q': '0', 'S': '5', 's': '5', '$': '5',
	'B': '8', 'Z': '2', 'z': '2', 'g': '9', 'q': '9'}

// figuresLike reads an article's number in which letters may stand for digits that they resemble. It returns
// 0 if token is no number.
func figuresLike(token string) int {
	if firstLike.MatchString(token) {
		return 1
	}
	var b strings.Builder
	for _, r := range token {
		if f, ok := figureLike[r]; ok {
			r = f
		}
		if r < '0' || r > '9' {
			return 0
		}
		b.WriteRune(r)
	}
	n, _ := strconv.Atoi(b.String())
	return n
}

// firstLike matches « 1er » or « premier » as scans show them: « 1"' », « ler », « 1°” ».
var firstLike = law.Pattern(`^(?:[1lIi] ?(?:[eo]r|er|ef|le,|["'”°*]{1,3}|°["'”])|1er|(?i:premi.?r|prem.er|p.emier))$`)

// divisionWords are the words that begin the heading of a division.
var divisionWords = []string{"chapitre", "titre", "section", "livre", "partie"}

// blurredDivision reads the heading of a division whose word is misread or whose number cannot be read, if it
// is centered and alone on its line: « CHAPIÏRE II », « CHAPITRE Hi ». It returns the word, "" for any other
// line.
func blurredDivision(l line) string {
	if _, ok := headingOf(l.text); ok || !l.mid || len(l.text) > 24 || !capitals(firstWord(l.text)) {
		return ""
	}
	word := lettersLike(firstWord(l.text))
	number := strings.Trim(strings.TrimPrefix(l.text, firstWord(l.text)), " .:-–—")
	if utf8.RuneCountInString(number) > 5 {
		return ""
	}
	for _, w := range divisionWords {
		if n := slipsOf(word, w); n == 0 || n <= slipsInDivision && len(w) > 5 && number != "" {
			return w
		}
	}
	return ""
}

// slipsOf returns the Levenshtein distance of a and b in bytes. If their lengths differ by more than 3, it
// returns 4.
func slipsOf(a, b string) int {
	const many = 3
	if len(a)-len(b) > many || len(b)-len(a) > many {
		return many + 1
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diagonal
			if a[i-1] != b[j-1] {
				cost++
			}
			diagonal = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}
