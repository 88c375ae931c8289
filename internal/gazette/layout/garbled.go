package layout

import "unicode"

// The scripts that a gazette in French may have beside its own: the other language
// of a bilingual one, and the letters of formulas.
var otherScripts = []*unicode.RangeTable{unicode.Latin, unicode.Arabic, unicode.Tifinagh, unicode.Greek, unicode.Common, unicode.Inherited}

// Thresholds of Garbled, from 31 official files of nine countries: none has a
// single such word.
const (
	garbledWords = 5
	garbledShare = 0.01
)

// Garbled reports whether words of a page's text layer hold letters that no gazette
// in French has, or are of a broken font that recognition has not replaced: its codes were
// damaged, and what is left of the words is only partly what was printed.
func (p Page) Garbled() bool {
	if p.Source != Layer {
		return false
	}
	n, all := 0, 0
	var set faces
	for w := range p.words() {
		set.add(w)
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
