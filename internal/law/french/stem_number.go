package french

import "strings"

// TextStem returns the part of a text's official number that people remember, as a term:
// the digits without the initials of the authors. The stem of « 2000-192-pres-pm » is
// « 2000-192 ». A number that does not begin with two groups of digits is its own stem.
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

// SameText reports whether two terms of official numbers can mean the same text: they are
// equal, or one is the stem of the other.
func SameText(a, b string) bool {
	return a != "" && (a == b || a == TextStem(b) || TextStem(a) == b)
}
