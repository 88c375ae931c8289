package amend

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/law"
)

// MaxBytes bounds the length of an act and of an article: no printed act is longer.
const MaxBytes = 16 << 20

// block is an instruction of an act and the quoted paragraphs that follow it.
type block struct {
	Span           // of the instruction in the act
	text    string // the instruction
	quotes  []law.Quotation
	wording []string // the quoted paragraphs, without marks
	quoted  Span     // of the quoted paragraphs in the act
	open    bool     // the closing mark of the wording is missing
	torn    bool     // the wording is open, and what follows may belong to it
	bare    bool     // paragraphs without marks are in the wording
}

// last returns the byte at which a block ends with its wording.
func (b block) last() int { return max(b.End, b.quoted.End) }

// blocks splits an act into instructions. A paragraph that begins with an opening quotation
// mark belongs to the instruction before it; so do the paragraphs after it up to its
// closing mark.
func blocks(text string, lines []Span) []block {
	lines = slices.Clone(lines)
	for i := 0; i < len(lines); i++ {
		if m := insteadBelow.FindStringSubmatchIndex(text[lines[i].Start:lines[i].End]); len(m) > 2 { // « … est modifié ainsi qu'il suit : Au lieu de : »
			lines = slices.Insert(lines, i+1, Span{lines[i].Start + m[2], lines[i].End})
			lines[i].End = lines[i].Start + m[0] + 1
		}
	}
	ends := closings(text, lines)
	var out []block
	for i := 0; i < len(lines); i++ {
		span := lines[i]
		line := text[span.Start:span.End]
		if !opens(line) || len(out) == 0 {
			for i+1 < len(lines) && opens(text[lines[i+1].Start:lines[i+1].End]) && announcesWords(text[span.Start:span.End]) {
				i++ // a line break before words within the instruction
				span.End = lines[i].End
			}
			for i+1 < len(lines) && goesOnBelow(text[span.Start:span.End], text[lines[i+1].Start:lines[i+1].End]) {
				i++
				span.End = lines[i].End
			}
			b := instruction(text, span)
			if last := runsOn(text, &b, lines[i+1:]); last > 0 {
				i += last
			}
			out = append(out, b)
			continue
		}
		b := &out[len(out)-1]
		last := max(ends[i], i)
		if len(b.wording) == 0 {
			b.quoted.Start = span.Start
		}
		for ; i <= last; i++ {
			b.wording = append(b.wording, text[lines[i].Start:lines[i].End])
			b.quoted.End = lines[i].End
		}
		i--
		b.open = ends[i] < 0
	}
	for i := range out {
		out[i].wording = unquote(out[i].wording)
	}
	return out
}

// goesOnBelow reports whether a line break is within an instruction: in a list of numbers, or before « est » or « sont ».
func goesOnBelow(upper, lower string) bool {
	last, _ := utf8.DecodeLastRuneInString(upper)
	return last == ',' && listGoesOn.MatchString(lower) || wordRune(last) && (strings.HasPrefix(lower, "est ") || strings.HasPrefix(lower, "sont "))
}

// listGoesOn matches a line that goes on with a list of the numbers of articles: « 320 et 321 du code ».
var listGoesOn = law.Pattern(`^\d{1,4}(?: ` + suffixes + `\b)?(?:, *\d| +(?:et|à|du|de +la|de +l') )`)

// withoutMark leaves out the quotation mark that begins an article of an act, as where the mark
// of each paragraph of a wording is printed before its instruction too.
func withoutMark(text string, lines []Span) []Span {
	if len(lines) > 1 && opens(text[lines[0].Start:lines[0].End]) && opens(text[lines[1].Start:lines[1].End]) {
		line := text[lines[0].Start:lines[0].End]
		if open, _ := balance(line, false); open > 0 {
			_, size := utf8.DecodeRuneInString(line)
			lines = slices.Clone(lines)
			lines[0].Start = lines[0].End - len(strings.TrimLeftFunc(line[size:], blankOrInvisible))
		}
	}
	return lines
}

// announcesWords reports whether an instruction ends with « les mots : »: what follows in
// quotation marks are words of it, though the print has them on a line of their own.
func announcesWords(instruction string) bool {
	words := strings.FieldsFunc(law.Fold(instruction[max(0, len(instruction)-60):]), func(r rune) bool { return blankOrInvisible(r) || r == ':' })
	n := len(words)
	if n > 0 && strings.HasPrefix(words[n-1], "suivant") {
		n--
	}
	return n > 0 && (&parser{toks: []token{{text: words[n-1], quote: -1}}}).is(0, "<noun>")
}

// runsOn takes the paragraphs after an instruction whose last quotation goes on in them, and
// returns how many: up to the one that closes it, or those that begin with a mark. The
// quotation becomes the wording of the instruction.
func runsOn(text string, b *block, next []Span) (n int) {
	if len(b.quotes) == 0 || !b.quotes[len(b.quotes)-1].Open || len(next) == 0 {
		return 0
	}
	q := b.quotes[len(b.quotes)-1]
	open, _ := balance(b.text[q.Start:], false)
	straight := b.text[q.Start] == '"'
	marked := opens(text[next[0].Start:next[0].End])
	closed := false
	for n < len(next) && !closed {
		line := text[next[n].Start:next[n].End]
		if opens(line) != marked {
			break
		}
		more, ends := balance(line, straight && !marked)
		if marked {
			more, open = more-1, max(open, 1) // the mark only repeats the first one
		}
		open += more
		closed = ends && open <= 0
		n++
	}
	if !closed {
		return 0
	}
	b.wording = append(b.wording, q.Words)
	for _, span := range next[:n] {
		b.wording = append(b.wording, text[span.Start:span.End])
	}
	b.quoted = Span{b.Start + q.Start, next[n-1].End}
	b.text, b.quotes = b.text[:q.Start], b.quotes[:len(b.quotes)-1]
	return n
}

// paragraphs returns the lines of a text that are not empty, without the blanks around them.
func paragraphs(text string) []Span {
	var out []Span
	for start := 0; start < len(text); {
		end := strings.IndexByte(text[start:], '\n')
		if end < 0 {
			end = len(text)
		} else {
			end += start
		}
		line := text[start:end]
		left := len(line) - len(strings.TrimLeftFunc(line, blankOrInvisible))
		right := len(strings.TrimRightFunc(line, blankOrInvisible))
		if left < right {
			out = append(out, Span{start + left, start + right})
		}
		start = end + 1
	}
	return out
}

func blankOrInvisible(r rune) bool { return law.Blank(r) || law.Invisible(r) }

func opens(line string) bool {
	r, _ := utf8.DecodeRuneInString(line)
	return law.Opening(r)
}

// afterWording are the signs that may follow the closing mark of a wording.
const afterWording = " ;.,:\u00a0\u202f"

// balance counts the marks of a paragraph: those that open less those that close, and
// whether a closing mark ends it. Straight marks open and close in turn, the first one as
// straight says.
func balance(line string, straight bool) (open int, ends bool) {
	for _, r := range line {
		switch {
		case r == '"' && straight:
			open, straight = open-1, false
		case r == '"':
			open, straight = open+1, true
		case law.Opening(r):
			open++
		case law.Closing(r):
			open--
		}
	}
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(line, afterWording))
	return open, law.Closing(last)
}

// closings returns, for each paragraph that begins with an opening mark, the index of the
// paragraph whose end closes it: itself, or a later one before the next paragraph that
// begins with a mark. It is -1 if there is none.
func closings(text string, lines []Span) []int {
	out := make([]int, len(lines))
	for i := range out {
		out[i] = -1
	}
	for i := 0; i < len(lines); i++ {
		line := text[lines[i].Start:lines[i].End]
		if !opens(line) {
			continue
		}
		open, ends := balance(line, false)
		if ends && open <= 0 {
			out[i] = i
			continue
		}
		straight := line[0] == '"'
		if i+1 < len(lines) && opens(text[lines[i+1].Start:lines[i+1].End]) {
			continue
		}
		for j := i + 1; j < len(lines); j++ {
			next := text[lines[j].Start:lines[j].End]
			if opens(next) {
				break
			}
			more, ends := balance(next, straight)
			if open += more; ends && open <= 0 {
				out[i], out[j] = j, j
				i = j
				break
			}
		}
		// A search that failed is not repeated: the next paragraph that opens begins a new one.
	}
	return out
}

// instruction reads the quotations within a paragraph of the act.
func instruction(text string, span Span) block {
	return block{Span: span, text: text[span.Start:span.End], quotes: law.Quotations(text[span.Start:span.End])}
}

// unquote removes the marks around a wording: one at the beginning of each paragraph that
// has one, and the closing one of each paragraph that closes more than it opens.
func unquote(wording []string) []string {
	for i, line := range wording {
		if r, size := utf8.DecodeRuneInString(line); law.Opening(r) {
			line = strings.TrimLeftFunc(line[size:], blankOrInvisible)
		}
		trimmed := strings.TrimRight(line, afterWording)
		r, size := utf8.DecodeLastRuneInString(trimmed)
		if open, _ := balance(line, false); law.Closing(r) && (open < 0 || r == '"' && strings.Count(line, `"`)%2 == 1) {
			line = strings.TrimRightFunc(trimmed[:len(trimmed)-size], blankOrInvisible)
		}
		wording[i] = line
	}
	return wording
}

// token is a word, a sign or a quotation of an instruction.
type token struct {
	text       string // folded word or sign; "" for a quotation
	start, end int    // bytes of the instruction
	quote      int    // index of the quotation, -1 for a word
}

// tokens splits an instruction from a byte on into words, signs and quotations. An elided article keeps its
// apostrophe (« l' »), a number its degree sign (« 1° »).
func tokens(text string, start int, quotes []law.Quotation) []token {
	out := make([]token, 0, (len(text)-start)/5) // a French word has about five bytes
	next := 0
	for i := start; i < len(text); {
		if next < len(quotes) && i >= quotes[next].Start {
			out = append(out, token{start: quotes[next].Start, end: quotes[next].End, quote: next})
			i = max(i, quotes[next].End)
			next++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if !wordRune(r) {
			n := len(out) - 1
			switch {
			case law.Blank(r) || law.Invisible(r):
			case sign(r) == "'" && n >= 0 && (out[n].text == "1" || out[n].text == "l" || out[n].text == "i"): // « 1'article », « L 'article »
				out[n].text, out[n].end = "l'", i+size
			default:
				out = append(out, token{text: sign(r), start: i, end: i + size, quote: -1})
			}
			i += size
			continue
		}
		end := wordEnd(text, i)
		if glued := end - len("est"); glued > i+2 && text[glued:end] == "est" && strings.HasPrefix(text[end:], " ainsi ") { // « commerceest ainsi modifié »
			out = append(out, token{text: law.Fold(text[i:glued]), start: i, end: glued, quote: -1})
			i = glued
		}
		t := token{text: law.Fold(text[i:end]), start: i, end: end, quote: -1}
		if plain := misread[t.text]; plain != "" {
			t.text = plain
		}
		if n := len(out); n > 0 && isNumber(out[n-1].text) && len(out[n-1].text) < 3 && ordinalEnding[t.text] { // « 2 ème »
			t.text, t.start = out[n-1].text+t.text, out[n-1].start
			out = out[:n-1]
		}
		out = append(out, t)
		i = end
	}
	return out
}

// misread are articles whose « l » recognition takes for a capital i. No French word is spelled so.
var misread = map[string]string{"i'": "l'", "ie": "le", "ia": "la", "ies": "les"}

var ordinalEnding = map[string]bool{"er": true, "ere": true, "re": true, "eme": true, "ieme": true, "nd": true, "nde": true}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// wordAt reports whether a text begins with a word.
func wordAt(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return wordRune(r)
}

// sign returns a punctuation mark in its plain form.
func sign(r rune) string {
	switch {
	case law.Apostrophe(r):
		return "'"
	case law.Dash(r) || r == '―':
		return "-"
	}
	return string(r)
}

// wordEnd returns the end of the word at i: letters and digits, joined by hyphens, with an
// apostrophe or a degree sign at the end.
func wordEnd(text string, i int) int {
	figures := true
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case wordRune(r):
			figures = figures && unicode.IsDigit(r)
		case law.Apostrophe(r) && !figures:
			return i + size
		case (r == '°' || r == 'º') && figures:
			return i + size
		case law.Hyphen(r) && wordAt(text[i+size:]):
			figures = false
		default:
			return i
		}
		i += size
	}
	return i
}

// words is a text as a sequence of words, for comparison: case, accents and punctuation do
// not count, numbers with hyphens are one word.
type words struct {
	text []string
	at   []Span // bytes of each word
}

// wordsOf splits a text into words.
func wordsOf(text string) words {
	var w words
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if unicode.Is(unicode.Sc, r) || r == '%' { // « 750 € » is not « 750 »
			w.text, w.at = append(w.text, string(r)), append(w.at, Span{i, i + size})
			i += size
			continue
		}
		if !wordRune(r) {
			i += size
			continue
		}
		end, number := i, unicode.IsDigit(r)
		for end < len(text) {
			r, size := utf8.DecodeRuneInString(text[end:])
			right, _ := utf8.DecodeRuneInString(text[end+size:])
			joined := number && law.Hyphen(r) && unicode.IsDigit(right)
			if !wordRune(r) && !joined && !law.Invisible(r) {
				break
			}
			end += size
		}
		w.text, w.at = append(w.text, strings.Trim(law.Fold(text[i:end]), " ")), append(w.at, Span{i, end})
		i = end
	}
	return w
}

// A wording of a whole article may leave out what it does not change: with « (la suite sans modification) » all that
// follows the alineas that it prints, with dots the words between those that it prints of an alinea.

// dots matches the dots for words that a wording leaves out.
var dots = law.Pattern(`[.…]*(?:\.{5}|…{2})[.… ]*`)

// elided parts the lines of a wording from a last line that leaves the rest of the article as it is. known reports
// whether Apply can supply all that the lines leave out.
func elided(lines []string) (out []string, tail, known bool) {
	if n := len(lines); n > 1 && rest.MatchString(lines[n-1]) {
		lines, tail = lines[:n-1], true
	}
	for _, line := range lines {
		if matches := dots.FindAllStringIndex(line, -1); len(matches) == 1 && strings.ContainsFunc(line, wordRune) {
			continue
		}
		if unchanged.MatchString(line) {
			return lines, tail, false
		}
	}
	return lines, tail, true
}

// supply returns the alineas of a wording with what they leave out of the alineas before. ok is false if that is unclear:
// dots must be in one alinea of the article before, and the last line before the rest must be most like one.
func (s *structure) supply(op Operation) (out []string, ok bool) {
	previous := make([]words, len(s.lines))
	for i, l := range s.lines {
		previous[i] = wordsOf(s.text[l.Start:l.End])
	}
	pos, anchored := 0, false
	for _, line := range op.New {
		gap := dots.FindStringIndex(line)
		n := -1
		if gap != nil {
			head, end := wordsOf(line[:gap[0]]).text, wordsOf(line[gap[1]:]).text
			for i := pos; i < len(previous); i++ {
				if w := previous[i].text; len(w) < len(head)+len(end) || !slices.Equal(w[:len(head)], head) || !slices.Equal(w[len(w)-len(end):], end) {
					continue
				}
				if n >= 0 {
					return nil, false
				}
				n = i
			}
			if n < 0 {
				return nil, false
			}
			line = s.text[s.lines[n].Start:s.lines[n].End]
		} else {
			n = mostLike(wordsOf(line).text, previous, pos)
		}
		if anchored = n >= 0; anchored {
			pos = n + 1
		}
		out = append(out, line)
	}
	if !op.Rest {
		return out, true
	}
	for _, l := range s.lines[pos:] {
		out = append(out, s.text[l.Start:l.End])
	}
	return out, anchored
}

// mostLike returns the alinea that shares more words with a line than any other one does, from one of them on; -1 if
// there is none. Of 482 alineas that acts changed in consolidated articles, it finds 426, none for 46, another for 10.
func mostLike(line []string, alineas []words, start int) int {
	best, most, tied := -1, 0, false
	for i := start; i < len(alineas); i++ {
		left := map[string]int{}
		for _, w := range line {
			left[w]++
		}
		shared := 0
		for _, w := range alineas[i].text {
			if left[w] > 0 {
				left[w]--
				shared++
			}
		}
		if tied = tied && shared <= most || shared == most; shared > most {
			best, most, tied = i, shared, false
		}
	}
	if tied || 2*most <= len(line) {
		return -1
	}
	return best
}
