// Package read reads how French names the law, as printers set it and as people type it: « l'article 26 bis de la loi n°
// 2023-07 du 14 mars 2023 », « C. trav., 36 », « articles 3 à 7 du code du travail béninois ».
//
// A text goes in; References with their places come out. The package knows no catalogue: it says how a text is named, and
// package named decides which text that is, and where its name ends. The expressions are in grammar.txt, short names in
// aliases.txt, and the productions that use them in a table (productions.go). Any bytes are accepted, and reading takes
// linear time.
package read

import (
	"cmp"
	_ "embed" // the grammar and the short names
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/french"
	"vigueur/internal/law/naming"
)

// Reference is a mention of a text or of articles: « loi n° 2010-05 du 3 mai 2010 », « articles 3 à 7 et 9 bis du code du
// travail », « art. L. 1224-1 ».
type Reference struct {
	Start, End int         // bytes [Start,End) of the text
	Name       string      // the name of the text as it is written: « loi 2023-07 »
	Articles   []string    // numbers in the form of law.ArticleNumber; ranges are expanded; empty: the whole text
	Parts      []string    // those of Articles of which only a part is meant: « 319, alinéas 1 et 2 »
	Type       law.DocType // "" if only articles are named, or if the kind has none
	Number     string      // « 2010-05 »; "" if the text is not named by number
	Date       time.Time   // zero if the mention gives no date
	Year       int         // the year by which a text is named, 0 for none
	Title      string      // in small letters: « code du travail », « constitution », « loi de finances 2031 »
	// Phrase is a name that may be longer than the text's: « acte uniforme sur l'arbitrage est-il … ». The titles
	// of the catalogue show where the name ends, and whether the phrase is a name at all.
	Phrase  string
	Enacts  int  // where the number or day of a law ends whose name goes on with the code that it enacts, whose name may be too long; 0: none
	Self    bool // the text mentions itself: « de la présente loi », « du présent code »
	Same    bool // the text that was mentioned before: « de la même loi », « dudit décret »
	Alias   bool // named by a short name
	Alone   bool // only a number, which names a text only if a text has it
	Draft   bool // « projet de constitution »: no law has the name
	Loose   bool // a kind and a year that may name no text: « les lois de 2024 »
	Pointed bool // it refers to what was said before
	// Owners are the countries that a short name names, or that are named beside the text if several are named.
	Owners []country.Code
}

// NamesText reports whether a reference says which text it means.
func (r Reference) NamesText() bool {
	return r.Number != "" || r.Title != "" || r.Phrase != "" || r.Year != 0 || !r.Date.IsZero()
}

// AskedCountries returns the countries whose text is meant: those named beside the reference or by a short name, else asked,
// the countries of the question.
func (r Reference) AskedCountries(asked []country.Code) []country.Code {
	if r.Owners != nil {
		return r.Owners
	}
	return asked
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

// Printed reads the references in the words of a law, in order and without overlap: numbers with « n° », titles of codes,
// and articles. A list of articles and the text that follows it directly are one reference.
func Printed(text string) []Reference {
	r := newReader(text, false)
	articles, named := r.run(nil)
	var out []Reference
	next := 0
	for _, a := range articles {
		for next < len(named) && named[next].Start < a.Start {
			out, next = append(out, named[next]), next+1
		}
		if !a.Self && !a.Same && next < len(named) && r.ties(a.End, named[next].Start, "tied") {
			a, next = a.withText(named[next]), next+1
		}
		out = append(out, a)
	}
	return append(out, named[next:]...)
}

// Typed reads the references in what a person has typed, in order and without overlap. Beside what Printed reads these are
// numbers without « n° », a date or a year instead of one, short names (those of the table, and names that operators have
// given), names that may be titles, and articles before or after their text or elsewhere in the sentence.
func Typed(text string, names ...naming.Given) []Reference {
	r := newReader(text, true)
	articles, named := r.run(names)
	named = r.enacting(named)
	for _, list := range [][]Reference{articles, named} {
		for i := range list {
			if list[i].Name == "" {
				list[i].Name = nameIn(text, list[i])
			}
		}
	}
	return withOwners(text, r.withTheirTexts(articles, named))
}

// enacting makes one reference of a law and the code that it enacts: « loi n° 2023-07 du 14 mars 2023 portant Code du travail ».
func (r *reader) enacting(named []Reference) []Reference {
	var out []Reference
	for _, n := range named {
		if last := len(out) - 1; last >= 0 && n.Type == law.Code && n.Number == "" && len(n.Articles) == 0 && out[last].Title == "" && r.ties(out[last].End, n.Start, "enacting") {
			out[last].Enacts, out[last].End = out[last].End, n.End
			continue
		}
		out = append(out, n)
	}
	return out
}

// withOwners sets the countries beside each text of a question that names several: « l'article 3 du code du travail béninois
// et l'article 5 du code pénal togolais ».
func withOwners(text string, refs []Reference) []Reference {
	tokens := slices.DeleteFunc(french.Analyze(text), func(t french.Token) bool { return t.Stop })
	terms := make([]string, len(tokens))
	for i, t := range tokens {
		terms[i] = t.Term
	}
	mentions := country.Mentions(terms)
	if len(mentions) < 2 {
		return refs
	}
	for _, m := range mentions {
		pos := tokens[m.Start].Start
		next, _ := slices.BinarySearchFunc(refs, pos+1, func(r Reference, index int) int { return cmp.Compare(r.Start, index) })
		if next > 0 && refs[next-1].NamesText() && !refs[next-1].Alias { // the mention is within the reference or after it
			refs[next-1].Owners = append(refs[next-1].Owners, m.Codes...)
		}
	}
	return refs
}

// reader is a text as the grammar sees it.
type reader struct {
	text   string
	typed  bool
	folded string
	source []int32 // the place in text of each byte of folded, and of its end
	words  []place // where words begin
	taken  []bool  // bytes of folded that belong to a reference
	room   int     // how many articles ranges may still be expanded to
}

// place is where a word begins in the folded text. word is its letters, or "0" for a number.
type place struct {
	at   int
	word string
}

// Limits of what is expanded and looked at.
const (
	// rangeLimit is the maximum number of articles to which a range such as « articles 1er à 9999 » is expanded. Of a longer
	// range, only the two ends are kept.
	rangeLimit = 600
	// bytesForArticle bounds how many articles the ranges of a text are expanded to together: rangeLimit, and one more for
	// so many bytes of the text.
	bytesForArticle = 8
	// window is how far an expression looks from the place where it begins. No name is longer.
	window = 320
)

func newReader(text string, typed bool) *reader {
	r := &reader{text: text, typed: typed, source: make([]int32, 0, len(text)+1), room: rangeLimit + len(text)/bytesForArticle}
	folded, last := make([]byte, 0, len(text)), byte(' ')
	for i := 0; i < len(text); {
		c, size := rune(text[i]), 1
		if c >= utf8.RuneSelf {
			c, size = utf8.DecodeRuneInString(text[i:])
		}
		begin := len(folded)
		switch {
		case 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
			folded = append(folded, byte(c))
		case 'A' <= c && c <= 'Z':
			folded = append(folded, byte(c)|0x20)
		case law.Blank(c):
			if last != ' ' || begin == 0 {
				folded = append(folded, ' ')
			}
		case law.Apostrophe(c):
			folded = append(folded, '\'')
		case law.Dash(c) || c == '_':
			folded = append(folded, '-')
		case c == '№':
			folded = append(folded, 'n', degree)
		case c == '°' || c == 'º' || c == '˚':
			folded = append(folded, degree)
		case law.Invisible(c) && c != utf8.RuneError:
		case c < utf8.RuneSelf && c != degree:
			folded = append(folded, byte(c))
		case unicode.IsLetter(c) || unicode.IsMark(c) || unicode.IsNumber(c):
			folded = law.AppendLetter(folded, c)
		default:
			folded = append(folded, other)
		}
		for len(r.source) < len(folded) {
			r.source = append(r.source, int32(i))
		}
		if len(folded) > begin {
			if c := folded[begin]; wordByte(c) && (!wordByte(last) || digit(c) != digit(last)) {
				r.words = append(r.words, place{at: begin})
			}
			last = folded[len(folded)-1]
		}
		i += size
	}
	r.source, r.folded, r.taken = append(r.source, int32(len(text))), string(folded), make([]bool, len(folded))
	for i := range r.words {
		r.words[i].word = r.wordAt(r.words[i].at)
	}
	return r
}

// What stands in the folded text for « ° » and for signs that are no letters.
const (
	degree = '@'
	other  = '"'
)

func digit(c byte) bool     { return '0' <= c && c <= '9' }
func asciiWord(c byte) bool { return digit(c) || 'a' <= c && c <= 'z' }
func wordByte(c byte) bool  { return asciiWord(c) || c >= utf8.RuneSelf }

// wordAt returns the letters of the word at a place, "0" for a number.
func (r *reader) wordAt(pos int) string {
	end := pos
	for end < len(r.folded) && wordByte(r.folded[end]) && !digit(r.folded[end]) {
		end++
	}
	if end == pos {
		return "0"
	}
	return r.folded[pos:end]
}

// groups are the places of a match and of its groups: group n is [2n, 2n+1), -1 if it has no part in the match.
type groups [16]int

// match matches a line of the grammar at a place of the folded text. It returns nil if there is no match.
func (r *reader) match(line string, begin int) *groups {
	found := expression(line).FindStringSubmatchIndex(r.folded[begin:min(len(r.folded), begin+window)])
	if found == nil {
		return nil
	}
	m := new(groups)
	for i, pos := range found {
		if m[i] = pos; pos >= 0 {
			m[i] += begin
		}
	}
	return m
}

// written returns what stands between two places of the folded text, as it is written.
func (r *reader) written(start, end int) string { return r.text[r.source[start]:r.ending(end)] }

// ending returns the place in the text of the end of what ends in the folded text.
func (r *reader) ending(end int) int {
	if end == 0 {
		return 0
	}
	last := int(r.source[end-1])
	_, size := utf8.DecodeRuneInString(r.text[last:])
	return last + size
}

// ties reports whether what stands between two places of the text, an end and a beginning, is a line of the grammar.
func (r *reader) ties(end, start int, line string) bool {
	if start < end {
		return false
	}
	a, _ := slices.BinarySearch(r.source, int32(end))
	b, _ := slices.BinarySearch(r.source, int32(start))
	return b-a < window && expression(line).MatchString(r.folded[a:b])
}

//go:embed grammar.txt
var grammarText string

// grammar holds the expressions by the names of their lines, with other lines in the place of <name>.
var grammar = sync.OnceValue(func() map[string]func() *regexp.Regexp {
	lines, out := map[string]string{}, map[string]func() *regexp.Regexp{}
	for line := range strings.Lines(grammarText) {
		name, expr, ok := strings.Cut(strings.TrimRight(line, "\n"), "= ")
		if !ok || line[0] == '#' {
			continue
		}
		name, expr = strings.TrimSpace(name), strings.ReplaceAll(expr, "°", string(degree))
		for other, words := range lines { // a line uses only those above it
			expr = strings.ReplaceAll(expr, "<"+other+">", "(?:"+words+")")
		}
		lines[name] = expr
		out[name] = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:` + expr + `)`) })
	}
	return out
})

func expression(line string) *regexp.Regexp { return grammar()[line]() }

// run applies the productions in their order, the surest first. It returns the references to articles and those to texts, in
// order and without overlap.
func (r *reader) run(names []naming.Given) (articles, named []Reference) {
	var all []Reference
	for _, p := range productions() {
		if p.printed || r.typed {
			for _, w := range r.words {
				if !r.taken[w.at] && (p.begins == nil || p.begins[w.word]) {
					all = append(all, p.read(r, w.at)...)
				}
			}
		}
		if p.name == "articles" && r.typed {
			all = append(all, r.given(names)...)
		}
	}
	slices.SortStableFunc(all, func(a, b Reference) int { return cmp.Compare(a.Start, b.Start) })
	for _, x := range all {
		if len(x.Articles) > 0 {
			articles = append(articles, x)
		} else {
			named = append(named, x)
		}
	}
	return articles, named
}

// take marks a place as a part of a reference. It returns false, and does nothing, if some of it is taken.
func (r *reader) take(start, end int) bool {
	if start >= end || slices.Contains(r.taken[start:end], true) {
		return false
	}
	for i := start; i < end; i++ {
		r.taken[i] = true
	}
	return true
}

// withTheirTexts adds texts to the articles that have none: the text next to the article, else the only text of the
// question. It returns all references in order.
func (r *reader) withTheirTexts(articles, named []Reference) []Reference {
	used := make([]bool, len(named))
	for i := range articles {
		a := &articles[i]
		if a.Self || a.Same || a.NamesText() {
			continue
		}
		pos := r.adjacent(*a, named)
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
		if !a.NamesText() && !a.Self && !a.Same && next.NamesText() && r.ties(a.End, next.Start, "both") {
			own := *a
			*a = own.withText(next)
			a.Start, a.End = own.Start, own.End
		}
	}
	out := articles
	for i, n := range named {
		if !used[i] {
			out = append(out, n)
		}
	}
	slices.SortStableFunc(out, func(a, b Reference) int { return cmp.Compare(a.Start, b.Start) })
	return out
}

// adjacent returns the index of the text right before or right after an article, -1 if there is none.
func (r *reader) adjacent(a Reference, named []Reference) int {
	next, _ := slices.BinarySearchFunc(named, a, func(x, y Reference) int { return cmp.Compare(x.Start, y.Start) })
	if last := next - 1; last >= 0 && r.ties(named[last].End, a.Start, "before") {
		return last
	}
	if next < len(named) && r.ties(a.End, named[next].Start, "behind") {
		return next
	}
	return -1
}

// withText returns the articles of a reference with the text that they belong to.
func (r Reference) withText(text Reference) Reference {
	text.Articles, text.Parts = r.Articles, r.Parts
	text.Start, text.End = min(r.Start, text.Start), max(r.End, text.End)
	return text
}

// nameBegins matches the word for a kind with which the name of a text begins. It does not match within words
// (« code de l'emploi » contains « loi »).
var nameBegins = law.Pattern(`(?i)(?:^|[^\p{L}])((?:d[ée]crets?~)?(?:loi|ordonnance|d[ée]cret|arr[êe]t[ée]|circulaire|dahir|code|constitution|convention|acte|trait[ée]|r[èe]glement|charte)s?)(?:[^\p{L}]|$)`)

// nameIn returns the name of a text in a question, without the articles before it.
func nameIn(text string, r Reference) string {
	name := strings.TrimSpace(text[r.Start:r.End])
	if m := nameBegins.FindStringSubmatchIndex(name); m != nil && r.NamesText() {
		return strings.TrimRight(name[m[2]:], " ?.,;:!()\u00a0\u202f")
	}
	switch {
	case r.Number != "":
		return "n° " + r.Number
	case r.Alias:
		return strings.Trim(name, " ,()")
	}
	return r.Title
}

// NumberAlone reads words that contain nothing but the number of a text: « 2000-192 », « décret n° 2000-192/PRES ». kind is
// the type that they name, "" if they name none. A single group of digits counts only after « n° », because without it
// the digits may be a year.
func NumberAlone(words string) (number string, kind law.DocType, ok bool) {
	r := newReader(words, true)
	m := r.match("only", 0)
	if m == nil || m[1] != len(r.folded) || !strings.ContainsAny(r.written(m[6], m[7]), "0123456789") || m[4] < 0 && !strings.ContainsAny(r.folded[m[6]:m[7]], "-/") {
		return "", "", false
	}
	if m[2] >= 0 {
		kind = law.TypeOf(r.folded[m[2]:m[3]])
	}
	return r.number(m[6], m[7]), kind, true
}
