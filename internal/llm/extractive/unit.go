package extractive

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"vigueur/internal/french"
	"vigueur/internal/llm"
)

// unit is what is quoted at once: a sentence, or the head of a list with its
// items.
type unit struct {
	passage *llm.Passage
	at      int // order in the passage
	text    string
	terms   map[string]bool
	figures figures
	score   float64
}

// listLimit is the length of a list, in code points, beyond which its items are
// cut off.
const listLimit = 900

// units cuts a passage.
func units(p *llm.Passage) []unit {
	spans := french.Sentences(p.Text)
	var out []unit
	for i := 0; i < len(spans); i++ {
		last := listEnd(p.Text, spans, i)
		u := unit{passage: p, at: len(out), text: p.Text[spans[i].Start:spans[last].End], terms: make(map[string]bool)}
		i = last
		for _, t := range french.Analyze(u.text) {
			if !t.Stop {
				u.terms[t.Term] = true
			}
		}
		u.figures = figuresOf(u.text)
		if len(u.terms) > 0 {
			out = append(out, u)
		}
	}
	return out
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
	if strings.Count(text, "«") > strings.Count(text, "»") {
		text = strings.TrimLeft(strings.TrimPrefix(text, "«"), " \u00a0\u202f")
	}
	if strings.Count(text, "»") > strings.Count(text, "«") {
		text = strings.TrimRight(strings.TrimSuffix(strings.TrimRight(text, " ."), "»"), " \u00a0\u202f")
	}
	return quotedNumber.ReplaceAllString(text, "")
}

var quotedNumber = regexp.MustCompile(`^(?i:art\.|article) [^—–]{1,20}[—–] `)
