// Package question parses a question once: its language, the texts and articles it refers to,
// the countries and dates it names, what kind of answer it asks for, whether it is only a
// greeting, and whether it depends on earlier messages. Search, ranking, gate and generators
// use the value returned by Read and do not parse the question again.
//
// All functions depend only on their arguments and on embedded tables (abbreviations of texts,
// names of countries, letter frequencies of languages). Which text of the catalogue a reference
// means is decided by package named: a Reference only says how the question names it. Questions are
// untrusted: any bytes are accepted, in time linear in their number.
package question

import (
	_ "embed" // the names of states
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"vigueur/internal/kit/lazyre"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/french"
	"vigueur/internal/law/naming"
	"vigueur/internal/law/read"
)

// Question is a parsed question.
type Question struct {
	Text     string // the normalized question, to which offsets refer
	Language Language
	Courtesy Courtesy // the kind of courtesy, if the message is nothing else
	Empty    bool     // it contains no letter: « ? », « 42 », a smiley

	References []Reference    // references in the question, then those that it makes by pointing back
	Terms      []string       // its terms, without the names of countries
	Countries  []country.Code // the countries that it names, else the one that the asker chose
	Replaces   int            // number of earlier questions that it replaces by asking for another day
	Day        *time.Time     // the day whose law it asks about, midnight UTC; nil if it does not say
	Undated    bool           // whether it asks about the law of the past without naming a day

	dayAt [2]int // byte range of the words that give the day

	Kind    AnswerKind
	Figures french.Figures  // the kinds of figures that would answer it
	Offers  french.Offers   // the kinds of statements that would answer it
	Counted string          // the term of what « combien de … » counts, "" for none
	Status  Aspect          // what it asks about the state of a text, 0 for nothing
	Names   map[string]bool // terms that it writes with a capital, without first words of sentences
	Asking  map[string]bool // terms of the sentences that end with a question mark, in Earlier too
	Request Request         // what it wants done
	Unnamed bool            // it refers to a text that nobody has named: « cette loi »
	Hurt    bool            // the asker tells of violence, or wants to die
	Own     bool            // it is about the asker's own case
	Leans   bool            // it depends on the conversation

	// Earlier holds the earlier questions that it depends on, the last first, or "". The next fields are the terms and
	// countries of Earlier.
	Earlier          string
	EarlierTerms     []string
	EarlierCountries []country.Code
}

// Conversation is what was said before a question, oldest first. Answers holds the answers to the questions
// of Asked, and may be shorter. Country is the country that the asker chose beforehand, "" for none. Today is the day of
// the question, midnight UTC: « l'an dernier » depends on it. If it is zero, such words do not say which day they mean.
type Conversation struct {
	Asked   []string
	Answers []string
	Country country.Code
	Today   time.Time
	Names   []naming.Given // what operators call texts
}

// Read parses a question in its conversation.
func Read(text string, previous Conversation) Question {
	text, previous = normalize(text), previous.normalize()
	text, previous, replaced := previous.onAnotherDay(text)
	folded := law.Fold(text)
	q := Question{Text: text, Replaces: replaced, Language: languageOf(text), Courtesy: courtesyOf(folded),
		Figures: french.Asks(text), Offers: french.AsksFor(text), Counted: countedTerm(text), Names: properNames(text),
		Hurt: inDistress.MatchString(folded), Own: personal.MatchString(folded)}
	q.Empty = !strings.ContainsFunc(text, unicode.IsLetter)
	if q.Terms, q.Countries = country.Content(text); q.Countries == nil {
		q.Countries = elsewhere(text)
	}
	q.Request = requestOf(folded, q.Terms)
	if q.Countries == nil && previous.Country != "" {
		q.Countries = []country.Code{previous.Country}
	}
	own := References(text, previous.Names...)
	q.References = slices.Concat(own, previous.pointedAt(folded, own))
	q.Leans = dependsOnConversation(text, previous.saidBefore(len(previous.Asked))) && (pointsBack.MatchString(strings.TrimSpace(folded)) || !slices.ContainsFunc(own, Reference.NamesText))
	q.Unnamed = len(q.References) == 0 && pointsNowhere(folded)
	asks := timeIn(text, own, previous.Today)
	q.Day, q.Undated, q.dayAt = asks.day, asks.undated, asks.at
	q.References = slices.DeleteFunc(q.References, func(r Reference) bool { return r.Alone && asks.at[0] <= r.Start && r.End <= asks.at[1] }) // « en 02/2015 »
	q.Status = aspectOf(text, own)
	q.Kind = kindOf(folded, q)
	if len(previous.Asked) > 0 && q.Leans {
		q.Earlier = previous.earlier(q.Countries)
		q.EarlierTerms, q.EarlierCountries = country.Content(q.Earlier)
		if q.Day == nil && !asks.now {
			if q.Day = previous.lastDay(); q.Day != nil {
				q.Undated = false
			}
		}
	}
	q.Asking = askingTerms(text + "\n" + q.Earlier)
	if q.Status != 0 && !slices.ContainsFunc(q.References, Reference.NamesText) {
		q.addPointedText(previous)
	}
	return q
}

// addPointedText adds the text that the conversation named last to a question about the status of « elle ». If there is
// no such text, the question asks for no status.
func (q *Question) addPointedText(previous Conversation) {
	last, ok := previous.lastNamed(Reference.NamesText)
	if !ok {
		q.Status = 0
		return
	}
	if len(q.References) == 0 && !strings.Contains(law.Fold(q.Text), "article") {
		last.Articles, last.Parts = nil, nil
	}
	var articles, parts []string // « l'article 5 et l'article 6 sont-ils en vigueur ? »
	for _, r := range q.References {
		articles, parts = append(articles, r.Articles...), append(parts, r.Parts...)
	}
	if len(articles) > 0 {
		last.Articles, last.Parts = articles, parts
	}
	last.Pointed = true
	q.References = []Reference{last}
}

// Apposed reports whether a reference of the question follows another with no more than the name of a country between them.
func (q Question) Apposed(a, b Reference) bool {
	if a.End == 0 || a.End > b.Start || b.Start > len(q.Text) {
		return false
	}
	between, _ := country.Content(q.Text[a.End:b.Start])
	return len(between) == 0
}

// AskedCountries returns the countries that the question is about: those that it names, else the one that the asker
// chose, else those of the questions that it depends on.
func (q Question) AskedCountries() []country.Code {
	if q.Countries != nil {
		return q.Countries
	}
	return q.EarlierCountries
}

// Compares reports whether the question, or those that it depends on if it names no country, asks for the law of several.
func (q Question) Compares() bool {
	if q.Countries != nil {
		return country.Several(q.Text)
	}
	return country.Several(q.Earlier)
}

// Meant returns the text whose meaning is searched for: the questions that this one depends on, then the
// question.
func (q Question) Meant() string {
	if q.Earlier != "" {
		return q.Earlier + " " + q.Text
	}
	return q.Text
}

// Names returns the names of texts in what was typed, by the table or given, and the words that are left without them.
func Names(typed string, names []naming.Given) (found []Reference, rest string) {
	found = slices.DeleteFunc(References(typed, names...), func(r Reference) bool { return !r.Alias || len(r.Articles) > 0 })
	rest = typed
	for _, r := range slices.Backward(found) {
		rest = rest[:r.Start] + rest[r.End:]
	}
	return found, rest
}

// Begun returns the names of texts that begin with what was typed, at least three letters.
func Begun(typed string, names []naming.Given) (out []naming.Given) {
	folded := law.Fold(strings.TrimSpace(typed))
	if len(folded) < leastBegun {
		return nil
	}
	for _, name := range read.ShortNames(folded) {
		names = append(slices.Clip(names), naming.Given{Name: name})
	}
	for _, n := range names {
		if strings.HasPrefix(law.Fold(n.Name), folded) && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	slices.SortFunc(out, func(a, b naming.Given) int { return strings.Compare(law.Fold(a.Name), law.Fold(b.Name)) })
	return out
}

// leastBegun is the least number of letters for completing a name: too many names begin with fewer.
const leastBegun = 3

// turnsKept is the maximum number of earlier questions that a dependent question takes along.
const turnsKept = 4

// shortQuestion is the maximum number of words, without stop words, of a question that is taken to depend on the one
// before because it is short.
const shortQuestion = 2

// pointsBack matches, in folded text, the words by which a question points back.
var pointsBack = lazyre.New(`^(et|ou|mais|alors|donc|sinon|idem|pareil|meme chose)\b` +
	`|\b(cet article|cette (loi|disposition|regle|duree|periode|indemnite|sanction|peine|amende|procedure|obligation|personne|somme)` +
	`|ce (delai|texte|code|decret|cas|droit|taux|montant|conge|contrat|preavis|point|dernier)|cet (arrete|age|avis)` +
	`|ces (articles|delais|textes|conditions|regles)|celui-ci|celle-ci|ceux-ci|celles-ci|dans ce cas|a ce sujet|la-dessus` +
	`|y a-t-il une exception|le meme|la meme|les memes|aussi)\b`)

// earlier returns the earlier questions that the current one depends on, the last first, back to one that
// depends on none. named are the countries that the current question names. Only the country named last is
// asked about, so those before it are left out.
func (c Conversation) earlier(named []country.Code) string {
	var b strings.Builder
	for i := len(c.Asked) - 1; i >= max(0, len(c.Asked)-turnsKept); i-- {
		text := c.Asked[i]
		if named != nil {
			text = withoutCountries(text)
		} else {
			_, named = country.Content(text)
		}
		b.WriteString(text)
		b.WriteByte('\n')
		if !dependsOnConversation(c.Asked[i], c.saidBefore(i)) {
			break
		}
	}
	return b.String()
}

// lastDay returns the day whose law the earlier questions ask about that the current one depends on, nil if there is none.
func (c Conversation) lastDay() *time.Time {
	for i := len(c.Asked) - 1; i >= max(0, len(c.Asked)-turnsKept); i-- {
		asked := Conversation{Asked: c.Asked[:i], Answers: c.Answers[:min(i, len(c.Answers))], Today: c.Today}
		text, _, _ := asked.onAnotherDay(c.Asked[i])
		if t := timeIn(text, References(text), c.Today); t.day != nil || t.now {
			return t.day
		}
		if !dependsOnConversation(c.Asked[i], c.saidBefore(i)) {
			break
		}
	}
	return nil
}

// dayAlone are words that may stand beside a day in a message that says nothing else.
var dayAlone = wordSet("et ou mais alors donc c' est etait plutot disons svp merci bonjour bonsoir oui non celui celle la le du de l' d' en au version redaction droit pour je veux voulais voudrais parle date jour plait s' il vous te stp a")

// onAnotherDay handles a message that only names another day, such as « et en 2015 ? », or answers which day was meant.
// It returns the last question as of that day, what was said before it, and the number of questions that it replaces.
// It returns any other message unchanged.
func (c Conversation) onAnotherDay(text string) (string, Conversation, int) {
	last := len(c.Asked) - 1
	if last < 0 {
		return text, c, 0
	}
	r := newReading(text, c.Today)
	moments := r.moments(func(int) bool { return false })
	if len(moments) == 0 && len(r.words) == 1 { // « 2015 »
		if year, next := r.yearAt(0); next > 0 {
			first, end, _ := monthsFrom(year, 1, 12)
			moments = []moment{{to: next, first: first, last: end}}
		}
	}
	if len(moments) != 1 || !moments[0].known() && moments[0].how != present {
		return text, c, 0
	}
	for i, w := range r.words {
		if (i < moments[0].from || i >= moments[0].to) && !dayAlone[w.text] {
			return text, c, 0
		}
	}
	previous := c
	previous.Asked, previous.Answers = c.Asked[:last], c.Answers[:min(last, len(c.Answers))]
	whole, previous, replaced := previous.onAnotherDay(c.Asked[last])
	if pos := timeIn(whole, References(whole), c.Today).at; pos[1] > 0 {
		whole = whole[:pos[0]] + whole[pos[1]:]
	}
	condition := "aujourd’hui"
	if moments[0].known() {
		condition = "à la date du " + law.WriteDate(moments[0].last)
	}
	return strings.TrimRight(whole, " ?!.,\u00a0\u202f") + " " + condition + " ?", previous, replaced + 1
}

// saidBefore returns everything that was said before the question with the given index.
func (c Conversation) saidBefore(place int) []string {
	return slices.Concat(c.Asked[:place], c.Answers[:min(place, len(c.Answers))])
}

// withoutCountries removes the names of countries from a text.
func withoutCountries(text string) string {
	tokens := slices.DeleteFunc(french.Analyze(text), func(t french.Token) bool { return t.Stop })
	for _, m := range slices.Backward(country.Mentions(french.Terms(text))) {
		text = text[:tokens[m.Start].Start] + text[tokens[m.End-1].End:]
	}
	return text
}

// withoutNames removes the names of countries from terms.
func withoutNames(terms []string) []string {
	for _, m := range slices.Backward(country.Mentions(terms)) {
		terms = slices.Delete(terms, m.Start, m.End)
	}
	return terms
}

// dependsOnConversation reports whether a question depends on the conversation, because it points back, or because it
// is short and not clear alone. A short question that names a country, or a body, a place or a person that nobody has
// mentioned, and says something about it, is clear alone (« Quelle est la capitale de l’Australie ? »).
func dependsOnConversation(text string, previous []string) bool {
	if pointsBack.MatchString(law.Fold(strings.TrimSpace(text))) {
		return true
	}
	if len(french.Terms(text)) > shortQuestion {
		return false
	}
	terms, countries := country.Content(text)
	names := newNames(text, previous)
	own := slices.ContainsFunc(terms, func(t string) bool { return !french.Shaping(t) && !french.Measure(t) && !names[t] })
	return len(countries) == 0 && len(names) == 0 || !own
}

// newNames returns the names that a text writes with a capital and that no earlier text contains.
func newNames(text string, previous []string) map[string]bool {
	names := properNames(text)
	for _, earlier := range previous {
		for _, t := range french.Terms(earlier) {
			delete(names, t)
		}
	}
	return names
}

// Forms of references that are typed but never printed: « article26 », « loi n° 2023 - 07 ». Blanks within a
// number are only removed if one of its groups is a year, because « n° 5 - 12 jours » is no number.
var (
	glued   = law.Pattern(`(?i)\b(art(?:icle)?s?)([0-9])`)
	parted  = law.Pattern(`(?i)(n ?[°º] ?(?:1[89]|2[01])[0-9]{2}) ?(~) ?([0-9]{1,4})\b`)
	partedY = law.Pattern(`(?i)(n ?[°º] ?[0-9]{1,4}) ?(~) ?((?:1[89]|2[01])[0-9]{2})\b`)
)

// normalizeTyped normalizes typed and pasted text to its printed form: accents become part of their letter (some systems
// write them after it, as characters of their own), invisible characters (soft hyphens, zero-width spaces) are removed,
// « article » is separated from its number by a blank, and the number of a text contains no blanks.
func normalizeTyped(text string) string {
	text = strings.Map(func(r rune) rune {
		if law.Invisible(r) {
			return -1
		}
		return r
	}, text)
	text = glued.ReplaceAllString(norm.NFC.String(text), "$1 $2")
	return partedY.ReplaceAllString(parted.ReplaceAllString(text, "$1$2$3"), "$1$2$3")
}

// NormalizeTyped writes a text that somebody typed or pasted as it is printed, so that References reads it: whole letters, no
// invisible characters, « article 26 » for « article26 ».
func NormalizeTyped(text string) string { return normalizeTyped(text) }

// normalize returns a question as it is printed: plain and, if it is French, written out by spelled. Other
// languages stay, because « men » and « its » are English words.
func normalize(text string) string {
	if text = normalizeTyped(text); languageOf(text) != French {
		return text
	}
	return correctSpelling(text)
}

// Limits of a conversation, which clients send and which may contain anything: only its last turns are read, and only
// the beginning of each question and answer.
const (
	TurnsRead      = 5
	CharactersRead = 8000
)

// normalize returns the part of the conversation within the limits, in its printed form.
func (c Conversation) normalize() Conversation {
	start := max(0, len(c.Asked)-TurnsRead)
	all := func(texts []string, written func(string) string) (out []string) {
		for _, t := range texts[min(start, len(texts)):] {
			out = append(out, written(Beginning(t)))
		}
		return out
	}
	return Conversation{Asked: all(c.Asked, normalize), Answers: all(c.Answers, normalizeTyped), Country: c.Country, Today: c.Today, Names: c.Names}
}

// Beginning returns the first characters of a text, CharactersRead at most.
func Beginning(text string) string {
	if len(text) <= CharactersRead {
		return text
	}
	left := CharactersRead
	for i := range text {
		if left == 0 {
			return text[:i]
		}
		left--
	}
	return text
}

//go:embed elsewhere.txt
var elsewhereText string

// state is a state whose law no catalogue in French is expected to have.
type state struct {
	words []string // folded
	code  country.Code
}

// states holds the states by the first word of their names, longer names first.
var states = sync.OnceValue(func() map[string][]state {
	out := make(map[string][]state)
	for line := range strings.Lines(elsewhereText) {
		name := strings.TrimSpace(line)
		if name == "" || name[0] == '#' {
			continue
		}
		code, ok := country.Parse("x-" + strings.ReplaceAll(name, " ", "-"))
		words := strings.FieldsFunc(law.Fold(name), func(r rune) bool { return !unicode.IsLetter(r) })
		if !ok {
			panic("question: no code for " + name) // the list is embedded
		}
		list := append([]state{{words, code}}, out[words[0]]...)
		if n := len(list); n > 1 && len(list[0].words) < len(list[n-1].words) {
			list[0], list[n-1] = list[n-1], list[0]
		}
		out[words[0]] = list
	}
	return out
})

// going are words for what ends in another country, and is ruled by the law of the asker's.
var going = wordSet("aller va vont voyager voyage voyages partir depart exporter exportation exportations expedier expedition envoyer envoi transferer transfert transferts extrader extradition emigrer rendre entrer vendre")

// elsewhere returns the state whose law a question asks about, if no table lists it: it stands where French puts the
// scope of a question, at its beginning or its end (« Quelle est la durée du congé de paternité au Japon ? »). At the end
// of one's own story, or after a participle or a word for going there, it is only a place.
func elsewhere(text string) []country.Code {
	r := newReading(text, time.Time{})
	own := false
	for _, w := range r.words {
		own = own || personals[w.text]
	}
	for i := range r.words {
		input := r.at(i - 1)
		if input != "en" && input != "au" && input != "aux" && input != "a" {
			continue
		}
		for _, s := range states()[r.at(i)] {
			end := i + len(s.words)
			if !r.has(i, strings.Join(s.words, " ")) {
				continue
			}
			happened := participle(r.printed(i-2)) && !determiners[r.at(i-3)] && !governing[r.at(i-3)] && r.at(i-2) != "payes"
			place := own || going[r.at(i-2)] || happened
			if i == 1 || i == 2 && r.at(0) == "et" || end == len(r.words) && !place {
				return []country.Code{s.code}
			}
			break
		}
	}
	return nil
}
