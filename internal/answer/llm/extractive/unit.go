package extractive

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/answer/llm"
	"vigueur/internal/law"
	"vigueur/internal/law/french"
)

// unit is the smallest possible quotation: a sentence, or the introduction of a list with
// its items.
type unit struct {
	passage      *llm.Passage
	at           int    // index in the passage
	from         int    // byte offset of its beginning in the passage's text
	to           int    // byte offset of its end in the passage's text
	quoted       string // number of the article whose new wording it is quoted in, "" if none
	text         string
	terms        map[string]bool
	order        []string // the terms in the order of the text, with repetitions
	cites        []string // terms of the articles that it cites
	article      string   // term of its own article
	figures      french.Figures
	cosine       float64 // cosine of its vector and the question's vector
	score        float64
	features     Features
	introduction *unit // the line that introduces it, if it is an item of a list too long to be quoted whole
}

// listLimit is the maximum length in code points of a list that is one unit. Items beyond
// it are units of their own.
const listLimit = 900

// units splits a passage into units. It omits lines of tables of contents, lines that only
// introduce a quotation, or are the number of a quoted article, text without terms, and sentences in parentheses unless they are
// the whole passage.
func units(p *llm.Passage) []unit {
	spans := french.Sentences(p.Text)
	var out []unit
	quoted := ""
	var introduction *unit
	listLast := -1 // index of the last span of the list that introduction introduces
	for i := 0; i < len(spans); i++ {
		last, end := listEnd(p.Text, spans, i)
		u := unit{passage: p, at: len(out), from: spans[i].Start, to: spans[last].End, text: p.Text[spans[i].Start:spans[last].End], terms: make(map[string]bool)}
		if i <= listLast {
			u.introduction = introduction
		}
		if end > last && i > listLast {
			introduction, listLast = &unit{passage: p, at: u.at, from: u.from, to: spans[i].End, text: p.Text[u.from:spans[i].End]}, end
		}
		i = last
		m := quotedNumber.FindStringSubmatch(strings.Join(strings.Fields(u.text), " "))
		if len(m) > 0 && law.ArticleKey(m[1]) != law.ArticleKey(p.Article) {
			quoted = m[1]
		}
		u.quoted = quoted
		u.analyze()
		onlyNumber := len(m) > 0 && !strings.ContainsFunc(u.quote(), unicode.IsLetter) // « Article 7 : », of which nothing is left to quote
		if len(u.terms) > 0 && !onlyNumber && !hasDotLeaders(u.text) && !introducesQuotation(p.Text, spans, i) && (len(spans) == 1 || !inParentheses(u.text)) {
			out = append(out, u)
		}
	}
	return out
}

// analyze sets the fields that are computed from the text.
func (u *unit) analyze() {
	for _, t := range french.Analyze(u.text) {
		if t.Stop {
			continue
		}
		u.terms[t.Term] = true
		u.order = append(u.order, t.Term)
		if t.Kind == french.Article {
			u.cites = append(u.cites, t.Term)
		}
	}
	u.figures = french.FiguresOf(u.text)
	u.article = french.ArticleTerm(u.passage.Article)
}

// introducesQuotation reports whether span i ends with a colon and a quotation or nothing
// follows: « … est remplacé par les dispositions suivantes : ».
func introducesQuotation(text string, spans []french.Span, i int) bool {
	return strings.HasSuffix(text[spans[i].Start:spans[i].End], ":") &&
		(i+1 == len(spans) || strings.HasPrefix(text[spans[i+1].Start:], "«"))
}

// inParentheses reports whether a sentence is entirely in parentheses, such as « (Ajouté par
// la loi n° 2019-47 du 29 mai 2019). ». It comments on the text before it and is
// meaningless alone.
func inParentheses(text string) bool {
	text = strings.TrimRight(text, ".;, \u00a0\u202f")
	if !strings.HasPrefix(text, "(") || !strings.HasSuffix(text, ")") {
		return false
	}
	depth := 0
	for i, r := range text {
		switch r {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i == len(text)-1
			}
		}
	}
	return false
}

// listEnd returns two indexes of the list that span i introduces: once, its last item
// that fits with the introduction into one unit, and end, its last item. Both are i if
// span i introduces no list. A list continues after an item that ends with « ; », « , »
// or « : », that continues in lower case, or that is followed by another bullet or by the
// next number. A quotation after a colon is not a list: it is meaningful alone.
func listEnd(text string, spans []french.Span, i int) (once, end int) {
	if !strings.HasSuffix(text[spans[i].Start:spans[i].End], ":") {
		return i, i
	}
	once = i
	marked, mark, limit := false, "", i
	for j := i + 1; j < len(spans); j++ {
		item := text[spans[j].Start:spans[j].End]
		if j == i+1 && strings.HasPrefix(item, "«") {
			return i, i
		}
		for _, m := range itemNumbers(item) {
			if mark == "" && j == i+1 || m == nextNumber(mark) {
				mark = m
			}
		}
		if utf8.RuneCountInString(text[spans[i].Start:spans[j].End]) <= listLimit && once == j-1 {
			once = j
		}
		end = j
		marked = marked || itemMark.MatchString(item)
		if j < limit || listContinues(item, text[spans[j].End:], marked) {
			continue
		}
		if limit = nextNumberedItem(text, spans[j+1:], mark); limit < 0 {
			break
		}
		limit += j + 1
	}
	return once, end
}

// nextNumberedItem returns the index of the first of the spans that has an item with the
// number after mark, -1 if none has. It finds the next item if the current one has
// several sentences.
func nextNumberedItem(text string, spans []french.Span, mark string) int {
	next := nextNumber(mark)
	if next == "" {
		return -1
	}
	return slices.IndexFunc(spans, func(s french.Span) bool { return slices.Contains(itemNumbers(text[s.Start:s.End]), next) })
}

// nextNumber returns the item number after mark, written like it: « 3° » after « 2° », not
// « (3) ». It returns "" if there is none.
func nextNumber(mark string) string {
	figures := strings.Trim(mark, "().°/")
	n, err := strconv.Atoi(figures)
	if err != nil {
		return ""
	}
	return strings.Replace(mark, figures, strconv.Itoa(n+1), 1)
}

// itemNumber matches the number of an item, at the beginning of a line or after a
// semicolon.
var itemNumber = regexp.MustCompile(`(?m)(?:^|;[ \x{00a0}\x{202f}])(\(?\d{1,2}[).°/]+)`)

// itemNumbers returns the item numbers in a span.
func itemNumbers(text string) (out []string) {
	for _, m := range itemNumber.FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	return out
}

// listContinues reports whether a list continues after an item. marked says that its
// items begin with bullets or numbers.
func listContinues(item, rest string, marked bool) bool {
	rest = strings.TrimSpace(rest)
	if strings.HasSuffix(item, ";") || strings.HasSuffix(item, ",") || strings.HasSuffix(item, ":") {
		return true
	}
	first, _ := utf8.DecodeRuneInString(rest)
	if !strings.HasSuffix(item, ".") && unicode.IsLower(first) {
		return true
	}
	return marked && itemMark.MatchString(rest)
}

// itemMark matches the bullet or number of an item.
var itemMark = regexp.MustCompile(`^(?:[-–—•●▪*]|\(?\d{1,2}[).°/]|\(?[a-z][).])\s`)

// quote returns the unit in the lines in which it is printed: an alinéa or an item of a list
// each. It removes unbalanced guillemets, which would open or close the surrounding
// quotation, and the number of a quoted article at the beginning (« Art. 14. — », in an
// amending text).
func (u unit) quote() string {
	text := printedLines(u.text)
	if strings.HasPrefix(text, "«") && strings.HasSuffix(text, "»") && strings.Count(text, "«") == 1 {
		text = strings.Trim(text, "«» \u00a0\u202f")
	}
	return quotedNumber.ReplaceAllString(dropLoneGuillemets(text), "")
}

// printedLines returns a text with one space between the words of a line. It removes lines
// that have neither letters nor digits, and joins a line to the one before it if that ends
// with a word or a comma and the line begins in lower case without the mark of an item: a
// column of print ended there, not an alinéa.
func printedLines(text string) string {
	var b strings.Builder
	last := '\n'
	for line := range strings.Lines(text) {
		if !strings.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			continue
		}
		line = strings.Join(strings.Fields(line), " ")
		first, _ := utf8.DecodeRuneInString(line)
		switch {
		case b.Len() == 0:
		case (unicode.IsLetter(last) || last == ',') && unicode.IsLower(first) && !itemMark.MatchString(line):
			b.WriteString(" ")
		default:
			b.WriteString("\n")
		}
		b.WriteString(line)
		last, _ = utf8.DecodeLastRuneInString(line)
	}
	return b.String()
}

// dropLoneGuillemets removes unbalanced guillemets from a text, with the space on their
// inner side.
func dropLoneGuillemets(text string) string {
	var open, lone []int // byte offsets of guillemets
	for i, r := range text {
		switch r {
		case '«':
			open = append(open, i)
		case '»':
			if len(open) == 0 {
				lone = append(lone, i)
			} else {
				open = open[:len(open)-1]
			}
		}
	}
	lone = append(lone, open...)
	slices.Sort(lone)
	const blanks = " \u00a0\u202f"
	for _, i := range slices.Backward(lone) {
		left, right := text[:i], text[i+len("«"):]
		if strings.HasPrefix(text[i:], "«") {
			right = strings.TrimLeft(right, blanks)
		} else {
			left = strings.TrimRight(left, blanks)
		}
		text = left + right
	}
	return text
}

// quotedNumber matches the number at the beginning of a quoted article: « Art. 15. — »,
// « Article 10 nouveau : ».
var quotedNumber = regexp.MustCompile(`^(?:« *)?(?i:art\.|articles?) *((?:[LRD]\. ?)?\d[\d-]*(?: (?:bis|ter|quater|quinquies))?)(?: ?\(?nouveau\)?)? ?(?:[.:] ?[—–-]?|[—–-]) *`)
