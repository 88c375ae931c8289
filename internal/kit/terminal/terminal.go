// Package terminal prints on a terminal, or on an output that is none: foreign text made safe, tables and fields that fit
// the width of the screen, and a bar of progress.
package terminal

import (
	"fmt"
	"io"
	"os"
	"strconv"
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
		pos := strings.LastIndexByte(s[:min(end+1, len(s))], ' ')
		if pos <= 0 {
			if pos = strings.LastIndexByte(s[:end], '/') + 1; pos == 0 {
				pos = end
			}
		}
		lines = append(lines, strings.TrimRight(s[:pos], " "))
		s = strings.TrimLeft(s[pos:], " ")
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

const (
	// barWidth is the width of the bar itself.
	barWidth = 20
	// barFrame is the width of the percentage and the frame around the bar.
	barFrame = 9
	// maxName is the maximum width of the file name after the bar.
	maxName = 40
)

// Bar shows how much of something is done on one line of the terminal. It uses no library: schollz/progressbar
// or mpb could replace only the twenty lines of Draw, clear and Say. The rest would stay: French numbers, names cut to
// the available width, and messages in between. Besides, progressbar writes each change three times.
type Bar struct {
	w     io.Writer
	drawn int  // width of the displayed line
	Full  bool // whether all is done; End leaves such a bar on the screen
}

// NewBar returns a bar that is drawn on w.
func NewBar(w io.Writer) *Bar { return &Bar{w: w} }

// Draw draws the bar at done of all pages. The name is shortened to fit the line.
func (b *Bar) Draw(left, name, rest string, done, all int) {
	room := maxName
	if width := Width(b.w); width > 0 {
		counts := fmt.Sprintf("(%d/%d)", all, all)
		room = min(room, width-1-barWidth-barFrame-Columns(counts+left+rest)-1)
	}
	if name != "" && room >= Narrowest {
		left += " " + Cut(Line(name), room)
	}
	percent := min(100, 100*done/max(all, 1))
	filled := barWidth * percent / 100
	line := fmt.Sprintf("%s%4d%% |%s%s| (%d/%d)", left+rest, percent, strings.Repeat("█", filled), strings.Repeat(" ", barWidth-filled), done, all)
	width := Columns(line)
	fmt.Fprint(b.w, "\r", line, strings.Repeat(" ", max(0, b.drawn-width)))
	b.drawn = width
}

// clear blanks the line.
func (b *Bar) clear() {
	fmt.Fprint(b.w, "\r", strings.Repeat(" ", b.drawn), "\r")
	b.drawn = 0
}

// Say prints a sentence without disturbing the bar.
func (b *Bar) Say(sentence string) {
	b.clear()
	fmt.Fprintln(b.w, Line(sentence))
}

// End leaves a full bar on the screen and clears any other bar.
func (b *Bar) End() {
	if b.Full {
		fmt.Fprintln(b.w)
		return
	}
	b.clear()
}

// Clean makes foreign text safe for a terminal. It removes control characters, which could
// move the cursor or do worse, marks that change the direction of text, and invalid UTF-8.
// Line ends stay, and tabs become blanks.
func Clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '\n':
			return r
		case '\t':
			return ' '
		case '\r':
			return -1
		}
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == unicode.ReplacementChar {
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(s, string(unicode.ReplacementChar)))
}

// Line cleans a text that must stay on one line.
func Line(s string) string { return Clean(strings.Join(strings.Fields(s), " ")) }

// Bytes formats a number of bytes for people.
func Bytes(n int64) string {
	const step = 1024
	units := []string{"o", "Kio", "Mio", "Gio", "Tio"}
	v, i := float64(n), 0
	for v >= step && i < len(units)-1 {
		v /= step
		i++
	}
	digits := 1
	if i == 0 {
		digits = 0
	}
	return strings.Replace(strconv.FormatFloat(v, 'f', digits, 64), ".", ",", 1) + " " + units[i]
}
