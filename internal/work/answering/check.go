package answering

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/answer/llm"
	"vigueur/internal/law"
	"vigueur/internal/law/french"
	"vigueur/internal/store/chat"
)

// warningLimit is the number of faults that a warning lists; further faults are only
// counted.
const warningLimit = 3

// Check compares an answer with the passages it cites, sentence by sentence and without a
// model. A sentence must cite a passage unless it is a heading or introduces what follows
// (it ends with a colon): what such a sentence states must occur in some passage. Its numbers with their units, its dates and its references to articles and
// texts must occur in a passage that it cites, where « trois (3) mois » equals « 3 mois »;
// its quotations must occur there word for word. What the question says is known, and so is
// what follows from both by simple arithmetic. The warning lists in French what is not
// supported; citations of passages that do not exist are ignored. A sentence that repeats
// the same words again and again is always listed.
func Check(text, question string, passages []llm.Passage) chat.Validation {
	sources := sourcesOf(passages)
	known := around(question, text)
	cited := sentences(text)
	faults := make([]string, 0, len(cited))
	for _, s := range cited {
		contradicted, open := s.faults(sources, known)
		faults = append(append(faults, contradicted...), open...)
	}
	if len(faults) == 0 {
		return chat.Validation{OK: true}
	}
	warning := strings.Join(faults[:min(len(faults), warningLimit)], " ")
	if more := len(faults) - warningLimit; more > 0 {
		warning += fmt.Sprintf(" (et %d autre%s)", more, plural(more))
	}
	return chat.Validation{Warning: &warning}
}

func plural(n int) string {
	if n > 1 {
		return "s"
	}
	return ""
}

// sentence is a sentence of an answer: its words, and the passages it cites.
type sentence struct {
	words string // without the marks « [n] »
	cites []int
	start int // byte offset in the answer
}

// sentences splits an answer into sentences, but not inside guillemets: a quoted sentence
// belongs to the sentence that quotes it.
func sentences(text string) []sentence {
	spans := french.Sentences(text)
	var out []sentence
	heading := false // « ## 2. » was split off
	for i := 0; i < len(spans); i++ {
		last := i
		if end := findClosing(text, spans, i); end > i {
			last = end
		}
		s := splitCitations(text[spans[i].Start:spans[last].End])
		s.start = spans[i].Start
		i = last
		if n := len(out); n > 0 && s.words == "" {
			out[n-1].cites = append(out[n-1].cites, s.cites...) // a mark on its own line belongs to the sentence before it
			continue
		}
		if heading {
			s.words = "# " + s.words
		}
		heading = strings.HasPrefix(s.words, "#") && !saysSomething(s.words)
		out = append(out, s)
	}
	return slices.DeleteFunc(out, func(s sentence) bool { return !saysSomething(s.words) })
}

// findClosing returns the index of the span that closes the guillemets which are open at the
// end of span i. It returns i if none are open or they are never closed.
func findClosing(text string, spans []french.Span, i int) int {
	open := 0
	for j := i; j < len(spans); j++ {
		part := text[spans[j].Start:spans[j].End]
		open += strings.Count(part, "«") - strings.Count(part, "»")
		if open <= 0 {
			return j
		}
	}
	return i
}

// splitCitations removes the citations from a sentence.
func splitCitations(text string) sentence {
	var s sentence
	var b strings.Builder
	pos := 0
	for _, m := range marks.FindAllStringSubmatchIndex(text, -1) {
		b.WriteString(text[pos:m[0]])
		pos = m[1]
		for number := range strings.SplitSeq(text[m[2]:m[3]], ",") {
			if n, err := strconv.Atoi(strings.TrimSpace(number)); err == nil {
				s.cites = append(s.cites, n)
			}
		}
	}
	b.WriteString(text[pos:])
	s.words = strings.TrimSpace(b.String())
	return s
}

// saysSomething reports whether a sentence has a word: « 1. » and « *** » have none.
func saysSomething(words string) bool {
	return slices.ContainsFunc(french.Analyze(words), func(t french.Token) bool { return t.Kind == french.Word })
}

// introduces reports whether a sentence only introduces the next ones: it ends with a
// colon, or is a heading.
func (s sentence) introduces() bool {
	return strings.HasSuffix(strings.TrimRight(s.words, " *_\u00a0\u202f"), ":") || strings.HasPrefix(s.words, "#")
}

// surroundings are what a reader of a sentence knows: the facts and terms of the question, and the terms of both it and the
// answer.
type surroundings struct {
	facts        []french.Fact
	asked, terms map[string]bool
}

func around(question, answer string) surroundings {
	return surroundings{facts(question), termsOf(question), termsOf(question + " " + answer)}
}

// faults lists what of a sentence its sources contradict, or state otherwise, and what they leave open.
func (s sentence) faults(sources map[int]*source, known surroundings) (contradicted, open []string) {
	if s.circles() {
		return []string{fmt.Sprintf("Une phrase répète les mêmes mots : « %s ».", shorten(s.words))}, nil
	}
	cited := s.cited(sources)
	introduces := len(cited) == 0 && s.introduces()
	if introduces {
		cited = slices.Collect(maps.Values(sources))
	}
	if len(cited) == 0 && (tellsNothing.MatchString(s.words) || reply.ReplaceAllString(s.words+": ", "") == "") {
		return nil, nil
	}
	if len(cited) == 0 {
		told := []string{fmt.Sprintf("Une phrase ne cite aucune source : « %s ».", shorten(s.words))}
		if len(facts(withoutNumeral(s.words)))+len(quotations(s.words)) > 0 {
			return told, nil
		}
		return nil, told
	}
	where := names(cited)
	if introduces {
		where = "aucune source"
	}
	if contradicted, open = s.faultsOfFacts(cited, known, where); introduces {
		return contradicted, nil
	}
	if len(contradicted) > 0 || strings.HasSuffix(s.words, "?") { // a question claims nothing
		return contradicted, open
	}
	const leads = 3 // words that only lead to a quotation, besides « article », the title and the country
	words := slices.DeleteFunc(french.Analyze(s.claimed()), func(t french.Token) bool {
		return t.Stop || t.Kind != french.Word || known.asked[t.Term] || slices.ContainsFunc(cited, func(c *source) bool {
			return has(french.Analyze("article "+c.passage.Title+" "+c.passage.Home), t.Term)
		})
	})
	if len(words) <= leads && len(quotations(s.words)) > 0 {
		return nil, open
	}
	unsure := fmt.Sprintf("Il n’est pas sûr que %s dise « %s ».", where, shorten(s.words))
	c := readClaim(s.claimed(), cited, known)
	if c == nil { // no word of it is there
		if len(words) > 1 {
			open = append(open, unsure)
		}
		return nil, open
	}
	switch signs := c.signs(); {
	case learned.Contradicted.Score(signs) > learned.Contradicted.Least:
		return []string{fmt.Sprintf("Le sens de « %s » n’est pas celui de %s.", shorten(s.words), c.beside.name())}, open
	case learned.Open.Score(signs) > learned.Open.Least:
		open = append(open, unsure)
	}
	return nil, open
}

// cited returns the sources that a sentence cites.
func (s sentence) cited(sources map[int]*source) (out []*source) {
	for _, n := range s.cites {
		if c, ok := sources[n]; ok {
			out = append(out, c)
		}
	}
	return out
}

// claimed returns what a sentence says in its own words, without « (article 5) ».
func (s sentence) claimed() string {
	return named.ReplaceAllString(reply.ReplaceAllString(law.OutsideQuotations(withoutNumeral(s.words)), ""), "")
}

// named matches a citation in brackets, which names the article of a sentence and claims nothing of it; a citation has no brackets of its own.
var named = regexp.MustCompile(` \(articles? [^()]*\)`)

// faultsOfFacts lists the quotations and facts of a sentence that its sources do not have, and the counts that they may.
func (s sentence) faultsOfFacts(cited []*source, known surroundings, where string) (contradicted, open []string) {
	for _, q := range quotations(s.words) {
		if !slices.ContainsFunc(cited, func(c *source) bool { return c.contains(q) }) {
			contradicted = append(contradicted, fmt.Sprintf("La citation « %s » ne figure pas mot pour mot dans %s.", shorten(q), where))
		}
	}
	for _, f := range facts(withoutNumeral(s.words)) {
		if slices.ContainsFunc(cited, func(c *source) bool { return c.holds(f) || c.gives(f, known.facts) }) ||
			slices.ContainsFunc(known.facts, func(k french.Fact) bool { return k.Value == f.Value || k.Bare == f.Value }) {
			continue
		}
		told := fmt.Sprintf("%s « %s » ne figure pas dans %s.", nouns[f.Kind], f.Text, where)
		switch {
		case !isCount(f):
			contradicted = append(contradicted, told)
		case !slices.ContainsFunc(cited, func(c *source) bool { return c.lists(f.Bare) }):
			open = append(open, told)
		}
	}
	return contradicted, open
}

// tellsNothing matches a sentence that says what the passages do not say, as the model is told to.
var tellsNothing = regexp.MustCompile(`(?i)\bpassages?\b[^.]*\bne?\b ?['’]?[^.]*\b(?:pas|rien|aucun)`)

// reply matches the words that answer the question before a sentence says why: « Non : », « Pas toujours : ».
var reply = regexp.MustCompile(`(?i)^(?:oui|non|pas toujours|en principe(?: oui| non)?|jamais|toujours)[ .,\x{a0}]*: `)

// isCount reports whether a fact may count what a passage lists: « trois conditions ». No list has a hundred items.
func isCount(f french.Fact) bool {
	return f.Kind == french.Number && f.Value == f.Bare && len(f.Bare) <= 2
}

// facts returns the facts of a text, whatever digits it is written in. A sign that nobody sees may stand within a number
// or in the place of the hyphen of one in words, so that it is read both ways.
func facts(text string) []french.Fact {
	text = strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf || !unicode.IsDigit(r) {
			return r
		}
		for _, digits := range unicode.Nd.R16 { // each list has the digits from 0 to 9 once or more
			if low := rune(digits.Lo); low <= r && r <= rune(digits.Hi) {
				return '0' + (r-low)%10
			}
		}
		return r // french knows those of R32, which are forms of ours
	}, text)
	found := french.Facts(text)
	if strings.ContainsFunc(text, law.Invisible) {
		found = append(found, french.Facts(strings.Map(func(r rune) rune {
			if law.Invisible(r) {
				return '-'
			}
			return r
		}, text))...)
	}
	return found
}

// nouns are the names of the kinds of facts in a warning.
var nouns = map[french.TokenKind]string{french.Number: "Le nombre", french.Date: "La date", french.Article: "La référence à l’article",
	french.Text: "La référence au texte"}

// names lists sources for a warning: « la source [1] », « les sources [1] [3] ».
func names(cited []*source) string {
	var b strings.Builder
	var done []int
	for _, c := range cited {
		if !slices.Contains(done, c.passage.N) {
			done = append(done, c.passage.N)
			fmt.Fprintf(&b, " [%d]", c.passage.N)
		}
	}
	if len(done) == 1 {
		return "la source" + b.String()
	}
	return "les sources" + b.String()
}

func (c *source) name() string { return names([]*source{c}) }

// withoutNumeral removes the marks of a heading and the number of a list item: « 2. Le délai … ».
func withoutNumeral(words string) string {
	words = strings.TrimLeft(words, "#*_ ")
	rest := strings.TrimLeft(words, "0123456789")
	if len(rest) < len(words) && len(words)-len(rest) <= 2 {
		for _, end := range []string{". ", ") ", "° "} {
			if right, ok := strings.CutPrefix(rest, end); ok {
				return right
			}
		}
	}
	return words
}

// shorten keeps the beginning of a text, cut between words.
func shorten(text string) string { return law.Shortened(strings.Join(strings.Fields(text), " "), 64) }

const (
	turns     = 3 // a sentence is circular if it says the same words so many times in a row
	turnLeast = 2 // minimum number of tokens that are repeated
)

// circles reports whether a sentence says the same words three times in a row. Small models
// write such sentences (« de la question de la question de la question … »), and no text
// contains any. A single word or a sequence of numbers may be repeated. Quotations are
// skipped, because they are compared with their source word for word.
func (s sentence) circles() bool {
	own := french.Analyze(law.OutsideQuotations(s.words))
	same := func(a, b french.Token) bool { return a.Term == b.Term }
	for n := turnLeast; n*turns <= len(own); n++ {
		for i := 0; i+n*turns <= len(own); i++ {
			if slices.EqualFunc(own[i:i+n*(turns-1)], own[i+n:i+n*turns], same) && slices.ContainsFunc(own[i:i+n], func(t french.Token) bool { return t.Kind == french.Word }) {
				return true
			}
		}
	}
	return false
}

// marks finds the marks of citations: « [3] », « [1, 4] ».
var marks = regexp.MustCompile(`\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]`)

// source is a passage that a sentence cites. Its facts and tokens are computed when they
// are first needed.
type source struct {
	passage llm.Passage
	facts   map[string]bool
	plain   string
	read    []french.Token
	said    []french.Fact    // of its text
	rules   []*rule          // its sentences
	where   map[string][]int // by term, the rules that have it; nil: they were not read
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
		texts := []string{p.Text, "article " + p.Article, p.Heading, p.Title, "n° " + p.Number, p.Edition, p.State, strings.Join(p.Path, "\n")}
		if p.New != nil {
			texts = append(texts, p.New.Of, "article "+p.New.By, p.New.Part)
		}
		for _, text := range append(texts, p.Record...) {
			for _, f := range facts(text) {
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
	quotation = mended.ReplaceAllString(strings.ReplaceAll(quotation, "...", "…"), "…")
	for part := range strings.SplitSeq(quotation, "…") {
		part = strings.Trim(part, " [](),;:.\u00a0")
		if words := plainWords(part); words != "" && !strings.Contains(c.plain, " "+words+" ") {
			return false
		}
	}
	return true
}

// mended matches what a quotation says in place of a damaged word.
var mended = regexp.MustCompile(`\[[^\]\[]*\]`)

// plainWords normalizes a text for comparison: white space, forms of apostrophes and
// guillemets, punctuation and capitals do not count.
func plainWords(text string) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(text) {
		switch {
		case law.Blank(r) || law.Apostrophe(r) || strings.ContainsRune(`«»“”".,;:()[]…`, r):
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

// quotations returns the quotations of a sentence that have three words or more: fewer are a term.
func quotations(words string) (out []string) {
	const fewest = 3
	for _, q := range law.Quotations(words) {
		if !q.Open && len(strings.Fields(q.Words)) >= fewest {
			out = append(out, q.Words)
		}
	}
	return out
}
