package segment

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/gazette/heads"
	"vigueur/internal/law"
)

// heading is a line that names a division of a text: « TITRE II », « Chapitre premier : Du champ
// d’application ».
type heading struct {
	level int    // 0 for the whole code, 1 for a part, down to 10 for a bare number
	label string // « TITRE II »
	title string // what follows the label on the same line
}

const ordinals = `(?i:premi[eè]re?|deuxi[eè]me|seconde?|troisi[eè]me|quatri[eè]me|cinqui[eè]me|sixi[eè]me|septi[eè]me|huiti[eè]me|neuvi[eè]me|dixi[eè]me|derni[eè]re?|unique|pr[ée]liminaire|(?:un|deux|trois|quatre|cinq|six|sept|huit|neuf|dix)\b)`

var (
	partFirst = law.Pattern(`^(` + ordinals + ` +(?i:partie|livre|titre|section))\b *(.*)$`)
	division  = law.Pattern(`^((PARTIE|Partie|LIVRE|Livre|SOUS ?~ ?TITRE|Sous ?~ ?titre|TITRE|Titre|SOUS ?~ ?CHAPITRE|Sous ?~ ?chapitre|CHAPITRE|Chapitre|SOUS ?~ ?SECTION|Sous ?~ ?[Ss]ection|SECTION|Section|SOUS ?~ ?PARAGRAPHE|Sous ?~ ?paragraphe|PARAGRAPHE|Paragraphe|§)` +
		` *(?:n ?[°º] ?)?(?:` + ordinals + `|(?:` + heads.Roman + `|\d{1,3})(?: ?(?:er|ER|re|RE|ème|ÈME|EME|e)\b)?|[A-H]\b|[lI](?:er|ER)\b)(?:(?: |~)?` + heads.Suffixes + `\b)?)([ .:)]|~|$)`)
	wholeCode = law.Pattern(`^(?:CODE|Code) +(?:DE +L'|DE +LA|DU|DES|DE|D'|de +l'|de +la|du|des|de|d')(?: |\p{L}).*$`)
	divider   = law.Pattern(`^(?: |[.:)]|~)+`)
	levels    = map[string]int{"partie": 1, "livre": 2, "titre": 3, "sous-titre": 4, "chapitre": 5, "sous-chapitre": 6,
		"section": 6, "sous-section": 7, "paragraphe": 8, "§": 8, "sous-paragraphe": 9}
)

// headingOf reads a line as a heading. A line that continues in lower case right after the number (« Titre II du
// présent code ») is no heading.
func headingOf(text string) (heading, bool) {
	text = strings.TrimSpace(text)
	if !mayDivide(text) {
		return heading{}, false
	}
	if m := partFirst.FindStringSubmatch(text); m != nil && heads.StartsBig(text) {
		words := strings.Fields(law.Fold(m[1]))
		return completeHeading(heading{level: levels[words[len(words)-1]], label: m[1]}, m[2])
	}
	m := division.FindStringSubmatchIndex(text)
	if m == nil {
		return heading{}, false
	}
	kind := strings.ReplaceAll(law.Fold(text[m[4]:m[5]]), " ", "")
	return completeHeading(heading{level: levels[kind], label: text[m[2]:m[3]]}, text[m[6]:])
}

// dividing holds the first letters, without accents, of the words with which the heading of a division may
// begin.
var dividing = setOf("par liv tit sou cha sec pre deu tro qua cin six sep hui neu dix der uni un")

// mayDivide reports whether a text begins like the heading of a division. It is cheap, and spares most lines
// the regular expressions, which cost more than everything else.
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

// dividingLetters is the number of letters that dividing holds of each word.
const dividingLetters = 3

// completeHeading completes a heading with the rest of its line. It returns false if the line is no heading.
func completeHeading(h heading, rest string) (heading, bool) {
	h.title = divider.ReplaceAllString(rest, "")
	separated := strings.TrimLeft(rest, " \u00a0\u202f") != h.title
	ok := h.title == "" || separated || heads.StartsBig(h.title)
	return h, ok && len(h.title) < 400
}

// startsCapital is like heads.StartsBig, but does not accept a digit.
func startsCapital(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return heads.StartsBig(text) && !unicode.IsDigit(r)
}

// name returns the heading as a path shows it.
func (h heading) name() string {
	if h.title == "" {
		return h.label
	}
	return h.label + " — " + h.title
}

// readHeading reads the heading that begins at lines[0], with the lines of its title, and returns the number
// of lines. If loose is set, a bare « II » in the middle of the column is a heading too, as in texts without
// articles.
func readHeading(lines []line, loose bool) (h heading, n int, ok bool) {
	first := lines[0]
	if h, ok = first.heading(); !ok {
		if loose {
			if h, n = numberHeading(lines); n > 0 {
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

var romanHead = law.Pattern(`^(` + heads.Roman + `|[A-H]) *(?:$|[.~):]+ *(\p{Lu}.*)$)`)

// numberHeading reads « II » over a title, or « II — Des livres » set apart. It returns the number of lines, 0 if
// lines[0] is no such heading.
func numberHeading(lines []line) (heading, int) {
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
		if len(lines) < 2 || !lines[1].mid || !heads.StartsBig(lines[1].text) {
			return heading{}, 0
		}
		h.title, n = lines[1].text, 2
		for n < len(lines) && n < 4 && lines[n].mid && lines[n].Size == lines[1].Size && !heads.StartsBig(lines[n].text) {
			n++
		}
		h.title = joined(lines[1:n])
	}
	return h, n
}

// mostTitle is the maximum number of lines that may be the title before the next head.
const mostTitle = 4

// titleUpToHead returns the number of lines before the next head, if these lines can only be the title of a heading or,
// if whole is not set, the rest of a title: they are few, contain no sentence, and the last one is centered.
func titleUpToHead(lines []line, whole bool) int {
	for n := 0; n < len(lines) && n <= mostTitle; n++ {
		if lines[n].heads() {
			if n == 0 || !lines[n-1].mid || whole != heads.StartsBig(lines[0].text) {
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

// carriesOn reports whether next continues a title in capitals.
func carriesOn(prev, next line) bool {
	return capitals(prev.text) && capitals(next.text) && next.Bold == prev.Bold && next.mid == prev.mid && next.Gap < prev.scale/2 && !ended(prev.text) && !next.heads()
}

// loneTitle reports whether lines[0] can only be the title of the bare heading before it, because an article
// or a heading comes right after it.
func loneTitle(lines []line) bool {
	if len(lines) < 2 || !heads.StartsBig(lines[0].text) || ended(lines[0].text) || lines[0].heads() {
		return false
	}
	return lines[1].heads()
}

// heads reports whether a line is the head of an article or a division.
func (l line) heads() bool { return l.mended.Number != "" || l.division != "" || isHead(l.text) }

// heading reads the line as a heading: as mendHeads repaired it, else as headingOf reads it.
func (l line) heading() (heading, bool) {
	if l.division != "" {
		return heading{level: levels[l.division], label: l.text}, true
	}
	return headingOf(l.text)
}

// isHead reports whether a line reads as the head of an article or a division.
func isHead(text string) bool {
	if _, _, ok := heads.Read(text, ""); ok {
		return true
	}
	_, ok := headingOf(text)
	return ok
}

// titleGoesOn reports whether next is another line of heading h, after the lines read.
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
