package amend

import (
	_ "embed" // the carried model
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"vigueur/internal/law"
)

// Noticing is a linear model that decides whether a passage orders a change at all. What it notices and the grammar
// does not understand waits for a person; what only mentions changes (« visés à l'article 5, modifié », « (Abrogé par la
// loi n° 7) ») is left out.
type Noticing struct {
	Weights map[string]float64 `json:"weights"`
	Least   float64            `json:"least"` // least sum of weights of an order
}

//go:embed notice.json
var carried []byte

// learned is the model that the program carries, by scripts/train noticing.
var learned = sync.OnceValue(func() *Noticing {
	var m Noticing
	if err := json.Unmarshal(carried, &m); err != nil {
		panic("amend: notice.json: " + err.Error())
	}
	return &m
})

// Sum returns the sum of the weights of features.
func (m *Noticing) Sum(features []string) (sum float64) {
	for _, f := range features {
		sum += m.Weights[f]
	}
	return sum
}

// Decision is a passage of an act that may order a change, with what is known of it.
type Decision struct {
	Span
	Features   []string
	Understood bool // to its last word
}

// notices reports whether an instruction may order a change, and whether it more likely does than not.
func (r *reader) notices(p *parser, b block) (noticed, likely bool) {
	features := r.features(p, b)
	if r.o.decided != nil {
		r.o.decided(Decision{b.Span, features, p.unknown == 0})
	}
	m := r.model()
	sum := m.Sum(features)
	return sum >= m.Least, sum >= 0
}

// mentions reports whether no changing word of an instruction can order anything: it is in a citation (« Vu le décret n° 5,
// modifié par … »), in brackets (« (Alinéa modifié par la loi n° 7) »), or in the perfect tense, which tells what another
// act has done (« la loi n° 7 a remplacé »).
func (p *parser) mentions() bool {
	if p.word(0) == "vu" {
		return true
	}
	open, found := 0, false
	for i := range p.toks {
		word := p.word(i)
		open += strings.Count(word, "(")
		if saysChange(word) && word != "rapport" && word != "rapports" { // which hold « apport »
			if open == 0 && !p.perfect(i) {
				return false
			}
			found = true
		}
		open = max(0, open-strings.Count(word, ")")) // a number may hold the bracket, as « 2°) » does
	}
	return found && open == 0
}

// Orders reports whether a sentence itself orders a change: its changing verb is after « est » or « sont », is that of
// « la présente loi » or an infinitive at the beginning, or it is an erratum or gives a tenor. A participle beside a noun
// (« la loi modifiée du … ») and the perfect tense tell what others have done, « si » and « lorsque » what they may do.
func Orders(sentence string) bool {
	const window = 5 // words between the verbs: « sont, à compter du 1er mars, abrogés »
	words := strings.FieldsFunc(law.Fold(sentence), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if len(words) > 0 && slices.Contains([]string{"si", "s", "lorsque", "lorsqu", "quand"}, words[0]) {
		return false
	}
	auxiliary, gives := -1, false // the last « est », and « prend » or « aura » before a tenor
	for i, word := range words {
		switch word {
		case "est", "sont", "sera", "seront":
			auxiliary = i
		case "aura", "auront", "prend", "prennent", "prendra", "prendront":
			gives = true
		case "ete", "conformement", "lequel", "laquelle", "dont":
			auxiliary = -1
		case "teneur", "redaction":
			if gives {
				return true
			}
		case "lieu":
			if i > 0 && words[i-1] == "au" {
				return true
			}
		}
		active := i > 1 && strings.HasPrefix(words[i-2], "present") && strings.HasSuffix(word, "e") || i == 0 && strings.HasSuffix(word, "er")
		if saysChange(word) && (auxiliary >= 0 && i-auxiliary <= window+1 || active) {
			return true
		}
	}
	return false
}

// perfect reports whether a word is a participle after « avoir ».
func (p *parser) perfect(i int) bool {
	switch p.word(i - 1) {
	case "a", "ont", "avait", "avaient", "ayant": // « à » is folded to « a »: an infinitive follows it
		return !strings.HasSuffix(p.word(i), "r") && !strings.HasSuffix(p.word(i), "re")
	default:
		return false
	}
}

func (r *reader) model() *Noticing {
	if r.o.Noticing != nil {
		return r.o.Noticing
	}
	return learned()
}

// features says of an instruction what its decision may depend on: the words around its changing verbs, those at its
// ends, and how it is printed. Numbers, articles and texts are one word each, so that no feature names what a country has.
func (r *reader) features(p *parser, b block) []string {
	seen := map[string]bool{}
	add := func(parts ...string) { seen[strings.Join(parts, " ")] = true }
	class := func(i int) string {
		switch word := p.word(i); {
		case i < 0 || i >= len(p.toks):
			return "|"
		case p.toks[i].quote >= 0:
			return "«»"
		case isFigure(word):
			return "#"
		case word == "article" || word == "articles" || word == "art":
			return "ART"
		case p.is(i, "<division>"):
			return "DIV"
		default:
			if level, ok := levelOf(word); ok {
				return "L" + strconv.Itoa(int(level))
			}
			if _, ok := textNouns[word]; ok {
				return "TEXT"
			}
			return word
		}
	}
	add("first", class(0))
	add("first", class(0), class(1))
	add("last", class(len(p.toks)-1))
	add("last", class(len(p.toks)-2), class(len(p.toks)-1))
	if changes.MatchString(law.Fold(r.o.Title)) {
		add("title")
	}
	if len(b.wording) > 0 {
		add("wording")
	}
	if len(b.quotes) > 0 {
		add("quotes")
	}
	verbs, articles := 0, 0
	for i := range p.toks {
		word := p.word(i)
		if class(i) == "ART" {
			articles++
		}
		if !saysChange(word) || verbs >= 3 {
			continue
		}
		verbs++
		v := strconv.Itoa(int(verbOf(word)))
		if verbOf(word) == noVerb {
			v = word
		}
		add("verb", v)
		add("before", class(i-1), v)
		add("before", class(i-2), class(i-1), v)
		add("after", v, class(i+1))
		add("after", v, class(i+1), class(i+2))
		if articles > 0 {
			add("article before", v)
		}
	}
	switch {
	case p.nothing:
		add("names nothing")
	case len(p.named) == 0:
		add("names no place")
	}
	if slices.ContainsFunc(p.clauses, func(c clause) bool { return c.complete() && len(c.subject)+len(c.in)+len(c.places)+len(c.words) > 0 }) {
		add("complete")
	}
	if p.word(0) == "(" {
		add("bracket")
	}
	if 2*p.unknown > len(p.toks) {
		add("mostly unknown")
	}
	out := make([]string, 0, len(seen))
	for f := range seen {
		out = append(out, f)
	}
	slices.Sort(out)
	return out
}

// changes matches the title of an act that changes others, in folded words.
var changes = law.Pattern(`\b(?:modifi|complet|abrog|rectifi|revis|amend)`)

// Decisions returns the passages of an act that Read decides about.
func Decisions(act string, o Options) (out []Decision) {
	o.decided = func(d Decision) { out = append(out, d) }
	Read(act, o)
	return out
}

// An erratum names words as they are printed and as they are to be read, on one line or each in paragraphs of its own:
// « Au lieu de : … Lire : … ».
var (
	insteadOf    = law.Pattern(`(?i)^(?:au lieu de|à la place de)\b *:? *`)
	readAs       = law.Pattern(`(?i)^(?:il faut )?(?:lire|lisez)\b *:? *`)
	insteadBelow = law.Pattern(`: +()(?i:au lieu de) *:? *(?:«[^«»]*»)? *$`)
	readBelow    = law.Pattern(`(?i)[;,.]? +(?:lire|lisez) *: *`)
)

// erratum reads words and what they are to be read as, without quotation marks. It returns how many further blocks it took.
func (r *reader) erratum(b block, next []block) (taken int, ok bool) {
	m := insteadOf.FindString(b.text)
	if taken = r.corrected(b, m, next); taken > 0 {
		return taken, true
	}
	printed, ok := wordsAfter(b, len(m))
	if m == "" || !ok {
		return 0, false
	}
	read := []string(nil)
	if positions := readBelow.FindStringIndex(b.text); positions != nil && len(b.quotes) == 0 {
		printed, read = []string{b.text[len(m):positions[0]]}, []string{b.text[positions[1]:]}
	}
	end := b.End
	for ; taken < len(next); taken++ {
		text := next[taken].text
		if insteadOf.MatchString(text) || rest.MatchString(text) || closes.MatchString(text) || headFollows(next[taken]) || read != nil && saysChange(law.Fold(text)) {
			break
		}
		switch m := readAs.FindString(text); {
		case m != "" && read == nil:
			if read, ok = wordsAfter(next[taken], len(m)); !ok {
				return 0, false
			}
		case read == nil:
			printed = append(printed, text)
		default:
			read = append(read, text)
		}
		end = next[taken].last()
		if read != nil && (len(next[taken].quotes) > 0 || len(next[taken].wording) > 0) {
			taken++
			break // the words are in quotation marks
		}
	}
	words := func(lines []string) string { return strings.TrimFunc(strings.Join(lines, "\n"), blankOrInvisible) }
	if read == nil || words(printed) == "" || words(read) == "" {
		return 0, false
	}
	spots := r.above().spots
	if len(spots) == 0 {
		spots = []spot{{}}
	}
	b.End, b.quoted = end, Span{}
	make := maker{r: r, b: b, p: &parser{mem: &r.mem}, noticed: true, likely: true}
	if make.withText(spots[0]).text.Zero() {
		return 0, false
	}
	make.add(ReplaceWords, spots, func(op *Operation) {
		op.Words, op.New, op.Times = words(printed), []string{words(read)}, 1
	})
	return taken, true
}

// corrected reads an erratum of whole articles: « Au lieu de : Article 5 : … Lire : Article 5 : … ». It returns how many further blocks
// it took.
func (r *reader) corrected(b block, label string, next []block) (n int) {
	printed := map[string]bool{"": true}
	for ; n < len(next)-1 && readAs.FindString(next[n].text) != next[n].text; n++ {
		printed[law.ArticleKey(headAt(next[n].text).number)] = true
	}
	if label == "" || label != b.text || n >= len(next)-1 || !headFollows(next[0]) || !headFollows(next[n+1]) {
		return 0
	}
	start := next[n+1].Start
	for n++; n < len(next) && printed[law.ArticleKey(headAt(next[n].text).number)] && !insteadOf.MatchString(next[n].text) && !rest.MatchString(next[n].text) && !closes.MatchString(next[n].text); n++ {
		b.wording = append(append(b.wording, next[n].text), next[n].wording...)
	}
	b.quoted, b.bare = Span{start, next[n-1].last()}, true
	spots := r.above().spots
	make := maker{r: r, b: b, p: &parser{mem: &r.mem}, noticed: true, likely: true}
	if make.withText(spot{}).text.Zero() && len(spots) == 0 {
		return 0
	}
	make.articles(spots, b.wording, true, func(op *Operation) {
		op.Kind, op.Over = ReplaceArticle, !slices.ContainsFunc(spots, func(s spot) bool { return s.article != "" })
	})
	return n
}

// wordsAfter returns what follows byte at of a block: words without marks, or those of one quotation, on the same line or
// in the paragraphs below.
func wordsAfter(b block, pos int) (lines []string, ok bool) {
	line := strings.TrimFunc(b.text[pos:], blankOrInvisible)
	switch {
	case len(b.quotes) == 0 && len(b.wording) == 0:
		return []string{b.text[pos:]}, true
	case len(b.quotes) == 0 && line == "":
		return b.wording, !b.open
	case len(b.quotes) == 1 && len(b.wording) == 0 && !b.quotes[0].Open && strings.Trim(b.text[pos:b.quotes[0].Start]+b.text[b.quotes[0].End:], afterWording) == "":
		return []string{b.quotes[0].Words}, true
	}
	return nil, false
}

var saysReading = law.Pattern(`\bse (?:lit|lisent|lira|liront)\b`)

// corrects reports whether folded words may be an erratum of one line, or say how an article is to be read.
func corrects(plain string) bool {
	return strings.Contains(plain, "se li") && saysReading.MatchString(plain) || strings.Contains(plain, "au lieu de") && (strings.Contains(plain, "lire") || strings.Contains(plain, "lisez"))
}
