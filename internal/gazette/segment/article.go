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

// article reads a line as the head of an article, as articleOf does, or as
// mendHeads has.
func (l line) article(last string) (number string, end int, ok bool) {
	if l.number != "" {
		return l.number, l.headEnd, true
	}
	return articleOf(l.text, last)
}

// articleOf reads a line as the head of an article. It gives the number, as
// law.ArticleNumber writes it, and the byte where the head ends. The number of
// the article before (« » for none) helps where a foot note's mark is glued to
// the number.
func articleOf(text, last string) (number string, end int, ok bool) {
	if text == "" || text[0] != 'A' { // as most lines do not begin, and every head does
		return "", 0, false
	}
	m := articleHead.FindStringSubmatchIndex(text)
	if m == nil {
		return "", 0, false
	}
	printed, rest := text[m[2]:m[3]], text[m[1]:]
	closed := m[8] < m[9] || m[4] >= 0
	if !closed && !startsBig(rest) && looseLetter.MatchString(printed) { // « Art. 34 A l'exception »: the printer's dash was lost
		printed = printed[:len(printed)-2]
		m[1] = m[3] - 1
		rest = text[m[1]:]
	}
	if !closed && rest != "" && !startsBig(rest) {
		return "", 0, false
	}
	if strings.Trim(printed, "IVXLC") == "" && !closed && rest != "" {
		return "", 0, false // « Article I La … » is too near to a word
	}
	return unglued(law.ArticleNumber(printed), last), m[1], true
}

// looseLetter is a number behind which a capital stands alone.
var looseLetter = law.Pattern(`\d [A-D]$`)

// closedHead reports whether a line begins with an article's number and the sign
// behind it, as no sentence does.
func closedHead(text string) bool {
	m := articleHead.FindStringSubmatchIndex(text)
	return len(m) > 9 && m[8] < m[9] && startsBig(text[m[1]:])
}

// unglued takes off the mark of a foot note that the printer set right behind
// the number: after article 333, « 33450 » is 334 with note 50.
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

// follows reports whether an article may stand right after another: the next
// number, or the same with a suffix.
func follows(number, last string) bool {
	a, ok := leading(number)
	if last == "" {
		return ok && a == 1 || number == "unique"
	}
	b, ok2 := leading(last)
	return ok && ok2 && (a == b+1 || a == b && number != last)
}

// anew reports whether a head that ends at byte end says that its wording is new:
// « Article 6-2 (nouveau) », « Article 34 nouveau ».
func (l line) anew(end int) bool {
	return newHead.MatchString(l.text[:end]) || newBehind.MatchString(l.text[end:])
}

// leading is the first whole number of an article's number.
func leading(number string) (int, bool) {
	number = strings.TrimLeft(number, "LRDA. ")
	i := 0
	for i < len(number) && number[i] >= '0' && number[i] <= '9' {
		i++
	}
	n, err := strconv.Atoi(number[:i])
	return n, err == nil
}

// ownTitle reports whether what stands behind an article's number is the title of
// the article (« Article 2 : Définitions »), given the line that follows it.
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
