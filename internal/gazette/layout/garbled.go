package layout

import "unicode"

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
