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

// Bounds of what is compared. They are the lowest with which no true sentence of careful answers was told to be wrong, and
// nearly as many of the false ones were found as without.
const (
	fewestShared = 0.5 // of a sentence's words, that its rule has, for its modal to be compared
	mostlySame   = 0.7 // of them, from which on a condition of the rule belongs to the sentence
	fewestAfter  = 2   // words after a verb that both have, for the verb to be the same
	conditionMin = 4   // words of a condition
	conditionHad = 4   // one in so many of its words must occur in the answer or its question
	byReach      = 4   // tokens from a participle to « par »
	agentReach   = 6   // tokens after « par » that may name who acts
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

// about returns the sentence of the sources with the most words of r, where a word counts the less the more sentences have it,
// with the source, the words that both have, and their share of r's.
func (r *rule) about(cited []*source) (best *rule, where *source, both []pair, share float64) {
	most, said := 0.0, 0
	for _, c := range cited {
		c.divide()
		sum := make([]float64, len(c.rules))
		for _, t := range r.tokens {
			for _, i := range c.where[t.Term] {
				if sum[i] += 1 / float64(len(c.where[t.Term])); sum[i] > most && !t.Stop {
					most, best, where = sum[i], c.rules[i], c
				}
			}
		}
	}
	if best == nil {
		return nil, nil, nil, 0
	}
	for _, t := range r.tokens {
		if !t.Stop {
			said++
		}
	}
	both = r.shared(best)
	return best, where, both, float64(len(both)) / float64(said)
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

// otherModal reports whether a sentence has one modal and its rule the opposite, of which one is « peut », before the same words
// and after another one.
func (r *rule) otherModal(other *rule, both []pair) bool {
	free, differ := false, 0
	for _, p := range both {
		switch mine, theirs := r.governing(p.own), other.governing(p.other); {
		case mine == "":
			free = true
		case theirs == "":
		case mine == theirs:
			return false
		case strings.Contains(opposites[mine], theirs) && (mine == "leave" || theirs == "leave"): // « ne peut … moins de » is a duty
			differ++
		}
	}
	return free && differ >= fewestAfter
}

// governing returns the sense of the last modal before token i, "" if there is none.
func (r *rule) governing(i int) string {
	for i--; i >= 0; i-- {
		if m := modal(r.text, r.tokens, i); m == "leave" || m == "duty" || m == "ban" {
			return m
		}
	}
	return ""
}

// otherAgent compares who acts in a sentence and in its rule: where « C’est … qui » or « par » says it, or a noun before a verb
// and its object. Another one contradicts the rule if the passage speaks of it elsewhere; else it may be another word for the
// same one, unless the question has it, and is not decided.
func (r *rule) otherAgent(other *rule, both []pair, c *source, known map[string]bool) (contradicted, open bool) {
	for n, p := range both {
		mine, theirs := r.by(p.own), other.by(p.other)
		said := len(mine) > 0
		if !said || len(theirs) == 0 {
			mine, theirs = r.agent(p.own), other.agent(p.other)
			said = len(mine) > 0 && (said || slices.Contains(r.words[max(0, p.own-2):p.own], "qui") && strings.HasPrefix(law.Fold(r.text), "c")) // « C’est … qui »
		}
		verb := said || len(other.by(p.other)) > 0 || p.own+1 < len(r.tokens) && articles[r.words[p.own+1]] && r.part[p.own] == 0
		if !verb || len(mine) == 0 || len(theirs) == 0 || len(both)-n-1 < fewestAfter && !said {
			continue
		}
		if slices.ContainsFunc(mine, func(t french.Token) bool { return has(theirs, t.Term) }) {
			continue
		}
		elsewhere := !slices.ContainsFunc(mine, func(t french.Token) bool { return !has(c.tokens(), t.Term) })
		contradicted = contradicted || elsewhere
		head := slices.MinFunc(mine, func(a, b french.Token) int { return a.Start - b.Start }).Term
		open = open || said && !has(c.tokens(), head) && !known[head]
	}
	return contradicted, open
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

// widened reports whether a sentence says of all what its rule says of some: « tous les » before a word that the rule has
// without it, and limits.
func (r *rule) widened(other *rule, both []pair) bool {
	const reach = 2 // « toutes les »
	all := func(x *rule, i int) bool {
		return slices.ContainsFunc(x.words[max(0, i-reach):i], func(word string) bool { return word == "tous" || word == "toutes" })
	}
	for _, p := range both {
		if !all(r, p.own) {
			continue
		}
		same, limited := false, false
		for j, t := range other.tokens {
			same = same || alike(t.Term, r.tokens[p.own].Term) && all(other, j)
			limited = limited || j > p.other && !t.Stop && !has(r.tokens, t.Term)
		}
		if limited && !same {
			return true
		}
	}
	return false
}

// unconditional reports whether a sentence states its rule without the rule's condition, of which neither the question nor the
// rest of the answer speaks.
func (r *rule) unconditional(other *rule, known map[string]bool) bool {
	if slices.Contains(r.within, true) {
		return false
	}
	all, had := 0, 0
	for i, t := range other.tokens {
		if other.within[i] && !t.Stop {
			if all++; known[t.Term] || has(r.tokens, t.Term) {
				had++
			}
		}
	}
	return all >= conditionMin && conditionHad*had < all
}

// denyReach is the maximum number of tokens between « ne » and « pas », or the word that it denies.
const denyReach = 6

var secondNegations = words("pas plus jamais aucun aucune nul nulle ni rien point")

// denied returns the indexes of the words that « ne … pas », « ne peut » or « sans » denies: the next one that says something,
// and with wide also all after it, of which some may be.
func (r *rule) denied(wide bool) (out []int) {
	for i, t := range r.tokens {
		if sense(t.Term) != "without" {
			near := r.words[max(0, i-denyReach):min(len(r.tokens), i+denyReach)]
			if !denies(r.text, t) || !slices.ContainsFunc(near, func(word string) bool { return secondNegations[word] || sense(word) == "leave" }) ||
				onlyThat.MatchString(r.text[t.End:r.tokens[min(len(r.tokens)-1, i+onlyReach)].Start]) {
				continue // « avant qu’il n’entre », « ne … que »
			}
		}
		for k := i; k < len(r.tokens) && (wide || k < i+denyReach); k++ {
			if s := sense(r.tokens[k].Term); !r.tokens[k].Stop && s != "leave" && s != "duty" {
				out = append(out, k)
				if !wide {
					break
				}
			}
		}
	}
	return out
}

// otherPolarity reports whether a sentence denies what its sources only affirm, or affirms what they only deny.
func (r *rule) otherPolarity(other *rule, both []pair, cited []*source) bool {
	if slices.ContainsFunc(other.tokens, func(t french.Token) bool { return sense(t.Term) == "ban" }) {
		return false
	}
	mine, mineWide, theirs := r.denied(false), r.denied(true), other.denied(false)
	for _, p := range both {
		said := slices.Contains(mine, p.own)
		if len(both) < fewestAfter || !said && slices.Contains(mineWide, p.own) || said == slices.Contains(theirs, p.other) || r.tokens[p.own].Kind != french.Word || sense(r.tokens[p.own].Term) != "" {
			continue
		}
		only := true
		for _, c := range cited {
			for _, o := range c.rules {
				no := o.denied(said)
				for i, t := range o.tokens {
					only = only && (!alike(t.Term, r.tokens[p.own].Term) || slices.Contains(no, i) != said)
				}
			}
		}
		if only {
			return true
		}
	}
	return false
}
