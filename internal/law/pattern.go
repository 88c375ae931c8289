package law

import (
	"strings"

	"vigueur/internal/kit/lazyre"
)

// signs are what stands for what in a Pattern.
var signs = map[rune]string{' ': `\s\x{00a0}\x{2007}\x{202f}`, '~': `\-‐‑–—`, '\'': `'’`}

// Pattern is a regular expression for printed French: a blank stands for any white space, « ~ »
// for any hyphen or dash and « ' » for any apostrophe, in character classes too. It is for
// package variables: it is compiled when it is first used, and panics then if it does not compile.
func Pattern(expr string) *lazyre.Regexp { return lazyre.Of(func() string { return translate(expr) }) }

// translate returns the expression of Go for one of a Pattern.
func translate(expr string) string {
	var b strings.Builder
	class, escaped := false, false
	for _, r := range expr {
		set, known := signs[r]
		switch {
		case known && class:
			b.WriteString(set)
		case known:
			b.WriteString("[" + set + "]")
		default:
			b.WriteRune(r)
		}
		if !escaped && (r == '[' || r == ']') {
			class = r == '['
		}
		escaped = r == '\\' && !escaped
	}
	return b.String()
}

// pattern is a Pattern that does not tell capitals from small letters.
func pattern(expr string) *lazyre.Regexp { return Pattern(`(?i)` + expr) }
