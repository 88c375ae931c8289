package law

import (
	"strings"

	"vigueur/internal/kit/lazyre"
)

// signs maps each placeholder of a Pattern to the characters that it stands for.
var signs = map[rune]string{' ': `\s\x{00a0}\x{2007}\x{202f}`, '~': `\-‐‑–—`, '\'': `'’`}

// Pattern returns a regular expression for printed French. In expr, also in character
// classes, a blank stands for any white space, « ~ » for any hyphen or dash and « ' » for
// any apostrophe. Pattern is meant for package variables: it compiles expr when the
// expression is first used, and panics then if expr is invalid.
func Pattern(expr string) *lazyre.Regexp { return lazyre.Of(func() string { return translate(expr) }) }

// translate returns the Go expression for the expression of a Pattern.
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

// pattern returns a Pattern that ignores case.
func pattern(expr string) *lazyre.Regexp { return Pattern(`(?i)` + expr) }
