package law

import (
	"strings"
	"unicode"

	"vigueur/internal/kit/lazyre"
)

// ArticleKey is the form of an article's number that is compared: « Art. L.
// 1224-1 », « L1224-1 » and « l. 1224-1 » are one, and so are « 1er », « premier »
// and « 1 », « 1er bis » and « 1 bis », « 01 » and « 1 », and the two ways to write the
// ninth suffix. Suffixes stay: « 26 bis » is not « 26 ».
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

// firstKey finds the ways to write « 1 », and the suffix behind it. « Ier » is the Roman
// figure, or one that text recognition misread.
var firstKey = lazyre.New(`^(?:1ere?|[il]er|premiere?)((?:` + SuffixWords + `)?)$`)

// figures are a run of them.
var figures = lazyre.New(`[0-9]+`)

// plainFigures takes the zeros away that figures begin with.
func plainFigures(key string) string {
	return figures.ReplaceAllStringFunc(key, func(f string) string {
		if plain := strings.TrimLeft(f, "0"); plain != "" {
			return plain
		}
		return "0"
	})
}
