package layout

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Quality is what a page's words look like, as shares between 0 and 1. French
// law has about 0.45 stop words, 0.45 vowels and 0.04 accents.
type Quality struct {
	Words   int     // how many
	Letters float64 // letters among the characters
	Stop    float64 // French stop words among the words
	Accents float64 // accented letters among the letters
	Lower   float64 // small letters among the letters
	Vowels  float64 // vowels among the letters
	Signs   float64 // characters that no text is made of, such as a symbol font's codes
	Odd     float64 // words that French has not among the small words in small letters
	Alone   float64 // characters that are a word each, of those that are neither figures nor leaders
	Marks   float64 // characters that are neither letters, figures nor leaders
}

const vowels = "aeiouyàâäéèêëîïôöùûüœæAEIOUYÀÂÄÉÈÊËÎÏÔÖÙÛÜŒÆ"

// stopWords are the words that make up nearly half of any French legal text.
var stopWords = set("le la les de du des d l un une et ou à a au aux en dans par pour sur est sont qui que qu il elle ne pas se ce ces cette son sa ses leur leurs avec sans sous être avoir aussi ainsi art article articles loi code")

// Judge measures the words of a page.
func Judge(words []Word) Quality { return judge(words, true) }

// judge leaves Odd out where it is not asked for: it costs more than all else.
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
			said += count(!leader(r))
			if !unicode.IsLetter(r) {
				n.signs += count(sign(r))
				continue
			}
			n.letters++
			n.accents += count(r > 0x7f)
			n.lower += count(unicode.IsLower(r))
			n.vowels += count(strings.ContainsRune(vowels, r))
		}
		n.said += said
		n.alone += count(said == 1 && utf8.RuneCountInString(words[i].Text) == 1)
		for w := range strings.FieldsFuncSeq(strings.ToLower(words[i].Text), notLetter) {
			n.pieces++
			n.stops += count(stopWords[w])
		}
	}
	return Quality{Words: len(words), Letters: share(n.letters, n.chars), Stop: share(n.stops, n.pieces),
		Accents: share(n.accents, n.letters), Lower: share(n.lower, n.letters), Vowels: share(n.vowels, n.letters), Signs: share(n.signs, n.chars), Odd: share(n.odd, n.small), Alone: share(n.alone, n.said), Marks: share(n.said-n.letters, n.chars)}
}

// sign tells a character that stands for none of the alphabet: readers of PDF
// text give the codes of the private zone as bullets.
func sign(r rune) bool {
	return r == '•' || r == unicode.ReplacementChar || r >= 0xE000 && r <= 0xF8FF || unicode.IsControl(r)
}

// leader tells a figure or a sign that may stand alone in any number: those of tables, and
// what leads to a summary's page numbers.
func leader(r rune) bool {
	return r >= '0' && r <= '9' || r == '%' || r == '.' || r == '-' || r == '_' || r == '…' || r == '•' || r == '·' || unicode.Is(unicode.Pd, r)
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) }

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

func share(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// Worth is what a page's text layer is good for.
type Worth uint8

// The worths.
const (
	Good    Worth = iota
	Poor          // usable, but recognition would give better text
	Useless       // nothing a person would read: recognize the page
)

// Thresholds of Layer, from 31 official files of nine countries.
const (
	scanCover  = 0.5   // of the page: then its image is a scan of it
	fewWords   = 20    // a stamp, a heading: no layer of a scan
	manyWords  = 50    // enough to judge the language by
	noFrench   = 0.05  // stop words
	noVowels   = 0.3   // glyph codes in place of letters have 0.15
	littleText = 0.1   // stop words in the recognition of another program
	noAccents  = 0.005 // a layer that lost them
	mostBroken = 0.5   // of its letters: then hardly a sentence is whole
	mostAlone  = 0.5   // of its characters are words of one: then there are none. Pages have 0.1 at most
	mostMarks  = 0.5   // of its characters are marks: a font's codes that are signs' own
	misread    = 0.03  // odd small words: other programs' worst pages have 0.04, typed ones 0.01
)

// Layer judges the text layer of a page. A page without words and without
// anything painted is Good: it is empty. Text that is whole but not French (a
// bilingual gazette, a table of figures) is Good where no scan lies under it.
func (p Page) Layer() Worth {
	if p.Fault != "" {
		return Good // it cannot be painted either
	}
	scan := p.Cover >= scanCover
	if len(p.Words) == 0 {
		if p.Drawn {
			return Useless
		}
		return Good
	}
	q := judge(p.Words, scan) // only what lies over a scan is read word by word
	set := facesOf(p.Words)
	broken := set.brokenShare()
	switch {
	case broken > mostBroken, q.Words >= fewWords && (q.Alone > mostAlone || q.Marks > mostMarks):
		return Useless
	case scan && q.Words < fewWords, scan && q.Stop < littleText:
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

// Better returns the one of a page's two readings that looks more like French, and
// the recognized one when they are even: that is why it was asked for. A layer
// that nobody could read is never given; then the page stays without words and
// says why.
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

// frenchness is higher the more words look like French: small words that are
// right count, those that are wrong count against it, and so do missing accents.
func frenchness(words []Word) float64 {
	q := Judge(words)
	return q.Stop - q.Odd + 2*min(q.Accents, 0.02)
}
