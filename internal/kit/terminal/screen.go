package terminal

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"

	"golang.org/x/term"
)

// Screen is an output that knows the width of its lines. An output that is not a terminal
// has no width, and nothing on it is shortened or wrapped.
type Screen struct {
	io.Writer
	Width func() int // returns 0 if the output is not a terminal
}

// ScreenOf returns a file as a screen. Its width follows that of the terminal.
func ScreenOf(f *os.File) Screen {
	return Screen{f, func() int {
		width, _, err := term.GetSize(int(f.Fd()))
		if err != nil {
			return 0
		}
		return width
	}}
}

// Width returns the width of a line of w, 0 if w is not a terminal.
func Width(w io.Writer) int {
	if s, ok := w.(Screen); ok {
		return max(s.Width(), 0)
	}
	return 0
}

// Columns returns the number of terminal columns that s needs. Combining marks need none.
func Columns(s string) (n int) {
	for _, r := range s {
		if !unicode.Is(unicode.Mn, r) {
			n++
		}
	}
	return n
}

// Cut shortens s to at most n columns, including the ellipsis.
func Cut(s string, n int) string {
	if Columns(s) <= n {
		return s
	}
	return strings.TrimRight(s[:prefix(s, n-1)], " ") + "…"
}

// prefix returns the length in bytes of the first n columns of s.
func prefix(s string, n int) int {
	for i, r := range s {
		if unicode.Is(unicode.Mn, r) {
			continue
		}
		if n--; n < 0 {
			return i
		}
	}
	return len(s)
}

// Wrap wraps s into lines of at most n columns. It breaks lines at blanks, else after a
// slash, as in file names, else anywhere. n is 0 without a terminal; then s is not wrapped.
func Wrap(s string, n int) (lines []string) {
	for n > 0 && Columns(s) > n {
		end := prefix(s, n)
		at := strings.LastIndexByte(s[:min(end+1, len(s))], ' ')
		if at <= 0 {
			if at = strings.LastIndexByte(s[:end], '/') + 1; at == 0 {
				at = end
			}
		}
		lines = append(lines, strings.TrimRight(s[:at], " "))
		s = strings.TrimLeft(s[at:], " ")
	}
	return append(lines, s)
}

// Field prints « name  value ». If the screen is too narrow, the value is wrapped and
// indented. The name takes indent columns.
func Field(w io.Writer, indent int, name, value string) {
	lines := []string{value}
	if width := Width(w); width >= 2*indent {
		lines = Wrap(value, width-indent)
	}
	for i, line := range lines {
		if i > 0 {
			name = ""
		}
		name += strings.Repeat(" ", max(indent-Columns(name), 1))
		fmt.Fprintln(w, strings.TrimRight(name+line, " "))
	}
}
