// Package heads reads the heads of articles (« Article 12 : », « Art. L. 3-2. — ») and repairs those that a scan
// blurred: before lines are labeled (Mend), when the articles of a text are counted (Misread), and where a gap remains and its
// lines are recognized again (In, Gap.After, Gap.FilledBy). Only numbers that are printed elsewhere confirm a head, so no head is
// invented.
package heads

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/law"
)

// LeadingNumber returns the integer at the beginning of an article's number, after its letter if it has one.
func LeadingNumber(number string) (int, bool) {
	number = strings.TrimLeft(number, "LRDAO.* ")
	i := 0
	for i < len(number) && number[i] >= '0' && number[i] <= '9' {
		i++
	}
	n, err := strconv.Atoi(number[:i])
	return n, err == nil
}

// roman returns the value of Roman figures. A single « L » or « C » is a letter.
func roman(number string) (int, bool) {
	n := law.Roman(number)
	return n, n > 0 && number == strings.ToUpper(number) && number != "L" && number != "C"
}

// writeNumber writes a plain number as law.ArticleNumber does.
func writeNumber(n int) string {
	if n == 1 {
		return "1er"
	}
	return strconv.Itoa(n)
}

// Lettered reports whether a number begins with a letter: « L. 1224-1 ».
func Lettered(number string) bool { return number != "" && number[0] >= 'A' && number[0] <= 'Z' }

// MayFollow reports whether article number may come right after article last: it has the next number, or the same
// number with another suffix. If last is "", number must be 1 or « unique ». Of Roman figures the first is often printed
// as « Ier ».
func MayFollow(number, last string) bool {
	base, suffix, inserted := strings.Cut(number, " ")
	if n, ok := roman(base); ok {
		stem, _, _ := strings.Cut(last, " ")
		previous, ok := roman(stem)
		if inserted { // « II bis »
			return ok && n == previous && !strings.HasSuffix(last, suffix)
		}
		return n == previous+1 && (ok || last == "") || n == 2 && last == "1er"
	}
	a, ok := LeadingNumber(number)
	if last == "" {
		return ok && a == 1 || number == "unique"
	}
	b, ok2 := LeadingNumber(last)
	return ok && ok2 && (a == b+1 || a == b && number != last)
}

// Unglue removes the mark of a footnote from the end of a number: after article 333, « 33450 » is 334 with
// note 50.
func Unglue(number, last string) string {
	n, err := strconv.Atoi(number)
	previous, err2 := strconv.Atoi(strings.TrimSuffix(last, "er"))
	if err != nil || err2 != nil || n < 10*previous || n < previous+200 {
		return number
	}
	if next := strconv.Itoa(previous + 1); strings.HasPrefix(number, next) && len(number) > len(next) {
		return next
	}
	return number
}

// byParts is the number of an article in a code that counts by parts, « L. 12-3 »: a letter, the number of a
// part, and the number within the part, 0 if there is none.
type byParts struct {
	letter     byte
	part, item int
}

// partsOf reads the number of an article counted by parts, as law.ArticleNumber writes it. It returns false for numbers
// with more parts or a suffix.
func partsOf(number string) (n byParts, ok bool) {
	m := numberParts.FindStringSubmatch(number)
	if m == nil {
		return n, false
	}
	part, err := strconv.Atoi(m[2])
	item, err2 := strconv.Atoi(m[3])
	return byParts{m[1][0], part, item}, err == nil && (err2 == nil || m[3] == "")
}

var numberParts = law.Pattern(`^([LRDA])[. ]*(\d{1,5})(?:~(\d{1,3}))?$`)

// String writes the number as law.ArticleNumber does.
func (n byParts) String() string {
	s := string(n.letter) + ". " + strconv.Itoa(n.part)
	if n.item > 0 {
		s += "-" + strconv.Itoa(n.item)
	}
	return s
}

// Head is the head of an article, as it was found on a line.
type Head struct {
	Line   int    // index among the lines that were searched
	Number string // as law.ArticleNumber writes it; "" if it is illegible
	End    int    // byte of the line's text at which the head ends
}

// Line is a printed line as the search for heads sees it.
type Line struct {
	Text  string
	Apart bool // it is set apart from the line before, as a head must be
	Opens bool // it begins a paragraph
	Scan  bool // it was recognized on an image
	Taken bool // it was read as something else: a heading, or part of a quotation
}

// Parts of expressions for numbers.
const (
	Roman    = `[IVXLC]{1,7}`
	Suffixes = `(?:` + law.SuffixWords + `|\p{Ll}{3,6}decies|BIS|TER|QUATER|QUINQUIES)`
	// PartLetters matches those of the parts of a code before a number: « L. », « R.* », « A », « L.O. ».
	PartLetters = `(?:(?:L\.? ?O|[LRDA]) ?[.]? ?[*]{0,2}[.]? ?)`
)

var (
	// The word, the number, « (nouveau) », and the sign that closes the head.
	articleHead = law.Pattern(`^(?:(?:ARTICLES?|Articles?|Arti~?cle|ART|Art)\b ?[.,:]? *|ARTICLE|Article)` +
		`(?:n ?° ?)?` +
		`(premier|PREMIER|Premier|première|unique|UNIQUE|Unique|1 ?(?:er|ER|re)\b|[lLI] ?(?:er|ER)\b|` + PartLetters + `?\d+(?: ?(?:er|ER|e|ème)\b)?(?: ?~ ?\d+|\.\d+)*(?:(?: |~)?` + Suffixes + `\b)?(?: [A-Z]\b)?|` + Roman + `\b(?:(?: |~)` + Suffixes + `\b)?)` +
		`( *\((?i:nouveaux?|nouvelle)\))?` +
		` *(°)?((?: *(?:[.:]|~|, *~)+)*) *`)
	newBehind = law.Pattern(`^ *(?i:nouveaux?|nouvelle)(?: |[.:)]|$)`)
	newHead   = law.Pattern(`(?i)\((?:nouveaux?|nouvelle)\)`)
)

// Read reads the beginning of text as the head of an article. It returns the number, as law.ArticleNumber
// writes it, and the byte at which the head ends. last is the number of the preceding article, "" for none; it
// helps to separate the mark of a footnote that is glued to the number.
func Read(text, last string) (number string, end int, ok bool) {
	if text == "" || text[0] != 'A' { // every head begins with A, and most lines do not
		return "", 0, false
	}
	m := articleHead.FindStringSubmatchIndex(text)
	if m == nil {
		return "", 0, false
	}
	printed, rest := text[m[2]:m[3]], text[m[1]:]
	closed := m[8] < m[9] || m[4] >= 0
	if looseLetter.MatchString(printed) && rest != "" && beginsSentence(printed[len(printed)-1], closed, rest) {
		printed, closed = printed[:len(printed)-2], false
		m[1] = m[3] - 1
		rest = text[m[1]:]
	}
	if !closed && rest != "" && !StartsBig(rest) {
		return "", 0, false
	}
	if strings.Trim(printed, "IVXLC") == "" && !closed && rest != "" {
		return "", 0, false // in « Article I La … », the I may be a misread letter
	}
	return Unglue(law.ArticleNumber(printed), last), m[1], true
}

// looseLetter matches a number that is followed by a single capital.
var looseLetter = law.Pattern(`\d [A-Z]$`)

// beginsSentence reports whether the capital behind a number is no part of it, but begins what follows: « Art. 34 A l'exception »,
// where a dash was lost, « Art. 12 I. — Le sel ».
func beginsSentence(letter byte, closed bool, rest string) bool {
	if closed {
		return strings.IndexByte("IVX", letter) >= 0
	}
	return letter > 'D' || !StartsBig(rest)
}

// Closed reports whether text begins with an article's head that is closed by a sign. No sentence begins so.
func Closed(text string) bool {
	m := articleHead.FindStringSubmatchIndex(text)
	return len(m) > 9 && m[8] < m[9] && StartsBig(text[m[1]:])
}

// MarksNew reports whether the head that ends at byte end of text marks its wording as new: « Article 6-2
// (nouveau) », « Article 34 nouveau ».
func MarksNew(text string, end int) bool {
	return newHead.MatchString(text[:end]) || newBehind.MatchString(text[end:])
}

// StartsBig reports whether text can follow a head, because it begins with a capital, a digit, an opening quotation
// mark or a bracket.
func StartsBig(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsUpper(r) || unicode.IsDigit(r) || strings.ContainsRune("«“\"(", r)
}

// dirtSigns are the characters that recognition reads from dirt at the edge of a column.
const dirtSigns = " ‘’'\"“”.,-–—_|*("

// In reads an article's head, clear or misread, at the beginning of a recognized line, behind signs of dirt.
func In(line string) (h Head, ok bool) {
	text := strings.TrimLeft(line, dirtSigns)
	if h, ok = legible(text); !ok {
		h, ok = slippedBig(text)
	}
	return h, ok
}

// legible reads a clear head with a number that can be counted.
func legible(text string) (Head, bool) {
	number, end, ok := Read(text, "")
	n, counted := LeadingNumber(number)
	return Head{Number: number, End: end}, ok && counted && n > 0
}

// slippedBig reads a misread head with a legible number. A head that continues in lower case only mentions an
// article.
func slippedBig(text string) (Head, bool) {
	h, ok := readSlipped(text)
	return h, ok && h.Number != "" && (h.End == len(text) || StartsBig(text[h.End:]))
}

// Letters returns the letters of a folded word, with digits and signs replaced by the letters that they
// resemble.
func Letters(word string) string {
	folded := law.Fold(word)
	out := make([]byte, 0, len(folded))
	for i := range len(folded) { // no byte of a longer character is one of these
		switch c := folded[i]; {
		case c >= 'a' && c <= 'z':
			out = append(out, c)
		case c == '1', c == '|', c == '!':
			out = append(out, 'l')
		case c == '4':
			out = append(out, 'a')
		case c == '0':
			out = append(out, 'o')
		}
	}
	return string(out)
}

var figureLike = map[rune]rune{'l': '1', 'I': '1', 'i': '1', '|': '1', '!': '1', 't': '1', 'O': '0', 'o': '0', 'D': '0', 'Q': '0', 'S': '5', 's': '5', '$': '5',
	'B': '8', 'Z': '2', 'z': '2', 'g': '9', 'q': '9'}

// figures returns a token with letters and signs replaced by the digits that they resemble.
func figures(token string) string {
	return strings.Map(func(r rune) rune {
		if f, ok := figureLike[r]; ok {
			return f
		}
		return r
	}, token)
}

// Slips returns the Levenshtein distance of a and b in bytes. If their lengths differ by more than 3, it
// returns 4.
func Slips(a, b string) int {
	const many = 3
	if len(a)-len(b) > many || len(b)-len(a) > many {
		return many + 1
	}
	return law.Distance(a, b)
}

// SlipsInWord is the maximum number of misread letters in « article ».
const SlipsInWord = 2

// The folded words by which articles are named.
const (
	fullWord  = "article"
	shortWord = "art"
)

// wordReach is the number of bytes, from the first letter of a line on, within which the word « Article » of a head
// must end.
const wordReach = 14

// wordAt returns the byte at which the first word of a line ends, if that word is « Article » with at most
// SlipsInWord misread letters. The word may be in pieces: « Art icle ».
func wordAt(text string) (end int, ok bool) {
	start := len(text) - len(strings.TrimLeftFunc(text, func(r rune) bool { return !isToken(r) }))
	if start > 4 {
		return 0, false
	}
	best, fewest := -1, SlipsInWord+1
	if whole := Letters(text[start:min(start+wordReach+utf8.UTFMax, len(text))]); whole == "" || whole[0] != 'a' {
		return 0, false // most lines end here, before the slow comparison of each prefix
	}
	for i, r := range text[start:] {
		if i > wordReach {
			break
		}
		pos := start + i + utf8.RuneLen(r)
		letters := Letters(text[start:min(pos, len(text))])
		if n := Slips(letters, fullWord); len(letters) >= 5 && letters[0] == 'a' && n < fewest {
			best, fewest = pos, n
		}
	}
	return best, best >= 0 && best <= len(text)
}

// likeWord reports whether a token resembles « Article » or « Art. ».
func likeWord(token string) bool {
	letters := Letters(token)
	return strings.HasPrefix(letters, shortWord) || Slips(letters, fullWord) <= SlipsInWord
}

// firstToken returns the text up to the first blank.
func firstToken(text string) string {
	if pos := strings.IndexAny(text, " \u00a0"); pos >= 0 {
		return text[:pos]
	}
	return text
}

// isToken reports whether a rune belongs to a word or a number.
func isToken(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
