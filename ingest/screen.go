package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"

	"golang.org/x/term"
)

// screen is an output that knows how many characters fit on a line of it. What
// is no terminal has no width: nothing that is written there is cut or broken.
type screen struct {
	io.Writer
	width func() int // 0: no terminal
}

// screenOf gives the screen of a file, whose width follows the terminal's.
func screenOf(f *os.File) screen {
	return screen{f, func() int {
		width, _, err := term.GetSize(int(f.Fd()))
		if err != nil {
			return 0
		}
		return width
	}}
}

// widthOf is how many characters fit on a line of w, 0 when it is no terminal.
func widthOf(w io.Writer) int {
	if s, ok := w.(screen); ok {
		return max(s.width(), 0)
	}
	return 0
}

// columns is how many columns of a terminal s takes. The marks that stand above
// a letter take none.
func columns(s string) (n int) {
	for _, r := range s {
		if !unicode.Is(unicode.Mn, r) {
			n++
		}
	}
	return n
}

// cut shortens s to at most n columns, the ellipsis included.
func cut(s string, n int) string {
	if columns(s) <= n {
		return s
	}
	return strings.TrimRight(s[:prefix(s, n-1)], " ") + "…"
}

// prefix is how many bytes of s its first n columns take.
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

// broken breaks s into lines of at most n columns: at blanks, else behind a
// slash, as file names have, else anywhere; n of 0, where there is no terminal, breaks nothing.
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

// told prints « name  value », the value broken under itself where the screen is
// too narrow for it. The name is given indent columns.
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
