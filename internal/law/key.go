package law

import (
	"regexp"
	"strings"
	"unicode"
)

// ArticleKey is the form of an article's number that is compared: « Art. L.
// 1224-1 », « L1224-1 » and « l. 1224-1 » are one, and so are « 1er », « premier »
// and « 1 », and « 01 » and « 1 ». Suffixes stay: « 26 bis » is not « 26 ».
func ArticleKey(number string) string {
	var b strings.Builder
	for _, r := range Fold(number) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' {
			b.WriteRune(r)
		}
	}
	key := b.String()
	for _, prefix := range []string{"articles", "article", "art"} {
		if rest, ok := strings.CutPrefix(key, prefix); ok {
			key = rest
			break
		}
	}
	switch key = strings.TrimSuffix(key, "nouveau"); key {
	case "1er", "premier", "1ere", "premiere", "unique":
		return "1"
	}
	return plainFigures(key)
}

// figures are a run of them.
var figures = regexp.MustCompile(`[0-9]+`)

// plainFigures takes the zeros away that figures begin with.
func plainFigures(key string) string {
	return figures.ReplaceAllStringFunc(key, func(f string) string {
		if plain := strings.TrimLeft(f, "0"); plain != "" {
			return plain
		}
		return "0"
	})
}
