package house

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// capital makes the first letter a capital one.
func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// bareLetters takes the accents off letters, as old presses and typists leave
// them out on capitals.
var bareLetters = strings.NewReplacer(
	"À", "A", "Â", "A", "Ä", "A", "Ç", "C", "É", "E", "È", "E", "Ê", "E", "Ë", "E", "Î", "I", "Ï", "I", "Ô", "O", "Ö", "O", "Ù", "U", "Û", "U", "Ü", "U", "Œ", "OE",
	"à", "a", "â", "a", "ä", "a", "ç", "c", "é", "e", "è", "e", "ê", "e", "ë", "e", "î", "i", "ï", "i", "ô", "o", "ö", "o", "ù", "u", "û", "u", "ü", "u", "œ", "oe",
)

// upper is s in capitals as the style has them.
func (s *Style) upper(text string) string {
	text = strings.ToUpper(text)
	if !s.accented {
		text = bareLetters.Replace(text)
	}
	// The sign of a number keeps its small letter.
	return text
}

// spell adapts composed text to the house: its apostrophes, dashes and quotes,
// accents on capitals.
func (s *Style) spell(text string) string {
	if s.curly {
		text = strings.ReplaceAll(text, "'", "’")
	}
	switch s.quotes {
	case 1:
		text = strings.NewReplacer("« ", "“", " »", "”").Replace(text)
	case 2:
		text = strings.NewReplacer("« ", "\"", " »", "\"").Replace(text)
	}
	if s.typewriter {
		text = strings.NewReplacer("—", "-", "–", "-", "œ", "oe", "Œ", "OE").Replace(text)
	}
	if !s.accented && strings.ContainsAny(text, "ÀÂÇÉÈÊËÎÏÔÙÛŒ") {
		text = strings.Map(func(r rune) rune {
			if unicode.IsUpper(r) {
				b := []rune(bareLetters.Replace(string(r)))
				return b[0]
			}
			return r
		}, strings.ReplaceAll(text, "Œ", "OE"))
	}
	return text
}
