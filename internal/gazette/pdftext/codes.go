package pdftext

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"vigueur/internal/gazette/layout"
)

// Fonts of programs for the Macintosh often name the code page wrongly: their
// bytes are Windows', and are read as the Macintosh's. « décret » then comes as
// « dÈcret », « l’arrêté » as « líarrÍtÈ », « à » as « ‡ ». No French word has an
// accented capital behind a small letter, so a page that has such words tells on
// itself, and the reverse mapping gives what was printed.

// leastMiscoded is how many words tell of a page in the wrong code page: one may
// be a slip of the printer.
const leastMiscoded = 3

// MendCodes returns a page's words as printed where its fonts name the wrong code
// page, and the words themselves where they do not. Words that were mended once
// stay as they are.
func MendCodes(words []layout.Word) []layout.Word {
	told := 0
	for i := range words {
		if misplaced(words[i].Text) {
			told++
		}
	}
	if told < leastMiscoded {
		return words
	}
	for i := range words {
		w := &words[i]
		if fitting(w.Text) && !misplaced(w.Text) {
			continue
		}
		if mended := asWindows(w.Text); fitting(mended) && !misplaced(mended) {
			w.Text = mended
		}
	}
	return words
}

// misplaced tells of an accented capital beside a small letter within a word, or at
// the beginning of a word where French has none of the kind.
func misplaced(s string) bool {
	runes := []rune(s)
	for i, r := range runes {
		if r <= unicode.MaxASCII || !unicode.IsUpper(r) {
			continue
		}
		before, behind := i > 0 && unicode.IsLetter(runes[i-1]), i+1 < len(runes) && unicode.IsLower(runes[i+1])
		if before && (behind || unicode.IsLower(runes[i-1])) || !before && behind && strings.ContainsRune(noInitials, r) {
			return true
		}
	}
	return false
}

// noInitials are accented capitals that begin no French word in small letters.
const noInitials = "ÈÍËÓÙ"

// frenchSigns are the characters beyond ASCII that printed French has.
const frenchSigns = "àâäæçéèêëîïôöœùûüÿÀÂÄÆÇÉÈÊËÎÏÔÖŒÙÛÜŸ’‘“”«»–—…•°º§€½¼¾²³★☆■□●\u00a0\u202f"

// fitting reports whether a word has only characters that French has, and no letter
// behind an ellipsis.
func fitting(s string) bool {
	for i, r := range s {
		if r > unicode.MaxASCII && !strings.ContainsRune(frenchSigns, r) {
			return false
		}
		if r == '…' { // in such a font it is « É », and the ellipsis another one
			if next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):]); unicode.IsLetter(next) {
				return false
			}
		}
	}
	return true
}

// asWindows reads the Macintosh's codes of a word as Windows'; characters that are
// none stay.
func asWindows(s string) string {
	return strings.Map(func(r rune) rune {
		code, ok := charmap.Macintosh.EncodeRune(r)
		if !ok {
			return r
		}
		return charmap.Windows1252.DecodeByte(code)
	}, s)
}
