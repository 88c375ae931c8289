package law

import (
	"strings"
	"unicode"

	"vigueur/internal/kit/lazyre"
)

// ArticleKey returns the form in which article numbers are compared. « Art. L. 1224-1 »,
// « L1224-1 » and « l. 1224-1 » have the same key, and so have « 1er », « premier » and
// « 1 », « 1er bis » and « 1 bis », « 01 » and « 1 », and the two spellings of the ninth
// suffix. Suffixes count: « 26 bis » and « 26 » have different keys.
func ArticleKey(number string) string {
	var b strings.Builder
	for _, r := range Fold(number) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' {
			b.WriteRune(r)
		}
	}
	key := b.String()
	for _, prefix := range []string{"articles", "article", "arts", "art"} {
		if rest, ok := strings.CutPrefix(key, prefix); ok {
			key = rest
			break
		}
	}
	if key = strings.TrimSuffix(key, "nouveau"); key == "unique" {
		return "1"
	}
	if m := firstKey.FindStringSubmatch(key); m != nil {
		key = "1" + m[1]
	}
	if ninth, ok := strings.CutSuffix(key, "novies"); ok {
		key = ninth + "nonies"
	}
	return plainFigures(key)
}

// firstKey matches the ways to write « 1 » with an optional suffix. « Ier » is the Roman
// numeral, or a misreading of « 1er » by text recognition.
var firstKey = lazyre.New(`^(?:1ere?|[il]er|premiere?)((?:` + SuffixWords + `)?)$`)

// figures matches a run of digits.
var figures = lazyre.New(`[0-9]+`)

// plainFigures removes leading zeros from each number in the key.
func plainFigures(key string) string {
	return figures.ReplaceAllStringFunc(key, func(f string) string {
		if plain := strings.TrimLeft(f, "0"); plain != "" {
			return plain
		}
		return "0"
	})
}
