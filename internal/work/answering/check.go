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
// its quotations must occur there word for word. The warning lists in French what is not
// supported; citations of passages that do not exist are ignored. A sentence that repeats
// the same words again and again is always listed.
func Check(text string, passages []llm.Passage) chat.Validation {
	sources := sourcesOf(passages)
	cited := sentences(text)
	faults := make([]string, 0, len(cited))
	for _, s := range cited {
		faults = append(faults, s.faults(sources)...)
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

// faults lists what the sources of a sentence do not support.
func (s sentence) faults(sources map[int]*source) []string {
	if s.circles() {
		return []string{fmt.Sprintf("Une phrase répète les mêmes mots : « %s ».", shorten(s.words))}
	}
	var cited []*source
	for _, n := range s.cites {
		if c, ok := sources[n]; ok {
			cited = append(cited, c)
		}
	}
	introduces := len(cited) == 0 && s.introduces()
	if introduces {
		cited = slices.Collect(maps.Values(sources))
	}
	where := names(cited)
	if introduces {
		where = "aucune source"
	}
	if len(cited) == 0 && !introduces {
		return []string{fmt.Sprintf("Une phrase ne cite aucune source : « %s ».", shorten(s.words))}
	}
	var out []string
	for _, q := range quotations(s.words) {
		if !slices.ContainsFunc(cited, func(c *source) bool { return c.contains(q) }) {
			out = append(out, fmt.Sprintf("La citation « %s » ne figure pas mot pour mot dans %s.", shorten(q), where))
		}
	}
	for _, f := range facts(withoutNumeral(s.words)) {
		counts := introduces && f.Kind == french.Number && f.Value == f.Bare && len(f.Bare) <= 2 // « trois conditions : »: no list has a hundred items
		if !counts && !slices.ContainsFunc(cited, func(c *source) bool { return c.holds(f) }) {
			out = append(out, fmt.Sprintf("%s « %s » ne figure pas dans %s.", nouns[f.Kind], f.Text, where))
		}
	}
	if introduces || len(out) > 0 {
		return out
	}
	if fault := s.alteredRule(cited); fault != "" {
		out = append(out, fault)
	}
	return out
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
func shorten(text string) string {
	const limit = 60
	text = strings.Join(strings.Fields(text), " ")
	runes := []rune(text)
	if len(runes) <= limit {
		return text
	}
	kept := string(runes[:limit])
	if i := strings.LastIndexByte(kept, ' '); i > 0 {
		kept = kept[:i]
	}
	return kept + "…"
}

const (
	turns     = 3 // a sentence is circular if it says the same words so many times in a row
	turnLeast = 2 // minimum number of tokens that are repeated
)

// circles reports whether a sentence says the same words three times in a row. Small models
// write such sentences (« de la question de la question de la question … »), and no text
// contains any. A single word or a sequence of numbers may be repeated. Quotations are
// skipped, because they are compared with their source word for word.
func (s sentence) circles() bool {
	own := french.Analyze(outsideQuotations(s.words))
	for length := turnLeast; length*turns <= len(own); length++ {
		same, word := 0, -1 // number of consecutive tokens that equal the token length places before them; index of the last such token that is a word
		for pos := length; pos < len(own); pos++ {
			if own[pos].Term != own[pos-length].Term {
				same = 0
				continue
			}
			if own[pos].Kind == french.Word {
				word = pos
			}
			if same++; same >= length*(turns-1) && pos-word < length {
				return true
			}
		}
	}
	return false
}

const (
	// fewestWords is the minimum number of tokens of a sentence that is aligned with a
	// source.
	fewestWords = 5
	// nearlySame is the minimum fraction of a sentence's tokens that must be equal in the
	// source. Below it the sentence is a paraphrase, in which a missing « ne » proves
	// nothing.
	nearlySame = 0.6
	// longSkip is the number of consecutive unpaired tokens of one text from which on they
	// are an omitted or inserted clause and not a changed word.
	longSkip = 4
)

// alteredRule compares a sentence with the part of its sources that it repeats nearly word
// for word, and returns the first difference that changes the rule: a number, unit, date
// or reference in the place of another, or a negation, « peut », « doit », « interdit » or
// « au plus » that was added, omitted or replaced by its opposite.
func (s sentence) alteredRule(cited []*source) (fault string) {
	own := french.Analyze(outsideQuotations(withoutNumeral(s.words)))
	if len(own) < fewestWords {
		return ""
	}
	var path []pair
	var beside *source
	most := 0
	for _, c := range cited {
		if p, same := align(own, c.tokens()); same > most {
			path, most, beside = p, same, c
		}
	}
	if beside == nil || float64(most) < nearlySame*float64(len(own)) {
		return ""
	}
	return compare(s.words, own, beside, path)
}

// compare returns the French fault for the first step of the alignment at which the
// sentence says something else than its source, "" if there is none.
func compare(words string, own []french.Token, beside *source, path []pair) string {
	other := beside.tokens()
	for pos, p := range path {
		switch {
		case p.own >= 0 && p.other >= 0:
			a, b := own[p.own], other[p.other]
			if a.Term != b.Term && significant(a) && significant(b) && kindOf(a) == kindOf(b) {
				return fmt.Sprintf("« %s » ne dit pas ce que dit %s, qui porte « %s ».", shorten(words), names([]*source{beside}),
					beside.passage.Text[b.Start:b.End])
			}
			if sense(a.Term) != sense(b.Term) {
				return fmt.Sprintf("Le sens de « %s » n’est pas celui de %s.", shorten(words), names([]*source{beside}))
			}
		case sense(unpairedTerm(p, own, other)) != "" && countSkipped(path, pos) < longSkip:
			return fmt.Sprintf("Le sens de « %s » n’est pas celui de %s.", shorten(words), names([]*source{beside}))
		}
	}
	return ""
}

// unpairedTerm returns the term of a step that has a token of only one text.
func unpairedTerm(p pair, own, other []french.Token) string {
	if p.own >= 0 {
		return own[p.own].Term
	}
	return other[p.other].Term
}

// countSkipped returns the number of consecutive steps, path[at] among them, that have a token
// of the same text only.
func countSkipped(path []pair, pos int) int {
	n := 1
	mine := path[pos].own >= 0
	sameSide := func(p pair) bool { return (p.own < 0 || p.other < 0) && (p.own >= 0) == mine }
	for i := pos - 1; i >= 0 && sameSide(path[i]); i-- {
		n++
	}
	for i := pos + 1; i < len(path) && sameSide(path[i]); i++ {
		n++
	}
	return n
}

// significant reports whether a token is a number, date, reference or unit.
func significant(t french.Token) bool {
	return t.Kind != french.Word && !t.Stop || t.Kind == french.Word && french.Unit(t.Term) != ""
}

// kindOf returns the kind of a significant token; units are a kind of their own.
func kindOf(t french.Token) string {
	if t.Kind == french.Word {
		return "unit"
	}
	return fmt.Sprint(t.Kind)
}

// sense names the effect of a word on a rule, such as negation or duty, "" for none: a word
// may be replaced by another word with the same sense.
func sense(term string) string { return senses[term] }

var senses = func() map[string]string {
	out := make(map[string]string)
	for sense, words := range map[string]string{
		"negation": "ne pas jamais aucun aucune nul nulle ni",
		"leave":    "peut peuvent pourra pourront pourrait pourraient",
		"duty":     "doit doivent devra devront devrait devraient",
		"ban":      "interdit interdite interdits interdites prohibé prohibée prohibés prohibées défendu défendue",
		"allowed":  "autorisé autorisée autorisés autorisées permis permise permises",
		"binding":  "obligatoire obligatoires obligatoirement",
		"free":     "facultatif facultative facultatifs facultatives",
		"most":     "maximum maximal maximale maximum",
		"least":    "minimum minimal minimale",
		"above":    "supérieur supérieure supérieurs supérieures",
		"below":    "inférieur inférieure inférieurs inférieures",
		"before":   "avant",
		"after":    "après",
	} {
		for word := range strings.FieldsSeq(words) {
			for _, t := range french.Analyze(word) {
				out[t.Term] = sense
			}
		}
	}
	return out
}()

// outsideQuotations removes the quotations from a sentence: they are compared with the
// source word for word.
func outsideQuotations(words string) string {
	var b strings.Builder
	depth := 0
	for _, r := range words {
		switch {
		case r == '«':
			depth++
		case r == '»':
			depth = max(0, depth-1)
		case depth == 0:
			b.WriteRune(r)
		}
	}
	return b.String()
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

// pair is one step of an alignment of two texts: the index of a token of each, or of a
// token of one text and -1 for the other.
type pair struct{ own, other int }

// Scores of a step of an alignment: equal words, equal stop words (which count less, since
// they also match by chance), two different tokens, and a token of one text alone.
const (
	alikeGain = 3
	stopGain  = 1
	swapCost  = -1
	skipCost  = -1
)

// align aligns all of own with the part of other that it resembles most (a semi-global
// alignment) and returns the steps, with the number of tokens of own that are equal there.
func align(own, other []french.Token) (path []pair, same int) {
	width := len(other) + 1
	score := make([]int, (len(own)+1)*width)
	for i := range own {
		row := (i + 1) * width
		score[row] = (i + 1) * skipCost
		for j := range other {
			pos := row + j + 1
			score[pos] = max(score[pos-width-1]+gain(own[i], other[j]), score[pos-width]+skipCost, score[pos-1]+skipCost)
		}
	}
	index := len(own) * width
	for j := range width {
		if score[len(own)*width+j] >= score[index] { // of equal scores the last, so that a replaced word is not taken for a missing one
			index = len(own)*width + j
		}
	}
	for index >= width { // the row before the first token of own is the end
		i, j := index/width-1, index%width-1
		switch {
		case j >= 0 && score[index] == score[index-width-1]+gain(own[i], other[j]):
			path = append(path, pair{i, j})
			if own[i].Term == other[j].Term {
				same++
			}
			index -= width + 1
		case score[index] == score[index-width]+skipCost:
			path = append(path, pair{i, -1})
			index -= width
		default:
			path = append(path, pair{-1, j})
			index--
		}
	}
	slices.Reverse(path)
	return path, same
}

func gain(a, b french.Token) int {
	switch {
	case a.Term != b.Term:
		return swapCost
	case a.Stop:
		return stopGain
	}
	return alikeGain
}
