package answering

import (
	"slices"
	"strings"

	"vigueur/internal/law"
	"vigueur/internal/law/french"
)

// A rule is the sentence of a passage that a sentence of an answer is about, and here also that sentence itself, which may be a
// free paraphrase. Both are compared by who acts, by what governs the rule and by which conditions it has.
type rule struct {
	text   string
	tokens []french.Token
	words  []string // each token as a folded word
	part   []int    // the clause of each token
	within []bool   // the token belongs to a condition or an exception
}

// How far apart words of one expression stand.
const (
	fewestAfter = 2 // words after a verb that both have, for the verb to be the same
	byReach     = 4 // tokens from a participle to « par »
	agentReach  = 6 // tokens after « par » that may name who acts
	denyReach   = 6 // tokens from « ne » to the word that it denies
	onlyReach   = 8 // tokens from « ne peut » to « que »
)

// words returns a set of folded words.
func words(list string) map[string]bool {
	out := make(map[string]bool)
	for word := range strings.FieldsSeq(list) {
		out[law.Fold(word)] = true
	}
	return out
}

// Closed classes of French.
var (
	openConditions = words("si lorsque quand sauf hormis hors réserve pourvu")
	openClauses    = words("et mais qui que dont où car toutefois cependant")
	beings         = words("est sont être sera seront")
	articles       = words("le la les un une des du au aux")
	determiners    = words("le la les un une des du de est ce cet cette ces son sa ses leur leurs chaque tout toute tous toutes")
	pronouns       = words("qui leur lui se y en")
)

func wordAt(text string, t french.Token) string { return law.Fold(text[t.Start:t.End]) }

// elided reports whether the word « s » or « lorsqu » is elided before token i, so that a condition begins.
func (r *rule) elided(i int) bool {
	left := strings.ToLower(strings.TrimRight(r.text[max(0, r.tokens[i].Start-len("lorsqu’")):r.tokens[i].Start], "'’"))
	return strings.HasSuffix(left, "lorsqu") || (r.words[i] == "il" || r.words[i] == "ils") && strings.HasSuffix(left, " s") || left == "s"
}

// readRule divides a sentence into clauses.
func readRule(text string) *rule {
	r := &rule{text: text, tokens: french.Analyze(text)}
	n := len(r.tokens)
	r.words, r.part, r.within = make([]string, n), make([]int, n), make([]bool, n)
	part, within, last := 0, false, ""
	for i, t := range r.tokens {
		word := wordAt(text, t)
		r.words[i] = word
		switch gap := r.gap(i); {
		case strings.ContainsAny(gap, ",.;:"):
			part, within = part+1, false
		case openClauses[word]:
			part++
		}
		if openConditions[word] || r.elided(i) || last == "a" && word == "condition" || last == "en" && word == "cas" {
			part, within = part+1, true
		}
		r.part[i], r.within[i], last = part, within, word
	}
	return r
}

// gap returns what stands between a token and the one before it.
func (r *rule) gap(i int) string {
	if i == 0 {
		return ""
	}
	return r.text[min(r.tokens[i-1].End, r.tokens[i].Start):r.tokens[i].Start]
}

// formLetters is the minimum number of letters with which two forms of one word begin, and sameForm of how many tenths of the
// shorter one.
const formLetters, sameForm = 5, 8

// alike reports whether two terms are forms of one word: « arrête » and « arrêtera ».
func alike(a, b string) bool {
	n, same := min(len(a), len(b)), 0
	for same < n && a[same] == b[same] {
		same++
	}
	return a == b || same >= formLetters && 10*same >= sameForm*n
}

// has reports whether a token of the list is a form of the term.
func has(tokens []french.Token, term string) bool {
	return slices.ContainsFunc(tokens, func(t french.Token) bool { return alike(t.Term, term) })
}

// shared pairs the words of a sentence with those of a rule, each once.
func (r *rule) shared(other *rule) (out []pair) {
	used := make([]bool, len(other.tokens))
	for i, t := range r.tokens {
		if t.Stop {
			continue
		}
		for j, o := range other.tokens {
			if !used[j] && !o.Stop && alike(t.Term, o.Term) {
				used[j], out = true, append(out, pair{i, j})
				break
			}
		}
	}
	return out
}

// readClaim lays a sentence beside the sentence of its sources with the most of its words, where a word counts the less the more
// sentences have it; nil if none has any.
func readClaim(text string, cited []*source, known surroundings) *claim {
	c := &claim{rule: readRule(text), cited: cited, known: known}
	most, said := 0.0, 0
	for _, source := range cited {
		source.divide()
		sum := make([]float64, len(source.rules))
		for _, t := range c.tokens {
			for _, i := range source.where[t.Term] {
				if sum[i] += 1 / float64(len(source.where[t.Term])); sum[i] > most && !t.Stop {
					most, c.other, c.beside = sum[i], source.rules[i], source
				}
			}
		}
	}
	if c.other == nil {
		return nil
	}
	for _, t := range c.tokens {
		if !t.Stop {
			said++
		}
	}
	c.both = c.shared(c.other)
	c.share = float64(len(c.both)) / float64(said)
	return c
}

// divide reads the sentences of the passage.
func (c *source) divide() {
	if c.where != nil {
		return
	}
	c.where = make(map[string][]int)
	for n, s := range french.Sentences(c.passage.Text) {
		r := readRule(c.passage.Text[s.Start:s.End])
		c.rules = append(c.rules, r)
		for _, t := range r.tokens {
			if list := c.where[t.Term]; !t.Stop && (len(list) == 0 || list[len(list)-1] != n) {
				c.where[t.Term] = append(list, n)
			}
		}
	}
}

// otherModal reports whether a claim has one modal and its rule the opposite, of which one is « peut », before the same words and
// after another one.
func (c *claim) otherModal() bool {
	free, differ := false, 0
	for _, p := range c.both {
		switch mine, theirs := c.governing(p.own), c.other.governing(p.other); {
		case mine == "":
			free = true
		case theirs == "":
		case mine == theirs:
			return false
		case strings.Contains(opposites[mine], theirs) && (mine == "leave" || theirs == "leave"): // « ne peut … moins de » is a duty, and who may only may
			differ++
		}
	}
	return free && differ >= fewestAfter
}

// governing returns the sense of the last modal before token i, "" if there is none.
func (r *rule) governing(i int) string {
	for i--; i >= 0; i-- {
		if m := modal(r.text, r.tokens, i); m == "leave" || m == "duty" || m == "ban" || m == "only" {
			return m
		}
	}
	return ""
}

// otherAgent compares who acts in a claim and in its rule: where « C’est … qui » or « par » says it, or a noun before a verb and
// its object. Another one may be one of whom the passage speaks elsewhere, or a stranger to passage and question.
func (c *claim) otherAgent() (another, stranger bool) {
	for n, p := range c.both {
		mine, theirs := c.by(p.own), c.other.by(p.other)
		said := len(mine) > 0
		if !said || len(theirs) == 0 {
			mine, theirs = c.agent(p.own), c.other.agent(p.other)
			said = len(mine) > 0 && (said || slices.Contains(c.words[max(0, p.own-2):p.own], "qui") && strings.HasPrefix(law.Fold(c.text), "c")) // « C’est … qui »
		}
		verb := said || len(c.other.by(p.other)) > 0 || p.own+1 < len(c.tokens) && articles[c.words[p.own+1]] && c.part[p.own] == 0
		if !verb || len(mine) == 0 || len(theirs) == 0 || len(c.both)-n-1 < fewestAfter && !said {
			continue
		}
		if slices.ContainsFunc(mine, func(t french.Token) bool { return has(theirs, t.Term) }) {
			continue
		}
		another = another || !slices.ContainsFunc(mine, func(t french.Token) bool { return !has(c.beside.tokens(), t.Term) })
		head := slices.MinFunc(mine, func(a, b french.Token) int { return a.Start - b.Start }).Term
		stranger = stranger || said && !has(c.beside.tokens(), head) && !c.known.asked[head]
	}
	return another, stranger
}

// by returns the words after « par » that follows a participle.
func (r *rule) by(participle int) (out []french.Token) {
	first := participle + slices.Index(r.words[participle:min(len(r.words), participle+byReach)], "par")
	for i := first + 1; first > participle && i < min(len(r.tokens), first+agentReach) && r.part[i] == r.part[first]; i++ {
		if !r.tokens[i].Stop {
			out = append(out, r.tokens[i])
		}
	}
	return out
}

// agent returns the words of the noun that stands before a verb, at the beginning of a sentence, or after « par » in the
// passive.
func (r *rule) agent(verb int) (out []french.Token) {
	if slices.ContainsFunc(r.words[max(0, verb-2):verb], func(word string) bool { return beings[word] }) {
		return r.by(verb)
	}
	first := verb - 1
	for first >= 0 && (pronouns[r.words[first]] || sense(r.tokens[first].Term) == "leave" || sense(r.tokens[first].Term) == "duty") {
		first--
	}
	for i := first; i >= 0; i-- {
		t, word := r.tokens[i], r.words[i]
		switch {
		case i < first && strings.ContainsAny(r.gap(i+1), ",.;:"):
			return out
		case !t.Stop:
			out = append(out, t)
		case i == first, !determiners[word]:
			return nil
		}
	}
	return out
}
