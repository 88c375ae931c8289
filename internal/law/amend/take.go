package amend

import (
	"slices"
	"strconv"
	"strings"

	"vigueur/internal/law"
)

// wants reports whether an instruction announces a wording that its paragraph does not have.
func (p *parser) wants() bool {
	if len(p.quotes) > 0 || len(p.clauses) == 0 {
		return false
	}
	c := p.clauses[len(p.clauses)-1]
	switch c.verb {
	case replaces, rewrites, inserts, completes, precedes, modifies:
		return len(c.new) == 0 && (c.announces || c.added != nil || strings.HasSuffix(strings.TrimRight(p.source, " "), ":"))
	}
	return false
}

// take gives an instruction of an act whose articles are known the paragraphs after it as its wording, if it announces
// one that is in no quotation marks, or not all of it, and returns how many it took. They end where a further
// instruction begins, at the closing words of the act, or with the article.
func (r *reader) take(p *parser, b *block, next []block) (n int) {
	marked := len(b.wording) > 0
	if marked && b.open && len(next) == 0 && !r.ends {
		b.open = false // a mark is printed before each paragraph only
	}
	if !p.wants() || marked && (len(next) == 0 || headAt(b.wording[0]).n == 0 && !bareHead.MatchString(b.wording[0])) {
		return 0
	}
	var taken []string
	for n < len(next) && !closes.MatchString(next[n].text) && !insteadOf.MatchString(next[n].text) && !r.orders(next[n]) {
		taken = append(append(taken, next[n].text), next[n].wording...)
		n++
		if rest.MatchString(next[n-1].text) && (n == len(next) || !headFollows(next[n])) {
			break
		}
	}
	if n == 0 {
		return 0
	}
	if !marked {
		b.quoted.Start = next[0].Start
	}
	b.wording, b.quoted.End = unquote(append(b.wording, taken...)), next[n-1].last()
	b.bare, b.torn, b.open = true, false, n == len(next) && r.ends && !rest.MatchString(next[n-1].text)
	return n
}

// orders reports whether a block is understood as an instruction, and so is no paragraph of a wording.
func (r *reader) orders(b block) bool {
	if !saysChange(law.Fold(outsideQuotes(b.text, b.quotes, 0))) || headAt(b.text).n > 0 {
		return false
	}
	mem := r.mem
	mem.texts = slices.Clone(mem.texts)
	p := parser{source: b.text, quotes: b.quotes, mem: &mem}
	_, _, labeled := labelOf(b.text, r.lastLabel)
	p.toks = tokens(b.text, labeled, b.quotes)
	p.parse()
	return p.unknown == 0 && slices.ContainsFunc(p.clauses, func(c clause) bool {
		return (c.complete() || c.verb == modifies) && len(c.subject)+len(c.in)+len(c.places)+len(c.words) > 0
	})
}

// suspects reports whether a paragraph of a wording may be an instruction that is not understood.
func (r *reader) suspects(paragraph string) bool {
	if !saysChange(law.Fold(paragraph)) {
		return false
	}
	b := instruction(paragraph, Span{0, len(paragraph)})
	if len(b.quotes) > 0 || strings.HasSuffix(strings.TrimRight(paragraph, " "), ":") {
		return true
	}
	p := parser{source: b.text, quotes: b.quotes, mem: &memory{}}
	p.toks = tokens(b.text, 0, b.quotes)
	p.parse()
	if slices.ContainsFunc(p.clauses, actsInPlace) || p.addsSomewhere() {
		return true
	}
	return r.model().Sum(r.features(&p, b)) >= 0 // more likely than not
}

// actsInPlace reports whether a clause says that something in a place of an article is replaced, deleted or added: « À
// l'alinéa 1er, le terme tiers est remplacé par le terme quart. », though no marks show which words.
func actsInPlace(c clause) bool {
	place := func(s spot) bool { return s.article != "" || len(s.path) > 0 }
	return (c.verb == replaces || c.verb == deletes || c.verb == inserts) && slices.ContainsFunc(c.in, place) ||
		(c.verb == replaces || c.verb == deletes) && slices.ContainsFunc(c.subject, place)
}

// addsSomewhere reports whether a paragraph begins with a place, and says that it, or something there, is replaced, deleted,
// added or renamed: « Au dernier point de l'énumération sont ajoutés … », « la lettre i) devient la lettre k) ».
func (p *parser) addsSomewhere() bool {
	at := 0
	if _, _, n := labelOf(p.source, nil); n > 0 {
		at = p.after(n)
	}
	_, in := p.determiner(at, inside)
	if n, ok := p.determiner(at, nominative); ok {
		_, level := levelOf(p.word(n))
		in = level || isPoint(p.word(n)) || isWordsNoun(p.word(n))
	}
	if !in && p.word(at) != "apres" && p.word(at) != "avant" && p.word(at) != "entre" {
		return false
	}
	for i := at; i < len(p.toks) && i < at+40; i++ {
		if p.passive(i) || verbOf(p.word(i)) == becomes {
			return true
		}
	}
	return false
}

// closes matches the closing words of an act, which belong to no wording.
var closes = law.Pattern(`^(?i:mandons et ordonnons|(?:la présente|le présent|les présents) +\pL+(?: +\pL+){0,3}? +(?:sera|est|entre|prend|qui)\b.{0,80}\b(?:publi|exécut|enregistr|insér|vigueur|effet)|fait (?:à|au|en)\b|promulgu|vu pour|donné (?:à|au)\b)`)

// rest matches a line that leaves the rest of an article as it is.
var rest = law.Pattern(`(?i)^[ («.…]*(?:la suite|le reste)\b.{0,30}\bsans +(?:changement|modification)`)

// numberOf returns the number of an article of an act, 0 if it has none that can be counted.
func numberOf(article string) int {
	key := law.ArticleKey(article)
	if n, err := strconv.Atoi(key); err == nil {
		return n
	}
	if key != "" && strings.Trim(key, "ivx") == "" {
		return numeral(strings.ToUpper(key))
	}
	return 0
}
