package answering

import (
	"regexp"
	"strings"

	"vigueur/internal/answer/llm"
	"vigueur/internal/law"
	"vigueur/internal/law/french"
)

// marks finds the marks of citations: « [3] », « [1, 4] ».
var marks = regexp.MustCompile(`\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]`)

// source is a passage that a sentence cites. Its facts and tokens are computed when they
// are first needed.
type source struct {
	passage llm.Passage
	facts   map[string]bool
	plain   string
	read    []french.Token
}

// tokens returns the tokens of the passage's text.
func (c *source) tokens() []french.Token {
	if c.read == nil {
		c.read = french.Analyze(c.passage.Text)
	}
	return c.read
}

// holds reports whether the passage, including its number and headings, contains the fact.
func (c *source) holds(f french.Fact) bool {
	if c.facts == nil {
		c.facts = make(map[string]bool)
		p := c.passage
		texts := []string{p.Text, "article " + p.Article, p.Heading, p.Title, "n° " + p.Number, strings.Join(p.Path, "\n")}
		if p.New != nil {
			texts = append(texts, p.New.Of, "article "+p.New.By, p.New.Part)
		}
		for _, text := range append(texts, p.Record...) {
			for _, f := range french.Facts(text) {
				c.facts[f.Value] = true
				c.facts[f.Bare] = true
				switch f.Kind { // a sentence may give only the year of a date, or the number of a text without its authors' initials
				case french.Text:
					c.facts[french.TextStem(f.Value)] = true
				case french.Date:
					c.facts[f.Value[:len("2010")]] = true
				}
			}
		}
	}
	return c.facts[f.Value]
}

// contains reports whether the passage contains a quotation word for word.
func (c *source) contains(quotation string) bool {
	if c.plain == "" {
		c.plain = " " + plainWords(c.passage.Text) + " "
	}
	for part := range strings.SplitSeq(strings.ReplaceAll(quotation, "...", "…"), "…") {
		part = strings.Trim(part, " [](),;:.\u00a0")
		if words := plainWords(part); words != "" && !strings.Contains(c.plain, " "+words+" ") {
			return false
		}
	}
	return true
}

// plainWords normalizes a text for comparison: white space, forms of apostrophes and
// guillemets, punctuation and capitals do not count.
func plainWords(text string) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(text) {
		switch {
		case law.Blank(r) || law.Apostrophe(r) || strings.ContainsRune(`«»“”".,;:()[]`, r):
			gap = b.Len() > 0
			continue
		case law.Invisible(r):
			continue
		case law.Hyphen(r):
			r = '-'
		}
		if gap {
			b.WriteByte(' ')
			gap = false
		}
		b.WriteRune(r)
	}
	return b.String()
}

// quotations returns the texts between the outer guillemets of a sentence that have three
// words or more: fewer are a term, not a quotation.
func quotations(words string) []string {
	const fewest = 3
	var out []string
	depth, start := 0, 0
	for i, r := range words {
		switch r {
		case '«':
			if depth++; depth == 1 {
				start = i + len("«")
			}
		case '»':
			if depth--; depth == 0 && len(strings.Fields(words[start:i])) >= fewest {
				out = append(out, words[start:i])
			}
			depth = max(depth, 0)
		}
	}
	return out
}
