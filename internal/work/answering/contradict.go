package answering

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"vigueur/internal/law"
	"vigueur/internal/law/french"
)

// What a sentence says otherwise than its sources. A sentence that repeats a passage nearly word for word is laid along it:
// where the words on both sides agree, another number or the opposite of a word that governs the rule contradicts it. A
// free paraphrase is only compared by what French says with few words: « doit » for « peut » before the same verb, « avec »
// for « sans » before the same noun, « minimum » where the passage knows only a maximum, working days for days.

const (
	// fewestWords is the minimum number of tokens of a sentence that is aligned with a
	// source.
	fewestWords = 5
	// nearlySame is the minimum fraction of a sentence's tokens that must be equal in the
	// source. Below it the sentence is a paraphrase, in which a missing « ne » proves
	// nothing.
	nearlySame = 0.6
	// longSkip is the number of consecutive unpaired tokens of one text from which on they
	// are an omitted or inserted clause and not a changed word.
	longSkip = 4
)

// altered reports whether a claim that repeats its sources nearly word for word has another number, or the opposite of a word.
func (c *claim) altered() bool {
	own := c.tokens
	if len(own) < fewestWords {
		return false
	}
	var path []pair
	var beside *source
	most := 0
	for _, s := range c.cited {
		if p, same := align(own, s.tokens()); same > most {
			path, most, beside = p, same, s
		}
	}
	if float64(most) < nearlySame*float64(len(own)) {
		return false
	}
	other := beside.tokens()
	for i, p := range path {
		switch {
		case !agreesAround(path, i, own, other):
		case p.own >= 0 && p.other >= 0:
			a, b := own[p.own], other[p.other]
			if a.Term != b.Term && significant(a) && significant(b) && kindOf(a) == kindOf(b) ||
				sense(a.Term) != sense(b.Term) && sense(a.Term) != "" && sense(b.Term) != "" {
				return true
			}
		case countSkipped(path, i) < longSkip && (p.own >= 0 && sense(own[p.own].Term) == negation || p.other >= 0 && sense(other[p.other].Term) == negation):
			return true
		}
	}
	return false
}

// agreesAround reports whether the words before and after a step are the same in both texts, or there are none. Steps of one
// text alone that follow one another are one change.
func agreesAround(path []pair, pos int, own, other []french.Token) bool {
	alone := func(i int) bool { return path[i].own < 0 || path[i].other < 0 }
	agrees := func(start, step int) bool {
		i := start + step
		for alone(start) && i >= 0 && i < len(path) && alone(i) {
			i += step
		}
		return i < 0 || i >= len(path) || !alone(i) && own[path[i].own].Term == other[path[i].other].Term
	}
	return agrees(pos, -1) && agrees(pos, 1)
}

// countSkipped returns the number of consecutive steps, path[at] among them, that have a token
// of the same text only.
func countSkipped(path []pair, pos int) int {
	n := 1
	mine := path[pos].own >= 0
	sameSide := func(p pair) bool { return (p.own < 0 || p.other < 0) && (p.own >= 0) == mine }
	for i := pos - 1; i >= 0 && sameSide(path[i]); i-- {
		n++
	}
	for i := pos + 1; i < len(path) && sameSide(path[i]); i++ {
		n++
	}
	return n
}

// opposites are the senses of which a rule has only one.
var opposites = map[string]string{"leave": "duty ban", "duty": "leave ban", "ban": "leave duty", "only": "leave", "most": "least", "least": "most", "with": "without", "without": "with"}

// modal returns the sense of token i, where « ne peut » and « ne doit » are a ban, and « ne peut … que » is "only". « a la
// faculté de », « a l’obligation de » and « sans pouvoir » are such words too.
func modal(text string, tokens []french.Token, i int) string {
	s := sense(tokens[i].Term)
	if i > 0 && sense(tokens[i-1].Term) == "without" && (s == "leave" || wordAt(text, tokens[i]) == "pouvoir") {
		return "ban"
	}
	if s != "leave" && s != "duty" || !slices.ContainsFunc(tokens[max(0, i-2):i+1], func(t french.Token) bool { return denies(text, t) }) {
		return s
	}
	if followedByThat(text, tokens, i) {
		return "only"
	}
	return "ban"
}

// denies reports whether a token is « ne », or comes after its elision.
func denies(text string, t french.Token) bool {
	return law.Fold(text[t.Start:t.End]) == "ne" || elidedNo.MatchString(text[max(0, t.Start-len("’n’")-1):t.Start])
}

var elidedNo = regexp.MustCompile(`(?i)(?:^|[^\pL])n['’]$`)

// followedByThat reports whether « que » follows token i soon.
func followedByThat(text string, tokens []french.Token, i int) bool {
	last := tokens[min(len(tokens)-1, i+onlyReach)]
	return last.Start > tokens[i].End && onlyThat.MatchString(text[tokens[i].End:last.Start])
}

// onlyThat matches « que », which no token is where it is elided.
var onlyThat = regexp.MustCompile(`(?i)\bqu(?:e\b|[^\pL\s])`)

// dayKinds are the kinds of days that delays are counted in, by their terms.
var dayKinds = func() map[string]string {
	out := map[string]string{}
	for kind, words := range map[string]string{"ouvrable": "ouvrable ouvrables", "ouvré": "ouvré ouvrés", "calendaire": "calendaire calendaires", "franc": "francs"} {
		for word := range strings.FieldsSeq(words) {
			for _, t := range french.Analyze(word) {
				out[t.Term] = kind
			}
		}
	}
	return out
}()

// dayKind returns the kind of the days that the number at token i counts, "" if it counts no days of a kind.
func dayKind(tokens []french.Token, i int) string {
	if tokens[i].Kind != french.Number || i+2 >= len(tokens) || french.Unit(tokens[i+1].Term) != "jour" {
		return ""
	}
	return dayKinds[tokens[i+2].Term]
}

// otherDays reports whether the sources count as many days as the number at token at, and never days of that kind, which a
// scan may have misread by two letters.
func otherDays(own []french.Token, at int, kind string, cited []*source) bool {
	found := false
	for _, c := range cited {
		read := c.tokens()
		for i, t := range read {
			if t.Kind != french.Number || t.Term != own[at].Term || i+1 >= len(read) || french.Unit(read[i+1].Term) != "jour" {
				continue
			}
			if dayKind(read, i) == kind || i+2 < len(read) && law.Distance(read[i+2].Term, own[at+2].Term) <= 2 {
				return false
			}
			found = true
		}
	}
	return found
}

// boundReach is the maximum number of tokens between a number and the word that makes it a maximum or a minimum.
const boundReach = 5

// bound returns whether the number at token i is "most" or "least", "" if neither: « au plus », « ne peut excéder », « délai
// maximum de » and such are before it, « au plus » and « au maximum » after it.
func bound(text string, tokens []french.Token, i int) string {
	for k := max(0, i-boundReach); k < min(len(tokens), i+boundReach); k++ {
		s := sense(tokens[k].Term)
		switch {
		case s == "most" || s == "least":
			return s
		case k < i && wordAt(text, tokens[k]) == "limite":
			return "most"
		case (s == "more" || s == "fewer") && k > 0 && wordAt(text, tokens[k-1]) == "au":
			return map[string]string{"more": "most", "fewer": "least"}[s]
		case k < i && (s == "above" || s == "below") && slices.ContainsFunc(tokens[max(0, k-boundReach):k], func(t french.Token) bool { return denies(text, t) }):
			return map[string]string{"above": "most", "below": "least"}[s]
		}
	}
	return ""
}

// otherBound reports whether the number at token i is a maximum, and in the sources only a minimum, or the reverse.
func otherBound(text string, own []french.Token, i int, cited []*source) bool {
	if own[i].Kind != french.Number || own[i].Stop {
		return false
	}
	mine, found := bound(text, own, i), false
	for _, c := range cited {
		read := c.tokens()
		for k, t := range read {
			if mine != "" && t.Kind == french.Number && t.Term == own[i].Term {
				theirs := bound(c.passage.Text, read, k)
				if theirs != opposites[mine] {
					return false
				}
				found = true
			}
		}
	}
	return found
}

// gives reports whether a number follows from the passage: twice or three times one of its numbers of the same unit where it
// says « double » or « triple », half of one where it says « moitié », or one times a number of the question; or one, where it
// says « dans le mois ».
func (c *source) gives(f french.Fact, known []french.Fact) bool {
	value, err := strconv.ParseFloat(f.Bare, 64)
	if f.Kind != french.Number || err != nil {
		return false
	}
	unit := strings.TrimPrefix(f.Value, f.Bare)
	var times []float64
	for i, t := range c.tokens() {
		switch {
		case value == 1 && i > 1 && unit != "" && " "+french.Unit(t.Term) == unit && wordAt(c.passage.Text, c.read[i-1]) == "le" && wordAt(c.passage.Text, c.read[i-2]) == "dans":
			return true
		case strings.HasPrefix(t.Term, "doubl"):
			times = append(times, 2)
		case strings.HasPrefix(t.Term, "tripl"):
			times = append(times, 3)
		case strings.HasPrefix(t.Term, "moiti"):
			times = append(times, 0.5)
		}
	}
	for _, k := range known {
		if n, err := strconv.ParseFloat(k.Bare, 64); k.Kind == french.Number && err == nil {
			times = append(times, n)
		}
	}
	if c.said == nil {
		c.said = french.Facts(c.passage.Text)
	}
	for _, other := range c.said {
		n, err := strconv.ParseFloat(other.Bare, 64)
		if err == nil && other.Kind == french.Number && strings.TrimPrefix(other.Value, other.Bare) == unit && slices.ContainsFunc(times, func(t float64) bool { return t*n == value }) {
			return true
		}
	}
	return false
}

// lists reports whether the passage has a list of so many items: lines that begin with a mark or a numeral, or parts of a
// sentence between commas and « et » or « ou ».
func (c *source) lists(number string) bool {
	want, err := strconv.Atoi(number)
	if err != nil {
		return false
	}
	items := 0
	for line := range strings.SplitSeq(c.passage.Text, "\n") {
		if line = strings.TrimSpace(line); listMark.MatchString(line) {
			if items++; items == want {
				return true
			}
			continue
		}
		for _, span := range french.Sentences(line) {
			for part := range strings.FieldsFuncSeq(line[span.Start:span.End], func(r rune) bool { return r == ':' || r == ';' }) {
				n := 1 + strings.Count(part, ",")
				if last := lastJoint.FindStringIndex(part); len(last) > 0 && !strings.HasSuffix(strings.TrimSpace(part[:last[0]]), ",") {
					n++
				}
				if n == want {
					return true
				}
			}
		}
	}
	return false
}

var (
	listMark  = regexp.MustCompile(`^(?:[•\-–—*]|\d{1,2}[°.)]|[a-z]\))`)
	lastJoint = regexp.MustCompile(` (?:et|ou) (?:[^,]*)$`)
)

// significant reports whether a token is a number, date, reference or unit.
func significant(t french.Token) bool {
	return t.Kind != french.Word && !t.Stop || t.Kind == french.Word && french.Unit(t.Term) != ""
}

// kindOf returns the kind of a significant token; units are a kind of their own.
func kindOf(t french.Token) string {
	if t.Kind == french.Word {
		return "unit"
	}
	return fmt.Sprint(t.Kind)
}

// negation is the sense of the words that deny.
const negation = "negation"

// sense names the effect of a word on a rule, such as negation or duty, "" for none: a word
// may be replaced by another word with the same sense.
func sense(term string) string { return senses[term] }

var senses = func() map[string]string {
	out := make(map[string]string)
	for sense, words := range map[string]string{
		negation:  "ne pas jamais aucun aucune nul nulle ni",
		"leave":   "peut peuvent pourra pourront pourrait pourraient faculté possibilité possibilités",
		"duty":    "doit doivent devra devront devrait devraient obligation",
		"ban":     "interdit interdite interdits interdites prohibé prohibée prohibés prohibées défendu défendue",
		"allowed": "autorisé autorisée autorisés autorisées permis permise permises",
		"binding": "obligatoire obligatoires obligatoirement",
		"free":    "facultatif facultative facultatifs facultatives",
		"most":    "maximum maximal maximale maximum",
		"least":   "minimum minimal minimale",
		"above":   "supérieur supérieure supérieurs supérieures excéder dépasser",
		"below":   "inférieur inférieure inférieurs inférieures",
		"before":  "avant",
		"after":   "après",
		"more":    "plus",
		"fewer":   "moins",
		"with":    "avec",
		"without": "sans",
	} {
		for word := range strings.FieldsSeq(words) {
			for _, t := range french.Analyze(word) {
				out[t.Term] = sense
			}
		}
	}
	return out
}()

// pair is one step of an alignment of two texts: the index of a token of each, or of a
// token of one text and -1 for the other.
type pair struct{ own, other int }

// Scores of a step of an alignment: equal words, equal stop words (which count less, since
// they also match by chance), two different tokens, and a token of one text alone.
const (
	alikeGain = 3
	stopGain  = 1
	swapCost  = -1
	skipCost  = -1
)

// align aligns all of own with the part of other that it resembles most (a semi-global
// alignment) and returns the steps, with the number of tokens of own that are equal there.
func align(own, other []french.Token) (path []pair, same int) {
	width := len(other) + 1
	score := make([]int, (len(own)+1)*width)
	for i := range own {
		row := (i + 1) * width
		score[row] = (i + 1) * skipCost
		for j := range other {
			pos := row + j + 1
			score[pos] = max(score[pos-width-1]+gain(own[i], other[j]), score[pos-width]+skipCost, score[pos-1]+skipCost)
		}
	}
	index := len(own) * width
	for j := range width {
		if score[len(own)*width+j] >= score[index] { // of equal scores the last, so that a replaced word is not taken for a missing one
			index = len(own)*width + j
		}
	}
	for index >= width { // the row before the first token of own is the end
		i, j := index/width-1, index%width-1
		switch {
		case j >= 0 && score[index] == score[index-width-1]+gain(own[i], other[j]):
			path = append(path, pair{i, j})
			if own[i].Term == other[j].Term {
				same++
			}
			index -= width + 1
		case score[index] == score[index-width]+skipCost:
			path = append(path, pair{i, -1})
			index -= width
		default:
			path = append(path, pair{-1, j})
			index--
		}
	}
	slices.Reverse(path)
	return path, same
}

func gain(a, b french.Token) int {
	switch {
	case a.Term != b.Term:
		return swapCost
	case a.Stop:
		return stopGain
	}
	return alikeGain
}
