package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"

	"golang.org/x/term"
)

// screen is an output with the width of its lines. An output that is not a terminal has no
// width: nothing on it is shortened or wrapped.
type screen struct {
	io.Writer
	width func() int // 0: not a terminal
}

// screenOf returns the screen of a file; its width follows the terminal's.
func screenOf(f *os.File) screen {
	return screen{f, func() int {
		width, _, err := term.GetSize(int(f.Fd()))
		if err != nil {
			return 0
		}
		return width
	}}
}

// widthOf is the width of a line of w, 0 if it is not a terminal.
func widthOf(w io.Writer) int {
	if s, ok := w.(screen); ok {
		return max(s.width(), 0)
	}
	return 0
}

// columns is the number of terminal columns of s. Combining marks take none.
func columns(s string) (n int) {
	for _, r := range s {
		if !unicode.Is(unicode.Mn, r) {
			n++
		}
	}
	return n
}

// cut shortens s to at most n columns, including the ellipsis.
func cut(s string, n int) string {
	if columns(s) <= n {
		return s
	}
	return strings.TrimRight(s[:prefix(s, n-1)], " ") + "…"
}

// prefix is the number of bytes of the first n columns of s.
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

// broken wraps s into lines of at most n columns: at blanks, else after a slash, as in file
// names, else anywhere; 0, if there is no terminal, means no wrapping.
func broken(s string, n int) (lines []string) {
	for n > 0 && columns(s) > n {
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

// told prints « name  value », with the value wrapped and indented if the screen is too
// narrow. The name takes indent columns.
func told(w io.Writer, indent int, name, value string) {
	lines := []string{value}
	if width := widthOf(w); width >= 2*indent {
		lines = broken(value, width-indent)
	}
	for i, line := range lines {
		if i > 0 {
			name = ""
		}
		name += strings.Repeat(" ", max(indent-columns(name), 1))
		fmt.Fprintln(w, strings.TrimRight(name+line, " "))
	}
}
