// Package edition tells whether two cut texts are one text of law in two
// editions — a scan and its digital twin, a law printed in two gazettes — and
// which edition is the better one.
//
// It is pure. One is only certain that two texts are the same when everything
// says so: kind, number and date, the words of the titles and the running words.
// What is alike in most of this is doubtful, and for a person to decide; laws of
// two countries that happen to share number and date are neither, because their
// words differ.
package edition

import (
	"regexp"
	"strings"
	"unicode"

	"vigueur/internal/law"
)

// Likeness is what two texts are to one another.
type Likeness uint8

// The likenesses.
const (
	Different Likeness = iota
	Doubtful
	Same
)

// The shares of the shorter one's words that must stand in the other, from the
// worst scan at hand (0.86 of its title, 0.78 of its pairs of words) and from
// laws of one legislature, of which hardly two share a fifth of their pairs.
const (
	sameTitle, nearTitle = 0.6, 0.4
	sameBody, nearBody   = 0.5, 0.3
)

// Edition is a text as one file has it.
type Edition struct {
	Type        law.DocType
	Number      string
	Promulgated string // YYYY-MM-DD
	titleWords  map[string]bool
	pairs       map[[2]string]bool
	words       int
	clean       float64
}

// New reads a text. body is its articles' words; recognized is the share of its
// pages that were read from a picture, from 0 to 1.
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

// Compare tells what two texts are to one another.
func Compare(a, b Edition) Likeness {
	if Key(a.Number) == "" || Key(a.Number) != Key(b.Number) || kind(a.Type) != kind(b.Type) {
		return Different
	}
	title, body := contained(a.titleWords, b.titleWords), contained(a.pairs, b.pairs)
	switch {
	case a.Promulgated == b.Promulgated && sameAuthority(a.Number, b.Number) && title >= sameTitle && body >= sameBody:
		return Same
	case title >= nearTitle && body >= nearBody:
		return Doubtful
	}
	return Different
}

// kind takes a code for the law that made it.
func kind(t law.DocType) law.DocType {
	if t == law.Code {
		return law.Loi
	}
	return t
}

var numbers = regexp.MustCompile(`\d+`)

// Key is the digits of an official number: « 2000-190/PRES/PM » and « 2000-190 »
// are one, and « 028-2008/AN » is « 28-2008 ».
func Key(number string) string {
	found := numbers.FindAllString(number, 2)
	for i := range found {
		found[i] = strings.TrimLeft(found[i], "0")
	}
	return strings.Join(found, "-")
}

// sameAuthority tells whether the letters of two numbers, « PRES/PM » for one,
// speak of one authority; a number that has none does not contradict.
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

// contained is the share of the smaller set that the larger has, 0 for nothing.
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

// What makes an edition better.
const (
	recognizedCost = 0.05 // a page from a picture has mistakes that are words too
	accentsWorth   = 0.05 // a layer that lost its accents is no good text
	accentsFull    = 0.02 // of the letters; French law has twice that
	muchLonger     = 1.2  // the shorter one lacks pages
	asClean        = 0.1  // a longer edition may be that much dirtier
	clearly        = 0.01 // less does not tell two editions apart
)

// Better tells whether a is the better edition of the text that b is, too. Of
// two that are as good neither is.
func Better(a, b Edition) bool {
	switch long, other := float64(a.words), float64(b.words); {
	case long > muchLonger*other && a.clean > b.clean-asClean:
		return true
	case other > muchLonger*long && b.clean > a.clean-asClean:
		return false
	}
	return a.clean > b.clean+clearly
}

// cleanness is the share of the words that look like words or numbers, and a
// little for accents.
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

// sound tells a word of letters in their usual place, or a number, from rubbish:
// « tÈl.af », « 1!)0 » and « Gq,renement » are none.
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
