package segment

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/law"
)

// heading is a line that names a division of a text: « TITRE II », « Chapitre
// premier : Du champ d’application ».
type heading struct {
	level int    // 0 for the whole code, 1 for a part, down to 8 for a paragraph
	label string // « TITRE II »
	title string // what stands after it on the same line
}

const ordinals = `(?i:premi[eè]re?|deuxi[eè]me|seconde?|troisi[eè]me|quatri[eè]me|cinqui[eè]me|sixi[eè]me|septi[eè]me|huiti[eè]me|neuvi[eè]me|dixi[eè]me|derni[eè]re?|unique|pr[ée]liminaire|(?:un|deux|trois|quatre|cinq|six|sept|huit|neuf|dix)\b)`

var (
	partFirst = law.Pattern(`^(` + ordinals + ` +(?i:partie|livre|titre|section))\b *(.*)$`)
	division  = law.Pattern(`^((PARTIE|Partie|LIVRE|Livre|SOUS ?~ ?TITRE|Sous ?~ ?titre|TITRE|Titre|SOUS ?~ ?CHAPITRE|Sous ?~ ?chapitre|CHAPITRE|Chapitre|SOUS ?~ ?SECTION|Sous ?~ ?[Ss]ection|SECTION|Section|SOUS ?~ ?PARAGRAPHE|Sous ?~ ?paragraphe|PARAGRAPHE|Paragraphe|§)` +
		` *(?:n ?[°º] ?)?(?:` + ordinals + `|(?:` + roman + `|\d{1,3})(?: ?(?:er|ER|re|RE|ème|ÈME|EME|e)\b)?|[A-H]\b|[lI](?:er|ER)\b)(?:(?: |~)?` + suffixes + `\b)?)([ .:)]|~|$)`)
	wholeCode = law.Pattern(`^(?:CODE|Code) +(?:DE +L'|DE +LA|DU|DES|DE|D'|de +l'|de +la|du|des|de|d')(?: |\p{L}).*$`)
	divider   = law.Pattern(`^(?: |[.:)]|~)+`)
	levels    = map[string]int{"partie": 1, "livre": 2, "titre": 3, "sous-titre": 4, "chapitre": 5, "sous-chapitre": 6,
		"section": 6, "sous-section": 7, "paragraphe": 8, "§": 8, "sous-paragraphe": 9}
)

// headingOf reads a line as a heading. A line that goes on in small letters
// right after the number (« Titre II du présent code ») is none.
func headingOf(text string) (heading, bool) {
	text = strings.TrimSpace(text)
	if !mayDivide(text) {
		return heading{}, false
	}
	if m := partFirst.FindStringSubmatch(text); m != nil && startsBig(text) {
		words := strings.Fields(law.Fold(m[1]))
		return after(heading{level: levels[words[len(words)-1]], label: m[1]}, m[2])
	}
	m := division.FindStringSubmatchIndex(text)
	if m == nil {
		return heading{}, false
	}
	kind := strings.ReplaceAll(law.Fold(text[m[4]:m[5]]), " ", "")
	return after(heading{level: levels[kind], label: text[m[2]:m[3]]}, text[m[6]:])
}

// dividing are the first letters, without accents, of the words that the heading of a
// division may begin with.
var dividing = setOf("par liv tit sou cha sec pre deu tro qua cin six sep hui neu dix der uni un")

// mayDivide reports whether a text begins like one of the words that the heading of a
// division begins with: most lines do not, and to match them costs more than all else.
func mayDivide(text string) bool {
	r, n := utf8.DecodeRuneInString(text)
	if r == '§' {
		return true
	}
	if !strings.ContainsRune("PLSTCDQHNU", r) {
		return false
	}
	for k := 1; k < dividingLetters; k++ {
		_, more := utf8.DecodeRuneInString(text[n:])
		n += more
	}
	return dividing[strings.TrimSpace(law.Fold(text[:n]))]
}

// dividingLetters is how many letters of a word dividing holds.
const dividingLetters = 3

// after completes a heading with what follows its number on the line.
func after(h heading, rest string) (heading, bool) {
	h.title = divider.ReplaceAllString(rest, "")
	separated := strings.TrimLeft(rest, " \u00a0\u202f") != h.title
	ok := h.title == "" || separated || startsBig(h.title)
	return h, ok && len(h.title) < 400
}

// startsBig tells of a text that begins with a capital, a figure or a quote.
func startsBig(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsUpper(r) || unicode.IsDigit(r) || strings.ContainsRune("«“\"(", r)
}

// startsCapital tells of a text that begins with a capital letter or a quote.
func startsCapital(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return startsBig(text) && !unicode.IsDigit(r)
}

// name is the heading as a path shows it.
func (h heading) name() string {
	if h.title == "" {
		return h.label
	}
	return h.label + " — " + h.title
}

// readHeading reads a heading that begins at lines[0] with the lines of its
// title, and tells how many lines it takes. Loose takes a bare « II » in the
// middle of the column for one too, as texts without articles have it.
func readHeading(lines []line, loose bool) (h heading, n int, ok bool) {
	first := lines[0]
	if h, ok = first.heading(); !ok {
		if loose {
			if h, n = numbered(lines); n > 0 {
				return h, n, true
			}
		}
		if !first.mid && !first.Bold || !capitals(first.text) || !wholeCode.MatchString(first.text) {
			return h, 0, false
		}
		h = heading{label: first.text}
	}
	n = 1
	for n < len(lines) && n < 8 && (titleGoesOn(lines[:n], lines[n], h) || n == 1 && h.title == "" && loneTitle(lines[1:])) {
		n++
	}
	n += titleUpToHead(lines[n:], h.title == "" && n == 1)
	title := lines[1:n]
	if h.title != "" {
		off := len(first.text) - len(h.title)
		title = append([]line{first.after(off)}, title...)
	}
	h.title = strings.TrimSpace(joined(title))
	return h, n, true
}

var romanHead = law.Pattern(`^(` + roman + `|[A-H]) *(?:$|[.~):]+ *(\p{Lu}.*)$)`)

// numbered reads « II » over a title, or « II — Des livres » set apart.
func numbered(lines []line) (heading, int) {
	m := romanHead.FindStringSubmatch(lines[0].text)
	if m == nil || !lines[0].mid && !lines[0].Bold || ended(strings.TrimRight(lines[0].text, " :")) && m[2] != "" {
		return heading{}, 0
	}
	h, n := heading{level: 10, label: m[1], title: m[2]}, 1
	for m[2] != "" && n < len(lines) && n < 4 && carriesOn(lines[n-1], lines[n]) {
		h.title += " " + lines[n].text
		n++
	}
	if m[2] == "" {
		if len(lines) < 2 || !lines[1].mid || !startsBig(lines[1].text) {
			return heading{}, 0
		}
		h.title, n = lines[1].text, 2
		for n < len(lines) && n < 4 && lines[n].mid && lines[n].Size == lines[1].Size && !startsBig(lines[n].text) {
			n++
		}
		h.title = joined(lines[1:n])
	}
	return h, n
}

// mostTitle is how many lines of a title are looked for up to the next head.
const mostTitle = 4

// titleUpToHead tells how many lines up to the next head can only be a heading's
// title or the rest of it: few, no sentence, the last of them in the middle.
func titleUpToHead(lines []line, whole bool) int {
	for n := 0; n < len(lines) && n <= mostTitle; n++ {
		if lines[n].heads() {
			if n == 0 || !lines[n-1].mid || whole != startsBig(lines[0].text) {
				return 0
			}
			return n
		}
		if ended(lines[n].text) || lines[n].wide || annexHead.MatchString(lines[n].text) {
			return 0
		}
	}
	return 0
}

// carriesOn reports whether next is the second line of a title in capitals.
func carriesOn(prev, next line) bool {
	return capitals(prev.text) && capitals(next.text) && next.Bold == prev.Bold && next.mid == prev.mid && next.Gap < prev.scale/2 && !ended(prev.text) && !next.heads()
}

// loneTitle reports whether the first of lines can only be the title of the bare
// heading before it, because an article or a heading comes next.
func loneTitle(lines []line) bool {
	if len(lines) < 2 || !startsBig(lines[0].text) || ended(lines[0].text) || lines[0].heads() {
		return false
	}
	return lines[1].heads()
}

// heads reports whether a line is the head of an article or a division.
func (l line) heads() bool { return l.number != "" || l.division != "" || isHead(l.text) }

// heading reads a line as a heading, as headingOf does, or as mendHeads has.
func (l line) heading() (heading, bool) {
	if l.division != "" {
		return heading{level: levels[l.division], label: l.text}, true
	}
	return headingOf(l.text)
}

// isHead reports whether a line reads as the head of an article or a division.
func isHead(text string) bool {
	if _, _, ok := articleOf(text, ""); ok {
		return true
	}
	_, ok := headingOf(text)
	return ok
}

// titleGoesOn reports whether next still belongs to the heading that read holds.
func titleGoesOn(read []line, next line, h heading) bool {
	prev := read[len(read)-1]
	if next.heads() || annexHead.MatchString(next.text) {
		return false
	}
	if len(read) == 1 && h.title == "" && h.level > 0 { // a bare « TITRE II »: its title follows
		return (next.mid || next.Bold || capitals(next.text) || !next.wide && short(next) && !ended(next.text))
	}
	switch {
	case ended(prev.text) && !strings.HasSuffix(prev.text, ":"):
		return false
	case beginsSmall(next.text):
		return next.mid == prev.mid && next.Bold == prev.Bold || !next.opens
	case next.Gap > prev.scale && next.Column == prev.Column:
		return false
	}
	return next.mid && prev.mid && next.Bold == prev.Bold && capitals(next.text) == capitals(prev.text) ||
		next.Bold && prev.Bold && !next.opens || capitals(next.text) && capitals(prev.text) && next.Bold == prev.Bold
}
