package ingestion

import (
	"strings"

	"vigueur/internal/page"
)

// A layer is no French when hardly a word of it is one of the small words that
// make up two fifths of any French law. That alone may be a table or another
// language; it is a bad layer when the page is a picture as well, or when its
// letters are no language's: glyphs shifted by their font have too few vowels
// (French has 0.44, English 0.38).
const (
	poorStop    = 0.10 // share of small words
	poorWords   = 20   // fewer words say nothing of a layer
	poorVowels  = 0.30 // share of vowels among the letters
	poorLetters = 100  // fewer letters say nothing of their vowels
	scanCover   = 0.5  // of the page, by one picture
)

// wantsOCR tells whether a page's words are better read from its picture.
func wantsOCR(p page.Page) bool {
	switch {
	case p.Fault != "":
		return false
	case len(p.Words) == 0:
		return p.Drawn || p.Cover > 0
	}
	q := page.Judge(p.Words)
	return q.Words >= poorWords && q.Stop < poorStop && (p.Cover >= scanCover || shifted(p.Words))
}

// shifted tells whether the letters of the words are no language's.
func shifted(words []page.Word) bool {
	letters, vowels := 0, 0
	for _, w := range words {
		for _, r := range strings.ToLower(w.Text) {
			switch {
			case strings.ContainsRune("aeiouàâäéèêëîïôöùûüœæ", r):
				vowels++
				letters++
			case r >= 'a' && r <= 'z', r == 'ç':
				letters++
			case r >= 0xE000 && r <= 0xF8FF: // the private zone: no letter at all
				letters++
			}
		}
	}
	return letters >= poorLetters && float64(vowels) < poorVowels*float64(letters)
}

// better gives the more French of a page's layer and what was recognized.
func better(layer, seen page.Page) page.Page {
	if len(layer.Words) == 0 || seen.Fault == "" && page.Judge(seen.Words).Stop >= page.Judge(layer.Words).Stop {
		return seen
	}
	layer.Fault = ""
	return layer
}
