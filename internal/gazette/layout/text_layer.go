package layout

import (
	"cmp"
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Quality describes the words of a page, as shares between 0 and 1. French law has about 0.45 stop words,
// 0.45 vowels and 0.04 accents.
type Quality struct {
	Words   int     // number of words
	Letters float64 // letters among the characters
	Stop    float64 // French stop words among the words
	Accents float64 // accented letters among the letters
	Lower   float64 // lower-case letters among the letters
	Vowels  float64 // vowels among the letters
	Signs   float64 // characters that occur in no text, such as the codes of a symbol font
	Odd     float64 // words that are not French among the small lower-case words
	Alone   float64 // characters that are a word of their own, among those that are neither digits nor leaders
	Marks   float64 // characters that are neither letters, digits nor leaders
}

const vowels = "aeiouyàâäéèêëîïôöùûüœæAEIOUYÀÂÄÉÈÊËÎÏÔÖÙÛÜŒÆ"

// stopWords are frequent French words, which make up nearly half of any French legal text.
var stopWords = wordSet("le la les de du des d l un une et ou à a au aux en dans par pour sur est sont qui que qu il elle ne pas se ce ces cette son sa ses leur leurs avec sans sous être avoir aussi ainsi art article articles loi code")

// Judge measures the words of a page.
func Judge(words []Word) Quality { return judge(words, true) }

// judge only measures Odd if odd is set, because this takes longer than everything else.
func judge(words []Word, odd bool) Quality {
	var n struct{ chars, letters, accents, lower, vowels, pieces, stops, signs, small, odd, said, alone int }
	for i := range words {
		if odd {
			small, wrong := smallWords(words[i].Text)
			n.small, n.odd = n.small+small, n.odd+wrong
		}
		said := 0
		for _, r := range words[i].Text {
			n.chars++
			said += oneIf(!leader(r))
			if !unicode.IsLetter(r) {
				n.signs += oneIf(noTextSign(r))
				continue
			}
			n.letters++
			n.accents += oneIf(r > 0x7f)
			n.lower += oneIf(unicode.IsLower(r))
			n.vowels += oneIf(strings.ContainsRune(vowels, r))
		}
		n.said += said
		n.alone += oneIf(said == 1 && utf8.RuneCountInString(words[i].Text) == 1)
		for w := range strings.FieldsFuncSeq(strings.ToLower(words[i].Text), notLetter) {
			n.pieces++
			n.stops += oneIf(stopWords[w])
		}
	}
	return Quality{Words: len(words), Letters: share(n.letters, n.chars), Stop: share(n.stops, n.pieces),
		Accents: share(n.accents, n.letters), Lower: share(n.lower, n.letters), Vowels: share(n.vowels, n.letters), Signs: share(n.signs, n.chars), Odd: share(n.odd, n.small), Alone: share(n.alone, n.said), Marks: share(n.said-n.letters, n.chars)}
}

// noTextSign reports whether r is not a character of a text. Readers of PDF text return the codes of the private
// use area as bullets.
func noTextSign(r rune) bool {
	return r == '•' || r == unicode.ReplacementChar || r >= 0xE000 && r <= 0xF8FF || unicode.IsControl(r)
}

// leader reports whether r is a digit or a sign that is often printed alone: in tables, or before the page numbers of a
// summary.
func leader(r rune) bool {
	return r >= '0' && r <= '9' || r == '%' || r == '.' || r == '-' || r == '_' || r == '…' || r == '•' || r == '·' || unicode.Is(unicode.Pd, r)
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) }

func oneIf(b bool) int {
	if b {
		return 1
	}
	return 0
}

func share(n, index int) float64 {
	if index == 0 {
		return 0
	}
	return float64(n) / float64(index)
}

// Worth is how usable the text layer of a page is.
type Worth uint8

// The values of Worth.
const (
	Good    Worth = iota
	Poor          // usable, but recognition would give better text
	Useless       // illegible: recognize the page
)

// The thresholds of Layer, from 31 official files of nine countries.
const (
	scanCover  = 0.5   // an image that covers this share of the page is a scan of it
	fewWords   = 20    // fewer words over a scan are a stamp or a heading, and not the text of the scanned page
	fewLines   = 0.1   // nor are words whose lines take less of its height: running heads and feet, however long
	manyWords  = 50    // with so many words, their language can be judged
	noFrench   = 0.05  // with a lower share of stop words, a text is not French
	noVowels   = 0.3   // with a lower share of vowels, letters are glyph codes, of which 0.15 look like vowels
	littleText = 0.1   // with a lower share of stop words, the text layer of a scan is useless
	noAccents  = 0.005 // with a lower share of accented letters, recognition lost the accents
	mostBroken = 0.5   // with more of the letters in broken fonts, hardly any sentence is complete
	mostAlone  = 0.5   // with more characters that are separate words, words are lost; legible pages have at most 0.1
	mostMarks  = 0.5   // with more marks among the characters, the codes of a font are signs
	misread    = 0.03  // with more odd small words, a page was misread: the worst pages have 0.04, typed ones 0.01
)

// Layer rates the text layer of a page. A page without words and without anything painted is empty, and Good.
// Intelligible text that is not French (a bilingual gazette, a table of numbers) is Good unless it lies over
// a scan.
func (p Page) Layer() Worth {
	if p.Fault != "" {
		return Good // a page that cannot be read cannot be painted for recognition either
	}
	scan := p.Scan()
	if len(p.Words) == 0 {
		if p.Drawn {
			return Useless
		}
		return Good
	}
	q := judge(p.Words, scan) // reading word by word takes long, and is only needed over a scan
	set := facesOf(p.Words)
	broken := set.brokenShare()
	switch {
	case broken > mostBroken, Sideways(p.Words), q.Words >= fewWords && (q.Alone > mostAlone || q.Marks > mostMarks):
		return Useless
	case scan && q.Words < fewWords, scan && q.Stop < littleText, scan && p.linesShare() < fewLines:
		return Useless
	case q.Words >= fewWords && (q.Signs > 0.5 || q.Stop < noFrench && q.Vowels < noVowels && q.Letters > 0.5):
		return Useless
	case broken > 0:
		return Poor
	case scan && q.Words >= manyWords && (q.Odd > misread || q.Accents < noAccents && q.Lower > 0.5):
		return Poor
	}
	return Good
}

// Scan reports whether the largest image of the page is a scan of it.
func (p Page) Scan() bool { return p.Cover >= scanCover }

// Rereadable reports whether parts of the page can be recognized again: its words were recognized, or are printed over
// a scan, and most of them are upright.
func (p Page) Rereadable() bool {
	return (p.Source == OCR || p.Scan()) && p.Fault == "" && MainTurn(p.Words) == Upright
}

// linesShare returns the share of the page's height that its lines take, 1 if its height is unknown.
func (p Page) linesShare() float64 {
	if p.Height <= 0 {
		return 1
	}
	spans := make([][2]float64, 0, len(p.Words))
	for _, w := range p.Words {
		spans = append(spans, [2]float64{max(w.Rect[1], 0), min(w.Rect[3], p.Height)})
	}
	slices.SortFunc(spans, func(a, b [2]float64) int { return cmp.Compare(a[0], b[0]) })
	taken, end := 0.0, 0.0
	for _, s := range spans {
		taken, end = taken+max(0, s[1]-max(s[0], end)), max(end, s[1])
	}
	return taken / p.Height
}

// Better compares the text layer of a page with seen, the same page read by recognition. It returns the one that looks
// more like French, and seen if they are equal, because recognition is only used to improve a layer. It never returns
// a layer that is Useless: if recognition failed too, the page has no words, and its Fault says why.
func Better(layer, seen Page) Page {
	worth := layer.Layer()
	if len(layer.Words) == 0 || worth == Useless {
		return seen
	}
	if seen.Fault == "" && len(seen.Words) > 0 && illegible(layer.Words) {
		return seen
	}
	if seen.Fault != "" || frenchness(seen.Words) < frenchness(layer.Words) {
		layer.Fault = ""
		return layer
	}
	return seen
}

// frenchness returns a number that is higher the more the words look like French. Stop words and accents raise it;
// small words that are not French lower it.
func frenchness(words []Word) float64 {
	q := Judge(words)
	return q.Stop - q.Odd + 2*min(q.Accents, 0.02)
}

// Some fonts are embedded without the table that maps their glyphs to letters. Their words then consist of
// other letters: all shifted by the same offset, or numbered in any order. Such words are recognized by their
// pairs of letters, which occur neither in French nor in English nor in names.

// The symbols whose pairs are counted: the edge of a word, the letters without their accents, and signs that
// occur in no word.
const (
	wordEdge = 0
	oddSign  = 27
	symbols  = 28
)

// learnedFile holds the log-likelihood ratio of each pair of symbols, in hundredths: legible words against
// words in broken fonts. scripts/train letters learned it from generated pages.
//
//go:embed letters.tsv
var learnedFile string

// learned is the parsed learnedFile.
var learned = func() (l struct {
	pairs   [symbols][symbols]int16
	against int     // words whose log-likelihood ratio is below -against are in a broken font
	sayable float64 // unless their share of vowels is at least this
}) {
	a := 0
	for line := range strings.Lines(learnedFile) {
		fields := strings.Fields(line)
		var err error
		switch fields[0] {
		case "#":
			continue
		case "against":
			l.against, err = strconv.Atoi(fields[1])
		case "sayable":
			l.sayable, err = strconv.ParseFloat(fields[1], 64)
		default:
			for b, field := range fields {
				var n int64
				n, err = strconv.ParseInt(field, 10, 16)
				l.pairs[a][b] = int16(n)
			}
			a++
		}
		if err != nil {
			panic("layout: letters.tsv: " + line) // the file is embedded, so every test would fail
		}
	}
	return l
}()

// latinSymbols are the symbols of the characters with which French and neighboring languages are written.
var latinSymbols = func() (s [0x180]uint8) {
	for r := range s {
		switch c := rune(r); {
		case c >= 'a' && c <= 'z':
			s[r] = uint8(c-'a') + 1
		case c >= 'A' && c <= 'Z':
			s[r] = uint8(c-'A') + 1
		case c <= ' ' || c == 0xA0 || c >= '0' && c <= '9' || strings.ContainsRune(usualMarks, c):
			s[r] = wordEdge
		default:
			s[r] = oddSign
		}
	}
	for i, accented := range []string{"àâäáãåÀÂÄÁÃÅæÆ", "çÇ", "éèêëÉÈÊË", "îïíìÎÏÍÌ", "ñÑ", "ôöóòõÔÖÓÒÕœŒ", "ùûüúÙÛÜÚ", "ÿýŸÝ"} {
		for _, c := range accented {
			s[c] = "aceinouy"[i] - 'a' + 1
		}
	}
	return s
}()

// usualMarks occur beside and within the words of any print.
const usualMarks = `.,;:!?'"()-/%&«»°º§·*+=`

// symbolOf returns the symbol that a character counts as.
func symbolOf(r rune) int {
	switch {
	case int(r) < len(latinSymbols):
		return int(latinSymbols[r])
	case r == unicode.ReplacementChar || private(r):
		return oddSign
	}
	return wordEdge
}

// private reports whether r is in the private use area, whose codes every font defines for itself.
func private(r rune) bool { return r >= 0xE000 && r <= 0xF8FF }

// foreign reports whether r is a letter, but not a Latin letter of a European language.
func foreign(r rune) bool { return int(r) >= len(latinSymbols) && unicode.IsLetter(r) }

// legible measures how legible some words are: the sum of the weights of their pairs, the number of pairs and of the
// vowels in them, and the length of the words.
type legible struct{ weight, pairs, vowels, bytes int }

// Enough is how many pairs of a face are measured. A third of this number suffices to classify generated faces
// without an error. A page has thousands of pairs.
const Enough = 500

func (l *legible) measureWord(text string) {
	if l.bytes += len(text); l.pairs >= Enough {
		return
	}
	PairsOf(text, func(a, b int) {
		l.weight += int(learned.pairs[a][b])
		l.pairs++
		l.vowels += oneIf(vowelSymbols[b])
	})
}

// broken reports whether the words are illegible. Words of another language have unusual pairs of letters too, but as
// many vowels as people can say.
func (l legible) broken() bool {
	return l.weight < -100*learned.against && share(l.vowels, l.pairs) < learned.sayable
}

var vowelSymbols = func() (is [symbols]bool) {
	for _, c := range "aeiouy" {
		is[c-'a'+1] = true
	}
	return is
}()

// Symbols is the number of different symbols in the pairs of PairsOf.
const Symbols = symbols

// initials is the maximum number of letters of an abbreviation in capitals, in which each letter stands for a word
// (« SGG », « MINFI ») so that its pairs mean nothing.
const initials = 5

// PairsOf calls yield for each pair of symbols of a word, all below Symbols. Marks divide the word, and the
// edges of its parts are symbols too. It skips single letters (« S O M M A I R E »), abbreviations, and words
// with letters of another script, whose pairs mean nothing.
func PairsOf(text string, yield func(a, b int)) {
	if strings.ContainsFunc(text, foreign) {
		return
	}
	start, letters, small := 0, 0, false
	for i, r := range text {
		if symbolOf(r) != wordEdge {
			letters++
			small = small || !unicode.IsUpper(r)
			continue
		}
		if letters > initials || letters > 1 && small {
			pairsIn(text[start:i], yield)
		}
		start, letters, small = i+utf8.RuneLen(r), 0, false
	}
	if letters > initials || letters > 1 && small {
		pairsIn(text[start:], yield)
	}
}

// pairsIn calls yield for the pairs between two edges.
func pairsIn(text string, yield func(a, b int)) {
	last := wordEdge
	for _, r := range text {
		s := symbolOf(r)
		yield(last, s)
		last = s
	}
	yield(last, wordEdge)
}

// otherScripts are the scripts that may occur in a gazette in French: Latin, the other language of a
// bilingual gazette, and the letters of formulas.
var otherScripts = []*unicode.RangeTable{unicode.Latin, unicode.Arabic, unicode.Tifinagh, unicode.Greek, unicode.Common, unicode.Inherited}

// The thresholds of Garbled. In 31 official files of nine countries not a single word has such letters.
const (
	garbledWords = 5
	garbledShare = 0.01
)

// Garbled reports whether the words of a page's text layer contain letters that no gazette in French has, or
// are in a broken font whose text recognition has not replaced. Then the font's codes were damaged, and only a part
// of the words are as printed.
func (p Page) Garbled() bool {
	if p.Source != Layer {
		return false
	}
	n, all := 0, 0
	var set faces
	for w := range p.words() {
		set.measureWord(w)
		all++
		for _, r := range w.Text {
			if r == unicode.ReplacementChar || unicode.IsLetter(r) && !unicode.In(r, otherScripts...) {
				n++
				break
			}
		}
	}
	return n >= garbledWords && share(n, all) >= garbledShare || set.brokenShare() > 0
}

// longWord is the least number of letters whose word is wider than a line is high, however narrow the letters are.
const longWord = 5

// Sideways reports whether most of the long words are higher than wide, and so run in another direction than their turn says.
func Sideways(words []Word) bool {
	long, high := 0, 0
	for i := range words {
		w := &words[i]
		if w.Turn >= Askew || utf8.RuneCountInString(w.Text) < longWord {
			continue
		}
		r := Unturn(tidy(w.Rect), w.Turn, 0, 0)
		long++
		high += oneIf(r[3]-r[1] > r[2]-r[0])
	}
	return 2*high > long
}

// French never puts a preposition or a second determiner behind these determiners, so pairs of such words show that words are
// not in their order. Among 1,550 pages of real gazettes only two that print lines twice have one such pair in 20; the words of
// 98 of 100 of the same pages do when they are shuffled.
var (
	determiners = wordSet("le la les des du au aux cette ces son sa ses leurs")
	noNouns     = wordSet("le la les des du au aux à dans par pour sur en avec sans sous")
)

// The thresholds of Disordered.
const (
	oddPairs  = 3
	oddOrders = 0.05
)

// Disordered reports whether the words of an arranged page are in no order in which they can be read.
func (p Page) Disordered() bool {
	odd, all := 0, 0
	var words []Word
	for _, l := range p.Lines {
		words = append(words, l.Words...)
		for i := 1; i < len(l.Words); i++ {
			if determiners[strings.ToLower(l.Words[i-1].Text)] {
				all++
				odd += oneIf(noNouns[strings.ToLower(l.Words[i].Text)])
			}
		}
	}
	return odd >= oddPairs && share(odd, all) > oddOrders || Sideways(words)
}
