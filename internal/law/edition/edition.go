// Package edition decides whether two texts are editions of the same legal text (a scan
// and its digital version, a law printed in two gazettes), and which edition is better.
//
// Its functions are pure. Two texts are the same only if everything agrees: kind, number,
// date, the words of the titles and the words of the body. If most of this agrees, the
// result is doubtful and a person decides. Laws of two countries that happen to share
// number and date are different, because their words differ.
package edition

import (
	"regexp"
	"strings"
	"unicode"

	"vigueur/internal/law"
)

// Likeness says whether two texts are editions of one text.
type Likeness uint8

// The possible results of Compare.
const (
	Different Likeness = iota
	Doubtful
	Same
)

// The minimum share of the shorter text's words, or pairs of words, that the other text
// must contain. The values lie between the worst scan at hand (0.86 of its title, 0.78 of
// its word pairs) and different laws of one legislature, which rarely share a fifth of
// their word pairs.
const (
	SameTitle, nearTitle = 0.6, 0.4
	sameBody, nearBody   = 0.5, 0.3
)

// Edition is a text as printed in one file.
type Edition struct {
	Type        law.DocType
	Number      string
	Promulgated string // YYYY-MM-DD
	titleWords  map[string]bool
	pairs       map[[2]string]bool
	words       int
	clean       float64
}

// New prepares a text for comparison. body is the text of its articles; recognized is the
// share (0 to 1) of its pages that come from OCR.
func New(d law.Document, body string, recognized float64) Edition {
	e := Edition{Type: d.Type, Number: d.OfficialNumber, Promulgated: d.Promulgated.Format("2006-01-02"),
		titleWords: map[string]bool{}, pairs: map[[2]string]bool{}}
	for _, w := range wordsOf(d.Title) {
		e.titleWords[w] = true
	}
	words := wordsOf(body)
	for i := 1; i < len(words); i++ {
		e.pairs[[2]string{words[i-1], words[i]}] = true
	}
	e.words = len(words)
	e.clean = cleanness(body) - recognizedCost*recognized
	return e
}

func wordsOf(s string) []string {
	return strings.FieldsFunc(law.Fold(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// Compare compares two texts and says whether they are editions of one text.
func Compare(a, b Edition) Likeness {
	if Key(a.Number) == "" || Key(a.Number) != Key(b.Number) || kind(a.Type) != kind(b.Type) {
		return Different
	}
	title, body := contained(a.titleWords, b.titleWords), contained(a.pairs, b.pairs)
	switch {
	case a.Promulgated == b.Promulgated && sameAuthority(a.Number, b.Number) && title >= SameTitle && body >= sameBody:
		return Same
	case title >= nearTitle && body >= nearBody:
		return Doubtful
	}
	return Different
}

// kind returns the type for comparison: a code counts as the law that enacted it.
func kind(t law.DocType) law.DocType {
	if t == law.Code {
		return law.Loi
	}
	return t
}

var numbers = regexp.MustCompile(`\d+`)

// Key returns the digits of an official number: « 2000-190/PRES/PM » and « 2000-190 » have
// the same key, and so have « 028-2008/AN » and « 28-2008 ».
func Key(number string) string {
	found := numbers.FindAllString(number, 2)
	for i := range found {
		found[i] = strings.TrimLeft(found[i], "0")
	}
	return strings.Join(found, "-")
}

// sameAuthority reports whether the letters of two numbers (« PRES/PM ») can mean the same
// authority. A number without letters fits any authority.
func sameAuthority(a, b string) bool {
	a, b = letters(a), letters(b)
	return a == b || a == "" || b == ""
}

func letters(number string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return r
		}
		return -1
	}, law.Fold(number))
}

// contained returns the share of the smaller set's elements that are in the larger set; 0
// if the smaller set is empty.
func contained[K comparable](a, b map[K]bool) float64 {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) == 0 {
		return 0
	}
	common := 0
	for k := range a {
		if b[k] {
			common++
		}
	}
	return float64(common) / float64(len(a))
}

// The rules for the better edition. clean is the result of cleanness, from 0 to about 1.
const (
	recognizedCost = 0.05 // deducted from clean for a recognized text, because OCR also makes mistakes that look like words
	accentsWorth   = 0.05 // deducted from clean for a text layer without any accents
	accentsFull    = 0.02 // minimum share of accented letters without a deduction; French law has twice that share
	muchLonger     = 1.2  // if the ratio of lengths is larger, the shorter edition lacks pages
	asClean        = 0.1  // a longer edition is better even if its clean is lower by this much
	clearly        = 0.01 // smaller differences of clean do not count
)

// Better reports whether a is a better edition than b of the same text. If they are equally
// good, both Better(a, b) and Better(b, a) are false.
func Better(a, b Edition) bool {
	switch long, other := float64(a.words), float64(b.words); {
	case long > muchLonger*other && a.clean > b.clean-asClean:
		return true
	case other > muchLonger*long && b.clean > a.clean-asClean:
		return false
	}
	return a.clean > b.clean+clearly
}

// cleanness returns the share of words that look like words or numbers, less a small amount
// if accents are missing.
func cleanness(s string) float64 {
	words, good, letters, accents := 0, 0, 0, 0
	for w := range strings.FieldsSeq(s) {
		w = strings.Trim(w, ".,;:!?()[]«»“”\"'’–—-/°%")
		if w == "" {
			continue
		}
		words++
		if sound(w) {
			good++
		}
		for _, r := range w {
			if unicode.IsLetter(r) {
				letters++
				if r > unicode.MaxASCII {
					accents++
				}
			}
		}
	}
	if words == 0 {
		return 0
	}
	share := float64(good) / float64(words)
	if letters > 0 {
		share += accentsWorth * min(1, float64(accents)/float64(letters)/accentsFull)
	}
	return share
}

// sound reports whether a token looks like a word or a number: « tÈl.af », « 1!)0 » and
// « Gq,renement » do not.
func sound(w string) bool {
	if strings.IndexFunc(w, unicode.IsLetter) < 0 {
		return strings.Trim(w, "0123456789.,/-:°") == ""
	}
	vowel, last := false, ' '
	for _, r := range w {
		switch {
		case unicode.IsLetter(r):
			if unicode.IsUpper(r) && unicode.IsLower(last) {
				return false
			}
			vowel = vowel || strings.ContainsRune("aeiouyàâäéèêëîïôöùûüœæAEIOUYÀÂÄÉÈÊËÎÏÔÖÙÛÜŒÆ", r)
		case r == '\'' || r == '’' || r == '-' || r == '.':
		case unicode.IsDigit(r) && !unicode.IsLower(last):
		default:
			return false
		}
		last = r
	}
	return vowel || len([]rune(w)) < 3 || strings.ToUpper(w) == w
}
