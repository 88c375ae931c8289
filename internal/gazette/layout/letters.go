package layout

import (
	_ "embed"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

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

// measureWord measures a word.
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
