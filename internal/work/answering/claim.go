package answering

import (
	_ "embed" // the weights
	"encoding/json"
	"slices"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law/french"
	"vigueur/internal/search/rank"
)

// A claim is a sentence of an answer beside its rule.
type claim struct {
	*rule
	other  *rule   // the sentence of its sources with the most of its words
	beside *source // where that is
	both   []pair  // the words that both have
	share  float64 // of the claim's words
	cited  []*source
	known  surroundings
}

// Learned tells by signs what a claim is; scripts/train claims makes it.
type Learned struct {
	Made         string        `json:"made"`
	Sources      []rank.Source `json:"sources"`
	Contradicted Judgment      `json:"contradicted"` // the claim says something else than its rule
	Open         Judgment      `json:"open"`         // nothing decides whether it says the same
	Odds         Odds          `json:"odds"`
}

// Odds are by how much it raises the odds that an answer is right what became of its sentences: all are shown, one with a
// warning, one is left out.
type Odds struct {
	Held float64 `json:"held"`
	Open float64 `json:"open"`
	Left float64 `json:"left"`
}

// Judgment is a logistic model: a claim is judged so if its score is above Least.
type Judgment struct {
	Least   float64  `json:"least"`
	Weights []Weight `json:"weights"`
}

// Weight is that of a sign: of its value alone, and times how near the claim is to its rule.
type Weight struct {
	Sign  string  `json:"sign"`
	Alone float64 `json:"alone"`
	Near  float64 `json:"near"`
}

// Near is how near a claim is to its rule: the third power of the share of its words that the rule has.
func Near(signs map[string]float64) float64 { return signs["share"] * signs["share"] * signs["share"] }

// Score returns how surely a claim is to be judged so.
func (j *Judgment) Score(signs map[string]float64) (sum float64) {
	near := Near(signs)
	for _, w := range j.Weights {
		sum += (w.Alone + w.Near*near) * signs[w.Sign]
	}
	return sum
}

//go:embed weights.json
var embedded []byte

var learned = func() *Learned {
	m, err := ReadLearned(embedded)
	if err != nil {
		panic(err) // the program is broken
	}
	return m
}()

// ReadLearned reads what was learned.
func ReadLearned(data []byte) (*Learned, error) {
	m := new(Learned)
	if err := json.Unmarshal(data, m); err != nil || len(m.Contradicted.Weights) == 0 || len(m.Open.Weights) == 0 {
		return nil, errs.Wrap(errs.Invalid, "answering: the weights cannot be read", err)
	}
	return m, nil
}

// Closed classes of French whose words limit or widen a rule, or govern it.
var (
	every = words("tous toutes tout toute quiconque toujours systématiquement quel quelle quels quelles")
	alone = words("seul seule seuls seules uniquement exclusivement seulement")
	must  = words("doit doivent devra devront devrait devraient obligation obligatoire obligatoires obligatoirement tenu tenue tenus tenues faut faudra impose exige")
	bans  = words("sans interdit interdite interdits interdites prohibé prohibée prohibés prohibées défendu défendue interdiction")
)

// has reports whether a word of the rule is of a class.
func (r *rule) has(class map[string]bool) bool {
	return slices.ContainsFunc(r.words, func(word string) bool { return class[word] })
}

// signs are what tells claims that say something else than their rule, or more, from those that say the same: each 0 for none
// and 1 for one.
func (c *claim) signs() map[string]float64 {
	out := map[string]float64{"one": 1, "share": c.share}
	set := func(name string, holds bool) {
		if holds {
			out[name] = 1
		}
	}
	r, o := c.rule, c.other
	set("all", r.universal() && !o.universal())
	limits := o.has(alone)
	for i, t := range o.tokens {
		limits = limits || denies(o.text, t) && followedByThat(o.text, o.tokens, i)
	}
	set("alone", r.has(alone) && !limits)
	set("duty", r.has(must) && !o.has(must))
	set("denied", r.negated() && !o.negated() && r.words[0] != "ce") // « Ce n’est pas le cas »
	set("denied by the rule", o.negated() && !r.negated())
	for meaning := range opposites {
		set("opposite", r.says(meaning) && !o.says(meaning) && o.says(opposites[meaning]))
	}
	set("leave for duty", r.says("leave") && !o.says("leave") && o.says("duty") &&
		!slices.ContainsFunc(r.tokens, func(t french.Token) bool { return denies(r.text, t) }))
	set("modal", c.otherModal())
	agent, stranger := c.otherAgent()
	set("agent", agent)
	set("unknown agent", stranger)
	set("altered", c.altered())
	for i := range r.tokens {
		kind := dayKind(r.tokens, i)
		set("days", kind != "" && otherDays(r.tokens, i, kind, c.cited))
		set("other bound", otherBound(r.text, r.tokens, i, c.cited))
	}
	c.signsOfWords(out)
	c.signsOfHead(out)
	return out
}

// signsOfWords are those of words that only one of both has.
func (c *claim) signsOfWords(out map[string]float64) {
	all, missing, conditions, left, rest, kept := 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
	for _, t := range c.tokens {
		if !t.Stop && t.Kind == french.Word {
			if all++; !has(c.other.tokens, t.Term) && !c.known.asked[t.Term] {
				missing++
			}
		}
	}
	out["words missing"] = missing / max(1, all)
	for i, t := range c.other.tokens {
		said := c.known.terms[t.Term] || has(c.tokens, t.Term)
		switch {
		case t.Stop:
		case c.other.within[i]:
			if conditions++; !said {
				left++
			}
		default:
			if rest++; said {
				kept++
			}
		}
	}
	const whole = 4 // words of a condition that says something
	if conditions > 0 && !slices.Contains(c.within, true) {
		out["condition left out"] = left / conditions * min(1, conditions/whole)
	}
	out["rule kept"] = kept / max(1, rest)
}

// signsOfHead are those of the first noun of the claim, who mostly acts, or is spoken of.
func (c *claim) signsOfHead(out map[string]float64) {
	mine, theirs := c.head(), c.other.head()
	if mine < 0 {
		return
	}
	if theirs >= 0 && !has(c.tokens, c.other.tokens[theirs].Term) && !c.known.asked[c.other.tokens[theirs].Term] {
		out["rule's head left out"] = 1
	}
	term := c.tokens[mine].Term
	if !has(c.other.tokens, term) && slices.ContainsFunc(c.cited, func(s *source) bool { return has(s.tokens(), term) }) {
		out["head is elsewhere"] = 1
	}
}

// head returns the index of the first noun outside conditions and « selon l’article … », -1 if a pronoun stands there.
func (r *rule) head() int {
	for i, t := range r.tokens {
		word := r.words[i]
		aside := r.within[i] || slices.ContainsFunc(r.tokens[:i+1], func(o french.Token) bool { return o.Kind == french.Article }) && r.part[i] == 0
		switch {
		case aside, word == "oui", word == "non", word == "selon":
		case pronouns[word] || subjects[word]:
			return -1
		case !t.Stop && t.Kind == french.Word:
			return i
		}
	}
	return -1
}

var subjects = words("il elle ils elles on vous ce cet cette ces")

// universal reports whether a rule speaks of all: not by « en tout », « tout de suite » or « toute la vie ».
func (r *rule) universal() bool {
	for i, word := range r.words {
		if every[word] && (word != "tout" && word != "toute" || i+1 < len(r.words) && (!r.tokens[i+1].Stop || r.words[i+1] == "autre")) {
			return true
		}
	}
	return false
}

// says reports whether a word of the rule has a sense.
func (r *rule) says(meaning string) bool {
	return slices.ContainsFunc(r.tokens, func(t french.Token) bool { return sense(t.Term) == meaning })
}

// negated reports whether a rule denies or bans something, outside its conditions.
func (r *rule) negated() bool {
	for i := range r.tokens {
		if !r.within[i] && (bans[r.words[i]] || r.denies(i)) {
			return true
		}
	}
	return false
}

// denies reports whether token i is « ne » or comes after it, and « pas » or a modal is near: not « avant qu’il n’entre », « ne …
// que », or the bound « ne peut excéder ».
func (r *rule) denies(i int) bool {
	if slices.ContainsFunc(r.tokens[i:min(len(r.tokens), i+denyReach)], func(t french.Token) bool { return slices.Contains(bounding, sense(t.Term)) }) {
		return false
	}
	return denies(r.text, r.tokens[i]) && !followedByThat(r.text, r.tokens, i) &&
		slices.ContainsFunc(r.tokens[max(0, i-denyReach):min(len(r.tokens), i+denyReach)], func(t french.Token) bool {
			return seconds[wordAt(r.text, t)] || sense(t.Term) == "leave" || sense(t.Term) == "duty"
		})
}

var bounding = []string{"above", "below", "fewer"}

var seconds = words("pas plus jamais aucun aucune nul nulle ni rien point")
