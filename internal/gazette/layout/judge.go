package layout

import (
	"cmp"
	"slices"
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

func share(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
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
	case broken > mostBroken, q.Words >= fewWords && (q.Alone > mostAlone || q.Marks > mostMarks):
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
// a scan, and all of them are upright.
func (p Page) Rereadable() bool {
	if p.Source != OCR && !p.Scan() || p.Fault != "" {
		return false
	}
	return !slices.ContainsFunc(p.Words, func(w Word) bool { return w.Turn != Upright })
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
