package pdftext

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"vigueur/internal/gazette/layout"
)

// Fonts made by programs for the Macintosh often name the wrong code page: their
// bytes are in Windows-1252, but are read as Mac Roman. « décret » then becomes
// « dÈcret », « l’arrêté » becomes « líarrÍtÈ », « à » becomes « ‡ ». No French word
// has an accented capital after a small letter, so such words show that a page was
// read in the wrong code page, and the reverse mapping restores the printed text.

// leastMiscoded is how many words of a page must look miscoded before the page is
// mended: a single one can be a misprint.
const leastMiscoded = 3

// MendCodes mends the words of a page that was read in the wrong code page, in place,
// and returns them. The words of any other page, and of a page that was already
// mended, do not change.
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

// misplaced reports whether s has an accented capital inside a word next to a small
// letter, or one of noInitials at the beginning of a word before a small letter.
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

// noInitials are the accented capitals with which no French word begins whose other
// letters are small.
const noInitials = "ÈÍËÓÙ"

// frenchSigns are the characters outside of ASCII that occur in printed French.
const frenchSigns = "àâäæçéèêëîïôöœùûüÿÀÂÄÆÇÉÈÊËÎÏÔÖŒÙÛÜŸ’‘“”«»–—…•°º§€½¼¾²³★☆■□●\u00a0\u202f"

// fitting reports whether all characters of s occur in printed French and no letter
// follows an ellipsis.
func fitting(s string) bool {
	for i, r := range s {
		if r > unicode.MaxASCII && !strings.ContainsRune(frenchSigns, r) {
			return false
		}
		if r == '…' { // « É » of Windows-1252 reads as « … » in Mac Roman
			if next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):]); unicode.IsLetter(next) {
				return false
			}
		}
	}
	return true
}

// asWindows encodes s in Mac Roman and decodes the bytes as Windows-1252. Characters
// that Mac Roman lacks do not change.
func asWindows(s string) string {
	return strings.Map(func(r rune) rune {
		code, ok := charmap.Macintosh.EncodeRune(r)
		if !ok {
			return r
		}
		return charmap.Windows1252.DecodeByte(code)
	}, s)
}
