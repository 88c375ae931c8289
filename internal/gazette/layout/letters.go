package layout

import (
	_ "embed"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A font that was embedded without the table that tells which letters its glyphs are gives
// words of other letters: all of them moved by a step, or numbered in any order. What
// tells such words is which letters follow one another: in no order that French, English or
// names have.

// The symbols that pairs are counted of: a word's edge, the letters without their accents,
// and signs that no word holds.
const (
	wordEdge = 0
	oddSign  = 27
	symbols  = 28
)

// learnedFile tells of each pair of symbols, in hundredths of a natural logarithm, how much
// more likely it is in words that can be read than in those of broken fonts.
// Learned by scripts/train letters from made pages.
//
//go:embed letters.tsv
var learnedFile string

// learned is what the file tells.
var learned = func() (l struct {
	pairs   [symbols][symbols]int16
	against int // the evidence from which words are those of a broken font, in natural logarithms
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
		default:
			for b, field := range fields {
				var n int64
				n, err = strconv.ParseInt(field, 10, 16)
				l.pairs[a][b] = int16(n)
			}
			a++
		}
		if err != nil {
			panic("layout: letters.tsv: " + line) // it is embedded: every test reads it
		}
	}
	return l
}()

// latinSymbols are the symbols of the characters that French and its neighbors are written in.
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

// usualMarks stand beside and within the words of any print.
const usualMarks = `.,;:!?'"()-/%&«»°º§·*+=`

// symbolOf is the symbol that a character counts as.
func symbolOf(r rune) int {
	switch {
	case int(r) < len(latinSymbols):
		return int(latinSymbols[r])
	case r == unicode.ReplacementChar || private(r):
		return oddSign
	}
	return wordEdge
}

// private tells of a code that every font means as it likes.
func private(r rune) bool { return r >= 0xE000 && r <= 0xF8FF }

// foreign tells of a letter that is none of the Latin ones of Europe.
func foreign(r rune) bool { return int(r) >= len(latinSymbols) && unicode.IsLetter(r) }

// legible is how well some words can be read: the sum of the weights of their pairs, how
// many these are, and how long the words.
type legible struct{ weight, pairs, bytes int }

// enough is how many pairs of a face are weighed: made faces of a third of it are told
// without an error, and pages have thousands.
const enough = 500

// add counts a word.
func (l *legible) add(text string) {
	if l.bytes += len(text); l.pairs >= enough {
		return
	}
	PairsOf(text, func(a, b int) {
		l.weight += int(learned.pairs[a][b])
		l.pairs++
	})
}

// broken reports whether the words cannot be read.
func (l legible) broken() bool { return l.weight < -100*learned.against }

// Symbols is how many symbols the pairs of PairsOf are made of.
const Symbols = symbols

// initials are the letters that a name in capitals has at most where each stands for a word:
// « SGG », « MINFI ». Which of them follow one another says nothing.
const initials = 5

// PairsOf calls yield for each pair of symbols of a word, below Symbols, with the edges of
// what its marks part it into. Letters that stand alone (« S O M M A I R E ») and initials
// say nothing, and neither do words with letters of another script.
func PairsOf(text string, yield func(a, b int)) {
	if strings.ContainsFunc(text, foreign) {
		return
	}
	from, letters, small := 0, 0, false
	for i, r := range text {
		if symbolOf(r) != wordEdge {
			letters++
			small = small || !unicode.IsUpper(r)
			continue
		}
		if letters > initials || letters > 1 && small {
			pairsIn(text[from:i], yield)
		}
		from, letters, small = i+utf8.RuneLen(r), 0, false
	}
	if letters > initials || letters > 1 && small {
		pairsIn(text[from:], yield)
	}
}

// pairsIn calls yield for the pairs of what stands between two edges.
func pairsIn(text string, yield func(a, b int)) {
	last := wordEdge
	for _, r := range text {
		s := symbolOf(r)
		yield(last, s)
		last = s
	}
	yield(last, wordEdge)
}
