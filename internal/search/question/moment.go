package question

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/kit/lazyre"
	"vigueur/internal/law"
)

// moment is an expression of time in a question: a day, a month, a part of a year, a year, or words that point at one.
type moment struct {
	from, to    int       // words [from,to) of the question, with those that introduce it
	first, last time.Time // its days; zero if the words name none: « à l'époque », « entre 2015 et 2018 »
	how         relation
	by          string // the words that introduce it
}

// known reports whether the words say which days the moment covers.
func (m moment) known() bool { return !m.last.IsZero() }

// relation is the role of a moment in its sentence.
type relation int

const (
	bare    relation = iota // time of an event: « embauché en 2015 »
	asked                   // time of the law asked about: « au 3 mai 2015 », « en vigueur en 2015 »
	of                      // it belongs to a noun: « le contrat de 2015 »
	present                 // it reaches to the present: « aujourd'hui », « depuis 2015 »
)

// reading is a question whose time is read.
type reading struct {
	text    string
	words   []word
	line    string    // the folded words, each with a blank behind it
	offsets []int     // of each word in line, and of the end
	signs   []signs   // of each word, and of the end
	today   time.Time // zero if unknown; moments that depend on it are then unknown, too
}

// at returns the folded word with an index, "" beyond the ends.
func (r *reading) at(i int) string {
	if i < 0 || i >= len(r.words) {
		return ""
	}
	return r.words[i].text
}

// has reports whether the words from index i on are the given ones.
func (r *reading) has(i int, words string) bool {
	for w := range strings.FieldsSeq(words) {
		if r.at(i) != w {
			return false
		}
		i++
	}
	return true
}

// after returns the index of the first word from byte at on.
func (r *reading) after(i, pos int) int {
	for i < len(r.words) && r.words[i].start < pos {
		i++
	}
	return i
}

// moments finds the expressions of time in order. skip reports whether a byte belongs to the name of a text: the date
// of a law is no moment.
func (r *reading) moments(skip func(pos int) bool) (out []moment) {
	for i := 0; i < len(r.words); {
		m, alone, ok := r.momentAt(i)
		if !ok || skip(r.words[i].start) {
			i++
			continue
		}
		next := m.to
		least := 0
		if len(out) > 0 {
			least = out[len(out)-1].to
		}
		if vague := m.how != bare; vague || r.introduce(&m, least) || alone {
			out = append(out, m)
		}
		i = next
	}
	return r.withoutSpans(out)
}

// momentAt reads the moment that begins with a word, without what introduces it. alone reports whether it is one
// without an introduction: « 2015 » may be any number.
func (r *reading) momentAt(i int) (m moment, alone, ok bool) {
	if first, last, next := r.calendarAt(i); next > i {
		return moment{from: i, to: next, first: first, last: last}, true, true
	}
	if how, next := r.vagueAt(i); next > i {
		return moment{from: i, to: next, how: how}, true, true
	}
	if year, next := r.yearAt(i); next > i {
		first, last, _ := monthsFrom(year, 1, 12)
		return moment{from: i, to: next, first: first, last: last}, false, true
	}
	return m, false, false
}

// vague are words for an unspecified past, bare or of the law asked about, and for the present, as they begin the folded words from one on.
var vague = map[relation]*lazyre.Regexp{
	bare: lazyre.New(`^(?:a (?:l' epoque|cette epoque|ce moment la)|en ce temps la|ce jour la|autrefois|jadis|naguere|anciennement|auparavant|par le passe|dans le (?:temps|passe)|annees \d\d+` +
		`|avant (?:cela|ca|(?:l[ae]s?|l'|son|sa|cette|ce) (?:nouve(?:lle|au) |derniere )?(?:reformes?|loi|entree en vigueur|modification|revision|changement|abrogation|ordonnance|decret|code|constitution|independance)(?: de (?:1[89]|2[01])\d\d)?)) `),
	asked:   lazyre.New(`^(?:(?:ancienne|precedente|premiere) (?:version|redaction)|anciens? articles?|(?:version|redaction|teneur) (?:anterieure|precedente|initiale|originale|ancienne|d' (?:origine|avant)|de l' epoque)) `),
	present: lazyre.New(`^(?:aujourd' hui|actuellement|maintenant|desormais|a (?:ce jour|present|l' heure actuelle)|de nos jours|en ce moment) `),
}

// vagueAt reads words for an unspecified time, or for the present.
func (r *reading) vagueAt(i int) (how relation, next int) {
	for how, words := range vague {
		if found := words.FindString(r.ahead(i)); found != "" {
			return how, r.wordAt(r.offsets[i] + len(found))
		}
	}
	if r.at(i) == "avant" && (i+1 == len(r.words) || r.words[i+1].begins) {
		return bare, i + 1
	}
	return how, i
}

// withoutSpans replaces the two ends of a span by one moment of unknown day: « entre 2015 et 2018 », « du 3 au 5 mai
// 2015 ».
func (r *reading) withoutSpans(all []moment) (out []moment) {
	for _, m := range all {
		start, ok := r.spanBefore(m, out)
		if !ok {
			out = append(out, m)
			continue
		}
		for len(out) > 0 && out[len(out)-1].to > start {
			out = out[:len(out)-1]
		}
		out = append(out, moment{from: start, to: m.to})
	}
	return out
}

// spanBefore returns the word with which the span begins that a moment ends.
func (r *reading) spanBefore(m moment, previous []moment) (start int, ok bool) {
	pos := m.from // the word that links the two ends
	switch {
	case slices.Contains([]string{"au", "a", "jusqu'au", "jusqu'en", "jusqu'a"}, m.by):
	case r.at(m.from-1) == "et" || r.at(m.from-1) == "a":
		pos--
	default:
		return 0, false
	}
	if n := len(previous); n > 0 && previous[n-1].to == pos {
		first := previous[n-1]
		switch first.by {
		case "du", "de", "d'", "entre", "entre le", "depuis", "depuis le", "depuis l'", "a partir du", "a partir de", "a compter du":
			return first.from, true
		}
		return 0, false
	}
	begin := max(0, r.offsets[pos]-len("entre le mercredi premier er septembre "))
	if g := spanBegin.FindStringSubmatchIndex(r.line[begin:r.offsets[pos]]); g != nil {
		return r.wordAt(begin + g[2]), true
	}
	return 0, false
}

// spanBegin matches the first day of a span that shares the month or the year of the second: « du 3 au 5 mai 2015 ».
var spanBegin = lazyre.New(`(?:^| )((?:du|de|entre) (?:le )?(?:(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche) )?(?:\d{1,2}(?:er)?|premier) (?:er )?(?:` + month + `)?)$`)

// edge is which of its days a moment means.
type edge int

const (
	lastDay edge = iota
	firstDay
	middleDay
	dayBefore
	dayAfter
	noDay
)

// introducers maps the words that introduce a moment to their meaning. The longest match counts.
var introducers = func() map[string]struct {
	how relation
	day edge
} {
	out := map[string]struct {
		how relation
		day edge
	}{}
	for _, group := range []struct {
		how   relation
		day   edge
		words string
	}{
		{asked, lastDay, "au|a la date du|a la date de|a cette date du|au jour du|date du|consolide au|consolidee au|a jour au|etait au|valeur au|arrete au|arretee au"},
		{asked, firstDay, "a compter du|a compter de|a compter d'|a partir du|a partir de|a partir d'"},
		{bare, lastDay, "en|courant|durant|pendant|lors de|lors du|lors d'|au cours de|au cours du|au cours d'|au titre de|au titre du|au titre d'|dans|vers|sous|le|la|du temps de|au mois de|au mois d'|a|au long de|tout au long de"},
		{of, lastDay, "pour|de|du|d'|datant de|datant du|date de"},
		{bare, firstDay, "des|des le|debut|au debut de|au debut du|au debut d'|en debut de|en debut d'|a l'ouverture de|au commencement de"},
		{bare, middleDay, "mi|a la mi|milieu|au milieu de|au milieu du|au milieu d'"},
		{bare, lastDay, "fin|la fin de|la fin du|la fin d'|a la fin de|a la fin du|a la fin d'|en fin de|en fin d'|jusqu'en|jusqu'a|jusqu'au|jusqu'a fin|jusqu'a la fin de|jusqu'a la fin du|jusqu'a la fin d'"},
		{bare, dayBefore, "avant|avant le|avant l'|avant la|avant la fin de|anterieurement a|anterieurement au|la veille du|a la veille du|jusqu'a la veille du|jusqu'avant"},
		{bare, dayAfter, "le lendemain du|au lendemain du"},
		{bare, noDay, "apres|apres le|apres l'|posterieurement a|posterieurement au|entre|entre le|parmi"},
		{present, noDay, "depuis|depuis le|depuis l'|depuis la|a ce jour depuis"},
	} {
		for words := range strings.SplitSeq(group.words, "|") {
			out[words] = struct {
				how relation
				day edge
			}{group.how, group.day}
		}
	}
	return out
}()

// longestIntroducer is the maximum number of words that introduce a moment.
const longestIntroducer = 5

// ofLaw are words for a state of the law: a moment that belongs to one of them is the time of the law asked about.
var ofLaw = wordSet("version versions redaction redactions etat teneur mouture formulation vigueur applicable applicables valable valables consolide consolidee libelle")

// leadIns are words that may stand between an introducer and its moment.
var leadIns = wordSet("lundi mardi mercredi jeudi vendredi samedi dimanche annee annees an l'an l'annee exercice jour")

// introduce extends a moment to the words that introduce it, not before word least, and sets their meaning. It reports
// whether there are any.
func (r *reading) introduce(m *moment, least int) bool {
	pos := m.from
	for pos > least && !r.words[pos].begins && (leadIns[r.at(pos-1)] || (r.at(pos-1) == "de" || r.at(pos-1) == "d'") && r.at(pos-2) == "mois" || r.at(pos-1) == "mois" || r.at(pos-1) == "l'" && leadIns[r.at(pos)]) {
		pos--
	}
	for n := min(longestIntroducer, pos-least); n > 0; n-- {
		var parts []string
		for i := pos - n; i < pos; i++ {
			parts = append(parts, r.at(i))
		}
		if slices.ContainsFunc(r.words[pos-n+1:pos+1], func(w word) bool { return w.begins }) {
			continue
		}
		key := strings.ReplaceAll(strings.Join(parts, " "), "' ", "'")
		as, ok := introducers[key]
		if !ok {
			continue
		}
		m.from, m.by = pos-n, key
		if m.how == bare {
			m.how = as.how
		}
		if key == "au" && !m.first.Equal(m.last) { // « au mois de mai 2015 », « au premier trimestre 2015 »
			m.how = bare
		}
		if n <= 1 && r.belongsToLaw(m.from) {
			m.how = asked
		}
		m.narrow(as.day)
		return true
	}
	return pos < m.from && leadIns[r.at(m.from-1)]
}

// belongsToLaw reports whether a word that introduces a moment follows a word for a state of the law:
// « en vigueur le », « dans sa version du ».
func (r *reading) belongsToLaw(i int) bool {
	if key := r.at(i); key != "le" && key != "en" && key != "du" && key != "de" && key != "d'" && key != "pour" && key != "au" && key != "courant" && key != "a" {
		return false
	}
	for n := 1; n <= 2; n++ {
		if ofLaw[r.at(i-n)] {
			return true
		}
	}
	return false
}

// narrow makes one day of a moment, the one that the words before it mean.
func (m *moment) narrow(by edge) {
	if !m.known() {
		return
	}
	switch by {
	case firstDay:
		m.last = m.first
	case middleDay:
		m.last = m.first.Add(m.last.Sub(m.first) / 2).Truncate(24 * time.Hour)
	case dayBefore:
		m.last = m.first.AddDate(0, 0, -1)
	case dayAfter:
		m.last = m.last.AddDate(0, 0, 1)
	case noDay:
		m.first, m.last = time.Time{}, time.Time{}
	}
}

// word is a word or a number of a question.
type word struct {
	text       string // folded; an elided word keeps its apostrophe: « l' »
	start, end int    // bytes [start,end) of the question
	begins     bool   // punctuation precedes the word: it begins a clause
	joined     bool   // a hyphen joins it to the word before
}

// wordsOutsideQuotes returns the words of a text, without those that it quotes.
func wordsOutsideQuotes(text string) (out []word) {
	begins, joined, quoted := true, false, false
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			switch {
			case r == '«' || r == '“':
				quoted = true
			case r == '»' || r == '”':
				quoted = false
			case r == '"':
				quoted = !quoted
			case r == '.' && abbreviates(out, text[i+size:]):
			case strings.ContainsRune(",;:.!?()\n…", r):
				begins = true
			}
			joined = law.Dash(r)
			i += size
			continue
		}
		end := len(text)
		if n := strings.IndexFunc(text[i:], func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }); n >= 0 {
			end = i + n
		}
		if next, size := utf8.DecodeRuneInString(text[end:]); next == '\'' || next == '’' {
			end += size
		}
		if !quoted {
			folded := law.Fold(text[i:end])
			out = append(out, word{strings.ReplaceAll(folded, "’", "'"), i, end, begins, joined})
			begins, joined = false, false
		}
		i = end
	}
	return out
}

// abbreviates reports whether a full stop abbreviates the last of the words rather than ending a sentence: « art. 36 ».
func abbreviates(words []word, rest string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(rest, law.Blank))
	return len(words) > 0 && len(words[len(words)-1].text) <= 4 && (unicode.IsDigit(r) || unicode.IsLower(r))
}

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
	left, ok := strings.CutSuffix(stem, "r")
	if !ok {
		return false
	}
	ends := func(any ...string) bool {
		for _, s := range any {
			if strings.HasSuffix(left, s) {
				return true
			}
		}
		return false
	}
	switch left[len(left)-1] {
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
		return ends("clu") || left == "au" || left == "sau"
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
