package law

import (
	"regexp"
	"strings"
)

// What stands for what in a Pattern.
const (
	anyBlank = `\s\x{00a0}\x{2007}\x{202f}`
	anyDash  = `\-‐‑–—`
	anyTick  = `'’`
)

// Pattern compiles a regular expression for printed French: a blank stands for
// any white space, « ~ » for any hyphen or dash and « ' » for any apostrophe, in
// character classes too. It panics on an expression that does not compile.
func Pattern(expr string) *regexp.Regexp {
	var b strings.Builder
	class, escaped := false, false
	for _, r := range expr {
		set, known := map[rune]string{' ': anyBlank, '~': anyDash, '\'': anyTick}[r]
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
	return regexp.MustCompile(b.String())
}

// pattern is a Pattern that does not tell capitals from small letters.
func pattern(expr string) *regexp.Regexp { return Pattern(`(?i)` + expr) }
