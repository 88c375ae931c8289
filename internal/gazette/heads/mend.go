package heads

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/law"
)

// Mend reads the misread heads of articles among the lines of a file: « Artic1e 8 », « Aficle 11 : », « Art icle 9 »,
// and clear heads with a misread number. It returns a misread head if the clear heads around it leave a gap for exactly
// its number. The package comment describes the steps after Mend.
func Mend(lines []Line) []Head {
	var out []Head
	var all []counted
	for i, l := range lines {
		if !l.Apart {
			continue
		}
		if c, ok := countedOn(l); ok {
			c.Line = i
			all = append(all, c)
		}
	}
	for k := 0; k < len(all); {
		if all[k].trusted(all, k) {
			k++
			continue
		}
		found, n := mendRun(all, k)
		out, k = append(out, found...), k+n
	}
	return out
}

// Resembles reports whether a line is, or resembles, the head of an article.
func Resembles(l Line) bool {
	_, ok := countedOn(l)
	return ok
}

// counted is a line that is, or resembles, the head of an article with a plain number.
type counted struct {
	Head
	n     int  // its number, 0 if it is illegible
	clear bool // it reads as a head, with a number
	scan  bool // on a scan, with a plain number, which may be misread
}

// countedOn reads a line as a head with a plain number, or as a line that resembles such a head.
func countedOn(l Line) (c counted, ok bool) {
	if number, end, ok := Read(l.Text, ""); ok {
		n, ok := LeadingNumber(number)
		if value, figures := roman(number); figures && !l.Scan { // on a scan « II » may be 11
			n, ok = value, true
		}
		otherText := MarksNew(l.Text, end) // it heads a wording for another text
		return counted{Head{Number: number, End: end}, n, ok, l.Scan && law.OnlyDigits(number) && !otherText}, true
	}
	if l.Taken {
		return c, false
	}
	h, ok := readSlipped(l.Text)
	if !ok || !l.Opens && h.Number == "" && !numberless.MatchString(l.Text) {
		return c, false
	}
	n, _ := LeadingNumber(h.Number)
	return counted{Head: h, n: n, scan: l.Scan}, true
}

// specks matches what recognition reads from dirt before the first word of a line.
var specks = law.Pattern(`^[^\p{L}\d«"(]{1,3} *`)

// WithoutSpecks returns a line's text without what recognition read from dirt before its first word.
func WithoutSpecks(text string) string { return text[len(specks.FindString(text)):] }

// trusted reports whether a head needs no repair: it was read well, and its number follows the number before or is not
// contradicted by the heads around it.
func (c counted) trusted(all []counted, k int) bool {
	if !c.clear {
		return false
	}
	if !c.scan || k == 0 || k+1 == len(all) {
		return true // misprints are kept
	}
	prev, next := all[k-1].n, all[k+1].n
	return c.n == prev+1 || next != prev+2 || !all[k-1].clear || !all[k+1].clear
}

// mendRun gives numbers to the heads of a run, from the doubtful head k up to the next clear head, where the numbers
// fit. It returns the repaired heads, and the number of heads in the run.
func mendRun(all []counted, k int) (out []Head, n int) {
	last := 0
	if k > 0 {
		last = all[k-1].n
	}
	own := ownCount(all[:k])
	start, end := k, k+1
	for end < len(all) && !all[end].clear {
		end++
	}
	fits := end < len(all) && leavesOut(last, all[end].n, end-k)
	for ; k < end; k++ {
		c := &all[k]
		switch {
		case fits || c.n == last+1 || confirmedLater(all[k:end], last):
			c.n = last + 1
		case c.n > 1 && c.n == own+1 && c.scan && !comesAgain(all[end:], c.n): // after a wording for another text
		case c.n == 1 && !c.clear: // the first article of another text
		case c.clear:
			last = c.n
			continue
		default:
			c.n = last // not an article: the next head is compared with the same number
			continue
		}
		last = c.n
		out = append(out, Head{Line: c.Line, Number: writeNumber(last), End: c.End})
	}
	return out, end - start
}

// leavesOut reports whether the gap between two numbers has exactly the given number of articles.
func leavesOut(last, next, articles int) bool {
	g, ok := Between(last, next)
	return ok && articles < gapReach && g.len() == articles
}

// ownCount returns the number of the last article that belongs to the text itself. It skips articles of wordings for
// other texts, which interrupt the numbering.
func ownCount(all []counted) int {
	n := 0
	for _, c := range all {
		if c.n == n+1 {
			n++
		}
	}
	return n
}

// comesAgain reports whether one of the heads is clear and has the given number.
func comesAgain(all []counted, number int) bool {
	return slices.ContainsFunc(all, func(c counted) bool { return c.clear && c.n == number })
}

// confirmedLater reports whether a later head of the run has the number that it must have if the first head is article
// last+1.
func confirmedLater(run []counted, last int) bool {
	for i, c := range run[1:] {
		if c.n == last+i+2 {
			return true
		}
	}
	return false
}

// Misread reads a line that the labels take for the head of an article although Read does not. The number of
// the head is "" if it is illegible.
func Misread(text string) (Head, bool) {
	if cited.MatchString(text) {
		return Head{}, false
	}
	if h, ok := readSlipped(text); ok && h.Number != "" {
		return h, true
	}
	return Head{End: illegibleEnd(text)}, likeWord(firstToken(text))
}

// cited matches an article with the text that it belongs to: « Article 2 du règlement ».
var cited = law.Pattern(`^(?i:art(?:icle|\.)) *\d{1,4}(?: ?(?:er|bis|ter))? +(?:du|de|des) `)

// illegibleEnd returns the byte at which an illegible head ends: after the first sign, if it is near the
// beginning, else 0.
func illegibleEnd(text string) int {
	m := illegible.FindStringIndex(text)
	if m == nil {
		return 0
	}
	return m[1]
}

var illegible = law.Pattern(`^[^.:–—-]{3,14}(?: *(?:[.:]|~))+ *`)

// numberless matches « Article : », a head whose number the printer forgot.
var numberless = law.Pattern(`^(?:ARTICLE|Article) ?: *`)

// slippedShort matches « Art. 16 - » with one misread letter in the word: « Aït. 16 - », « Arl. 16. — ».
var slippedShort = law.Pattern(`^[^\p{L}\d«"“(]{0,2}A(?:[^\s\d.,]t|r[^\s\d.,])[.,] ?(\d{1,4}) *(?:(?:[.:]|~|_) *)+`)

// readSlipped reads a line that begins with something like « Article 12 ». The number of the head is "" if it is
// illegible.
func readSlipped(text string) (Head, bool) {
	if m := numberless.FindStringIndex(text); len(m) == 2 && StartsBig(text[m[1]:]) {
		return Head{End: m[1]}, true
	}
	if m := slippedShort.FindStringSubmatchIndex(text); m != nil {
		if number := numberLike(text[m[2]:m[3]]); number != "" && StartsBig(text[m[1]:]) {
			return Head{Number: number, End: m[1]}, true
		}
	}
	pos, ok := wordAt(text)
	if !ok {
		return Head{}, false
	}
	rest := strings.TrimLeft(text[pos:], " .:;,-–—_")
	if rest == text[pos:] && rest != "" && unicode.IsLower(rune(rest[0])) {
		return Head{}, false
	}
	token, _, _ := strings.Cut(rest, " ")
	token = strings.TrimRight(token, ".:;,-–—)_")
	if token == "" || utf8.RuneCountInString(token) > 8 {
		return Head{}, false
	}
	end := len(text) - len(rest) + len(token)
	right := strings.TrimLeft(text[end:], " .:;,-–—)_°")
	number := numberLike(token)
	if number == "" && (right == text[end:] || right != "" && !StartsBig(right)) {
		return Head{}, false
	}
	return Head{Number: number, End: len(text) - len(right)}, true
}

// numberLike reads an article's number in which letters may stand for digits that they resemble. It returns ""
// if token is no number.
func numberLike(token string) string {
	if firstLike.MatchString(token) {
		return writeNumber(1)
	}
	digits := figures(token)
	if n, err := strconv.Atoi(digits); err == nil && n > 0 && law.OnlyDigits(digits) {
		return writeNumber(n)
	}
	return ""
}

// firstLike matches « 1er » or « premier » as scans show them: « 1"' », « ler », « 1°” ».
var firstLike = law.Pattern(`^(?:[1lIi] ?(?:[eo]r|er|ef|le,|["'”°*]{1,3}|°["'”])|1er|(?i:premi.?r|prem.er|p.emier))$`)

// Gap is a run of numbers that a numbering leaves out. The heads of these articles were misread or lost, or never
// existed.
type Gap struct {
	From, To int // the first and the last missing number, of one part if articles are counted by parts
	// Before and Next are indexes among the articles or heads that were counted. Before is the last one before the gap
	// that belongs to the numbering, -1 if there is none; Next is the first one after the gap.
	Before, Next int
	// Explained is set if the gap need not mean that articles were lost: the text says that they are repealed, or all
	// their numbers came earlier.
	Explained bool

	part byParts // for a code that counts by parts, the number after the gap; else zero
}

// gapReach is the maximum difference between the numbers around a gap that a misread head may fill: if they differ more, the
// second one was misread or belongs to another text.
const gapReach = 100

// Between returns the gap between two plain numbers. ok is false if there is none.
func Between(last, next int) (g Gap, ok bool) {
	g = Gap{From: last + 1, To: next - 1}
	return g, g.len() > 0
}

// len returns the number of missing numbers.
func (g Gap) len() int { return g.To - g.From + 1 }

// Plain reports whether the missing numbers have no letter.
func (g Gap) Plain() bool { return g.part.letter == 0 }

// String returns the missing numbers as they are printed: « 16 », « 12–33 », « L. 1-3–L. 1-5 ».
func (g Gap) String() string {
	switch {
	case g.Plain():
		return Run(g.From, g.To)
	case g.From == g.To:
		return g.part.at(g.From).String()
	}
	return g.part.at(g.From).String() + "–" + g.part.at(g.To).String()
}

// Run writes a run of plain numbers: « 12–33 ».
func Run(start, end int) string {
	if start == end {
		return fmt.Sprint(start)
	}
	return fmt.Sprintf("%d–%d", start, end)
}

// numbered is an article or a head in a numbering.
type numbered struct {
	number  string // "" for headings and signatures
	repeals bool   // it says that the articles after it are repealed
}

// Gaps returns the gaps in the numbering of a text's articles that nothing explains. There is no gap where the
// numbering starts again.
func Gaps(articles []law.Article) []Gap {
	count := make([]numbered, len(articles))
	for i, a := range articles {
		count[i] = numbered{a.Number, saysRepealed(lastAlinea(a.Text)) || i > 0 && a.Number == "" && saysRepealed(a.Text+" "+a.Heading)}
	}
	return slices.DeleteFunc(gapsIn(count), func(g Gap) bool { return g.Explained })
}

func gapsIn(count []numbered) []Gap {
	var out []Gap
	last, pos, repealed := 0, -1, false
	parts, partsAt, mostByParts := byParts{}, -1, countsByParts(count)
	for i, c := range count {
		told := i > 0 && count[i-1].repeals
		if n, ok := partsOf(c.number); ok && mostByParts {
			if g, ok := n.gapAfter(parts); ok {
				g.Before, g.Next, g.Explained = partsAt, i, repealed || told
				out = append(out, g)
			}
			parts, partsAt, repealed = n, i, false
			continue
		}
		n, ok := LeadingNumber(c.number)
		if !ok || Lettered(c.number) {
			repealed = repealed || i > 0 && c.number == "" && c.repeals
			continue
		}
		if g, ok := Between(last, n); ok { // however long: what follows was misread, or another text's
			g.Before, g.Next, g.Explained = pos, i, repealed || told || containAll(count[:i], g)
			out = append(out, g)
		}
		last, pos, repealed = n, i, false
	}
	return out
}

// gapAfter returns the gap between last and n if both are in the same part. Between two parts there is no gap, because
// the last number of a part is unknown.
func (n byParts) gapAfter(last byParts) (g Gap, ok bool) {
	if n.letter != last.letter || (n.item == 0) != (last.item == 0) || n.item > 0 && n.part != last.part {
		return g, false
	}
	if g, ok = Between(last.item, n.item); n.item == 0 {
		g, ok = Between(last.part, n.part)
	}
	g.part = n
	return g, ok
}

// at returns number i of the same part or, in a code without numbers within parts, part i.
func (n byParts) at(i int) byParts {
	if n.item == 0 {
		return byParts{n.letter, i, 0}
	}
	return byParts{n.letter, n.part, i}
}

// containAll reports whether articles have all numbers of a gap. A numbering that went back and then continues where it
// had been has lost none of these numbers.
func containAll(count []numbered, g Gap) bool {
	has := map[int]bool{}
	for _, c := range count {
		if n, ok := LeadingNumber(c.number); ok && !Lettered(c.number) {
			has[n] = true
		}
	}
	for n := g.From; n <= g.To; n++ {
		if !has[n] {
			return false
		}
	}
	return true
}

// countsByParts reports whether most articles are counted by parts. A minority may be articles that the text merely
// quotes.
func countsByParts(count []numbered) bool {
	n, all := 0, 0
	for _, c := range count {
		if c.number != "" {
			all++
		}
		if _, ok := partsOf(c.number); ok {
			n++
		}
	}
	return 2*n > all
}

// saysRepealed reports whether text explains why articles are missing: it mentions a repeal, or has the mark
// « (*) ».
func saysRepealed(text string) bool {
	return strings.Contains(law.Fold(text), "abrog") || strings.Contains(text, "(*)")
}

// lastAlinea returns the last paragraph of an article, where notes about the next articles are printed.
func lastAlinea(text string) string { return text[strings.LastIndexByte(text, '\n')+1:] }

// After returns what remains of a plain gap once a head was found in it. ok is false if the head is not in the
// gap.
func (g Gap) After(h Head) (rest Gap, ok bool) {
	n, counted := LeadingNumber(h.Number)
	if !counted || n < g.From || n > g.To {
		return g, false
	}
	g.From = n + 1
	return g, true
}

// FilledBy reports whether another reading of a text confirms the heads found in a plain gap. before and after are the
// article numbers of the two readings. They must be the same, except for added numbers of the gap, each at most once.
func (g Gap) FilledBy(previous, following []string) bool {
	rest := slices.Clone(following)
	for n := g.From; n <= g.To; n++ {
		if i := slices.Index(rest, writeNumber(n)); i >= 0 {
			rest = slices.Delete(rest, i, i+1)
		}
	}
	return len(following) > len(previous) && slices.Equal(previous, rest)
}
