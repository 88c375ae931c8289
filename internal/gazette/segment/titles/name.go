package titles

import (
	"strings"
	"time"
	"unicode"

	"vigueur/internal/gazette/remarks"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/law"
)

// Name is what a text calls itself in its title or its opening words: « Arrêté du ministre du commerce n°
// 12 du 8 octobre 2025 portant … ».
type Name struct {
	Nature Nature
	author string // « du ministre du commerce »
	Number string
	Date   time.Time // zero if it is not printed there
	dated  string    // the date as printed
	how    law.DateReading
	object string // what follows: « portant … »
	By     bool   // « Par arrêté … »
	plural bool   // a plural that names several texts: « Arrêtés … »
	broken bool   // more digits follow the number after a blank: it is incomplete
}

// ReadName reads the name of a text that the given words begin with. The name ends where the object or the name of
// another text begins: numbers and dates after that belong to the other text.
func ReadName(words string) (n Name, ok bool) {
	rest := strings.TrimLeftFunc(words, func(r rune) bool { return !isLetter(r) })
	if m := ByWord.FindString(rest); m != "" {
		n.By, rest = true, rest[len(m):]
	}
	nature, end, ok := ReadNature(rest)
	if !ok {
		return n, false
	}
	n.plural = strings.HasSuffix(strings.ToLower(rest[:end]), "s") && !strings.HasSuffix(nature.Name, "s")
	n.Nature, rest = nature, rest[end:]
	if q, end := nature.qualify(rest, n.plural); end > 0 {
		n.Nature, rest = q, rest[end:]
	}
	head := rest[:ObjectAt(rest)]
	head = head[:sentenceEnd(head)]
	lag := 0
	if start, last, number := numberIn(head); number != "" && !dateThenWords(head[:start]) {
		n.Number, lag = number, last
		n.broken = brokenNumber.MatchString(head[last:])
		n.author = head[:start]
	}
	if d, ok := FindDate(head[lag:]); ok {
		n.Date, n.dated, n.how = d.Day, head[lag+d.Start:lag+d.End], d.How
		n.broken = n.broken || n.Number != "" && figuresIn.MatchString(head[lag:lag+d.Start])
		if n.author == "" {
			n.author = withoutDay(head[lag : lag+d.Start])
		}
		lag += d.End
	} else if d, ok := FindDate(n.author); ok { // « Décision du 12 mars 2001 (n° 15) »
		n.Date, n.dated, n.how = d.Day, n.author[d.Start:d.End], d.How
		n.author = withoutDay(n.author[:d.Start])
	}
	if lag == 0 {
		if authorOf(head) != "" && len(head) < len(rest) { // « Code du travail » has an object and no author
			n.author, lag = head, len(head)
		}
	}
	if n.Nature.Type == law.Code && n.Number == "" { // « Code pénal du 6 juin 2005 »: « pénal » belongs to the name, and is no author
		n.author = strings.TrimRight(squeeze(n.author), " (")
	} else {
		n.author = authorOf(n.author)
	}
	n.object = strings.TrimLeft(rest[lag:], " )\u00a0\u202f")
	return n, true
}

// sentenceEnd returns the byte at which the first sentence of the given words ends, len(words) if it has no end. A name
// ends with its sentence, and later numbers and dates belong to other things (« Avis n° 68. Les offres doivent parvenir
// avant le 7 septembre »). A full stop is only a speck if the name continues after it or fewer than three words follow.
func sentenceEnd(words string) int {
	for start := 0; ; {
		m := fullStop.FindStringIndex(words[start:])
		if m == nil {
			return len(words)
		}
		if !namesOn.MatchString(words[start+m[1]:]) && threeWords.MatchString(words[start+m[1]:]) {
			return start + m[1]
		}
		start += m[1]
	}
}

// dateThenWords reports whether the given words contain a date with more words after it. A number after those words («
// est agréé … à l'adresse n° 8 ») is not the text's.
func dateThenWords(words string) bool {
	_, _, end, ok := law.FindDate(words)
	return ok && strings.ContainsFunc(words[end:], isLetter)
}

func isLetter(r rune) bool { return unicode.IsLetter(r) }

var (
	// ByWord matches « Par » before the name of an act.
	ByWord = law.Pattern(`^(?i:par) +`)
	// ObjectStart matches how an object begins: with a present participle, or « relatif à ».
	ObjectStart = law.Pattern(`(?i)(?:^|[ ,(])(?:\p{L}+ant|relati(?:f|ve)s?|tendant|concernant|objet *:)(?: |$)`)
	// Participles that begin no object: the first one introduces the date of another calendar, and the others
	// are names of offices or prepositions.
	noObject = law.Pattern(`(?i)^[ ,(]?(?:correspondant|commandant|représentant|intendant|lieutenant|adjudant|suivant|avant|pendant)(?: |$)`)
	// Another text's name: « de la loi », « du décret ».
	otherText = law.Pattern(`(?i)[ '](?:la|le|les|du|de|des|aux?|l') *` + natureNames + `(?: |$)`)
	// The end of a sentence; how a name continues after a speck; the words of another sentence.
	fullStop   = law.Pattern(`(?:^|[\p{Ll}\d)]{2})[.;!?] *(?:~ *)?`)
	namesOn    = law.Pattern(`(?i)^(?:du|de|des|d'|en date|le \d|n ?[°*])`)
	threeWords = law.Pattern(`^\p{L}+(?:[', ]+\p{L}+){2}`)
	// « du » before a date. The date of another calendar may come between « du » and the date.
	dayLead = law.Pattern(`(?i)[ ,]*(?:en date )?(?:du|le) +(?:(?:\d{1,2}|aouel|1 ?er) *(?:er)? +\p{L}[\p{L}‚' ~]* +\d{4} *(?:,? *(?:correspondant|soit)[ \p{L}]*|\()?)? *$`)
)

// ObjectAt returns the byte at which the object or the name of another text begins, len(words) if neither
// does.
func ObjectAt(words string) int {
	pos := len(words)
	for start := 0; start < len(words); {
		m := ObjectStart.FindStringIndex(words[start:])
		if m == nil {
			break
		}
		if !noObject.MatchString(words[start+m[0]:]) {
			pos = start + m[0]
			break
		}
		start += max(m[1]-1, m[0]+1) // the last blank may begin the next match
	}
	if m := otherText.FindStringIndex(words[:pos]); m != nil {
		pos = m[0]
	}
	return pos
}

var (
	// NumberMark matches « n° » and the number after it.
	NumberMark  = law.Pattern(`(?i)(?:^|[^\p{L}])n(?:um[ée]ro|os?|)? ?[°*®ø?'".:]* *` + NumberPattern)
	numberAlone = law.Pattern(`^[ ,]*((?:\d[\dA-Za-z]*)(?: ?[~/] ?[\dA-Za-z]+)+)`)
	numberOfDay = law.Pattern(`^[ ,]*\p{L}.*? (\d[\dA-Za-z]*(?:[~/][\dA-Za-z]+)+) +(?i:du) +\d{1,2}(?: ?er)? +\p{L}+ +\d{4}`)
	numberSigns = law.Pattern(`^ ?([A-Z][A-Z./]*[A-Z.](?:[/~][A-Z.]+)*) +(?:\p{Ll}|(?:DU|EN DATE|LE) )`)
)

// numberIn finds a text's number in its name: after « n° », right after the nature, or after the author and
// right before the date. Initials of authors, set apart from the number, belong to it.
func numberIn(head string) (start, last int, number string) {
	m := NumberMark.FindStringSubmatchIndex(head)
	if m == nil {
		m = numberAlone.FindStringSubmatchIndex(head)
	}
	if m == nil {
		if m = numberOfDay.FindStringSubmatchIndex(head); m != nil {
			m[0] = m[2] // the author comes before it
		}
	}
	if len(m) < 4 || !strings.ContainsAny(head[m[2]:m[3]], "0123456789") {
		return 0, 0, ""
	}
	end := m[3]
	if s := numberSigns.FindStringSubmatchIndex(head[end:] + " x"); len(s) > 3 && s[3] <= len(head)-end {
		if _, _, nature := ReadNature(head[end+s[2] : end+s[3]]); !nature { // « N° 7 / LOI PORTANT … »
			end += s[3]
		}
	}
	if gluedToDay(head, end) {
		end -= len("du")
	}
	return m[0], end, law.TextNumber(doubledDash.ReplaceAllString(head[m[2]:end], "-"))
}

// doubledDash matches a dash that recognition read twice, or a line on which the number was stamped.
var doubledDash = law.Pattern(` ?(?:~|_){2} ?`)

// gluedToDay reports whether the number that ends at byte end includes the « du » of the date after it,
// because recognition lost the blank: « 95-08DU 12 juin 1993 ».
func gluedToDay(head string, end int) bool {
	_, start, _, ok := law.FindDate(head[end:])
	return ok && strings.TrimSpace(head[end:end+start]) == "" && strings.HasSuffix(strings.ToUpper(head[:end]), "DU")
}

// brokenNumber matches what follows a number that recognition has broken up: « 2 01 9/ É 2 ».
var brokenNumber = law.Pattern(`^ ?(?:\d{1,3} ?[/~]|\d{1,2} \d{1,3} ?[/~]|/ )`)

// figuresIn matches digits between a number and the day after it. They belong to neither: recognition broke the number
// up. It does not match a note or a year of another calendar.
var figuresIn = law.Pattern(`^[^\p{L}]*(?:\p{L}[^\p{L}]+)?\d`)

// withoutDay removes, from the end of the given words, those that introduce a date: « du », or the date of another
// calendar.
func withoutDay(words string) string {
	if m := dayLead.FindStringIndex(words); m != nil {
		return words[:m[0]]
	}
	return words
}

// squeeze returns the given words with single blanks between them and without signs at either end.
func squeeze(words string) string {
	return strings.Trim(strings.Join(strings.Fields(words), " "), " ,.:;")
}

// authorOf returns the author of a text, if the words between its nature and its number name one, else "".
func authorOf(words string) string {
	words = squeeze(words)
	if m := authorLead.FindString(words); m == "" {
		return ""
	}
	return words
}

var authorLead = law.Pattern(`(?i)^(?:conjoint +)?(?:du|de la|de l'|des|de|aux?) ?\p{L}`)

// ReadAbove reads the date above a head, in the form used in letters: « Tunis, le 19 août 2021 ».
func (h *Title) ReadAbove(lines []line.Line) {
	for i := len(lines) - 1; i >= 0 && i >= len(lines)-4; i-- {
		if m := letterDate.FindStringSubmatch(lines[i].Text); m != nil {
			h.Date, _, _, _ = law.FindDate(m[1])
			h.Above, h.Dated = m[0], m[1]
			return
		}
	}
}

// BlankNumber matches a title whose number was never filled in: « Décret n° portant … ».
var BlankNumber = law.Pattern(`(?i)(?:^|[^\p{L}])n ?[°*] *(?:[.…_~ ]*(?:du\b|relati|\p{L}+ant\b))`)

// stampReach is how many lines above a title are searched for a stamped number.
const stampReach = 2

// ReadStamp reads the number that was stamped above a title, alone on its line.
func (h *Title) ReadStamp(lines []line.Line) {
	for i := len(lines) - 1; i >= 0 && i >= len(lines)-stampReach; i-- {
		if m := stampedNumber.FindStringSubmatch(lines[i].Text); m != nil {
			h.Number, h.Trust = law.TextNumber(m[1]), remarks.AsInferred
			return
		}
	}
}

var stampedNumber = law.Pattern(`^(?:n ?[°*] *)?(\d{1,4} ?[~/] ?\d{1,5}(?:[~/][A-Z]+)*)$`)

var letterDate = law.Pattern(`^\p{Lu}[\p{L} ~]{1,30}, *le +(` + line.DateText + `)`)

// FindDate finds the first date in words that may name a day in another calendar or with
// misread letters. A Gregorian date that was printed clearly goes before all others.
func FindDate(words string) (law.Dating, bool) {
	if day, start, end, ok := law.FindDate(words); ok {
		return law.Dating{Day: day, Start: start, End: end}, true
	}
	return law.FindDating(words)
}
