package line

import (
	"slices"
	"strings"
	"unicode/utf8"

	"vigueur/internal/gazette/heads"
	"vigueur/internal/law"
	"vigueur/internal/law/read"
)

// Heading is a line that names a division of a text: « TITRE II », « Chapitre premier : Du champ
// d’application ».
type Heading struct {
	Level int    // 0 for the whole code, 1 for a part, down to 10 for a bare number
	Label string // « TITRE II »
	Title string // what follows the label on the same line
}

const ordinals = `(?i:premi[eè]re?|deuxi[eè]me|seconde?|troisi[eè]me|quatri[eè]me|cinqui[eè]me|sixi[eè]me|septi[eè]me|huiti[eè]me|neuvi[eè]me|dixi[eè]me|derni[eè]re?|unique|pr[ée]liminaire|(?:un|deux|trois|quatre|cinq|six|sept|huit|neuf|dix)\b)`

var (
	partFirst = law.Pattern(`^(` + ordinals + ` +(?i:partie|livre|titre|section))\b *(.*)$`)
	division  = law.Pattern(`^((PARTIE|Partie|LIVRE|Livre|SOUS ?~ ?TITRE|Sous ?~ ?titre|TITRE|Titre|SOUS ?~ ?CHAPITRE|Sous ?~ ?chapitre|CHAPITRE|Chapitre|SOUS ?~ ?SECTION|Sous ?~ ?[Ss]ection|SECTION|Section|SOUS ?~ ?PARAGRAPHE|Sous ?~ ?paragraphe|PARAGRAPHE|Paragraphe|§)` +
		` *(?:n ?° ?)?(?:` + ordinals + `|(?:` + heads.Roman + `|\d{1,3})(?: ?(?:er|ER|re|RE|ème|ÈME|EME|e)\b)?|[A-H]\b|[lI](?:er|ER)\b)(?:(?: |~)?` + heads.Suffixes + `\b)?)([ .:)]|~|$)`)
	// WholeCode matches the name of a code, alone on its line.
	WholeCode = law.Pattern(`^(?:CODE|Code) +(?:DE +L'|DE +LA|DU|DES|DE|D'|de +l'|de +la|du|des|de|d')(?: |\p{L}).*$`)
	divider   = law.Pattern(`^(?: |[.:)]|~)+`)
	levels    = map[string]int{"partie": 1, "livre": 2, "titre": 3, "sous-titre": 4, "chapitre": 5, "sous-chapitre": 6,
		"section": 6, "sous-section": 7, "paragraphe": 8, "§": 8, "sous-paragraphe": 9}
)

// HeadingOf reads a line as a heading. A line that continues in lower case right after the number (« Titre II du
// présent code ») is no heading.
func HeadingOf(text string) (Heading, bool) {
	text = strings.TrimSpace(text)
	if !mayDivide(text) {
		return Heading{}, false
	}
	if m := partFirst.FindStringSubmatch(text); m != nil && heads.StartsBig(text) {
		words := strings.Fields(law.Fold(m[1]))
		return completeHeading(Heading{Level: levels[words[len(words)-1]], Label: m[1]}, m[2])
	}
	m := division.FindStringSubmatchIndex(text)
	if m == nil {
		return Heading{}, false
	}
	kind := strings.ReplaceAll(law.Fold(text[m[4]:m[5]]), " ", "")
	return completeHeading(Heading{Level: levels[kind], Label: text[m[2]:m[3]]}, text[m[6]:])
}

// dividing holds the first letters, without accents, of the words with which the heading of a division may
// begin.
var dividing = WordSet("par liv tit sou cha sec pre deu tro qua cin six sep hui neu dix der uni un")

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
func completeHeading(h Heading, rest string) (Heading, bool) {
	h.Title = divider.ReplaceAllString(rest, "")
	separated := strings.TrimLeft(rest, " \u00a0\u202f") != h.Title
	ok := h.Title == "" || separated || heads.StartsBig(h.Title)
	return h, ok && len(h.Title) < 400
}

// Name returns the heading as a path shows it.
func (h Heading) Name() string {
	if h.Title == "" {
		return h.Label
	}
	return h.Label + " — " + h.Title
}

// ReadHeading reads the heading that begins at lines[0], with the lines of its title, and returns the number
// of lines. If loose is set, a bare « II » in the middle of the column is a heading too, as in texts without
// articles.
func ReadHeading(lines []Line, loose bool) (h Heading, n int, ok bool) {
	first := lines[0]
	if h, ok = first.Heading(); !ok {
		if loose {
			if h, n = numberHeading(lines); n > 0 {
				return h, n, true
			}
		}
		if !first.Centered && !first.Bold || !AllCaps(first.Text) || !WholeCode.MatchString(first.Text) {
			return h, 0, false
		}
		h = Heading{Label: first.Text}
	}
	n = 1
	for n < len(lines) && n < 8 && (titleGoesOn(lines[:n], lines[n], h) || n == 1 && h.Title == "" && loneTitle(lines[1:])) {
		n++
	}
	n += titleUpToHead(lines[n:], h.Title == "" && n == 1)
	title := lines[1:n]
	if h.Title != "" {
		offset := len(first.Text) - len(h.Title)
		title = append([]Line{first.From(offset)}, title...)
	}
	h.Title = strings.TrimSpace(Join(title))
	return h, n, true
}

var romanHead = law.Pattern(`^(` + heads.Roman + `|[A-H]) *(?:$|[.~):]+ *(\p{Lu}.*)$)`)

// numberHeading reads « II » over a title, or « II — Des livres » set apart. It returns the number of lines, 0 if
// lines[0] is no such heading.
func numberHeading(lines []Line) (Heading, int) {
	m := romanHead.FindStringSubmatch(lines[0].Text)
	if m == nil || !lines[0].Centered && !lines[0].Bold || Ends(strings.TrimRight(lines[0].Text, " :")) && m[2] != "" {
		return Heading{}, 0
	}
	h, n := Heading{Level: 10, Label: m[1], Title: m[2]}, 1
	for m[2] != "" && n < len(lines) && n < 4 && carriesOn(lines[n-1], lines[n]) {
		h.Title += " " + lines[n].Text
		n++
	}
	if m[2] == "" {
		if len(lines) < 2 || !lines[1].Centered || !heads.StartsBig(lines[1].Text) {
			return Heading{}, 0
		}
		h.Title, n = lines[1].Text, 2
		for n < len(lines) && n < 4 && lines[n].Centered && lines[n].Size == lines[1].Size && !heads.StartsBig(lines[n].Text) {
			n++
		}
		h.Title = Join(lines[1:n])
	}
	return h, n
}

// mostTitle is the maximum number of lines that may be the title before the next head.
const mostTitle = 4

// titleUpToHead returns the number of lines before the next head, if these lines can only be the title of a heading or,
// if whole is not set, the rest of a title: they are few, contain no sentence, and the last one is centered.
func titleUpToHead(lines []Line, whole bool) int {
	for n := 0; n < len(lines) && n <= mostTitle; n++ {
		if lines[n].IsHead() {
			if n == 0 || !lines[n-1].Centered || whole != heads.StartsBig(lines[0].Text) {
				return 0
			}
			return n
		}
		if Ends(lines[n].Text) || lines[n].Spaced || AnnexHead.MatchString(lines[n].Text) {
			return 0
		}
	}
	return 0
}

// carriesOn reports whether next continues a title in capitals.
func carriesOn(prev, next Line) bool {
	return AllCaps(prev.Text) && AllCaps(next.Text) && next.Bold == prev.Bold && next.Centered == prev.Centered && next.Gap < prev.Scale/2 && !Ends(prev.Text) && !next.IsHead()
}

// loneTitle reports whether lines[0] can only be the title of the bare heading before it, because an article
// or a heading comes right after it.
func loneTitle(lines []Line) bool {
	if len(lines) < 2 || !heads.StartsBig(lines[0].Text) || Ends(lines[0].Text) || lines[0].IsHead() {
		return false
	}
	return lines[1].IsHead()
}

// IsHead reports whether a line is the head of an article or a division.
func (l Line) IsHead() bool { return l.Repaired.Number != "" || l.Division != "" || IsHead(l.Text) }

// Heading reads the line as a heading: as mendHeads repaired it, else as HeadingOf reads it.
func (l Line) Heading() (Heading, bool) {
	if l.Division != "" {
		return Heading{Level: levels[l.Division], Label: l.Text}, true
	}
	return HeadingOf(l.Text)
}

// IsHead reports whether a line reads as the head of an article or a division.
func IsHead(text string) bool {
	if _, _, ok := heads.Read(text, ""); ok {
		return true
	}
	_, ok := HeadingOf(text)
	return ok
}

// titleGoesOn reports whether next is another line of heading h, after the lines read.
func titleGoesOn(read []Line, next Line, h Heading) bool {
	prev := read[len(read)-1]
	if next.IsHead() || AnnexHead.MatchString(next.Text) {
		return false
	}
	if len(read) == 1 && h.Title == "" && h.Level > 0 { // a bare « TITRE II »: its title follows
		return (next.Centered || next.Bold || AllCaps(next.Text) || !next.Spaced && IsShort(next) && !Ends(next.Text))
	}
	switch {
	case Ends(prev.Text) && !strings.HasSuffix(prev.Text, ":"):
		return false
	case StartsLower(next.Text):
		return next.Centered == prev.Centered && next.Bold == prev.Bold || !next.Opens
	case next.Gap > prev.Scale && next.Column == prev.Column:
		return false
	}
	return next.Centered && prev.Centered && next.Bold == prev.Bold && AllCaps(next.Text) == AllCaps(prev.Text) ||
		next.Bold && prev.Bold && !next.Opens || AllCaps(next.Text) && AllCaps(prev.Text) && next.Bold == prev.Bold
}

// SlipsInDivision is the maximum number of misread letters in the word of a division.
const SlipsInDivision = 1

// AnnexHead matches the head of an annex, with its number and its title.
var AnnexHead = law.Pattern(`^(?:ANNEXES?|Annexes?)(?: *(?:n ?° ?|N ?° ?)?(` + heads.Roman + `|\d{1,2}|[A-H])\b)? *((?:[.:]|~)* *)((?:\p{Lu}|«).*)?$`)

// Article reads the line as the head of an article: as mendHeads repaired it, else as heads.Read reads it.
func (l Line) Article(last string) (number string, end int, ok bool) {
	if l.Repaired.Number != "" {
		return l.Repaired.Number, l.Repaired.End, true
	}
	return heads.Read(l.Text, last)
}

// AwaitedHeads reports for each line whether it begins with the head of an article whose new wording was announced
// by number. After « les articles 2, 6 et 9 de la loi … sont remplacés par les dispositions suivantes : » the
// next article 6 belongs to the other text, even if the quotation marks around it are missing. Each number is
// awaited once, and any article whose number is not awaited ends the announcement.
func AwaitedHeads(lines []Line) []bool {
	out := make([]bool, len(lines))
	var numbers []string // still awaited, as law.ArticleKey writes them
	for i, l := range lines {
		if len(numbers) > 0 && MayHead(Before(lines, i), l) {
			if number, ok := headNumber(l); ok {
				pos := slices.Index(numbers, law.ArticleKey(number))
				out[i] = pos >= 0
				numbers = numbers[pos+1:]
				if pos < 0 {
					numbers = nil
				}
			}
		}
		if Announces(lines[:i+1]) {
			numbers = numbersNamed(Join(lastSentence(lines[:i+1])))
		}
	}
	return out
}

// headNumber returns the number of the article whose head begins a line. An opening quotation mark may
// precede the head.
func headNumber(l Line) (string, bool) {
	if number, _, ok := l.Article(""); ok {
		return number, true
	}
	if h, ok := ReadQuotedHead(l.Text); ok && (h.Opened || h.IsNew) {
		return h.Number, true
	}
	return "", false
}

// numbersNamed returns the numbers of the articles that a sentence names, in order, as law.ArticleKey writes
// them.
func numbersNamed(sentence string) []string {
	var out []string
	for _, r := range read.Printed(sentence) {
		for _, n := range r.Articles {
			if key := law.ArticleKey(n); !slices.Contains(out, key) {
				out = append(out, key)
			}
		}
	}
	return out
}

// Announces reports whether the last one of the given lines announces a wording for another text.
func Announces(lines []Line) bool {
	text := lines[len(lines)-1].Text
	return strings.HasSuffix(text, ":") && Rewords.MatchString(text) && Changing.MatchString(Join(lastSentence(lines)))
}

// sentenceLines is the maximum number of lines that lastSentence returns: a sentence may list many articles that it
// changes.
const sentenceLines = 12

// lastSentence returns the last lines, from the one that follows the last full stop at a line's end, but at most
// sentenceLines.
func lastSentence(lines []Line) []Line {
	for n := 1; n < len(lines) && n < sentenceLines; n++ {
		if strings.HasSuffix(lines[len(lines)-1-n].Text, ".") {
			return lines[len(lines)-n:]
		}
	}
	return lines[max(0, len(lines)-sentenceLines):]
}

var (
	// Rewords matches « … est remplacé par les dispositions suivantes : ». Articles of another text may follow.
	Rewords = law.Pattern(`(?i)(?:suivante?s?|suit|rédigée?s?|libellée?s?|conçue?s?) *:$`)
	// Changing matches the stems of verbs that change a text.
	Changing = law.Pattern(`(?i)\b(?:abrog|remplac|modifi|amendé|reformul|complét|ajout|insér|substitu)`)
)
