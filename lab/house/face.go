package house

import "unicode"

// Mean widths of letters in thousandths of their size, as in the book faces that
// gazettes are set in. The style's width stretches them.
var widths = func() (w [256]float64) {
	for i := range w {
		w[i] = 500
	}
	set := func(x float64, letters string) {
		for _, r := range letters {
			w[r] = x
		}
	}
	set(278, "ijlt.,:;'!|/ìíîï¹")
	set(333, "fr-()[]Is")
	set(389, "szcÇ")
	set(444, "aeçàâäéèêë?")
	set(722, "mwHAKNUVGOQDRXYÀÂÄÙÛÔ")
	set(778, "OQÔ")
	set(889, "MWm%")
	set(610, "BCELTZPSFÉÈÊË")
	set(333, "J")
	return w
}()

// advance is the width of a letter at size 1.
func advance(r rune, bold bool) float64 {
	w := 480.0
	switch {
	case r < 256:
		w = widths[r]
	case r == '’' || r == 'ʼ' || r == '\u2009':
		w = 278
	case r == '—' || r == '…' || r == 'œ' || r == 'Œ':
		w = 889
	case unicode.Is(unicode.Arabic, r):
		w = 420
	}
	if bold {
		w *= 1.06
	}
	return w / 1000
}

// measure is the width of text set in a style at a size.
func (s *Style) measure(text string, size float64, bold bool) float64 {
	if s.typewriter {
		n := 0
		for range text {
			n++
		}
		return float64(n) * 0.6 * size
	}
	w := 0.0
	for _, r := range text {
		w += advance(r, bold)
	}
	return w * size * s.width
}
