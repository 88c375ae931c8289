package answering

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"vigueur/internal/answer/llm"
	"vigueur/internal/law/french"
	"vigueur/internal/store/chat"
)

// warningLimit is the number of faults that a warning lists; further faults are only
// counted.
const warningLimit = 3

// Check compares an answer with the passages it cites, sentence by sentence and without a
// model. A sentence must cite a passage unless it only introduces what follows (it ends
// with a colon). Its numbers with their units, its dates and its references to articles and
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
	if len(cited) == 0 {
		if s.introduces() {
			return nil
		}
		return []string{fmt.Sprintf("Une phrase ne cite aucune source : « %s ».", shorten(s.words))}
	}
	var out []string
	for _, q := range quotations(s.words) {
		if !slices.ContainsFunc(cited, func(c *source) bool { return c.contains(q) }) {
			out = append(out, fmt.Sprintf("La citation « %s » ne figure pas mot pour mot dans %s.", shorten(q), names(cited)))
		}
	}
	for _, f := range french.Facts(withoutNumeral(s.words)) {
		if !slices.ContainsFunc(cited, func(c *source) bool { return c.holds(f) }) {
			out = append(out, fmt.Sprintf("%s « %s » ne figure pas dans %s.", nouns[f.Kind], f.Text, names(cited)))
		}
	}
	if len(out) > 0 {
		return out
	}
	if fault := s.alteredRule(cited); fault != "" {
		out = append(out, fault)
	}
	return out
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

// withoutNumeral removes the number of a list item: « 2. Le délai … ».
func withoutNumeral(words string) string {
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
