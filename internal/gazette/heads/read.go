package heads

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/law"
)

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
	Mid   bool // it is centered in its column
	After bool // it follows the end of a sentence, a short line, or another column
	Scan  bool // it was recognized on an image
	Taken bool // it was read as something else: a heading, or part of a quotation
}

// Parts of expressions for numbers.
const (
	Roman    = `[IVXLC]{1,7}`
	Suffixes = `(?:` + law.SuffixWords + `|BIS|TER|QUATER|QUINQUIES)`
)

var (
	// The word, the number, « (nouveau) », and the sign that closes the head.
	articleHead = law.Pattern(`^(?:(?:ARTICLES?|Articles?|Arti~?cle|ART|Art)\b ?[.,:]? *|ARTICLE|Article)` +
		`(?:n ?[°º] ?)?` +
		`(premier|PREMIER|Premier|première|unique|UNIQUE|Unique|1 ?(?:er|ER|re)\b|[lLI] ?(?:er|ER)\b|(?:[LRDA] ?[.]? ?[*]? ?)?\d+(?: ?(?:er|ER|e|ème)\b)?(?: ?~ ?\d+|\.\d+)*(?:(?: |~)?` + Suffixes + `\b)?(?: [A-D]\b)?|` + Roman + `\b)` +
		`( *\((?i:nouveaux?|nouvelle)\))?` +
		` *([°º])?((?: *(?:[.:]|~|, *~)+)*) *`)
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
	if !closed && !StartsBig(rest) && looseLetter.MatchString(printed) { // « Art. 34 A l'exception »: A begins the sentence, a dash before it was lost
		printed = printed[:len(printed)-2]
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
var looseLetter = law.Pattern(`\d [A-D]$`)

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
