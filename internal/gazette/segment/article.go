package segment

import (
	"strconv"
	"strings"

	"vigueur/internal/law"
)

var (
	// The word, the number, « (nouveau) », and the sign that closes the head.
	articleHead = law.Pattern(`^(?:(?:ARTICLES?|Articles?|Arti~?cle|ART|Art)\b ?[.,:]? *|ARTICLE|Article)` +
		`(?:n ?[°º] ?)?` +
		`(premier|PREMIER|Premier|première|unique|UNIQUE|Unique|1 ?(?:er|ER|re)\b|[lLI] ?(?:er|ER)\b|(?:[LRDA] ?[.]? ?[*]? ?)?\d+(?: ?(?:er|ER|e|ème)\b)?(?: ?~ ?\d+|\.\d+)*(?:(?: |~)?` + suffixes + `\b)?(?: [A-D]\b)?|` + roman + `\b)` +
		`( *\((?i:nouveaux?|nouvelle)\))?` +
		` *([°º])?((?: *(?:[.:]|~|, *~)+)*) *`)
	newBehind = law.Pattern(`^ *(?i:nouveaux?|nouvelle)(?: |[.:)]|$)`)
	newHead   = law.Pattern(`(?i)\((?:nouveaux?|nouvelle)\)`)
	annexHead = law.Pattern(`^(?:ANNEXES?|Annexes?)(?: *(?:n ?[°º] ?|N ?[°º] ?)?(` + roman + `|\d{1,2}|[A-H])\b)? *((?:[.:]|~)* *)((?:\p{Lu}|«).*)?$`)
)

// article reads the line as the head of an article: as mendHeads repaired it, else as articleOf reads it.
func (l line) article(last string) (number string, end int, ok bool) {
	if l.number != "" {
		return l.number, l.headEnd, true
	}
	return articleOf(l.text, last)
}

// articleOf reads the beginning of text as the head of an article. It returns the number, as
// law.ArticleNumber writes it, and the byte at which the head ends. last is the number of the preceding
// article, "" for none; it helps to separate the mark of a footnote that is glued to the number.
func articleOf(text, last string) (number string, end int, ok bool) {
	if text == "" || text[0] != 'A' { // every head begins with A, and most lines do not
		return "", 0, false
	}
	m := articleHead.FindStringSubmatchIndex(text)
	if m == nil {
		return "", 0, false
	}
	printed, rest := text[m[2]:m[3]], text[m[1]:]
	closed := m[8] < m[9] || m[4] >= 0
	if !closed && !startsBig(rest) && looseLetter.MatchString(printed) { // « Art. 34 A l'exception »: A begins the sentence, a dash before it was lost
		printed = printed[:len(printed)-2]
		m[1] = m[3] - 1
		rest = text[m[1]:]
	}
	if !closed && rest != "" && !startsBig(rest) {
		return "", 0, false
	}
	if strings.Trim(printed, "IVXLC") == "" && !closed && rest != "" {
		return "", 0, false // in « Article I La … », the I may be a misread letter
	}
	return unglued(law.ArticleNumber(printed), last), m[1], true
}

// looseLetter matches a number that is followed by a single capital.
var looseLetter = law.Pattern(`\d [A-D]$`)

// closedHead reports whether text begins with an article's head that is closed by a sign. No sentence begins
// so.
func closedHead(text string) bool {
	m := articleHead.FindStringSubmatchIndex(text)
	return len(m) > 9 && m[8] < m[9] && startsBig(text[m[1]:])
}

// unglued removes the mark of a footnote from the end of a number: after article 333, « 33450 » is 334 with
// note 50.
func unglued(number, last string) string {
	n, err := strconv.Atoi(number)
	before, err2 := strconv.Atoi(strings.TrimSuffix(last, "er"))
	if err != nil || err2 != nil || n < 10*before || n < before+200 {
		return number
	}
	if next := strconv.Itoa(before + 1); strings.HasPrefix(number, next) && len(number) > len(next) {
		return next
	}
	return number
}

// mayComeAfter reports whether article number may come right after article last: it has the next number, or the
// same one with another suffix. If last is "", it must be 1 or « unique ».
func mayComeAfter(number, last string) bool {
	a, ok := leading(number)
	if last == "" {
		return ok && a == 1 || number == "unique"
	}
	b, ok2 := leading(last)
	return ok && ok2 && (a == b+1 || a == b && number != last)
}

// marksNew reports whether the head that ends at byte end marks its wording as new: « Article 6-2 (nouveau) »,
// « Article 34 nouveau ».
func (l line) marksNew(end int) bool {
	return newHead.MatchString(l.text[:end]) || newBehind.MatchString(l.text[end:])
}

// leading returns the integer at the beginning of an article's number, after its letter if it has one.
func leading(number string) (int, bool) {
	number = strings.TrimLeft(number, "LRDA. ")
	i := 0
	for i < len(number) && number[i] >= '0' && number[i] <= '9' {
		i++
	}
	n, err := strconv.Atoi(number[:i])
	return n, err == nil
}

// ownTitle reports whether the rest of the line after an article's number is the article's title (« Article
// 2 : Définitions »). next is the following line, nil for none.
func ownTitle(rest line, next *line) bool {
	t := rest.text
	if t == "" || len(t) > 120 || next == nil || originNote.MatchString(t) || strings.ContainsAny(t[len(t)-1:], ".;:,-") || !startsBig(t) {
		return false
	}
	if !startsBig(next.text) && !item.MatchString(next.text) {
		return false
	}
	if next.opens && short(rest) && (rest.Bold && !next.Bold || !next.mid) {
		return true
	}
	return rest.Slack > 0.3*(rest.Rect[2]-rest.Rect[0]+rest.Indent+rest.Slack)
}
