package question

import (
	"cmp"
	_ "embed" // the table of abbreviations
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"
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
		pos := tokens[m.Start].Start
		next, _ := slices.BinarySearchFunc(refs, pos+1, func(r Reference, index int) int { return cmp.Compare(r.Start, index) })
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
func withinWord(text string, pos int) bool {
	left, _ := utf8.DecodeLastRuneInString(text[:pos])
	return unicode.IsLetter(left)
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
		pos := adjacentText(text, *a, named)
		if pos < 0 && len(named) == 1 {
			pos = 0
		}
		if pos >= 0 {
			*a, used[pos] = a.withText(named[pos]), true
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
	_, docType, _ := law.NumberAlone(kind + " n° 1")
	return docType
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

//go:embed aliases.txt
var aliasesText string

// alias is a short name of a text.
type alias struct {
	title     string         // words of the text's title
	exact     bool           // matches only as written in the table, because it is short and may be another word
	written   string         // the alias as written in the table
	countries []country.Code // countries that the text belongs to, nil for texts of no particular country
}

// shortAlias is the maximum number of letters of an abbreviation that is only read in the capitals of the table.
// Otherwise « AUS » or « AUA » would be found in misspelled words.
const shortAlias = 4

var aliasTable = sync.OnceValue(func() map[string]alias {
	table, _ := readAliases()
	return table
})

// shortCodes maps the words after « C. » in the short name of a code to the words of its title: « trav » is the « code
// du travail ».
var shortCodes = sync.OnceValue(func() map[string]alias {
	_, codes := readAliases()
	return codes
})

func readAliases() (table, codes map[string]alias) {
	table, codes = make(map[string]alias), make(map[string]alias)
	for line := range strings.Lines(aliasesText) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		fields := strings.Split(line, "|")
		a := alias{title: strings.TrimSpace(fields[1])}
		for code := range strings.FieldsSeq(fields[2]) {
			a.countries = append(a.countries, country.Code(code))
		}
		for name := range strings.SplitSeq(fields[0], ",") {
			a.written = strings.TrimSpace(name)
			if words, code := strings.CutPrefix(a.written, "C. "); code {
				codes[law.Fold(strings.Join(strings.FieldsFunc(words, func(r rune) bool { return r == '.' || r == ' ' }), " "))] = a
				continue
			}
			a.exact = len(a.written) <= shortAlias && strings.ToUpper(a.written) == a.written
			table[law.Fold(a.written)] = a
		}
	}
	return table, codes
}

// aliases finds the abbreviations of texts in a question.
func aliases(text string) (out []Reference) {
	for start, end := range wordsOf(text) {
		word := text[start:end]
		a, ok := aliasTable()[law.Fold(word)]
		if ok && (!a.exact || word == a.written) {
			out = append(out, Reference{Alias: true, Reference: law.Reference{Start: start, End: end, Title: a.title}})
		}
	}
	return append(out, readShortNames(text)...)
}

// mostShort is the maximum number of words after « C. » in the short name of a code.
const mostShort = 3

// readShortNames finds codes by their short names: « C. trav. », « Code proc. civ. ».
func readShortNames(text string) (out []Reference) {
	type place struct{ start, end int }
	var words []place
	for start, end := range wordsOf(text) {
		words = append(words, place{start, end})
	}
	for i := 0; i < len(words); i++ {
		first := law.Fold(text[words[i].start:words[i].end])
		if first != "c" && first != "code" {
			continue
		}
		var parts []string
		dotted := strings.HasPrefix(text[words[i].end:], ".")
		found := Reference{}
		for j := i + 1; j < len(words) && j <= i+mostShort; j++ {
			if strings.Trim(text[words[j-1].end:words[j].start], ". \t\n\u00a0\u202f") != "" {
				break
			}
			parts = append(parts, law.Fold(text[words[j].start:words[j].end]))
			end := words[j].end
			ends := strings.HasPrefix(text[end:], ".")
			if a, ok := shortCodes()[strings.Join(parts, " ")]; ok && (dotted || ends && first == "code") {
				if ends {
					end++
				}
				found = Reference{Alias: true, Reference: law.Reference{Start: words[i].start, End: end, Type: law.Code, Title: a.title}}
			}
		}
		if found.Title != "" {
			out = append(out, found)
		}
	}
	return out
}

// wordsOf yields the byte ranges of the runs of letters in a text.
func wordsOf(text string) func(yield func(start, end int) bool) {
	return func(yield func(int, int) bool) {
		start := -1
		for i, r := range text {
			letter := unicode.IsLetter(r)
			switch {
			case letter && start < 0:
				start = i
			case !letter && start >= 0:
				if !yield(start, i) {
					return
				}
				start = -1
			}
		}
		if start >= 0 {
			yield(start, len(text))
		}
	}
}

// AliasCountries returns the countries to which the text of an abbreviation belongs, nil for a text of no
// particular country.
func (r Reference) AliasCountries() []country.Code {
	for _, a := range aliasTable() {
		if r.Alias && a.title == r.Title {
			return slices.Clone(a.countries)
		}
	}
	return nil
}

var (
	complement = law.Pattern(`(?i)(?:^|[^\p{L}])(?:de|du|des|d')(?:[^\p{L}]|$)`)
	conjoined  = law.Pattern(`(?i)[,;]|(?:^|[^\p{L}])(?:et|ou)(?:[^\p{L}]|$)`)
)

// titleWord is a word of a title that is neither a stop word nor the name of a country.
type titleWord struct {
	term       string
	of, joined bool // a preposition (of), or a conjunction or a comma (joined), comes before it
}

// CanBeCalled reports whether the title of a code can be called by a name. name holds the terms of this name
// without its country, as Content returns them; the first one is the kind, « code ».
//
// The words of the title that a name leaves out must not distinguish the code from others. They may be the
// last ones (« code des sociétés » for that of commercial companies), an adjective of the kind (« code des
// impôts » for the « Code général des impôts »), or other parts of an enumeration (« code de la famille » for
// that « des personnes et de la famille »). Any other word makes it another code: « code pénal » is not the
// « Code de procédure pénale ».
func CanBeCalled(title string, name []string) bool {
	if len(name) == 0 {
		return false
	}
	words, called := titleWords(title), false
	for i, w := range words {
		if w.term != name[0] {
			continue
		}
		called = true
		if holdsName(words[i+1:], name[1:]) {
			return true
		}
	}
	return !called // the kind is known from elsewhere, and there is nothing to compare
}

// holdsName reports whether the words after the kind contain the rest of a name.
func holdsName(words []titleWord, rest []string) bool {
	pos := 0
	for _, term := range rest {
		next := nextOf(words, pos, term)
		if next < 0 {
			next = nextOf(words, 0, term) // parts of an enumeration in another order
		}
		if next < 0 {
			return false
		}
		pos = next + 1
	}
	return true
}

// nextOf returns the index of the next word with the given term at which a name may continue, -1 if there is
// none.
func nextOf(words []titleWord, pos int, term string) int {
	for i := pos; i < len(words); i++ {
		if words[i].term == term && (i == pos || skippable(words, pos, i)) {
			return i
		}
	}
	return -1
}

// skippable reports whether a name may leave out the words from at to i.
func skippable(words []titleWord, pos, i int) bool {
	if pos > 0 {
		return words[i].joined
	}
	adjectives := !slices.ContainsFunc(words[:i], func(w titleWord) bool { return w.of })
	return words[i].of && (words[i].joined || adjectives)
}

func titleWords(title string) (out []titleWord) {
	tokens := contentTokens(title)
	countries := country.Mentions(termsOf(tokens))
	end := 0
	for i, t := range tokens {
		if slices.ContainsFunc(countries, func(m country.Mention) bool { return m.Start <= i && i < m.End }) {
			continue
		}
		gap := title[end:t.Start]
		out = append(out, titleWord{t.Term, complement.MatchString(gap), conjoined.MatchString(gap)})
		end = t.End
	}
	return out
}

// contentTokens returns the tokens of a text that are not stop words.
func contentTokens(text string) []french.Token {
	return slices.DeleteFunc(french.Analyze(text), func(t french.Token) bool { return t.Stop })
}

func termsOf(tokens []french.Token) []string {
	out := make([]string, len(tokens))
	for i, t := range tokens {
		out[i] = t.Term
	}
	return out
}

// TitleWithoutCountries returns a title without the names of countries: « Code du travail » for « code du travail
// burkinabè ». The words are not stemmed.
func TitleWithoutCountries(title string) string {
	tokens := contentTokens(title)
	for _, m := range slices.Backward(country.Mentions(termsOf(tokens))) {
		title = title[:tokens[m.Start].Start] + title[tokens[m.End-1].End:]
	}
	return title
}

// How a question, in folded text, points at an article or a text that the conversation named.
var (
	sameArticle = lazyre.New(`\b(le meme article|cet article|ledit article|l'article en question|l'article (cite|vise|mentionne)|(cite|donne|montre|affiche|recopie|lire|lis|voir)[rz]?(-moi|-nous)? (le texte de )?(l'|cet )?article)\b`)
	sameText    = lazyre.New(`\b(?:(?:ladite|cette|(?:de )?la meme) (?:loi|ordonnance|convention|circulaire|constitution)|(?:ledit|ce|le meme) (?:code|decret|texte|reglement|dahir)|(?:ledit|cet|le meme) (?:arrete|acte))\b`)
	nextArticle = lazyre.New(`\b(l'article (precedent|suivant|d'avant|d'apres))\b`)
)

// pointedAt returns the references that a folded question makes by pointing back at the conversation. own are
// the references that the question contains.
func (c Conversation) pointedAt(folded string, own []Reference) []Reference {
	step := 0
	switch m := nextArticle.FindStringSubmatch(folded); {
	case len(m) > 0 && (m[2] == "precedent" || m[2] == "d'avant"):
		step = -1
	case len(m) > 0:
		step = 1
	case !sameArticle.MatchString(folded) || slices.ContainsFunc(own, func(r Reference) bool { return len(r.Articles) > 0 }):
		return c.sameTextOf(folded, own)
	}
	last, ok := c.lastNamed(func(r Reference) bool { return len(r.Articles) > 0 })
	if !ok {
		return nil
	}
	number := last.Articles[len(last.Articles)-1]
	if step != 0 {
		if number, ok = neighbor(number, step); !ok {
			return nil
		}
	}
	last.Parts = slices.DeleteFunc(slices.Clone(last.Parts), func(part string) bool { return part != number })
	last.Articles, last.Pointed = []string{number}, true
	return []Reference{last}
}

// sameTextOf returns the text that the conversation named last, if the question points at a text and names
// none itself.
func (c Conversation) sameTextOf(folded string, own []Reference) []Reference {
	if !sameText.MatchString(folded) || slices.ContainsFunc(own, Reference.NamesText) {
		return nil
	}
	last, ok := c.lastNamed(Reference.NamesText)
	if !ok {
		return nil
	}
	last.Articles, last.Parts, last.Pointed = nil, nil, true
	return []Reference{last}
}

// LastText returns the text that the conversation named last, among those for which known returns true.
func (c Conversation) LastText(known func(Reference) bool) (Reference, bool) {
	return c.normalize().lastNamed(func(r Reference) bool { return r.NamesText() && known(r) })
}

// lastNamed returns the last fitting reference in the conversation. Of an answer it takes the first
// reference, on which the answer is based.
func (c Conversation) lastNamed(fits func(Reference) bool) (Reference, bool) {
	for i, asked := range slices.Backward(c.Asked) {
		if i < len(c.Answers) {
			for _, r := range References(c.Answers[i]) {
				if fits(r) {
					return r, true
				}
			}
		}
		for _, r := range slices.Backward(References(asked)) {
			if fits(r) {
				return r, true
			}
		}
	}
	return Reference{}, false
}

// suffixes are the suffixes of inserted articles, in order.
var suffixes = append([]string{""}, strings.Split(law.SuffixWords, "|")[:inOneWay]...)

// inOneWay is the number of law's suffixes that have a single spelling; the next one has two.
const inOneWay = 7

// neighbor returns the number of the article before or after number: « 52 ter » after « 52 bis », « 12 »
// after « 11 ». It returns false if this cannot be computed: « L. 12-2 » or « L. 13-1 » may come after « L.
// 12-1 ».
func neighbor(number string, step int) (string, bool) {
	base, suffix, inserted := strings.Cut(number, " ")
	if pos := slices.Index(suffixes, suffix); inserted {
		if pos < 1 || pos+step >= len(suffixes) || !digitsOnly(base) {
			return "", false
		}
		return strings.TrimSpace(base + " " + suffixes[pos+step]), true
	}
	n, err := strconv.Atoi(strings.TrimSuffix(base, "er"))
	if err != nil || n+step < 1 {
		return "", false
	}
	return strconv.Itoa(n + step), true
}

// digitsOnly reports whether s is a plain number: « 52 » or « 6-2 », but not « L. ».
func digitsOnly(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return (r < '0' || r > '9') && r != '-' })
}
