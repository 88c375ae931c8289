package law

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"vigueur/internal/kit/lazyre"
)

// Reference is a mention of a text or of articles in a sentence: « loi n° 2010-05 du 3 mai
// 2010 », « articles 3 à 7 et 9 bis du code du travail », « art. L. 1224-1 ».
type Reference struct {
	Start, End int       // bytes [Start,End) of the text
	Articles   []string  // numbers in the form of ArticleNumber; ranges are expanded; empty: the whole text
	Parts      []string  // those of Articles of which only a part is meant: « 319, alinéas 1 et 2 »
	Type       DocType   // "" if only articles are named, or if the kind has no DocType
	Number     string    // « 2010-05 »; "" if the text is not named by number
	Date       time.Time // zero if the mention gives no date
	Title      string    // « code du travail »; only for a code that is named by its title
	Self       bool      // the text mentions itself: « de la présente loi », « du présent code »
	Same       bool      // the text that was mentioned before: « de la même loi », « dudit décret »
}

// rangeLimit is the maximum number of articles to which a range such as « articles 1er à
// 9999 » is expanded. Of a longer range, only the two ends are kept.
const rangeLimit = 600

// bytesForArticle bounds how many articles the ranges of a text are expanded to together:
// rangeLimit, and one more for so many bytes of the text. Of ranges beyond that, only the two
// ends are kept.
const bytesForArticle = 8

// dateRoom is a length in bytes that is larger than any written date.
const dateRoom = 48

// SuffixWords are the suffixes of the numbers of inserted articles, in order, as
// alternatives of a regular expression. The ninth has two spellings.
const SuffixWords = `bis|ter|quater|quinquies|sexies|septies|octies|novies|nonies|decies|undecies|duodecies`

// articleNumber matches one article number in a reference.
const articleNumber = `(?:(?:[lrda] ?[.]? ?[*]? ?)?\d+(?: ?(?:er|re|ère)\b)?(?: ?~ ?\d+|\.\d+)*(?: ?(?:` + SuffixWords + `)\b)?|premier\b|première\b|unique\b|[1l] ?er\b)`

// articlePart matches the restriction to a part of an article: « (2e alinéa) », « alinéas 1
// et 2 ».
const articlePart = `(?: *\([^()\n]{1,60}\)|,? +(?:alin[ée]as +\d+(?:(?: *, *| +et +| +à +)\d+)*|(?:alin[ée]a|paragraphe|point) +(?:\d+|premier)))`

// Expressions for the kinds of texts in references, and for the number that follows.
const (
	kinds        = `(lois? +organiques?|lois? +constitutionnelles?|lois? +de +finances(?: +rectificatives?)?|d[ée]crets?~lois?|lois?|ordonnances?|d[ée]crets?|arr[êe]t[ée]s?(?: +(?:interminist[ée]riels?|minist[ée]riels?|conjoints?|pr[ée]sidentiels?))*|circulaires?|dahirs?)`
	textNumber   = `([0-9][0-9a-z]*(?:(?:~|[/._])[0-9a-z]+)*|[a-z]{1,4}(?:~|[/])[0-9][0-9a-z/.-]*)`
	titleWord    = `(?:\p{L}|'|~)+`
	numberedText = kinds + ` +n ?(?:°|º|o\b|\*)? ?s? ?` + textNumber
)

var (
	articlesRef = pattern(`\bart(?:icles? +|s?\. *|s? +)(` + articleNumber + articlePart + `?(?:(?: *, *(?:et +)?| +et +| +ou +| +à +| *~ *|\. +)` + articleNumber + articlePart + `?)*)(?: *\(nouveaux?\))?`)
	onePart     = pattern(articlePart)
	noPart      = pattern(`^ *\( *(?:nouveaux?|nouvelles?)`)
	oneArticle  = pattern(articleNumber)
	rangeJoint  = pattern(`^ +à +$`)
	numberedRef = pattern(`\b` + numberedText)
	severalRef  = pattern(`^\pL+s\b`)
	numbersRef  = pattern(`^ +n ?(?:°|º|o)? ?s`)
	furtherRef  = pattern(`^(?: *, *(?:et +)?| +et +| +ou +)(n ?(?:°|º|o\b|\*)? ?s? ?)?([0-9][0-9a-z]*(?:(?:~|[/._])[0-9a-z]+)*)(?:$|[^\p{L}0-9])`)
	codeRef     = pattern(`\b(code +(?:(?:de la +|de l'|du +|des +|de +|d')` + titleWord + `(?: +` + titleWord + `){0,7}|(?:civil|pénal|penal|rural|minier|électoral|electoral|forestier|pétrolier|maritime|foncier|pastoral|général +des +impôts)(?:$|[^\p{L}])))`)
	constRef    = pattern(`\b(constitution)\b`)
	ofText      = pattern(`^(?: +nouveaux?| +susvisés?)?,?(?: *\(nouveaux?\))? *(?:de +la|de +l'|du|des|de|d'|à la|au|aux) *$`)
	ofSelf      = pattern(`^ *(?:de +la +présente|du +présent|de +l'présente) +(?:loi|code|d[ée]cret|arr[êe]t[ée]|ordonnance|circulaire|constitution)\b`)
	ofSame      = pattern(`^ *(?:(?:de +la +|du +)même +(?:loi|code|d[ée]cret|arr[êe]t[ée]|ordonnance)|de +ladite +loi|dudit +(?:code|d[ée]cret|arr[êe]t[ée])|de +la +(?:loi|ordonnance) +(?:susvisée|précitée)|du +(?:code|d[ée]cret) +(?:susvisé|précité))`)
	dateAfter   = pattern(`^,? +(?:en date )?du +`)
)

// References finds the references in a text, in order and without overlap. A list of
// articles and the text that they belong to are one reference if the text follows the list
// directly.
func References(text string) []Reference {
	named := namedTexts(text)
	var out []Reference
	room := rangeLimit + len(text)/bytesForArticle
	for _, m := range articlesRef.FindAllStringSubmatchIndex(text, -1) {
		r := Reference{Start: m[0], End: m[1]}
		r.Articles, r.Parts = articleList(text[m[2]:m[3]], &room)
		rest := text[m[1]:]
		if s := ofSelf.FindStringIndex(rest); s != nil {
			r.Self, r.End = true, m[1]+s[1]
		} else if s := ofSame.FindStringIndex(rest); s != nil {
			r.Same, r.End = true, m[1]+s[1]
		}
		out = append(out, r)
	}
	return merge(text, out, named)
}

// merge combines each list of articles with the named text that directly follows it, and
// returns all references in order.
func merge(text string, articles, named []Reference) []Reference {
	out := make([]Reference, 0, len(articles)+len(named))
	i := 0
	for _, a := range articles {
		for i < len(named) && named[i].Start < a.Start {
			out = append(out, named[i])
			i++
		}
		if n := len(out); n > 0 && out[n-1].End > a.Start {
			continue // the title of a code or a longer match contains this one
		}
		if i < len(named) && !a.Self && !a.Same && named[i].Start >= a.End && ofText.MatchString(text[a.End:named[i].Start]) {
			t := named[i]
			t.Start, t.Articles, t.Parts = a.Start, a.Articles, a.Parts
			a = t
			i++
		}
		for i < len(named) && named[i].Start < a.End {
			i++
		}
		out = append(out, a)
	}
	return append(out, named[i:]...)
}

// namedTexts finds texts that are named by number or, for codes, by title.
func namedTexts(text string) []Reference {
	var out []Reference
	for _, m := range numberedRef.FindAllStringSubmatchIndex(text, -1) {
		r := Reference{Start: m[0], End: m[1], Type: kindOf(text[m[2]:m[3]]), Number: TextNumber(text[m[4]:m[5]])}
		r.readDate(text)
		out = append(out, r)
		if severalRef.MatchString(text[m[2]:m[3]]) {
			out = append(out, furtherTexts(text, r, numbersRef.MatchString(text[m[3]:m[4]]))...)
		}
	}
	for pos := 0; ; {
		m := codeRef.FindStringIndex(text[pos:])
		if m == nil {
			break
		}
		title := codeTitle(text[pos+m[0] : pos+m[1]])
		title = strings.TrimRightFunc(title, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		end := pos + m[0] + len(title)
		out = append(out, Reference{Start: pos + m[0], End: end, Type: Code, Title: strings.ToLower(title)})
		pos = end // the words after the title may contain the next code
	}
	for _, m := range constRef.FindAllStringIndex(text, -1) {
		out = append(out, Reference{Start: m[0], End: m[1], Type: Constitution, Title: "constitution"})
	}
	return inOrder(out)
}

// readDate reads the date that follows a reference.
func (r *Reference) readDate(text string) {
	s := dateAfter.FindStringIndex(text[r.End:])
	if s == nil {
		return
	}
	start := r.End + s[1]
	if d, a, b, ok := FindDate(text[start:min(len(text), start+dateRoom)]); ok && a == 0 {
		r.Date, r.End = d, start+b
	}
}

// furtherTexts finds the further texts after a kind in the plural: « lois n°s 2010-05 et
// 2011-06 ». A number with a single group of digits counts only after « n° », or after
// « n°s » (plain is then true): it may otherwise count something else (« les lois n°
// 2010-05 et 30 jours »).
func furtherTexts(text string, first Reference, plain bool) (out []Reference) {
	for pos := first.End; ; {
		m := furtherRef.FindStringSubmatchIndex(text[pos:])
		if m == nil {
			return out
		}
		number := text[pos+m[4] : pos+m[5]]
		if m[2] < 0 && !plain && !strings.ContainsFunc(number, Dash) && !strings.Contains(number, "/") {
			return out
		}
		r := Reference{Start: pos + m[4], End: pos + m[5], Type: first.Type, Number: TextNumber(number)}
		r.readDate(text)
		out, pos = append(out, r), r.End
	}
}

// inOrder sorts references by place and drops each one that overlaps an earlier one.
func inOrder(refs []Reference) []Reference {
	slices.SortStableFunc(refs, func(a, b Reference) int { return cmp.Compare(a.Start, b.Start) })
	out := refs[:0]
	for _, r := range refs {
		if n := len(out); n > 0 && r.Start < out[n-1].End {
			continue
		}
		out = append(out, r)
	}
	return out
}

// kindOf returns the DocType for a kind as written in a text.
func kindOf(kind string) DocType {
	k := Fold(kind)
	switch {
	case strings.HasPrefix(k, "loi"), strings.HasPrefix(k, "ordonnance"), strings.HasPrefix(k, "dahir"),
		strings.HasPrefix(k, "decret-loi"), strings.HasPrefix(k, "decrets-lois"):
		return Loi
	case strings.HasPrefix(k, "decret"):
		return Decret
	case strings.HasPrefix(k, "arrete"):
		return Arrete
	case strings.HasPrefix(k, "circulaire"):
		return Circulaire
	}
	return ""
}

// articleList reads a list such as « 3 à 7 et 9 bis » and expands ranges, to no more than room
// articles, which it takes from room. parts are the articles of which only a part is meant.
func articleList(list string, room *int) (out, parts []string) {
	plain := []byte(list) // list with blanks in place of the restrictions
	narrowed := map[int]bool{}
	for _, m := range onePart.FindAllStringIndex(list, -1) {
		narrowed[m[0]] = !noPart.MatchString(list[m[0]:m[1]])
		for i := m[0]; i < m[1]; i++ {
			plain[i] = ' '
		}
	}
	matches := oneArticle.FindAllStringIndex(string(plain), -1)
	for i, m := range matches {
		n := ArticleNumber(list[m[0]:m[1]])
		if i > 0 && rangeJoint.MatchString(list[matches[i-1][1]:m[0]]) {
			known := between(out[len(out)-1], n, *room)
			out = append(out, known...)
			*room -= len(known)
		}
		out = append(out, n)
		if narrowed[m[1]] {
			parts = append(parts, n)
		}
	}
	return out, parts
}

// between returns the numbers strictly between two numbers: for « 3 » and « 7 » these are
// 4, 5 and 6; for « L. 12-1 » and « L. 12-4 » they are L. 12-2 and L. 12-3. It returns none
// if the two differ in more than their last number, or if they are more than most.
func between(source, target string, most int) []string {
	a, x, okA := counted(source)
	b, y, okB := counted(target)
	if !okA || !okB || a != b || y-x > min(rangeLimit, most) {
		return nil
	}
	var out []string
	for n := x + 1; n < y; n++ {
		out = append(out, a+strconv.Itoa(n))
	}
	return out
}

// counted splits a number into its last group of digits, as a value, and what precedes it;
// « 1er » has the value 1.
func counted(number string) (left string, n int, ok bool) {
	number = strings.TrimSuffix(number, "er")
	i := len(number)
	for i > 0 && number[i-1] >= '0' && number[i-1] <= '9' {
		i--
	}
	n, err := strconv.Atoi(number[i:])
	return number[:i], n, err == nil
}

var (
	firstNumber   = pattern(`^(?:1 ?(?:er|re|ère)|l ?er|i ?er|premier|première|unique|1)$`)
	letterNumber  = pattern(`^([lrda]) ?[.]? ?[*]? ?(\d.*)$`)
	suffixNumber  = pattern(`^(.*\d) ?(` + SuffixWords + `)$`)
	articleWord   = pattern(`^ *(?:articles?|arts?\b\.?|art\.?)[.:]? *`)
	newWord       = pattern(` *\( *(?:nouveaux?|nouvelles?)[^)]*\) *$`)
	aroundDash    = pattern(` *~ *`)
	digitsOrdinal = pattern(`^(\d+) ?(?:e|è|ème|eme)$`)
	blanks        = lazyre.New(`[\s\x{00a0}\x{2007}\x{202f}]+`)
)

// ArticleNumber writes the number of an article in a uniform way: « ARTICLE PREMIER » and
// « 1 er » become « 1er », « L1224-1 » becomes « L. 1224-1 », « 26BIS » becomes « 26 bis »,
// « 6 - 2 (nouveau) » becomes « 6-2 ». Words that are no number are only trimmed. To
// compare numbers, use ArticleKey.
func ArticleNumber(printed string) string {
	if OnlyDigits(printed) { // as most are
		if printed == "1" {
			return "1er"
		}
		return printed
	}
	n := articleWord.ReplaceAllString(visible(printed), "")
	n = newWord.ReplaceAllString(n, "")
	n = strings.Trim(blanks.ReplaceAllString(n, " "), " .:;,-–—")
	if firstNumber.MatchString(n) {
		if strings.EqualFold(n, "unique") {
			return "unique"
		}
		return "1er"
	}
	n = aroundDash.ReplaceAllString(n, "-")
	if m := digitsOrdinal.FindStringSubmatch(n); m != nil {
		n = m[1]
	}
	suffix := ""
	if m := suffixNumber.FindStringSubmatch(n); m != nil {
		n, suffix = m[1], " "+strings.ToLower(m[2])
	}
	if m := letterNumber.FindStringSubmatch(n); m != nil {
		n = strings.ToUpper(m[1]) + ". " + m[2]
	}
	return n + suffix
}

// OnlyDigits reports whether text is decimal digits and nothing else.
func OnlyDigits(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return text != ""
}

// visible returns text without invisible characters.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if Invisible(r) {
			return -1
		}
		return r
	}, text)
}

// TextNumber writes the official number of a text in a uniform way, without blanks, with
// plain hyphens and in capitals: « 2000-190/pres/pm » becomes « 2000-190/PRES/PM ».
func TextNumber(printed string) string {
	n := strings.Map(func(r rune) rune {
		if Dash(r) || r == '_' {
			return '-'
		}
		return r
	}, blanks.ReplaceAllString(visible(printed), ""))
	return strings.ToUpper(strings.Trim(n, ".,;:-/°º"))
}

// onlyNumber matches the number of a text, with or without a word for its kind:
// « 2000-192 », « décret n° 2000-192/PRES ».
var onlyNumber = pattern(`^ *(?:` + kinds + ` +)?(n ?(?:°|º|o\b|\*)? ?s? ?\.?)? *` + textNumber + ` *$`)

// NumberAlone reads words that contain nothing but the number of a text: « 2000-192 »,
// « décret n° 2000-192/PRES ». kind is the type that they name, "" if they name none. A
// single group of digits counts only after « n° », because without it the digits may be a
// year.
func NumberAlone(words string) (number string, kind DocType, ok bool) {
	m := onlyNumber.FindStringSubmatch(words)
	if len(m) == 0 || !strings.ContainsAny(m[3], "0123456789") || m[2] == "" && !strings.ContainsAny(m[3], "-‐‑–—/") {
		return "", "", false
	}
	return TextNumber(m[3]), kindOf(m[1]), true
}
