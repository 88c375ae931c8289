package question

import "strings"

// The tense of a question is that of the verb that asks: « que disait l'article 5 ? » asks about the law of the past, « quel
// préavis pour qui travaillait de nuit ? » does not. Only the third person counts: « je voulais savoir » is courtesy.

// presents are the folded words that end like an imparfait and are none: nouns, and forms of faire, traire, plaire,
// connaître, naître, haïr, savoir, avoir and payer.
var presents = wordSet("fait refait defait satisfait contrefait surfait parfait imparfait forfait mefait bienfait stupefait trait extrait soustrait distrait abstrait retrait attrait portrait contrait " +
	"plait deplait complait tait connait reconnait meconnait parait apparait disparait comparait reparait transparait nait renait pait repait hait sait ait lait souhait laid " +
	"aient paient essaient effraient monnaient deblaient balaient relaient remblaient egaient raient frayent defraient fraient bait vait")

// tensed are the endings of the third person of the imparfait, and of the conditional.
var tensed = []string{"aient", "ait"}

// imparfait reports whether a word is the third person of an imparfait. printed is the word with its accents.
func imparfait(folded, printed string) bool {
	for _, ending := range tensed {
		stem, ok := strings.CutSuffix(folded, ending)
		if ok {
			return len(stem) >= 2 && !presents[folded] && !conditional(stem, printed) || folded == "fut"
		}
	}
	switch folded {
	case "fut", "furent", "fallut":
		return true
	}
	return false
}

// firstGroup are the stems of verbs in -irer, which look like infinitives in -ir.
var firstGroup = wordSet("tir retir attir soutir etir mir admir desir vir cir dechir delir")

// conditional reports whether a stem before « -ait » or « -aient » is that of a conditional: an infinitive that ends in -er,
// -ir or -re, or one of the irregular stems, which end in r like those. Stems of verbs in -rer, -vrir, -frir, -courir
// and -mourir also end in r, after letters that no infinitive has there.
func conditional(stem, printed string) bool {
	before, ok := strings.CutSuffix(stem, "r")
	if !ok {
		return false
	}
	ends := func(any ...string) bool {
		for _, s := range any {
			if strings.HasSuffix(before, s) {
				return true
			}
		}
		return false
	}
	switch before[len(before)-1] {
	case 'e': // « donnerait », but « considérait »
		return !strings.Contains(strings.ToLower(printed), "érai") && !strings.Contains(printed, "e\u0301rai")
	case 'i': // « finirait », but « retirait »
		return !firstGroup[stem] && !strings.HasSuffix(stem, "spir") && !strings.HasSuffix(stem, "expir")
	case 'd': // « prendrait », but « encadrait »
		return !ends("cad", "gend")
	case 't': // « mettrait », « connaîtrait », but « entrait »
		return ends("tt", "ait", "oit")
	case 'v': // « devrait », « suivrait », but « ouvrait », « livrait »
		return ends("dev", "cev", "euv", "uiv", "viv")
	case 'u': // « conclurait », « aurait », but « durait », « instaurait »
		return ends("clu") || before == "au" || before == "sau"
	case 'c': // « vaincrait », but « consacrait »
		return ends("inc")
	case 'p': // « romprait »
		return true
	case 'r': // « pourrait », « encourrait »
		return true
	}
	return false
}

// Words of closed classes by which the tense of a question is found.
var (
	questioning = wordSet("quel quelle quels quelles lequel laquelle lesquels lesquelles combien comment pourquoi quoi")
	subordinate = wordSet("qui que qu' dont lorsque lorsqu' puisque puisqu' comme si s' quand parce")
	pronouns    = wordSet("il elle on ils elles ce je tu nous vous")
	governing   = wordSet("a de par pour selon avec sur en chez depuis jusqu' et mais alors donc or dans contre sous")
	indirect    = wordSet("savoir sais sait savez demande demander demandez dire dis dites verifier confirmer confirmez precisez indiquez")
	personals   = wordSet("je j' me m' mon ma mes moi nous notre nos vous votre vos tu ton ta tes")
)

// clause is a run of words without punctuation, [from,to).
type clause struct {
	from, to int
	asks     bool // whether it asks: it has an interrogative, or a pronoun after its verb
	by       int  // the word that asks
}

// clauses splits the words of a question, and finds the clauses that ask.
func (r *reading) clauses() (out []clause) {
	for i := range r.words {
		if r.words[i].begins || i == 0 {
			out = append(out, clause{from: i, by: -1})
		}
		out[len(out)-1].to = i + 1
	}
	for n := range out {
		c := &out[n]
		for i := c.from; i < c.to && !c.asks; i++ {
			if r.asks(*c, i) {
				c.asks, c.by = true, i
			}
		}
	}
	r.mark(out)
	return out
}

// signs counts what the clauses contain before a word. The difference of two counts tells what lies between two words.
type signs struct {
	clause      int // its clause
	told        int // participles that tell of an event, and subordinating words
	own         int // words for the asker
	compound    int // verbs in the compound past
	subordinate int // the last word that subordinates in the clause, -1 for none
}

// mark counts the signs before each word and at the end.
func (r *reading) mark(clauses []clause) {
	r.signs = make([]signs, 0, len(r.words)+1)
	var s signs
	for n, c := range clauses {
		s.clause, s.subordinate = n, -1
		for i := c.from; i < c.to; i++ {
			r.signs = append(r.signs, s)
			w := r.at(i)
			if subordinate[w] && i > c.by || participle(r.printed(i)) && !determiners[r.at(i-1)] {
				s.told++
			}
			if personals[w] {
				s.own++
			}
			if having[w] && r.tellsEvent(i) {
				s.compound++
			}
			if subordinate[w] && !(c.asks && i <= c.by) && r.at(i-1) != "ce" || questioning[w] && c.asks && i > c.by && !governing[r.at(i-1)] {
				s.subordinate = i
			}
		}
	}
	r.signs = append(r.signs, s)
}

// asks reports whether the word with an index asks, in its clause.
func (r *reading) asks(c clause, i int) bool {
	w := r.at(i)
	initial := i == c.from || i == c.from+1 && governing[r.at(c.from)]
	switch {
	case questioning[w]:
		return true
	case w == "est" && r.at(i+1) == "ce" && i+1 < c.to && (r.words[i+1].joined || r.at(i+2) == "que" || r.at(i+2) == "qu'"):
		return true
	case (w == "que" || w == "qu'" || w == "qui" || w == "ou") && (initial || i > c.from && (r.at(i-1) == "ce" || strings.HasPrefix(r.at(i-1), "tel"))):
		return true
	case (w == "si" || w == "s'") && i > c.from && indirect[r.at(i-1)]:
		return true
	}
	return r.inverted(i)
}

// inverted reports whether a pronoun follows a verb: « était-il », « disait-on », « a-t-elle ».
func (r *reading) inverted(i int) bool {
	next := i + 1
	if next < len(r.words) && r.words[next].joined && r.at(next) == "t" {
		next++
	}
	return next < len(r.words) && r.words[next].joined && pronouns[r.at(next)]
}

// lawVerbs are verbs of the law itself, by their stems in the imparfait: in a relative clause, too, they give the time of the law.
var lawVerbs = []string{"appliqu", "prevoy", "regiss", "dispos", "stipul", "enonc"}

// past reports whether the question asks about the law of the past. If no clause has a word that asks, the last one asks if a
// question mark ends it.
func (r *reading) past(clauses []clause) bool {
	asking := false
	for _, c := range clauses {
		asking = asking || c.asks
	}
	for n, c := range clauses {
		if !c.asks && (asking || n < len(clauses)-1 || !r.isQuestion()) {
			continue
		}
		for i := c.from; i < c.to; i++ {
			if r.pastAt(c, i) {
				return true
			}
		}
	}
	return false
}

// printed returns the word with an index as the question writes it.
func (r *reading) printed(i int) string {
	if i < 0 || i >= len(r.words) {
		return ""
	}
	return r.text[r.words[i].start:r.words[i].end]
}

// tellsEvent reports whether a participle follows a verb, so that both tell what happened: « a-t-elle reçu », « fut-il
// nommé ».
func (r *reading) tellsEvent(i int) bool {
	next := i + 1
	if r.inverted(i) {
		if next++; r.at(i+1) == "t" {
			next++
		}
	}
	for r.at(next) == "deja" || r.at(next) == "pas" || r.at(next) == "bien" || r.at(next) == "ete" || r.at(next) == "eu" {
		next++
	}
	return participle(r.printed(next)) || r.at(next-1) == "ete" || r.at(next-1) == "eu"
}

// isQuestion reports whether the text ends with a question mark.
func (r *reading) isQuestion() bool { return strings.HasSuffix(strings.TrimSpace(r.text), "?") }

// pastAt reports whether verb i shows that its clause asks about the law of the past.
func (r *reading) pastAt(c clause, i int) bool {
	w := r.at(i)
	if (w == "a" || w == "ont") && r.at(i+1) == "ete" && strings.HasPrefix(r.at(i-1), "quel") { // « quel a été le taux »
		return true
	}
	if !imparfait(w, r.printed(i)) || strings.HasPrefix(w, "fu") && r.tellsEvent(i) {
		return false
	}
	if r.inverted(i) {
		return true
	}
	if r.signs[i].subordinate >= 0 {
		return r.ofTheLaw(i)
	}
	if c.asks && i < c.by { // « le préavis était de combien ? »
		return c.by-i <= 3
	}
	return true
}

// ofTheLaw reports whether a verb in the imparfait is one of the law itself: « la loi qui s'appliquait ».
func (r *reading) ofTheLaw(i int) bool {
	for _, stem := range lawVerbs {
		if strings.HasPrefix(r.at(i), stem) {
			return true
		}
	}
	next := i + 1
	if w := r.at(next); w == "alors" || w == "encore" || w == "deja" {
		next++
	}
	return strings.HasPrefix(r.at(i), "etai") && (r.has(next, "en vigueur") || strings.HasPrefix(r.at(next), "applicable"))
}
