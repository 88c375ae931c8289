package french

import (
	_ "embed" // the table of lay words
	"iter"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/law"
)

//go:embed lexicon.txt
var lexiconText string

// Lexicon maps everyday words and acronyms to the words of the law (« CDD » to « contrat à
// durée déterminée », « virer » to « licencier »). It must not be changed once it is in
// use.
type Lexicon struct {
	entries map[string][]entry // entries by the first term of their everyday phrase
}

type entry struct {
	lay   []string   // terms of the everyday phrase
	legal [][]string // alternatives in the law's words, each as terms
}

// Match is an everyday phrase that was found in a question.
type Match struct {
	Start, End int        // terms [Start,End) of the question
	Legal      [][]string // words that the law may use instead, each alternative as terms
}

// NewLexicon parses the embedded table.
func NewLexicon() *Lexicon {
	l := &Lexicon{entries: make(map[string][]entry)}
	for phrase, alternatives := range lexiconRows() {
		lay := Terms(phrase)
		if len(lay) == 0 {
			continue
		}
		e := entry{lay: lay}
		for _, a := range alternatives {
			e.legal = append(e.legal, Terms(a))
		}
		l.entries[lay[0]] = append(l.entries[lay[0]], e)
	}
	return l
}

// lexiconRows yields the everyday phrases of the table, each with the alternatives in the law's
// words.
func lexiconRows() iter.Seq2[string, []string] {
	return func(yield func(string, []string) bool) {
		for line := range strings.Lines(lexiconText) {
			if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
				continue
			}
			left, right, _ := strings.Cut(line, "=")
			if !yield(strings.TrimSpace(left), strings.Split(right, "|")) {
				return
			}
		}
	}
}

// Matches finds the everyday phrases among the terms of a question (in order, without stop
// words).
func (l *Lexicon) Matches(terms []string) []Match {
	var out []Match
	for i, t := range terms {
		for _, e := range l.entries[t] {
			if startsWith(terms[i:], e.lay) {
				out = append(out, Match{i, i + len(e.lay), e.legal})
			}
		}
	}
	return out
}

func startsWith(terms, head []string) bool {
	if len(terms) < len(head) {
		return false
	}
	for i, h := range head {
		if terms[i] != h {
			return false
		}
	}
	return true
}

// Acronym is a word made of the initials of others: « SARL », « CDD ».
type Acronym struct {
	Term string   // of the acronym
	Long []string // terms of the words that it stands for, without stop words
}

// Acronyms returns the acronyms of the table of lay words: its words that the initials of the
// law's words spell, with those of stop words (« société à responsabilité limitée ») or without
// them (« taxe sur la valeur ajoutée »). The result must not be changed.
var Acronyms = sync.OnceValue(func() []Acronym {
	var out []Acronym
	for phrase, alternatives := range lexiconRows() {
		short := Terms(phrase)
		if len(short) != 1 || strings.ContainsAny(phrase, " '’-") {
			continue
		}
		for _, alternative := range alternatives {
			if long := Terms(alternative); len(long) > 1 && spells(phrase, alternative) {
				out = append(out, Acronym{short[0], long})
			}
		}
	}
	return slices.Clip(out) // nobody appends to it
})

// spells reports whether initials of the words of a text, all except those of some stop words,
// are the letters of a short word.
func spells(short, text string) bool {
	letters := []rune(short)
	place := -1
	for _, t := range Analyze(text) {
		if t.Start == place { // a second reading of the same word
			continue
		}
		place = t.Start
		initial, _ := utf8.DecodeRuneInString(t.Term)
		switch {
		case len(letters) > 0 && initial == letters[0]:
			letters = letters[1:]
		case !t.Stop:
			return false
		}
	}
	return len(letters) == 0
}

// Offers is a set of kinds of statements that answer a question, or that an article makes.
type Offers uint8

// The kinds of statements, each with the interrogative that asks for it.
const (
	Authority  Offers = 1 << iota // « qui »: who decides or acts
	Permission                    // « peut-on »: what may, must or must not be done
	Period                        // « combien de temps »: a length of time
	Condition                     // « à quelle condition »: what must be the case
	Place                         // « où »: where something is or is done
)

// askedOffers maps each kind to the words that ask for it, in folded text: the interrogatives of
// French, and the verbs and nouns that stand for them. What a match is worth is learned with the
// order (lab/training/ranking), which may give a kind no weight.
var askedOffers = []struct {
	kind  Offers
	words *regexp.Regexp
}{
	{Authority, regexp.MustCompile(`\b(qui|quelle? (est l.)?autorite|quels? organes?)\b`)},
	{Permission, regexp.MustCompile(`\b(peut|peuvent|puis|pourra|droit de|autorise|interdit|permis|possible|oblige|doit|doivent|faut)\b`)},
	{Period, regexp.MustCompile(`\b(duree|delai|combien de temps|quand|jours|mois|ans|annees)\b`)},
	{Condition, regexp.MustCompile(`\b(conditions?|comment|dans quels cas|criteres?|faut)\b`)},
	{Place, regexp.MustCompile(`\b(ou|siege|lieu)\b`)},
}

// AsksFor returns the kinds of statements that would answer a question.
func AsksFor(question string) (kinds Offers) {
	folded := law.Fold(question)
	for _, a := range askedOffers {
		if a.words.MatchString(folded) {
			kinds |= a.kind
		}
	}
	return kinds
}

// offered maps the folded words of articles to the kinds of statements that they occur in.
var offered = func() map[string]Offers {
	words := make(map[string]Offers)
	for kind, names := range map[Offers][]string{
		Authority: {"ministre", "president", "prefet", "wali", "gouverneur", "directeur", "juge", "tribunal", "cour", "conseil", "commission", "comite", "maire",
			"procureur", "autorite", "inspecteur", "secretaire", "greffier", "administration"},
		Permission: {"peut", "peuvent", "interdit", "interdite", "interdits", "interdites", "autorise", "autorisee", "autorises", "tenu", "tenus", "doit", "doivent", "nul"},
		Period:     {"jour", "jours", "mois", "an", "ans", "annee", "annees", "heure", "heures", "semaine", "semaines"},
		Condition:  {"condition", "conditions", "doit", "doivent", "lorsque", "si"},
		Place:      {"siege", "lieu", "local", "sis", "situe"},
	} {
		for _, w := range names {
			words[w] |= kind
		}
	}
	return words
}()

// OffersOf returns the kinds of statements that an article makes, as its words tell.
func OffersOf(text string) (kinds Offers) {
	folded := law.Fold(text)
	start := -1 // where the word that is being read begins
	for i, r := range folded {
		switch letter := unicode.IsLetter(r); {
		case letter && start < 0:
			start = i
		case !letter && start >= 0:
			kinds |= offered[folded[start:i]]
			start = -1
		}
	}
	if start >= 0 {
		kinds |= offered[folded[start:]]
	}
	return kinds
}

// stem reduces a folded word to a common form: it removes the endings of plural, feminine,
// and infinitive and participle of the first group. It is light on purpose: measured on
// French law, a strong stemmer gains nothing that the comparison of word pieces does not.
func stem(w string) string {
	if irregular, ok := irregulars[w]; ok {
		w = irregular
	}
	if len(w) >= 5 && w[len(w)-3:] == "aux" {
		return w[:len(w)-2] + "l"
	}
	if n := len(w); n >= 4 && (w[n-1] == 's' || w[n-1] == 'x') {
		w = w[:n-1]
	}
	if n := len(w); n >= 5 && w[n-1] == 'r' {
		w = w[:n-1]
	}
	for len(w) >= 5 && w[len(w)-1] == 'e' {
		w = w[:len(w)-1]
	}
	// Only ASCII letters are reduced: two equal bytes at the end of another script are not a
	// doubled letter.
	if n := len(w); n >= 5 && w[n-1] == w[n-2] && w[n-1] < utf8.RuneSelf {
		w = w[:n-1]
	}
	return w
}

// irregulars are forms that the rules would not reduce to the same stem.
var irregulars = map[string]string{"ans": "an", "travaux": "travail", "baux": "bail", "yeux": "oeil", "art": "article", "arts": "article"}

// TextStem returns the part of a text's official number that people remember, as a term:
// the digits without the initials of the authors. The stem of « 2000-192-pres-pm » is
// « 2000-192 ». A number that does not begin with two groups of digits is its own stem.
func TextStem(term string) string {
	end := 0
	for pos := 0; pos < len(term); {
		part, _, more := strings.Cut(term[pos:], "-")
		if part == "" || strings.Trim(part, "0123456789") != "" {
			break
		}
		end = pos + len(part)
		pos = end + 1
		if !more {
			break
		}
	}
	if end == 0 || !strings.Contains(term[:end], "-") {
		return term
	}
	return term[:end]
}

// SameText reports whether two terms of official numbers can mean the same text: they are
// equal, or one is the stem of the other.
func SameText(a, b string) bool {
	return a != "" && (a == b || a == TextStem(b) || TextStem(a) == b)
}

// Gram is a piece of a term: four or five letters in a row. A piece at the beginning of the
// term differs from the same letters elsewhere.
type Gram uint64

// Grams appends the pieces of term to dst, each once, in order. The beginning of a word
// counts as a letter. Its end does not, because French words inflect there.
func Grams(dst []Gram, term string) []Gram {
	start := len(dst)
	at := func(i int) byte {
		if i == 0 {
			return '^'
		}
		return term[i-1]
	}
	for size := 4; size <= 5; size++ {
		for i := 0; i+size <= len(term)+1; i++ {
			var g Gram
			for k := range size {
				g = g<<8 | Gram(at(i+k))
			}
			dst = addGram(dst, start, g)
		}
	}
	return dst
}

func addGram(dst []Gram, start int, g Gram) []Gram {
	for _, d := range dst[start:] {
		if d == g {
			return dst
		}
	}
	return append(dst, g)
}

// Likeness compares two terms by their pieces (Salton's cosine over sets). shared is the
// number of pieces that both have, a and b are the numbers of pieces of each. The result is
// 1 for the same pieces and 0 without common pieces.
func Likeness(shared, a, b int) float64 {
	if shared == 0 {
		return 0
	}
	return float64(shared) / math.Sqrt(float64(a)*float64(b))
}

// Similar returns the Likeness of two terms.
func Similar(a, b string) float64 {
	if a == b {
		return 1
	}
	var room [64]Gram
	ga := Grams(room[:0], a)
	gb := Grams(nil, b)
	shared := 0
	for _, x := range ga {
		for _, y := range gb {
			if x == y {
				shared++
			}
		}
	}
	return Likeness(shared, len(ga), len(gb))
}

// Akin returns the similarity of two terms if one may stand for the other, else 0. Short
// terms must be nearly the same: « viol » does not stand for « violence ».
func Akin(a, b string) float64 {
	const resembling, short, nearly = 0.5, 4, 0.75
	like := Similar(a, b)
	if like < resembling || like < nearly && min(len(a), len(b)) <= short {
		return 0
	}
	return like
}
