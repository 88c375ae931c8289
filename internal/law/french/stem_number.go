package french

import "strings"

// TextStem is what people keep of a text's official number, by its term: its
// figures, without the signs of those who made the text. « 2000-192-pres-pm » has «
// 2000-192 »; a number that does not begin with two groups of figures is its own.
func TextStem(term string) string {
	end := 0
	for at := 0; at < len(term); {
		part, _, more := strings.Cut(term[at:], "-")
		if part == "" || strings.Trim(part, "0123456789") != "" {
			break
		}
		end = at + len(part)
		at = end + 1
		if !more {
			break
		}
	}
	if end == 0 || !strings.Contains(term[:end], "-") {
		return term
	}
	return term[:end]
}

// SameText reports whether two terms of official numbers can mean one text: they are
// equal, or one is the other without its signs.
func SameText(a, b string) bool {
	return a != "" && (a == b || a == TextStem(b) || TextStem(a) == b)
}
