package question

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/kit/lazyre"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/french"
	"vigueur/internal/law/naming"
)

// Reference is a mention of a text, of articles, or of articles of a text.
type Reference struct {
	law.Reference        // Start and End are offsets in the question; Title is in lower case
	Name          string // the name of the text as the question writes it: « loi 2023-07 »
	Year          int    // the year by which a text is named, 0 for none
	// Phrase is a name that may be longer than the text's: « acte uniforme sur l'arbitrage est-il … ». The titles
	// of the catalogue show where the name ends, and whether the phrase is a name at all.
	Phrase  string
	Alias   bool // named by an abbreviation from the table
	Alone   bool // only a number, which names a text only if a text has it
	Loose   bool // a kind and a year that may name no text: « les lois de 2024 »
	Pointed bool // it refers to what was said before
	// Owners are the countries that are named beside the text, if the question names several.
	Owners []country.Code
}

// AskedCountries returns the countries whose text is meant: those named beside the reference, else asked, the countries
// of the question.
func (r Reference) AskedCountries(asked []country.Code) []country.Code {
	if r.Owners != nil {
		return r.Owners
	}
	if own := r.AliasCountries(); own != nil {
		return own
	}
	return asked
}

// withOwners sets the countries beside each text of a question that names several: « l'article 3 du code du travail béninois
// et l'article 5 du code pénal togolais ».
func withOwners(text string, refs []Reference) []Reference {
	tokens := slices.DeleteFunc(french.Analyze(text), func(t french.Token) bool { return t.Stop })
	mentions := country.Mentions(termsOf(tokens))
	if len(mentions) < 2 {
		return refs
	}
	refs = slices.Clone(refs)
	for _, m := range mentions {
		at := tokens[m.Start].Start
		next, _ := slices.BinarySearchFunc(refs, at+1, func(r Reference, at int) int { return cmp.Compare(r.Start, at) })
		if next > 0 && refs[next-1].NamesText() { // the mention is within the reference or after it
			refs[next-1].Owners = append(refs[next-1].Owners, m.Codes...)
		}
	}
	return refs
}

// NamesText reports whether a reference says which text it means.
func (r Reference) NamesText() bool {
	return r.Number != "" || r.Title != "" || r.Phrase != "" || r.Year != 0 || !r.Date.IsZero()
}

// The kinds of texts that people name, in two lists: those that need a number, a date or an object to
// identify a text, and those whose next words are the name.
const (
	numberedKinds = `lois?~cadre|lois? +organiques?|lois? +constitutionnelles?|lois? +de +finances(?: +rectificatives?)?|d[ée]crets?~lois?|lois?|ordonnances?|d[ée]crets? +(?:ex[ée]cutifs?|pr[ée]sidentiels?|royaux?|gouvernementaux?)|d[ée]crets?|arr[êe]t[ée]s?(?: +(?:interminist[ée]riels?|minist[ée]riels?|conjoints?|pr[ée]sidentiels?))*|circulaires?|dahirs?|instructions?|directives?|d[ée]cisions?|d[ée]lib[ée]rations?|r[èe]glements?|avis|notes?`
	titledKinds   = `actes? +uniformes?|trait[ée]s?|chartes?|conventions?|r[èe]glements?|protocoles?`
	numberSign    = `(?:n(?:um[ée]ro)?\.? ?(?:°|º|o\b\.?|r\b|\*)? ?|num\.? )`
	partedNumber  = `[0-9]{1,4}[a-z]?(?:(?: ?~ ?|[/._])[0-9]{1,5})+(?:(?:~|[/._])[0-9a-z]+)*`
	anyNumber     = `[0-9][0-9a-z]*(?:(?:~|[/._])[0-9a-z]+)*|[a-z]{1,4}(?:~|[/])[0-9][0-9a-z/.-]*`
	object        = `(?:relati(?:f|ve)s? +(?:aux?|à|a)|portant|fixant|instituant|organisant|concernant|r[ée]gissant|r[ée]glementant|sur|contre)`
)

var (
	looseSigned = law.Pattern(`(?i)\b(` + numberedKinds + `|` + titledKinds + `|code)((?: +\p{L}[\p{L}'~]*){0,2}?) *\b` + numberSign + `(` + anyNumber + `)`)
	looseBare   = law.Pattern(`(?i)\b(` + numberedKinds + `)((?: +\p{L}[\p{L}'~]*)?) +(` + partedNumber + `)`)
	signedAlone = law.Pattern(`(?i)\bn ?[°º] ?(` + partedNumber + `)`)
	ofDay       = law.Pattern(`(?i)\b(` + numberedKinds + `|` + titledKinds + `)((?: +\p{L}[\p{L}'~]*){0,2}?) +(?:en date )?du +`)
	ofYear      = law.Pattern(`(?i)\b(` + numberedKinds + `)((?: +\p{L}[\p{L}'~]*)??) +(?:de +l'ann[ée]e +|de +|pour +(?:l'ann[ée]e +)?|année +)?((?:1[89]|2[01])[0-9]{2})\b`)
	ofObject    = law.Pattern(`(?i)\b(?:(?:` + numberedKinds + `)(?: +\p{L}[\p{L}'~]*)? +` + object + `|(?:` + titledKinds + `)(?: +\p{L}[\p{L}'~]*)? +(?:` + object + `|de +la|de +l'|du|des|de|d')) *([^.?!;:«»()\n]{3,160})`)
	dateBehind  = law.Pattern(`(?i)^,? +(?:en date )?du +`)
	joins       = law.Pattern(`(?i)^(?: +nouveaux?)?,?(?: *\(nouveaux?\))? *(?:de +cette|de +ce|de +la|de +l'|du|des|de|d'|à +la|au|aux|dans +la|dans +le|dans +l')? *$`)
	joinsBehind = law.Pattern(`(?i)^ *[,:(–-]? *(?:en +son|en +ses|à +son|à +l'|,? *à|dans +son)? *$`)
)

// References finds the mentions of texts and articles in a question, in order. It reads what law.References
// reads, and other forms that people type: a number without « n° », a date or a year instead of it, an
// abbreviation, a name that operators have given to a text, and an article before or after its text or elsewhere in the
// sentence.
func References(text string, names ...naming.Given) []Reference {
	var articles, named []Reference
	for _, r := range law.References(withoutOwner(text)) {
		r.Title = strings.Join(strings.Fields(r.Title), " ")
		switch {
		case len(r.Articles) > 0:
			articles = append(articles, Reference{Reference: r})
		default:
			named = append(named, Reference{Reference: r})
		}
	}
	found := slices.Concat(named, findGiven(text, names), agreements(text), aliases(text), signedNumbers(text), unsignedNumbers(text), numbersAlone(text), byDate(text), byYear(text), byPhrase(text))
	found = slices.DeleteFunc(found, func(r Reference) bool { return withinWord(text, r.Start) }) // « préavis » contains « avis »
	taken := make(places, len(text))
	for _, r := range articles {
		taken.take(r)
	}
	named = taken.free(found)
	slices.SortStableFunc(named, byPlace)
	articles = append(articles, taken.free(readLettered(text))...)
	articles = append(articles, taken.free(byFigures(text))...)
	slices.SortStableFunc(articles, byPlace)
	for _, list := range [][]Reference{named, articles} {
		for i := range list {
			list[i].Name = nameIn(text, list[i])
		}
	}
	return withTheirTexts(text, articles, named)
}

// withinWord reports whether a letter precedes byte at. \b knows only ASCII.
func withinWord(text string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	return unicode.IsLetter(before)
}

// countryOfCode matches words between « code » and the name of the code.
var countryOfCode = law.Pattern(`(?i)\bcodes? +(\p{L}[\p{L}~]*(?: +\p{L}[\p{L}~]*)??) +(?:de|du|des|d')(?:[^\p{L}]|$)`)

// withoutOwner replaces a country before the name of its code, as in « le code béninois de procédure
// pénale », by as many blanks, so that offsets stay valid.
func withoutOwner(text string) string {
	var plain []byte
	for _, m := range countryOfCode.FindAllStringSubmatchIndex(text, -1) {
		if countryOnly(text[m[2]:m[3]]) {
			if plain == nil {
				plain = []byte(text)
			}
			for i := m[2]; i < m[3]; i++ {
				plain[i] = ' '
			}
		}
	}
	if plain == nil {
		return text
	}
	return string(plain)
}

func byPlace(a, b Reference) int { return cmp.Compare(a.Start, b.Start) }

// places marks the bytes of a text that belong to a reference.
type places []bool

func (p places) take(r Reference) {
	for i := r.Start; i < r.End; i++ {
		p[i] = true
	}
}

// free returns the references that overlap none that was taken before, and takes them. Of references that overlap each
// other it returns the first, so refs must be sorted by decreasing certainty.
func (p places) free(refs []Reference) (out []Reference) {
	for _, r := range refs {
		if !slices.Contains(p[r.Start:r.End], true) {
			p.take(r)
			out = append(out, r)
		}
	}
	return out
}

// withTheirTexts adds texts to the articles that have none: the text next to the article, else the only text of the
// question. It returns all references in order.
func withTheirTexts(text string, articles, named []Reference) []Reference {
	used := make([]bool, len(named))
	for i := range articles {
		a := &articles[i]
		if a.NamesText() || a.Self || a.Same {
			continue
		}
		at := adjacentText(text, *a, named)
		if at < 0 && len(named) == 1 {
			at = 0
		}
		if at >= 0 {
			*a, used[at] = a.withText(named[at]), true
		}
	}
	// « art. 3 et art. 5 de la loi … »: the text also belongs to the articles before.
	for i := len(articles) - 2; i >= 0; i-- {
		a, next := &articles[i], articles[i+1]
		if !a.NamesText() && !a.Self && !a.Same && next.NamesText() && a.End <= next.Start && andOnly.MatchString(text[a.End:next.Start]) {
			own := *a
			*a = own.withText(next)
			a.Articles, a.Parts, a.Start, a.End = own.Articles, own.Parts, own.Start, own.End
		}
	}
	out := articles
	for i, r := range named {
		if !used[i] {
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, byPlace)
	return out
}

var andOnly = law.Pattern(`(?i)^ *(?:,|et|ou|puis|ainsi +que|, *et)? *(?:de +)?(?:l'|les +|le +)?$`)

// adjacentText returns the index of the text right before or right after an article, -1 if there is none. named is in
// order, and overlaps neither itself nor the article.
func adjacentText(text string, a Reference, named []Reference) int {
	next, _ := slices.BinarySearchFunc(named, a, byPlace)
	if last := next - 1; last >= 0 && joinsBehind.MatchString(text[named[last].End:a.Start]) {
		return last
	}
	if next < len(named) && joins.MatchString(text[a.End:named[next].Start]) {
		return next
	}
	return -1
}

// withText returns the articles of r with the text that they belong to.
func (r Reference) withText(text Reference) Reference {
	text.Articles, text.Parts = r.Articles, r.Parts
	text.Start, text.End = min(r.Start, text.Start), max(r.End, text.End)
	return text
}

// typeOf returns the type that the name of a kind stands for, "" if it has none.
func typeOf(kind string) law.DocType {
	_, as, _ := law.NumberAlone(kind + " n° 1")
	return as
}

// signedNumbers finds numbers after « n° », with up to two words before it: « la loi sénégalaise n° 2020-12 ».
func signedNumbers(text string) (out []Reference) {
	for _, m := range looseSigned.FindAllStringSubmatchIndex(text, -1) {
		out = append(out, byNumber(text, m))
	}
	return out
}

// unsignedNumbers finds numbers of two or more groups after the kind of a text, with at most a country between them.
func unsignedNumbers(text string) (out []Reference) {
	for _, m := range looseBare.FindAllStringSubmatchIndex(text, -1) {
		if countryOnly(text[m[4]:m[5]]) {
			out = append(out, byNumber(text, m))
		}
	}
	return out
}

// countryOnly reports whether words consist of the name of a country, or are empty.
func countryOnly(words string) bool {
	terms, countries := Content(words)
	return strings.TrimSpace(words) == "" || len(terms) == 0 && len(countries) > 0
}

// byNumber returns the text that is named by its number. The groups of m are the kind, the words between, and
// the number. A date may follow.
func byNumber(text string, m []int) Reference {
	r := law.Reference{Start: m[0], End: m[1], Type: typeOf(text[m[2]:m[3]]), Number: law.TextNumber(text[m[6]:m[7]])}
	if d := dateBehind.FindStringIndex(text[m[1]:]); d != nil {
		if day, n, ok := law.DateAt(text[m[1]+d[1]:]); ok {
			r.Date, r.End = day, m[1]+d[1]+n
		}
	}
	return Reference{Reference: r}
}

// numbersAlone finds numbers without a kind: « n° 2023-07 », « 2023-07 ».
func numbersAlone(text string) (out []Reference) {
	for _, m := range signedAlone.FindAllStringSubmatchIndex(text, -1) {
		out = append(out, Reference{Reference: law.Reference{Start: m[0], End: m[1], Number: law.TextNumber(text[m[2]:m[3]])}})
	}
	for _, t := range french.Analyze(text) {
		if t.Kind == french.Text {
			out = append(out, Reference{Alone: true, Reference: law.Reference{Start: t.Start, End: t.End, Number: law.TextNumber(text[t.Start:t.End])}})
		}
	}
	return out
}

// byDate finds texts named by their date: « l'arrêté du 10 septembre 2004 ».
func byDate(text string) (out []Reference) {
	for _, m := range ofDay.FindAllStringSubmatchIndex(text, -1) {
		day, n, ok := law.DateAt(text[m[1]:])
		if ok && countryOnly(text[m[4]:m[5]]) {
			out = append(out, Reference{Reference: law.Reference{Start: m[0], End: m[1] + n, Type: typeOf(text[m[2]:m[3]]), Date: day}})
		}
	}
	return out
}

// byYear finds texts named by their year: « la loi béninoise de 2024 contre l'usure ». Their subject may
// follow. A finance law is named by the year that it is for, which is in its title. Without the definite article or in the
// plural (« une loi de 2024 », « les lois de 2024 ») none is named for certain.
func byYear(text string) (out []Reference) {
	for _, m := range ofYear.FindAllStringSubmatchIndex(text, -1) {
		kind := law.Fold(text[m[2]:m[3]])
		year, err := strconv.Atoi(text[m[6]:m[7]])
		if err != nil || !countryOnly(text[m[4]:m[5]]) {
			continue
		}
		r := Reference{Year: year, Loose: !oneText.MatchString(text[max(0, m[0]-articleRoom):m[0]]) || strings.HasPrefix(kind, "lois"), Reference: law.Reference{Start: m[0], End: m[1], Type: typeOf(text[m[2]:m[3]])}}
		if strings.Contains(kind, "finances") {
			r.Title = kind + " " + text[m[6]:m[7]]
		}
		if o := objectBehind.FindStringSubmatchIndex(text[m[1]:]); o != nil {
			r.Phrase = text[m[1]+o[2] : m[1]+o[3]]
		}
		out = append(out, r)
	}
	return out
}

// articleRoom is a length in bytes that is larger than any article with the sign before it.
const articleRoom = 8

// oneText matches the definite article before the name of a text.
var oneText = law.Pattern(`(?i)(?:^|[^\p{L}])(?:la|le|l'|du|au) ?$`)

var objectBehind = law.Pattern(`(?i)^,? +` + object + ` *([^.?!;:«»()\n]{3,160})`)

// byPhrase finds phrases that may be the title of a text: « l'acte uniforme sur l'arbitrage ».
func byPhrase(text string) (out []Reference) {
	for _, m := range ofObject.FindAllStringSubmatchIndex(text, -1) {
		out = append(out, Reference{Phrase: text[m[0]:m[1]], Reference: law.Reference{Start: m[0], End: m[2]}})
	}
	return out
}

// readLettered finds articles of codes that are named without the word « article »: « L. 1224-1 ».
func readLettered(text string) (out []Reference) {
	for _, t := range french.Analyze(text) {
		if t.Kind == french.Article && unicodeLetter.MatchString(text[t.Start:t.End]) {
			out = append(out, Reference{Reference: law.Reference{Start: t.Start, End: t.End, Articles: []string{law.ArticleNumber(text[t.Start:t.End])}}})
		}
	}
	return out
}

// romans matches articles with Roman numerals, which only capitals distinguish from words, and annexes:
// « l'article IV », « l'annexe 2 ».
var romans = law.Pattern(`(?:\b(?i:articles?|art\.?) +([IVXLC]{1,7})|\b(?i:annexe) +([IVXLC]{1,7}|[0-9]{1,2}|[A-Z]))(?:[^\p{L}\d]|$)`)

// byFigures finds the articles and annexes of romans.
func byFigures(text string) (out []Reference) {
	for _, m := range romans.FindAllStringSubmatchIndex(text, -1) {
		r := Reference{Reference: law.Reference{Start: m[0]}}
		if m[2] >= 0 {
			r.Articles, r.End = []string{text[m[2]:m[3]]}, m[3]
		} else {
			r.Articles, r.End = []string{"Annexe " + text[m[4]:m[5]]}, m[5]
		}
		out = append(out, r)
	}
	return out
}

var unicodeLetter = lazyre.New(`^(?i:[lrd])[. *]*\d+(?:-|\d)`)

// nameBegins matches the word for a kind with which the name of a text begins. It does not match within words
// (« code de l'emploi » contains « loi »).
var nameBegins = law.Pattern(`(?i)(?:^|[^\p{L}])((?:d[ée]crets?~)?(?:loi|ordonnance|d[ée]cret|arr[êe]t[ée]|circulaire|dahir|code|constitution|convention|acte|trait[ée]|r[èe]glement|charte)s?)(?:[^\p{L}]|$)`)

// nameIn returns the name of a text in a question, without the articles before it.
func nameIn(text string, r Reference) string {
	name := strings.TrimSpace(text[r.Start:r.End])
	if m := nameBegins.FindStringSubmatchIndex(name); m != nil && r.NamesText() {
		return strings.TrimRight(name[m[2]:], " ?.,;:!\u00a0\u202f")
	}
	switch {
	case r.Number != "":
		return "n° " + r.Number
	case r.Alias:
		return name
	}
	return r.Title
}

// Ahead reports whether a reference names a text of a year that has not begun today, and returns this year.
func (r Reference) Ahead(today time.Time) (year int, ahead bool) {
	year = r.Year
	if year == 0 && !r.Date.IsZero() {
		year = r.Date.Year()
	}
	if year == 0 {
		year = yearOf(r.Number)
	}
	return year, year > today.Year()
}

// yearOf returns the year in a number such as « 2031-05 » or « 05-2031 », 0 if there is none.
func yearOf(number string) int {
	const latest = 2199
	for part := range strings.FieldsFuncSeq(number, func(r rune) bool { return r < '0' || r > '9' }) {
		if y, err := strconv.Atoi(part); err == nil && len(part) == 4 && y >= 1800 && y <= latest {
			return y
		}
	}
	return 0
}

func backward(all []Reference) iter.Seq2[int, Reference] { return slices.Backward(all) }
