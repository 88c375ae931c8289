package extractive

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"vigueur/internal/french"
	"vigueur/internal/law"
	"vigueur/internal/llm"
)

// unit is what is quoted at once: a sentence, or the head of a list with its
// items.
type unit struct {
	passage *llm.Passage
	at      int    // order in the passage
	last    int    // of the sentences that it quotes together
	quoted  string // number of the article that it words anew, "" when it speaks for its own
	text    string
	terms   map[string]bool
	order   []string // the terms as they stand
	cites   []string // articles that it names, by their terms
	article string   // the term of its own
	figures french.Figures
	score   float64
}

// listLimit is the length of a list, in code points, beyond which its items are
// cut off.
const listLimit = 900

// units cuts a passage.
func units(p *llm.Passage) []unit {
	spans := french.Sentences(p.Text)
	var out []unit
	quoted := ""
	for i := 0; i < len(spans); i++ {
		last := listEnd(p.Text, spans, i)
		u := unit{passage: p, at: len(out), text: p.Text[spans[i].Start:spans[last].End], terms: make(map[string]bool)}
		i = last
		if m := quotedNumber.FindStringSubmatch(strings.Join(strings.Fields(u.text), " ")); len(m) > 0 && law.ArticleKey(m[1]) != law.ArticleKey(p.Article) {
			quoted = m[1]
		}
		u.quoted = quoted
		u.analyze()
		if len(u.terms) > 0 && !leaders(u.text) && !announces(p.Text, spans, i) {
			out = append(out, u)
		}
	}
	return out
}

// analyze fills in what is known of the text.
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

// announces tells whether span i only leads to a quotation that follows it: « …
// est remplacé par les dispositions suivantes : ».
func announces(text string, spans []french.Span, i int) bool {
	return strings.HasSuffix(text[spans[i].Start:spans[i].End], ":") && i+1 < len(spans) &&
		strings.HasPrefix(text[spans[i+1].Start:], "«")
}

// listEnd gives the last span of the list that span i heads, i when it heads
// none: items end with « ; » or « , » but for the last. A quotation that follows
// a colon is no list: it speaks for itself.
func listEnd(text string, spans []french.Span, i int) int {
	if !strings.HasSuffix(text[spans[i].Start:spans[i].End], ":") {
		return i
	}
	for j := i + 1; j < len(spans); j++ {
		item := text[spans[j].Start:spans[j].End]
		switch {
		case j == i+1 && strings.HasPrefix(item, "«"):
			return i
		case utf8.RuneCountInString(text[spans[i].Start:spans[j].End]) > listLimit:
			return j - 1
		case !strings.HasSuffix(item, ";") && !strings.HasSuffix(item, ",") && !strings.HasSuffix(item, ":"):
			return j
		}
	}
	return len(spans) - 1
}

// quote is the unit on one line, without a guillemet that has no partner in it
// and without the number of a quoted article that it may begin with (« Art. 14. —
// », in a text that amends another).
func (u unit) quote() string {
	text := strings.Join(strings.Fields(u.text), " ")
	if strings.HasPrefix(text, "«") && strings.HasSuffix(text, "»") && strings.Count(text, "«") == 1 {
		text = strings.Trim(text, "«» \u00a0\u202f")
	}
	if strings.Count(text, "«") > strings.Count(text, "»") {
		text = strings.TrimLeft(strings.TrimPrefix(text, "«"), " \u00a0\u202f")
	}
	if strings.Count(text, "»") > strings.Count(text, "«") {
		text = strings.TrimRight(strings.TrimSuffix(strings.TrimRight(text, " ."), "»"), " \u00a0\u202f")
	}
	return quotedNumber.ReplaceAllString(text, "")
}

// quotedNumber finds the number of the article that a quoted provision is: « Art.
// 15. — », « Article 10 nouveau : ».
var quotedNumber = regexp.MustCompile(`^(?:« *)?(?i:art\.|articles?) *((?:[LRD]\. ?)?\d[\d-]*(?: (?:bis|ter|quater|quinquies))?)(?: ?\(?nouveau\)?)? ?(?:[.:] ?[—–-]?|[—–-]) *`)
