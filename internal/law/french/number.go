package french

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"vigueur/internal/law"
)

// number reads a number in digits: « 1.000.000 », « 1 000 000 », « 1,5 », « 12 ».
func (p *parser) number(i int) int {
	value, n := p.readGrouped(i)
	if i+n < len(p.lexes) && p.lexes[i+n].shape == digits {
		next := p.lexes[i+n]
		gap := p.gap(i + n)
		// « 1.5 » is a decimal number, but « 1.5.2 » is the number of a paragraph.
		alone := i+n+1 >= len(p.lexes) || p.gap(i+n+1) != dotGap || p.lexes[i+n+1].shape != digits
		if gap == commaGap || gap == dotGap && n == 1 && alone && p.gap(i) != dotGap {
			if fraction := strings.TrimRight(next.fold, "0"); fraction != "" {
				value += "." + fraction
			}
			n++
		}
	}
	if n == 1 && i+1 < len(p.lexes) && p.gap(i+1) == spaceGap && ordinalEnding(p.lexes[i+1].fold) {
		p.emit(i, 2, Ordinal, value+"e") // « 13 ème »
		return 2
	}
	p.emit(i, n, Number, value)
	return n
}

// readGrouped reads digits, with or without separators between groups of three.
func (p *parser) readGrouped(i int) (value string, n int) {
	x := p.lexes[i]
	value, n = trimZeros(x.fold), 1
	if len(x.fold) > 3 || x.fold[0] == '0' {
		return value, n
	}
	var separator gapKind
	for n < mostParts && i+n < len(p.lexes) {
		next := p.lexes[i+n]
		gap := p.gap(i + n)
		if next.shape != digits || len(next.fold) != 3 || gap != spaceGap && gap != dotGap || n > 1 && gap != separator {
			break
		}
		separator = gap
		value += next.fold
		n++
	}
	return value, n
}

func trimZeros(s string) string {
	if t := strings.TrimLeft(s, "0"); t != "" {
		return t
	}
	return "0"
}

func ordinalEnding(s string) bool {
	switch s {
	case "er", "ere", "eme", "ieme", "nd", "nde":
		return true
	}
	return false
}

// readMixed reads « 13e », « 1er » and « 20h ». Other mixtures of letters and digits are words.
func (p *parser) readMixed(i int) int {
	x := p.lexes[i]
	cut := strings.IndexFunc(x.fold, func(r rune) bool { return r < '0' || r > '9' })
	if cut <= 0 {
		return p.word(i)
	}
	head, tail := x.fold[:cut], x.fold[cut:]
	switch {
	case ordinalEnding(tail) || tail == "e" || tail == "o" || tail == "me" || tail == "re":
		p.emit(i, 1, Ordinal, trimZeros(head)+"e")
	case shapeOf(tail) == letters && len(x.fold) == x.end-x.start:
		p.out = append(p.out, Token{Term: trimZeros(head), Start: x.start, End: x.start + cut, Kind: Number})
		if tail == "h" {
			tail = "heure"
		}
		w := newWord(tail)
		p.out = append(p.out, Token{Term: w.stem, Start: x.start + cut, End: x.end, Kind: Word, Stop: w.stop})
	default:
		return p.word(i)
	}
	return 1
}

// numberWords reads numbers in words: « vingt-cinq », « deux cent mille », « un million »,
// and « un » in « un mois ». « trois (3) » is one number.
func (p *parser) numberWords(i int) int {
	if p.lexes[i].role == one && !p.countsOne(i) {
		return 0
	}
	value, n := p.readSpelled(i)
	if n == 0 {
		return 0
	}
	term := strconv.FormatInt(value, 10)
	p.emit(i, n, Number, term)
	if i+n < len(p.lexes) && p.gap(i+n) == openGap && p.lexes[i+n].shape == digits {
		if again, m := p.readGrouped(i + n); again == term {
			p.out[len(p.out)-1].End = p.lexes[i+n+m-1].end
			n += m
		}
	}
	return n
}

// countsOne reports whether « un » is a number and not an article: « un mois », « un
// million », « un (1) ».
func (p *parser) countsOne(i int) bool {
	if i+1 >= len(p.lexes) {
		return false
	}
	next, gap := p.lexes[i+1], p.gap(i+1)
	return gap == spaceGap && next.role == measure || inNumber(gap) && next.role == thousand && next.value > 1000 ||
		gap == openGap && next.fold == "1"
}

// readSpelled reads a number in words.
func (p *parser) readSpelled(i int) (value int64, n int) {
	const most = 1 << 40 // a longer series of « mille » is not a number
	var total, group int64
	for j := i; j < len(p.lexes); j++ {
		x := p.lexes[j]
		if j > i {
			gap := p.gap(j)
			if inNumber(gap) && x.fold == "et" && p.joins(j) {
				continue
			}
			if !inNumber(gap) || x.role == one && p.lexes[j-1].fold != "et" && !holdsOne(total, group) {
				break
			}
		}
		switch {
		case x.role == unit && x.value == 20 && group%10 == 4 && (group%100 == 4):
			group += 76 // « quatre-vingt » becomes 80
		case (x.role == unit || x.role == one) && fits(group, x.value):
			group += x.value
		case x.role == hundred && group < 10:
			group = max(group, 1) * 100
		case x.role == thousand && (group > 0 || x.value == 1000) && total < most:
			total += max(group, 1) * x.value
			group = 0
		default:
			return total + group, j - i
		}
		n = j - i + 1
	}
	return total + group, n
}

// holdsOne reports whether « un » can continue a number without « et »: « cent un »,
// « quatre-vingt-un », « mille un », but not « cinq un ».
func holdsOne(total, group int64) bool { return group >= 20 || group == 0 && total > 0 }

// inNumber reports whether a gap may separate the words of a number: a blank, or the hyphen
// of the 1990 spelling.
func inNumber(g gapKind) bool { return g == spaceGap || g == hyphenGap }

// joins reports whether the « et » at j is inside a number: « vingt et un »,
// « vingt-et-un ».
func (p *parser) joins(j int) bool {
	if j+1 >= len(p.lexes) || !inNumber(p.gap(j+1)) {
		return false
	}
	previous, following := p.lexes[j-1], p.lexes[j+1]
	return previous.role == unit && previous.value >= 20 && (following.role == one || following.fold == "onze")
}

// fits reports whether v can follow a group: « vingt » then « cinq », « soixante »
// then « douze », but not « cinq » then « six ».
func fits(group, v int64) bool {
	switch rest := group % 100; {
	case rest == 0:
		return true
	case v < 10:
		return rest >= 20 && rest%10 == 0 || rest == 10 && v >= 7
	case v <= 16:
		return rest == 60 || rest == 80
	}
	return false
}

// Fact is a checkable part of a rule: a number with its unit, a date, or the number of an
// article or of a text. Facts can be compared.
type Fact struct {
	Kind  TokenKind // Number, Date, Article or Text
	Value string    // « 3 mois », « 5 % », « 2010-05-03 », « art14bis »: equal facts are equal
	Bare  string    // for a number with a unit: the number without the unit; else Value
	Text  string    // the fact as the text writes it
}

// unitLookahead is the maximum number of tokens between a number and its unit, as in « 15
// ou 20 jours » and « deux à cinq ans ».
const unitLookahead = 3

// Facts returns the facts of text in order. The unit of a number follows it directly, or
// follows the next number of a range.
func Facts(text string) []Fact {
	tokens := Analyze(text)
	var out []Fact
	for i, t := range tokens {
		switch {
		case t.Kind == Number && !t.Stop:
			out = append(out, number(text, tokens, i))
		case t.Kind == Word && i+1 < len(tokens) && Unit(tokens[i+1].Term) != "": // « XLV ans »
			if n := law.Roman(text[t.Start:t.End]); n > 0 {
				value := strconv.Itoa(n)
				out = append(out, Fact{Number, value + " " + Unit(tokens[i+1].Term), value, text[t.Start:tokens[i+1].End]})
			}
		case t.Kind == Date || t.Kind == Article || t.Kind == Text:
			out = append(out, Fact{Kind: t.Kind, Value: t.Term, Bare: t.Term, Text: text[t.Start:t.End]})
		}
	}
	return out
}

func number(text string, tokens []Token, i int) Fact {
	t := tokens[i]
	f := Fact{Kind: Number, Value: t.Term, Bare: t.Term, Text: text[t.Start:t.End]}
	for j := i + 1; j < len(tokens) && j <= i+unitLookahead; j++ {
		next := tokens[j]
		if unit, ok := units[next.Term]; ok && next.Kind == Word {
			f.Value += " " + unit
			if j == i+1 {
				f.Text = text[t.Start:next.End]
			}
			break
		}
		if next.Kind != Number && !rangeWords[law.Fold(text[next.Start:next.End])] {
			break
		}
	}
	return f
}

// Unit returns the name of the unit of measure that a term means, "" if the term means
// none. « annee » and « an » mean the same unit.
func Unit(term string) string { return units[term] }

// rangeWords are the folded words that may stand between the numbers of a range.
var rangeWords = set("a ou et")

// units maps the term of a unit to the unit's name.
var units = func() map[string]string {
	out := map[string]string{"%": "%"}
	for name, forms := range map[string]string{"an": "an année", "mois": "mois", "jour": "jour journée", "semaine": "semaine",
		"heure": "heure", "minute": "minute", "trimestre": "trimestre", "semestre": "semestre",
		"franc": "franc f fcfa cfa", "euro": "euro", "dinar": "dinar", "dirham": "dirham", "écu": "écu", "dollar": "dollar",
		"ariary": "ariary", "ouguiya": "ouguiya", "gourde": "gourde", "naira": "naira", "mètre": "mètre", "kilomètre": "kilomètre km",
		"hectare": "hectare", "kilogramme": "kilogramme kg", "tonne": "tonne", "litre": "litre"} {
		for _, t := range Analyze(forms) {
			out[t.Term] = name
		}
	}
	return out
}()

// Figures is a set of kinds of figures (numbers, dates, penalties) in a question or a text.
type Figures uint8

// The kinds of figures.
const (
	Time    Figures = 1 << iota // a length of time, an age or a date
	Sum                         // an amount of money
	Rate                        // a percentage or another rate
	Count                       // any other number
	Years                       // a number of years, such as an age
	Penalty                     // what follows a breach of the law, with or without numbers
)

// asked maps each kind of figure to the words that ask for it, in folded text.
var asked = []struct {
	kind  Figures
	words *regexp.Regexp
}{
	{Time, regexp.MustCompile(`\b(delais?|durees?|dure|durent|combien de (temps|jours|mois|semaines|annees|heures|minutes)|jusqu'a quand|depuis quand|a partir de quand|quand|ages?|quelle date|combien d'(heures|annees)|combien de fois|prescription|preavis)\b`)},
	{Penalty, regexp.MustCompile(`\b(quelles? (est la |sont les )?(peines?|sanctions?)|puni(e|s|es)?|(que|je|on|il|elle|ils|elles|tu|nous|vous) risqu(e|es|ent|ons|ez)|risqu(e|es|ent|ons|ez)-|encourt|encourent|encouru)\b`)},
	{Sum, regexp.MustCompile(`\b(montant|coute|coutent|cout|prix|amende|salaire minimum|smig|smag|smic|capital|prime|somme|tarif|indemnite|combien (faut-il payer|dois-je payer|gagne|touche)|a combien est fixee?|a combien s'eleve|plafond|quel(le)?s? (est|sont) (le|la|l'|les) ?(salaires?|remunerations?|loyers?|frais))\b`)},
	{Rate, regexp.MustCompile(`\b(taux|pourcentage|majoration|combien|prime|quelle part|quotite)\b`)},
	{Count, regexp.MustCompile(`\bcombien\b|\bnombre\b|\bnumero\b`)},
}

// Asks returns the kinds of figures that would answer a question.
func Asks(question string) (kinds Figures) {
	folded := law.Fold(question)
	if whether.MatchString(folded) && !which.MatchString(folded) {
		return 0
	}
	if what.MatchString(folded) && !measured.MatchString(folded) {
		return 0
	}
	for _, a := range asked {
		if a.words.MatchString(folded) {
			kinds |= a.kind
		}
	}
	if kinds&(Time|Sum|Penalty) != 0 {
		kinds &^= Rate | Count // the question says more exactly what « combien » asks for
	}
	if howOld.MatchString(folded) {
		return Years
	}
	if howLong.MatchString(folded) {
		kinds = Time
	}
	return kinds
}

// whether matches questions that are answered with yes or no. Such a question asks for no
// figure unless it contains a word of which: « retenir une amende, a-t-il le droit ? » asks
// for no amount.
var (
	whether = regexp.MustCompile(`\b(est-ce qu|(je|on|il|elle|ils|elles) (peut|peux|peuvent|doit|dois|doivent)\b|j'ai (le )?droit|\pL+-(t-)?(il|elle|ils|elles|on|je|nous|ce)\b)`)
	which   = regexp.MustCompile(`\b(combien|quel(le)?s?|quand|comment|qui|que|qu'|quoi|pourquoi|a partir|jusqu|age|risqu\pL+|encour\pL+)\b`)
)

// what matches questions for a person or a thing. Such a question asks for no figure unless
// it contains a word of measured: « que faire quand le capital est perdu ? » asks for no
// amount.
var (
	what     = regexp.MustCompile(`^\P{L}*(?:que|qu'|qui|pourquoi|quoi|a qui|par qui|devant qui|de quoi|ou)(?:\P{L}|$)`)
	measured = regexp.MustCompile(`\b(combien|quel(le)?s?|age|risqu\pL+|encour\pL+|coute|puni\pL*|jusqu'a quand)\b`)
)

// howOld matches questions that are answered with an age.
var howOld = regexp.MustCompile(`\b(quel (est l')?age|l'age (legal|minimum|minimal|maximum))\b`)

// howLong matches questions that only a length of time can answer.
var howLong = regexp.MustCompile(`\b(combien (de (temps|jours|mois|semaines|annees|heures|minutes)|d'(heures|annees))|quelle (est la )?duree|quel (est le )?delai)\b`)

// FiguresOf returns the kinds of figures that a text contains.
func FiguresOf(text string) (kinds Figures) {
	for _, f := range Facts(enumerator.ReplaceAllString(text, "")) {
		switch f.Kind {
		case Date:
			kinds |= Time
		case Number:
			kinds |= figureOf(f)
		}
	}
	if uncounted.MatchString(text) {
		kinds |= Time
	}
	if pay.MatchString(text) {
		kinds |= Sum
	}
	if penalty.MatchString(onPain.ReplaceAllString(text, "")) {
		kinds |= Penalty
	}
	return kinds
}

// uncounted matches time limits without a number: « dans le mois de la signification »,
// « sous huitaine ».
var uncounted = regexp.MustCompile(`(?i)\b(?:dans (?:le mois|l['’]année|l['’]an|la semaine|la quinzaine|la huitaine|la journée)|sous (?:huitaine|quinzaine))\b`)

// pay matches amounts of money that are expressed as a time: « trois mois de salaire ».
var pay = regexp.MustCompile(`(?i)\b(?:ans?|années?|mois|semaines?|jours?|journées?|heures?) de (?:salaire|rémunération|traitement|solde|loyer)s?\b`)

// penalty matches words that announce what follows a breach. onPain matches the same words
// where they only say that an act without something is void: « à peine de nullité ».
var (
	penalty = regexp.MustCompile(`(?i)\b(?:puni(?:e|s|es|t|ssables?)?|passibles?|encour\pL+|s['’]expos\pL+|sanctions?|sanctionn\pL+|amendes?|emprisonnement|réclusion|travaux forcés|peines?|astreintes?|révocation|radiation|blâme|mise à pied|confiscation|pénalités?)(?:\P{L}|$)`)
	onPain  = regexp.MustCompile(`(?i)(?:^|\P{L})(?:à|sous) peine d`)
)

// enumerator matches the number of a paragraph or an item: « (1) », « 2° », « 3 - ».
var enumerator = regexp.MustCompile(`(?m)^\s*\(?\d{1,2}\s?(?:[).°]|-\s)+`)

func figureOf(f Fact) Figures {
	_, unit, _ := strings.Cut(f.Value, " ")
	switch unit {
	case "":
		return Count
	case "%":
		return Rate
	case "franc", "euro", "dinar", "dirham", "écu", "dollar", "ariary", "ouguiya", "gourde", "naira":
		return Sum
	case "mètre", "kilomètre", "hectare", "kilogramme", "tonne", "litre":
		return Count
	}
	if unit == "an" {
		return Time | Years
	}
	return Time
}

// Shaping reports whether a term of a question describes the kind of answer rather than the
// subject: « quelle est la durée de … », « combien coûte … ».
func Shaping(term string) bool { return shapes[term] }

// Measure reports whether a term is a number that measures the asker's case: « 80 m² », « 3
// ans de maison ». A number that can be a calendar year belongs to a date or a text
// instead.
func Measure(term string) bool {
	n, err := strconv.Atoi(term)
	return err == nil && (n < 1800 || n > 2200)
}

var shapes = func() map[string]bool {
	m := make(map[string]bool)
	for _, t := range Terms("temps durée dure durer délai coûte coûter coût montant somme nombre taux pourcentage âge date " +
		"existe prévoit prévoir prévu prévue possible signifie définition définir différence sorte type genre condition conditions maximum maximal maximale minimal minimale " +
		"règle règles loi légal légale légalement code article texte " +
		"payer paie paient payé attendre arrêter passer passe rester prendre mettre donner trouver chercher demander vivre vie aller pays personne gens chose façon manière besoin argent problème faire combien " +
		"jour jours mois semaine semaines an ans année années " +
		"devenir deviennent devient lieu quelque quelconque petit petite grand grande risquer risque arriver vouloir veut veulent devoir droit rapport valeur m2 mètre mètres kilomètre") {
		m[t] = true
	}
	return m
}()

// dateLexemes is the maximum number of lexemes in a date: « 1 er mars 2020 ».
const dateLexemes = 4

// date reads a date in any of the forms of law.DateAt: « 3 mai 2010 », « premier mars
// 2020 », « 03/05/2010 », « 2010-05-03 ». The year becomes a token, too, so that « la loi
// de 2010 » matches.
func (p *parser) date(i int) int {
	if !p.mayBeDate(i) {
		return 0
	}
	start := p.lexes[i].start
	date, length, ok := law.DateAt(p.text[start:])
	if !ok {
		return 0
	}
	for n := 1; n <= dateLexemes && i+n <= len(p.lexes); n++ {
		if p.lexes[i+n-1].end == start+length {
			return p.emitDate(i, n, date)
		}
	}
	return 0 // the date ends inside a lexeme
}

// mayBeDate is a cheap check whether a date may begin at lexeme i.
func (p *parser) mayBeDate(i int) bool {
	if i+2 >= len(p.lexes) {
		return false
	}
	next := p.lexes[i+1]
	return next.role == month || next.shape == digits && p.lexes[i].shape == digits || next.fold == "er"
}

func (p *parser) emitDate(i, n int, date time.Time) int {
	p.emit(i, n, Date, date.Format(time.DateOnly))
	last := p.out[len(p.out)-1]
	p.out = append(p.out, Token{Term: strconv.Itoa(date.Year()), Start: last.Start, End: last.End, Kind: Number, Stop: true})
	return n
}
