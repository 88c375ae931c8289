package judge

import (
	"regexp"
	"strconv"
	"strings"

	"vigueur/internal/law"
	"vigueur/internal/law/french"
)

// Variant is a sentence as it might be written instead of another.
type Variant struct {
	Kind string
	Text string
	True bool // it says the same
}

// The kinds of variants.
const (
	AsItIs    = "phrase vraie"
	Rewritten = "phrase vraie, récrite"
	Number    = "nombre"
	Date      = "date"
	Unit      = "unité"
	Reference = "référence"
	Negation  = "négation"
	Moved     = "phrase vraie, condition à la fin"
	Condition = "condition tue"
	Scope     = "portée"
	Bound     = "maximum, minimum"
)

// Kinds lists them, the true ones first.
func Kinds() []string {
	return []string{AsItIs, Rewritten, Moved, Number, Date, Unit, Reference, Negation, Condition, Scope, Bound}
}

// Variants returns a sentence as it is, as it might be rewritten without changing
// what it says, and once for each thing that can be falsified in it: a number, a
// unit, a date, a reference, its sense.
func Variants(sentence string) []Variant {
	out := []Variant{{AsItIs, sentence, true}}
	if r := rewrite(sentence); r != sentence {
		out = append(out, Variant{Rewritten, r, true})
	}
	tokens := french.Analyze(sentence)
	listed := len(enumerator.FindString(sentence))
	for i, t := range tokens {
		if t.Start < listed {
			continue // its place in a list is no part of what it says
		}
		t.End = closed(sentence, t)
		printed := sentence[t.Start:t.End]
		switch {
		case t.Kind == french.Number && !t.Stop:
			out = append(out, Variant{Number, sentence[:t.Start] + otherNumber(t.Term) + sentence[t.End:], false})
			if i+1 < len(tokens) {
				u := tokens[i+1]
				if other, ok := otherUnits[law.Fold(sentence[u.Start:u.End])]; ok {
					out = append(out, Variant{Unit, sentence[:u.Start] + other + sentence[u.End:], false})
				}
			}
		case t.Kind == french.Date:
			out = append(out, Variant{Date, sentence[:t.Start] + otherDate(t.Term) + sentence[t.End:], false})
		case t.Kind == french.Article || t.Kind == french.Text:
			if other, ok := otherDigits(printed); ok {
				out = append(out, Variant{Reference, sentence[:t.Start] + other + sentence[t.End:], false})
			}
		}
	}
	for _, turn := range turns {
		if m := turn.from.FindStringIndex(sentence); len(m) > 0 && (turn.denies || !denied.MatchString(sentence[m[0]:m[1]])) {
			out = append(out, Variant{Negation, sentence[:m[0]] + turn.from.ReplaceAllString(sentence[m[0]:m[1]], turn.to) + sentence[m[1]:], false})
		}
	}
	if m := conditional.FindStringSubmatch(sentence); m != nil {
		end := strings.TrimSuffix(m[2], ".")
		out = append(out, Variant{Moved, capital(end) + ", " + strings.ToLower(m[1][:1]) + m[1][1:] + ".", true}, Variant{Condition, capital(end) + ".", false})
	}
	if m := several.FindStringSubmatch(sentence); m != nil {
		out = append(out, Variant{Scope, "Tous les " + m[1] + " " + m[2], false})
	}
	for _, b := range bounds {
		if b.from.MatchString(sentence) {
			out = append(out, Variant{Bound, b.from.ReplaceAllString(sentence, b.to), false})
		}
	}
	return out
}

// conditional matches a condition before its rule, and several the beginning of a rule about some, of which a word says which.
var (
	conditional = regexp.MustCompile(`^((?:Si|S['’]ils?|Lorsque|Lorsqu['’]|Sous réserve|En cas) [^,;:]{20,120}), (l(?:e|a|es|['’])\s?[^;:]{30,})$`)
	several     = regexp.MustCompile(`^Les (\pL+(?: \pL+)?) (?:mentionnés|visés|prévus) (?:à l['’]article|aux articles) (?:(?:[LRD]\. ?)?[\d-]+(?:, | et | à | ))+([^;:]{20,})$`)
	bounds      = []struct {
		from *regexp.Regexp
		to   string
	}{
		{regexp.MustCompile(`\bau moins\b`), "au plus"}, {regexp.MustCompile(`\bau plus\b`), "au moins"},
		{regexp.MustCompile(`\bmaximum\b`), "minimum"}, {regexp.MustCompile(`\bminimum\b`), "maximum"},
		{regexp.MustCompile(`\b(ne peut|ne peuvent) (excéder|dépasser)\b`), "$1 être inférieur à"},
	}
)

func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// enumerator finds the number of a paragraph or an item: « (1) », « 2° », « 3. ».
var enumerator = regexp.MustCompile(`^\s*\(?\d{1,3}\s?[).°/-]+\s*`)

// rewrite writes numbers in figures and dates by figures only, and takes the
// figures in brackets behind words away.
func rewrite(sentence string) string {
	var b strings.Builder
	at, listed := 0, len(enumerator.FindString(sentence))
	for _, t := range french.Analyze(sentence) {
		other := ""
		switch {
		case t.Kind == french.Number && !t.Stop && !strings.Contains(t.Term, "."):
			other = t.Term
		case t.Kind == french.Date:
			other = t.Term[8:] + "/" + t.Term[5:7] + "/" + t.Term[:4]
		}
		if other != "" && t.Start >= max(at, listed) {
			b.WriteString(sentence[at:t.Start])
			b.WriteString(other)
			at = closed(sentence, t)
		}
	}
	return b.String() + sentence[at:]
}

// closed is the end of a token with the bracket that it opens: « trois (3) ».
func closed(sentence string, t french.Token) int {
	if strings.Contains(sentence[t.Start:t.End], "(") && strings.HasPrefix(sentence[t.End:], ")") {
		return t.End + 1
	}
	return t.End
}

// otherNumber is a number near another, as someone might misremember it.
func otherNumber(term string) string {
	n, err := strconv.Atoi(term)
	switch {
	case err != nil:
		return term + "5" // « 2.5 » becomes « 2.55 »
	case n >= 1000:
		return strconv.Itoa(n * 2)
	case n < len(spelled)-1:
		return spelled[n+1]
	}
	return strconv.Itoa(n + 3)
}

var spelled = strings.Fields("zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize")

// otherDate is the same day of the year after.
func otherDate(term string) string {
	year, _ := strconv.Atoi(term[:4])
	return term[8:] + "/" + term[5:7] + "/" + strconv.Itoa(year+1)
}

// otherDigits raises the last run of digits of a number by one.
func otherDigits(printed string) (string, bool) {
	end := strings.LastIndexAny(printed, "0123456789") + 1
	from := end
	for from > 0 && printed[from-1] >= '0' && printed[from-1] <= '9' {
		from--
	}
	n, err := strconv.Atoi(printed[from:end])
	if err != nil {
		return "", false
	}
	return printed[:from] + strconv.Itoa(n+1) + printed[end:], true
}

// otherUnits are units that a unit may be mistaken for, by their folded form.
var otherUnits = map[string]string{"jours": "mois", "jour": "mois", "mois": "ans", "ans": "mois", "an": "mois", "annees": "mois",
	"heures": "jours", "heure": "jour", "semaines": "mois", "minutes": "heures", "francs": "euros", "euros": "dollars",
	"dinars": "francs", "dirhams": "francs", "%": "francs"}

// denied finds the beginning of a negation.
var denied = regexp.MustCompile(`^(?:ne|n['’])\b|[^\p{L}]ne `)

// turns change the sense of a sentence.
var turns = []struct {
	from   *regexp.Regexp
	to     string
	denies bool // what it changes is a negation
}{
	{regexp.MustCompile(`\bne peut\b`), "peut", true},
	{regexp.MustCompile(`\bne peuvent\b`), "peuvent", true},
	{regexp.MustCompile(`\bn['’]est pas\b`), "est", true},
	{regexp.MustCompile(`\bne sont pas\b`), "sont", true},
	{regexp.MustCompile(`(\s)ne doit pas\b`), "${1}doit", true},
	{regexp.MustCompile(`(\p{L}+ )peut\b`), "${1}ne peut pas", false},
	{regexp.MustCompile(`(\p{L}+ )peuvent\b`), "${1}ne peuvent pas", false},
	{regexp.MustCompile(`(\p{L}+ )doit\b`), "${1}peut", false},
	{regexp.MustCompile(`(\p{L}+ )doivent\b`), "${1}peuvent", false},
	{regexp.MustCompile(`\best interdite?\b`), "est autorisé", false},
	{regexp.MustCompile(`\bsont interdite?s\b`), "sont autorisés", false},
	{regexp.MustCompile(`\best obligatoire\b`), "est facultatif", false},
	{regexp.MustCompile(`\best tenu\b`), "n’est pas tenu", false},
	{regexp.MustCompile(`\bsont tenus\b`), "ne sont pas tenus", false},
}
